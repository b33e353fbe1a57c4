"""`summarise` over a model: phrases that the document lacks are absent, and long texts are read to their end."""

from pathlib import Path

import pytest

import phrasemill as pm
import tiny_t5
from phrasemill.errors import ModelError
from phrasemill.select import form_of
from phrasemill.text.analyse import analyse
from phrasemill_lab.papers.summariser import ModelSummary, load_summariser, parts

ARTICLE = """Groundwater on the Plain

Groundwater supplies most farms on the coastal plain. Somebody painted a fence that day. When pumps draw more
groundwater than the rain returns, salt water moves inland and wells turn brackish. The weather was fine. Groundwater
moves slowly, so that wells near the coast do not recover from salt water. A dog barked twice, and then it slept. Farms
that lose their wells to salt water buy river water, and the cost of water rises on the whole plain."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_t5.make(tmp_path_factory.mktemp("t5")))


def spec(model: str, inside: str = "tfidf(longest=1)") -> ModelSummary:
    return ModelSummary(inside, 9, 12, model=model)


def test_phrases_of_the_summary_are_present_or_absent(model: str) -> None:
    method = spec(model)
    summary = method.summary(analyse(ARTICLE)).text.split()
    found = {one.text: one for one in pm.extract(ARTICLE, method=method, top=None)}
    assert {form_of(one) for one in found} == set(map(form_of, summary))
    known = {token.stem for token in analyse(ARTICLE).tokens}
    assert {one.text for one in found.values() if not one.present} == {w for w in summary if form_of(w) not in known}
    present = [one for one in found.values() if one.present]
    assert present and len(present) < len(found)
    for one in present:
        assert one.text in [ARTICLE[start:end] for start, end in one.spans]
    assert found["Groundwater"].spans[0] == (0, 11), "in the wording of the text"
    assert len(found["Groundwater"].spans) == 4
    assert list(found.values()) == pm.extract(ARTICLE, method=spec(model), top=None), "deterministic"


def test_selection_treats_both_alike(model: str) -> None:
    every = pm.extract(ARTICLE, method=spec(model), top=None)
    absent = next(one.text for one in every if not one.present)
    assert pm.extract(ARTICLE, method=spec(model), top=3) == every[:3]
    fewer = pm.extract(ARTICLE, method=spec(model), top=None, exclude=[absent.upper(), "groundwater"])
    assert [one.text for one in fewer] == [one.text for one in every if one.text not in (absent, "Groundwater")]
    named = pm.extract(ARTICLE, method=spec(model), top=None, candidates=[absent, "fences", "zebra"])
    assert [(one.text, one.present) for one in named if one.text == absent] == [(absent, False)]
    assert {one.text for one in named} == {absent, "fence"}
    reasons = pm.extract(ARTICLE, method=spec(model), top=None, explain=True)
    assert all(("not in the text" in one.evidence[0].words) is not one.present for one in reasons)


def test_a_long_text_is_read_to_its_end_part_by_part(model: str) -> None:
    analysis = analyse(ARTICLE)
    reader = load_summariser(model)
    assert reader.window == tiny_t5.WINDOW and reader.prefix == "summarize: "
    cut = list(parts(analysis, reader._count, 35))
    assert len(cut) > 2 and all(one <= 35 for one in reader._count(cut))
    assert " ".join(" ".join(cut).split()) == " ".join(ARTICLE.split()), "nothing is lost"
    assert all(one.endswith((".", "Plain")) for one in cut), "between sentences"
    assert len(reader.summary(analysis, shortest=9, longest=12).split("\n\n")) == len(cut)
    narrow = list(parts(analysis, reader._count, 4))
    assert max(reader._count(narrow)) <= 4
    assert "".join("".join(narrow).split()) == "".join(ARTICLE.split()), "between words where a sentence is too long"
    with pytest.raises(ModelError, match="no room for text"):
        reader.summary(analysis, shortest=9, longest=12, window=3)


def test_a_language_model_is_asked_for_a_summary(tmp_path: Path) -> None:
    chat = str(tiny_t5.make_chat(tmp_path / "chat"))
    reader = load_summariser(chat)
    asked = reader._asked("Wells.")
    assert asked == "user : Wells. assistant : "
    written = reader.summary(analyse(ARTICLE), shortest=9, longest=12)
    assert set(written.split()) <= set(tiny_t5.WORDS), "its answer without the request"
    parts_of_it = reader.summary(analyse(ARTICLE), shortest=9, longest=12, window=60)
    assert parts_of_it.count("\n\n") > 1, "the window has room for the answer"
    assert pm.extract(ARTICLE, method=spec(chat), top=3)


def test_a_language_model_without_a_chat_template(tmp_path: Path) -> None:
    folder = tiny_t5.make_chat(tmp_path / "plain", template=None)
    with pytest.raises(ModelError, match="without a chat template"):
        pm.extract(ARTICLE, method=spec(str(folder)))


def test_a_folder_that_is_no_such_model(tmp_path: Path, model: str) -> None:
    with pytest.raises(ModelError, match="no such folder"):
        pm.extract(ARTICLE, method=spec(str(tmp_path / "nowhere")))
    with pytest.raises(ModelError, match="no summarisation model") as refused:
        pm.extract(ARTICLE, method=spec(str(tmp_path)))
    assert "\n" not in str(refused.value)
