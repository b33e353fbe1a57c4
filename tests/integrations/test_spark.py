"""The functions for Spark: alone, and in a session where Spark and Java are installed."""

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import phrasemill as pm
from phrasemill.errors import UnknownName
from phrasemill.integrations.spark import SCHEMA, in_arrow, in_pandas
from phrasemill.readers import Columns

pd = pytest.importorskip("pandas")

TEXTS = ["Salt water moves inland, and wells turn brackish.", "Neural networks learn from data."]
ROWS = [("a", TEXTS[0]), ("b", TEXTS[1]), ("c", None)]
HERE = "127.0.0.1"
COLUMNS = Columns(id="key", text="abstract")


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    spark = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    builder = spark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", HERE).config("spark.driver.host", HERE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        made = builder.getOrCreate()
        yield made
        made.stop()


def test_frames_in_frames_out() -> None:
    frames = [pd.DataFrame([row], columns=["key", "abstract"]) for row in ROWS[:2]]
    found = list(in_pandas(columns=COLUMNS, top=1)(iter(frames)))
    assert [one["id"].tolist() for one in found] == [["a"], ["b"]]
    assert [one["keyphrases"][0][0]["text"] for one in found] == [pm.extract(text, top=1)[0].text for text in TEXTS]


def test_mistakes_are_found_on_the_driver() -> None:
    for make in (in_pandas, in_arrow):
        with pytest.raises(UnknownName, match="option 'topp'"):
            make(topp=1)


@pytest.mark.filterwarnings("ignore")  # what Spark warns of is Spark's
@pytest.mark.parametrize("way", ["mapInPandas", "mapInArrow"])
def test_in_a_session(session: Any, way: str) -> None:
    frame = session.createDataFrame(ROWS, "key string, abstract string")
    make = {"mapInPandas": in_pandas, "mapInArrow": in_arrow}[way]
    rows = getattr(frame, way)(make(columns=COLUMNS, top=1), SCHEMA).orderBy("id").collect()
    assert [row.id for row in rows] == ["a", "b", "c"]
    assert [row.keyphrases[0].text for row in rows[:2]] == [pm.extract(text, top=1)[0].text for text in TEXTS]
    assert rows[2].keyphrases is None
    assert "empty" in rows[2].error
