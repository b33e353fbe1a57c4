"""The accessors return what `extract` does, as Arrow columns under the frame's own index."""

import pytest

import phrasemill as pm
from phrasemill.errors import InputError, UnknownName
from phrasemill.readers import Columns

pd = pytest.importorskip("pandas")
import phrasemill.integrations.pandas  # noqa: E402

TEXTS = ["Salt water moves inland, and wells turn brackish.", None, "", "Neural networks learn from data."]


def frame() -> "pd.DataFrame":
    return pd.DataFrame({"key": list("abcd"), "abstract": TEXTS}, index=[10, 20, 30, 40])


def test_a_series_has_lists_of_structs_under_its_index() -> None:
    found = frame()["abstract"].phrasemill.extract(top=2)
    assert list(found.index) == [10, 20, 30, 40]
    expected = pm.extract(TEXTS[0] or "", top=2)
    assert [(one["text"], one["score"]) for one in found[10]] == [(one.text, one.score) for one in expected]
    assert found[10][0]["spans"] == [{"start": start, "end": end} for start, end in expected[0].spans]
    assert found[20] is pd.NA
    assert len(found[30]) == 0


def test_missing_values_of_every_kind_have_no_keyphrases() -> None:
    for missing in (None, float("nan"), pd.NA):
        assert pd.Series(["Wells are deep.", missing], dtype=object).phrasemill.extract().isna().tolist() == [
            False,
            True,
        ]


def test_explode_gives_one_row_per_keyphrase_and_one_column_per_field() -> None:
    rows = frame()["abstract"].phrasemill.extract(top=2).explode().struct.explode()
    assert list(rows.columns) == ["text", "score", "present", "spans"]
    assert rows.loc[10, "text"].tolist() == [one.text for one in pm.extract(TEXTS[0] or "", top=2)]


def test_a_frame_keeps_ids_and_records_rows_that_fail() -> None:
    found = frame().phrasemill.extract(columns=Columns(text="abstract", id="key"), top=1)
    assert list(found.index) == [10, 20, 30, 40]
    assert found["id"].tolist() == list("abcd")
    assert found["error"].isna().tolist() == [True, False, False, True]


def test_titles_count() -> None:
    rows = pd.DataFrame({"title": ["Coastal aquifers"], "text": ["Wells turn brackish."]})
    [found] = rows.phrasemill.extract()["keyphrases"]
    assert found[0]["text"] == "Coastal aquifers"


def test_options_are_those_of_extract() -> None:
    words = (word for word in ["salt", "wells"])  # can be read only once
    [found] = frame()["abstract"].iloc[:1].phrasemill.extract(method="tfidf", longest=1, stopwords=words, top=None)
    assert [one["text"] for one in found] == [
        one.text for one in pm.extract(TEXTS[0] or "", method="tfidf", longest=1, stopwords=["salt", "wells"], top=None)
    ]
    [found] = frame()["abstract"].iloc[:1].phrasemill.extract(style="news")
    assert [one["score"] for one in found] == [one.score for one in pm.extract(TEXTS[0] or "", style="news")]
    for wrong, message in ({"topp": 2}, "did you mean 'top'"), ({"explain": True}, "unknown option 'explain'"):
        with pytest.raises(UnknownName, match=message):
            frame()["abstract"].phrasemill.extract(**wrong)


def test_processes_give_the_same() -> None:
    texts = frame()["abstract"]
    assert texts.phrasemill.extract(jobs=2).equals(texts.phrasemill.extract())


def test_a_column_of_numbers_is_refused() -> None:
    with pytest.raises(InputError, match="row 1 is no text but int"):
        pd.Series([1, 2]).phrasemill.extract()
