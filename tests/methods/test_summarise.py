"""Summarise, then extract: by the text's own sentences, and by a model."""

import subprocess
import sys
from pathlib import Path

import pytest

import phrasemill as pm
import tiny_t5
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods.phrase_matching import ground, phrase
from phrasemill.methods.summarise import mead
from phrasemill.methods.summarise.seq2seq import load_summariser, parts
from phrasemill.select import form_of
from phrasemill.text.analyse import analyse

pytestmark = pytest.mark.slow

ARTICLE = """Groundwater on the Plain

Groundwater supplies most farms on the coastal plain. Somebody painted a fence that day. When pumps draw more
groundwater than the rain returns, salt water moves inland and wells turn brackish. The weather was fine. Groundwater
moves slowly, so that wells near the coast do not recover from salt water. A dog barked twice, and then it slept. Farms
that lose their wells to salt water buy river water, and the cost of water rises on the whole plain."""
INSIDE = "multipartiterank"


def words(analysis: pm.Analysis) -> list[str]:
    return [token.text for token in analysis.tokens]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_t5.make(tmp_path_factory.mktemp("t5")))


def spec(model: str, inside: str = "tfidf(longest=1)", **options: int) -> str:
    given = "".join(f", {name}={value}" for name, value in options.items())
    return f"summarise({inside}, model={model!r}, shortest=9, longest=12{given})"


# The text's own sentences.


def test_the_best_sentences_stay_in_order_and_keep_their_tokens() -> None:
    whole = analyse(ARTICLE)
    short = mead.summary(whole, most=30)
    assert "Groundwater on the Plain" in short.text and "Groundwater supplies most farms" in short.text
    assert not any(aside in short.text for aside in ("painted a fence", "weather was fine", "dog barked"))
    assert sum(any(map(str.isalnum, one)) for one in words(short)) <= 30
    every = words(whole)
    bounds = zip([0, *short.sentences], short.sentences, strict=False)
    places = [every.index(words(short)[first]) for first, _ in bounds]
    assert places == sorted(places)
    assert [token.tag for token in short.tokens][:4] == [token.tag for token in whole.tokens][:4]
    assert [short.words[i] for i in short.word] == [token.word for token in short.tokens]
    assert sorted(set(short.stem)) == list(range(len(short.stems)))
    assert short.tagset == whole.tagset


def test_the_scores_of_mead_by_hand() -> None:
    # French has no document frequencies here. Zorb occurs 3 times, Vlim twice, the others once: the mean is 7/4, the
    # centroid Zorb and Vlim. Central: 5, 3, 5; position: 5, 10/3, 5/3; shared with the first sentence: 2, 1, 2.
    text = "Zorb vlim. Zorb drenk. Zorb vlim plost."
    analysis = analyse(text, language="fr", tag=False)
    assert len(analysis.sentences) == 3
    assert mead.sentence_scores(analysis) == pytest.approx([12, 3 + 10 / 3 + 1, 5 + 5 / 3 + 2])
    assert mead.summary(analysis, most=5).text == "Zorb vlim. Zorb vlim plost."
    assert mead.summary(analysis, most=4).text == "Zorb vlim. Zorb drenk. ", "the third would be too long"
    assert mead.summary(analysis, most=1).text == "Zorb vlim. ", "one at the least"


def test_a_text_within_the_limit_is_its_own_summary() -> None:
    found = pm.extract(ARTICLE, method="summarise(share=1.0)")
    inside = pm.extract(ARTICLE, method=INSIDE)
    assert [(one.text.lower(), one.score) for one in found] == [(one.text.lower(), one.score) for one in inside]
    assert mead.summary(analyse(""), most=10).text == ""


def test_a_sentence_beyond_the_limit_is_taken_whole() -> None:
    endless = "salt water and river water and " * 60
    assert pm.extract(endless, method="summarise") == pm.extract(endless, method=INSIDE)


