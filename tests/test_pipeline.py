"""The public functions: what goes in, what comes out, and what is said about mistakes."""

import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.text.analyse import analyse
from phrasemill.types import Document, Keyphrase, Span

GERMAN = "Salzwasser dringt in die Brunnen ein, weil die Pumpen der Stadt zu viel Grundwasser aus der Tiefe fördern."
TEXT = "Neural networks learn. A neural network has layers, and neural networks generalise."


def test_a_keyphrase_unpacks_slices_and_says_that_it_is_present() -> None:
    keyphrase = pm.extract(TEXT, top=1)[0]
    text, score = keyphrase
    assert (text, score) == (keyphrase.text, keyphrase.score)
    assert keyphrase.present
    slices = [TEXT[start:end] for start, end in keyphrase.spans]
    assert slices == ["Neural networks", "neural network", "neural networks"]


def test_without_spans_a_keyphrase_is_absent() -> None:
    assert not Keyphrase("deep learning", 0.5).present
    assert Keyphrase("deep", 0.5, (Span(0, 4),)).present


def warned(find: Callable[[], object]) -> list[str]:
    """Return what Phrasemill warns of during a call."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        find()
    return [str(one.message) for one in found if issubclass(one.category, pm.PhrasemillWarning)]


def test_a_language_that_a_text_is_plainly_not_in_is_told_once() -> None:
    told = ["read as French (fr), as requested, but the text is in German (de)"]
    documents = [Document(str(i), GERMAN, language="Français") for i in range(20)]
    extractor = pm.Extractor(language="fr")
    for find in (
        lambda: pm.extract(GERMAN, language="fr"),
        lambda: pm.extract(documents[0]),
        lambda: list(pm.extract_batch(documents)),
        lambda: list(pm.extract_batch([GERMAN] * 20, language="fr", jobs=2, threads=True)),
        lambda: [extractor.extract(GERMAN), *extractor.batch([GERMAN] * 3), extractor(GERMAN)],
        lambda: pm.extract_set(documents),
    ):
        assert warned(find) == told


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (GERMAN, "de"),
        (GERMAN, None),
        (GERMAN, "auto"),
        (GERMAN, "und"),
        (GERMAN[:60], "fr"),
        ("12.5 kg; 3,40 m; 10:30; " * 20, "fr"),
    ],
)
def test_of_a_right_language_and_of_doubtful_texts_nothing_is_told(text: str, language: str | None) -> None:
    assert not warned(lambda: pm.extract(text, language=language, method="tfidf"))


def test_a_text_that_is_the_path_of_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "post.md").write_text("Salt water.")
    told = ["'post.md' was read as a text, and is a file; to read the file, pass pathlib.Path('post.md')"]
    assert warned(lambda: pm.extract("post.md")) == told
    assert warned(lambda: list(pm.extract_batch(["post.md"] * 3))) == told
    assert not warned(lambda: pm.extract(Path("post.md")))
    for text in ("post.txt", ".", "\0", "\ud800", "ä" * 250, "salt\nwater"):
        assert not warned(lambda text=text: pm.extract(text))


def test_a_style_that_a_language_lacks_is_told_with_those_that_have_it() -> None:
    for text, style, told in (
        (TEXT, "tags", "'tags' for languages other than English; texts in English (en)"),
        (GERMAN, "news", "'news' for English; texts in German (de)"),
    ):
        for find in (partial(pm.extract, style=style), pm.Extractor(style=style)):
            assert warned(partial(find, text)) == [f"learned has the style {told} are ranked by general"]
    assert not warned(lambda: [pm.extract(GERMAN, style="tags"), pm.extract(TEXT, style="news")])


def test_an_analysis_has_its_language() -> None:
    analysis = analyse(TEXT, language="en")
    assert pm.extract(analysis, language="en") == pm.extract(analysis)
    with pytest.raises(ConfigError, match="an Analysis has a language, 'en'; leave out language='de'"):
        pm.extract(analysis, language="de")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "expected a text, a Document or a Path, got NoneType"),
        (b"bytes", "got bytes; decode it first"),
        (float("nan"), "got float"),
        (["a", "list"], "got list"),
    ],
)
def test_not_a_text(source: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pm.extract(source)  # type: ignore[arg-type]


def test_bad_options() -> None:
    with pytest.raises(UnknownName, match="unknown method 'nosuch'"):
        pm.extract(TEXT, method="nosuch")
    with pytest.raises(ConfigError, match="method must be a spec"):
        pm.extract(TEXT, method=3)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="exclude takes a list of phrases, not one string"):
        pm.extract(TEXT, exclude="neural")
    with pytest.raises(ConfigError, match="exclude takes phrases, got 3"):
        pm.extract(TEXT, exclude=[3])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="top must be at least 1"):
        pm.extract(TEXT, top=0)
    with pytest.raises(ConfigError, match="threshold must be a number"):
        pm.extract(TEXT, threshold="high")  # type: ignore[arg-type]


def test_options_reach_the_selection() -> None:
    everything = [k.text for k in pm.extract(TEXT, method="tfidf", top=None)]
    assert "neural" in everything
    kept = [k.text for k in pm.extract(TEXT, method="tfidf", top=None, exclude=["Neural", "layer"])]
    assert "neural" not in kept and "layers" not in kept
    assert any("neural network" in text.lower() for text in kept)


def test_a_document_keeps_its_language_unless_told_otherwise() -> None:
    document = Document("1", "Le réseau de neurones et les réseaux.", language="fr")
    assert "réseau" in [k.text for k in pm.extract(document, method="tfidf", top=None)]
    with pytest.raises(ConfigError, match="'hu'"):
        pm.extract(document, method="textrank", language="hu")
    pm.extract(document, method="textrank", language="en")


class Told:
    """A method that returns the language of what it is given."""

    def extract(self, document: Document, **_: object) -> list[Keyphrase]:
        return [Keyphrase(document.language, 1.0)]


@pytest.mark.parametrize(
    ("document", "language", "found"),
    [
        (Document("1", GERMAN), None, "de"),
        (Document("1", GERMAN, language="fr"), None, "fr"),
        (Document("1", GERMAN, language="fr"), "auto", "de"),
        (Document("1", GERMAN, language="fr"), "Auto ", "de"),
        (Document("1", GERMAN, language="auto"), None, "de"),
        (Document("1", GERMAN), "Dutch", "nl"),
        (
            Document("1", f"{GERMAN} {GERMAN}", title="An English Title of Some Length over a German Text"),
            None,
            "de",
        ),
        (Document("1", "", title=GERMAN), None, "de"),
        (Document("1", "Salt water."), None, "en"),
        (GERMAN, None, "de"),
        (TEXT, None, "en"),
    ],
)
def test_the_language_is_found_from_the_text_unless_it_is_named(
    document: Document, language: str | None, found: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pm.PhrasemillWarning)  # of languages that the text is plainly not in
        assert pm.extract(document, method=Told(), language=language)[0].text == found
        assert [one[0].text for one in pm.extract_batch([document], method=Told(), language=language)] == [found]


def test_an_analysis_has_the_language_that_was_found() -> None:
    assert analyse(GERMAN).language == "de"
    assert analyse(TEXT).language == "en"


def test_a_method_of_your_own_needs_only_extract() -> None:
    class Shout:
        def extract(self, document: Document, **_: object) -> list[Keyphrase]:
            return [Keyphrase(document.text.upper(), 1.0)]

    assert pm.extract("hey", method=Shout())[0].text == "HEY"


def test_batches_are_lazy() -> None:
    def sources():
        yield TEXT
        raise AssertionError("read too far")

    assert next(iter(pm.extract_batch(sources())))[0].present


def test_the_reasons_count_sentences_from_one() -> None:
    found = pm.extract("Fog lay on the coast. Nobody pumps the aquifer.", method="tfidf", explain=True, top="all")
    words = {one.text: [reason.words for reason in one.evidence] for one in found}
    assert "first appears in sentence 1" in words["coast"]
    assert "first appears in sentence 2" in words["aquifer"]


def test_an_author_in_the_first_line_is_no_keyphrase() -> None:
    text = "By Jane Marlowe\nSalt water moves inland when the pumps of farmers draw too much groundwater."
    assert not [phrase for phrase in pm.extract(text, top="all").texts if "Marlowe" in phrase]


@pytest.mark.parametrize("method", ["learned", "tfidf", "yake"])
def test_no_phrase_is_listed_twice_where_a_text_is_cut_into_words_in_two_ways(method: str) -> None:
    text = "地下水位下降导致海水入侵沿海含水层" * 250  # some places are cut in a word, where a piece of the text ends
    found = pm.extract(text, method=method, top="all").texts
    assert len(found) == len(set(found)) >= 10
