"""SQL functions return what `extract` does."""

from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError, UnknownName

database = pytest.importorskip("duckdb")
from phrasemill.integrations.duckdb import register  # noqa: E402

TEXT = "Salt water moves inland, and wells turn brackish."


def papers() -> "database.DuckDBPyConnection":
    connection = database.connect()
    connection.execute("CREATE TABLE papers (id INTEGER, text VARCHAR)")
    connection.execute("INSERT INTO papers VALUES (1, ?), (2, NULL), (3, '')", [TEXT])
    return connection


def test_a_list_of_structs_per_text_and_null_for_null() -> None:
    connection = papers()
    register(connection, top=2)
    found = [row[0] for row in connection.sql("SELECT keyphrases(text) FROM papers ORDER BY id").fetchall()]
    expected = pm.extract(TEXT, top=2)
    assert [(one["text"], one["score"]) for one in found[0]] == [(one.text, one.score) for one in expected]
    assert found[0][0]["spans"] == [{"start": start, "end": end} for start, end in expected[0].spans]
    assert found[1:] == [None, []]


def test_unnest_gives_one_row_per_keyphrase() -> None:
    connection = papers()
    register(connection, top=2)
    rows = connection.sql("SELECT id, unnest(keyphrases(text), recursive := true) FROM papers")
    assert rows.columns[:4] == ["id", "text", "score", "present"]
    assert [row[1] for row in rows.fetchall()] == [one.text for one in pm.extract(TEXT, top=2)]


def test_a_function_per_choice_of_options(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("id,label,synonyms\nW1,groundwater wells,wells\n", encoding="utf-8")
    connection = papers()
    register(connection, "words", method="tfidf", longest=1, top=1)
    register(connection, "terms", vocabulary=tmp_path / "terms.csv")
    [words] = connection.sql("SELECT words(text)[1].text FROM papers WHERE id = 1").fetchall()
    [terms] = connection.sql("SELECT terms(text)[1].label FROM papers WHERE id = 1").fetchall()
    assert words == (pm.extract(TEXT, method="tfidf", longest=1, top=1)[0].text,)
    assert terms == ("groundwater wells",)


def test_mistakes() -> None:
    with pytest.raises(UnknownName, match="option 'topp'"):
        register(papers(), topp=2)
    with pytest.raises(ConfigError, match="cannot be the name"):
        register(papers(), "key phrases")