def test_every_place_in_the_text_is_found_not_only_those_in_the_summary() -> None:
    short = METHODS.build("summarise(shortest=15, longest=15)")
    assert short.summary(analyse(ARTICLE)).text.lower().count("groundwater") < ARTICLE.lower().count("groundwater")
    found = {one.text: one for one in pm.extract(ARTICLE, method=short, top=None)}
    assert len(found["Groundwater"].spans) == ARTICLE.lower().count("groundwater") == 4
    assert all(one.present for one in found.values())


def test_any_method_may_be_inside() -> None:
    for inside in ("learned", "kpminer", "summarise(yake)"):
        found = pm.extract(ARTICLE, method=f"summarise({inside})", top=3)
        assert len(found) == 3 and all(one.present for one in found)
    assert repr(METHODS.build("summarise('textrank(window=5)')")) == "summarise(method=textrank(window=5))"
    assert pm.extract("Les graphes sont finis.", method="summarise(tfidf)", language="fr")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("summarise(3)", "method must be a spec"),
        ("summarise(textrang)", "did you mean 'textrank'"),
        ("summarise(shortest=9, longest=8)", "shortest must be from 1 to longest, got 9 and 8"),
        ("summarise(shortest=0)", "shortest must be from 1"),
        ("summarise(share=0.0)", "share must lie above 0"),
        ("summarise(window=100)", "give a model, too"),
        ("summarise(model='x', window=0)", "window must be at least 1"),
        ("summarise(model=3)", "model must be a text in quotes"),
    ],
)
def test_wrong_parameters(wrong: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        METHODS.build(wrong)


# A model.


def test_phrases_of_the_summary_are_present_or_absent(model: str) -> None:
    method = METHODS.build(spec(model))
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
        pm.extract(ARTICLE, method=spec(model, window=3))


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


@pytest.mark.parametrize("text", ["", " \n", "... !!!", "wells \ud83d and farms", "x" * 5000, "groundwater " * 500])
def test_odd_texts(model: str, text: str) -> None:
    for one in pm.extract(text, method=spec(model)):
        assert all(" ".join(text[start:end].split()) for start, end in one.spans)


def test_a_folder_that_is_no_such_model(tmp_path: Path, model: str) -> None:
    with pytest.raises(ModelError, match="no such folder"):
        pm.extract(ARTICLE, method=f"summarise(model={str(tmp_path / 'nowhere')!r})")
    with pytest.raises(ModelError, match="no summarisation model") as refused:
        pm.extract(ARTICLE, method=f"summarise(model={str(tmp_path)!r})")
    assert "\n" not in str(refused.value)


def test_without_transformers_the_command_is_named(tmp_path: Path) -> None:
    (tmp_path / "transformers.py").write_text("raise ImportError")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import phrasemill as pm\n"
        f"pm.extract('Graph theory.', method='summarise')\n"
        f"pm.extract('Graph theory.', method='summarise(model=\"{tmp_path}\")')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "a summarisation model needs transformers and torch: pip install 'phrasemill[summarise]'" in done.stderr


# Phrases in a text.


def test_hyphens_and_inflection_do_not_hide_a_phrase() -> None:
    analysis = analyse("A real-time system. Real-time systems are not in real time. A client/server design.")
    given = ["real time systems", "client server designs", "time system", "latency", "Real-Time System", "?!"]
    candidates, scores = ground([phrase(text, 1.0, "en") for text in given], analysis)
    forms = [candidates.form(c) for c in range(len(candidates))]
    assert forms == ["real-tim system", "client/serv design", "time system", "latenc"]
    assert len(scores) == 4, "the fifth is the first again, the last has no word"
    assert [analysis.text[a:b] for a, b in candidates.spans(0)] == ["real-time system", "Real-time systems"]
    assert [candidates.start[o] < candidates.absent for o in candidates.first[:-1]] == [True, True, False, False]


def test_a_phrase_does_not_cross_sentences() -> None:
    analysis = analyse("They measured salt. Water was fresh.")
    candidates, _ = ground([phrase("salt water", 1.0, "en"), phrase("salt", 0.5, "en")], analysis)
    assert candidates.analysis.text == "They measured salt. Water was fresh.\nsalt water"
    assert [candidates.spans(c)[0].end <= len(analysis.text) for c in range(2)] == [False, True]
