"""The namespaces return what `extract` does, as lists of structs, in eager and lazy frames."""

import pytest

import phrasemill as pm
from phrasemill.errors import InputError, UnknownName
from phrasemill.readers import Columns

pl = pytest.importorskip("polars")
import phrasemill.integrations.polars  # noqa: E402

TEXTS = ["Salt water moves inland, and wells turn brackish.", None, "", "Neural networks learn from data."]


def frame() -> "pl.DataFrame":
    return pl.DataFrame({"key": list("abcd"), "abstract": TEXTS})


def test_an_expression_has_lists_of_structs() -> None:
    found = frame().with_columns(keyphrases=pl.col("abstract").phrasemill.extract(top=2))["keyphrases"].to_list()
    expected = pm.extract(TEXTS[0] or "", top=2)
    assert [(one["text"], one["score"]) for one in found[0]] == [(one.text, one.score) for one in expected]
    assert found[0][0]["spans"] == [{"start": start, "end": end} for start, end in expected[0].spans]
    assert found[1:3] == [None, []]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_frames_have_the_schema_before_they_run(engine: str) -> None:
    lazy = frame().lazy().select("key", keyphrases=pl.col("abstract").phrasemill.extract(top=1))
    done = lazy.collect(engine=engine)
    assert lazy.collect_schema() == done.schema
    rows = lazy.drop_nulls().explode("keyphrases").unnest("keyphrases").collect(engine=engine)
    assert rows.columns == ["key", "text", "score", "present", "spans"]


def test_a_series_and_an_expression_agree() -> None:
    texts = frame()["abstract"]
    expression = frame().select(pl.col("abstract").phrasemill.extract(top=3))["abstract"]
    assert texts.phrasemill.extract(top=3).equals(expression)
    assert texts.phrasemill.extract(top=3, jobs=2).equals(expression)


def test_a_series_of_no_texts_has_the_type_of_keyphrases() -> None:
    assert pl.Series("none", [None, None], dtype=pl.String).phrasemill.extract().to_list() == [None, None]
    empty = pl.Series("none", [], dtype=pl.String).phrasemill.extract()
    assert empty.dtype == frame()["abstract"].phrasemill.extract().dtype


def test_a_frame_keeps_ids_and_records_rows_that_fail() -> None:
    found = frame().phrasemill.extract(columns=Columns(text="abstract", id="key"), top=1)
    assert found["id"].to_list() == list("abcd")
    assert found["error"].is_null().to_list() == [True, False, False, True]


def test_mistakes_are_found_before_anything_runs() -> None:
    with pytest.raises(UnknownName, match="did you mean 'top'"):
        pl.col("abstract").phrasemill.extract(topp=2)
    with pytest.raises(InputError, match="row 1 is no text but int"):
        pl.Series([1]).phrasemill.extract()
