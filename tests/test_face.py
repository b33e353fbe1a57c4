"""The Python face: what is public, what goes in, what comes out, and what is said about mistakes."""

import ast
import asyncio
import json
import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import made_texts
import phrasemill as pm
from faulty import WhoWorks
from phrasemill.text.analyse import analyse

TEXT = "Salt water moves inland when pumps draw too much groundwater."
GERMAN = "Salzwasser dringt in die Brunnen ein, weil die Pumpen der Stadt zu viel Grundwasser aus der Tiefe fördern."


def test_what_is_public() -> None:
    assert dir(pm) == pm.__all__
    pm.extract(TEXT)  # loads submodules, which become attributes
    assert dir(pm) == pm.__all__
    with pytest.raises(AttributeError, match="no attribute 'method'"):
        pm.method  # noqa: B018
    public = {name for name in pm.__all__ if isinstance(getattr(pm, name), type)}
    found = [
        node.name
        for file in sorted(Path(pm.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name in public
    ]
    assert sorted(found) == sorted(public), "two public classes share a name"


def test_methods_and_languages_are_listed() -> None:
    listed = pm.methods()
    single = [one for one in listed if not one.for_sets]
    qualities = [one.facts.quality or 0.0 for one in single]
    assert qualities == sorted(qualities, reverse=True)
    assert listed[-1].for_sets and {"learned", "consensus"} <= {one.name for one in listed if one.installed}
    for one in listed:
        assert one.installed or "pip install" in one.install
    pm.extract(TEXT, method="textrank")  # the package of this name is loaded now, and the function is in its place
    assert pm.methods() == listed
    german = next(one for one in pm.languages() if one.code == "de")
    assert german.name == "German" and german.detected and german.tagger and german.stemmer and german.stopwords


# Sources


def test_a_path_is_read(tmp_path: Path) -> None:
    file = tmp_path / "wells.txt"
    file.write_text(TEXT, encoding="utf-8")
    assert pm.extract(file) == pm.extract(TEXT) == pm.extract(pm.read(file))
    assert list(pm.extract_batch([file, TEXT, pm.Document("1", TEXT)])) == [pm.extract(TEXT)] * 3
    with pytest.raises(pm.InputError, match=r"missing.txt"):
        pm.extract(tmp_path / "missing.txt")


class Series:
    """What a column of a data frame looks like."""

    def __iter__(self) -> Iterator[str]:
        return iter([TEXT])


class Frame(Series):
    columns = ("text",)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        *[(one, "got .*; extract_batch takes several") for one in ([TEXT], (TEXT,), {TEXT}, Series(), iter([TEXT]))],
        (None, "got NoneType"),
        (b"bytes", "got bytes; decode it first"),
        (float("nan"), "got float"),
    ],
)
def test_what_is_no_text(source: object, message: str) -> None:
    with pytest.raises(pm.InputError, match=f"^expected a text, a Document or a Path, {message}"):
        pm.extract(source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (TEXT, "takes several texts, got one str; call extract, or pass a list"),
        (pm.Document("1", TEXT), "got one Document"),
        (Path("wells.txt"), "call extract"),
        (b"abc", "got one bytes"),
        ({"a": TEXT}, "got a dict; pass its values"),
        (Frame(), "got a Frame; pass the column that holds them"),
        (3, "takes several texts, got int"),
    ],
)
def test_one_text_is_refused_by_batches_at_once(sources: object, message: str) -> None:
    for batch in (pm.extract_batch, partial(pm.extract_batch, jobs=2), pm.Extractor().batch):
        with pytest.raises(pm.InputError, match=message):
            batch(sources)  # type: ignore[operator]


def test_batches_are_lazy_and_take_any_iterable() -> None:
    def sources() -> Iterator[str]:
        yield TEXT
        raise AssertionError("read too far")

    assert next(iter(pm.extract_batch(sources())))[0].present
    assert list(pm.extract_batch(Series())) == [pm.extract(TEXT)]


def test_an_analysis_has_its_language() -> None:
    analysis = analyse(TEXT, language="en")
    assert pm.extract(analysis, language="en") == pm.extract(analysis) == pm.extract(TEXT)
    with pytest.raises(pm.ConfigError, match="an Analysis has a language, 'en'; leave out language='de'"):
        pm.extract(analysis, language="de")


def test_a_language_that_a_method_cannot_read_is_named() -> None:
    with pytest.raises(pm.ConfigError, match="'hu'"):
        pm.extract(pm.Document("1", "Le réseau de neurones.", language="fr"), method="textrank", language="hu")


class Told:
    """A method of one's own, which needs only `extract`: it returns the language of what it is given."""

    def extract(self, document: pm.Document, **_: object) -> list[pm.Keyphrase]:
        return [pm.Keyphrase(document.language, 1.0)]


@pytest.mark.parametrize(
    ("document", "language", "found"),
    [
        (pm.Document("1", GERMAN), None, "de"),
        (pm.Document("1", GERMAN, language="fr"), None, "fr"),
        (pm.Document("1", GERMAN, language="fr"), "auto", "de"),
        (pm.Document("1", GERMAN, language="fr"), "Auto ", "de"),
        (pm.Document("1", GERMAN, language="auto"), None, "de"),
        (pm.Document("1", GERMAN), "Dutch", "nl"),
        (pm.Document("1", f"{GERMAN} {GERMAN}", title="An English Title of Some Length over a Text"), None, "de"),
        (pm.Document("1", "", title=GERMAN), None, "de"),
        (pm.Document("1", "Salt water."), None, "en"),
        (GERMAN, None, "de"),
        (GERMAN, "auto", "de"),
        (GERMAN, "nl", "nl"),
        (TEXT, None, "en"),
    ],
)
def test_the_language_is_found_from_the_text_unless_it_is_named(
    document: pm.Document | str, language: str | None, found: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pm.PhrasemillWarning)  # of languages that the text is plainly not in
        assert pm.extract(document, method=Told(), language=language).texts == [found]
        assert [one.texts for one in pm.extract_batch([document], method=Told(), language=language)] == [[found]]
        if found != "fr":  # methods of ours are given an analysis, in the same language
            plain = pm.Document("1", document, language=found) if isinstance(document, str) else document
            assert pm.extract(document, language=language) == pm.extract(plain, language=found)


# Warnings


def warned(find: Callable[[], object]) -> list[str]:
    """Return what Phrasemill warns of during a call."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        find()
    assert all(one.filename == __file__ for one in found), "the caller is told"
    return [str(one.message) for one in found if issubclass(one.category, pm.PhrasemillWarning)]


def test_a_language_that_a_text_is_plainly_not_in_is_told_once() -> None:
    told = ["read as French (fr), as requested, but the text is in German (de)"]
    documents = [pm.Document(str(i), GERMAN, language="Français") for i in range(20)]
    extractor = pm.Extractor(language="fr")
    for find in (
        lambda: pm.extract(GERMAN, language="fr"),
        lambda: pm.extract(GERMAN, language="fr"),  # each call of `extract`
        lambda: pm.extract(documents[0]),
        lambda: list(pm.extract_batch(documents)),
        lambda: list(pm.extract_batch([GERMAN] * 20, language="fr", jobs=2, threads=True)),
        lambda: [extractor.extract(GERMAN), *extractor.batch([GERMAN] * 3), extractor(GERMAN)],
        lambda: pm.extract_set(documents),
    ):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            find()
        assert [str(one.message) for one in found] == told
    sound = ["Das Salzwasser der Brunnen."] * 10
    assert not warned(lambda: list(pm.extract_batch([*sound, GERMAN], language="fr", method="tfidf"))), "only ten"
    with pytest.warns(pm.PhrasemillWarning, match="read as French"):
        list(pm.extract_batch([*sound[1:], GERMAN], language="fr", method="tfidf"))
    with pytest.warns(pm.PhrasemillWarning, match="read as French"), ThreadPoolExecutor(1) as apart:
        apart.submit(lambda: asyncio.run(pm.Extractor(language="fr").aextract(GERMAN))).result()


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
    extractor = pm.Extractor()
    assert warned(lambda: pm.extract("post.md")) == warned(lambda: extractor.extract("post.md")) == told
    assert warned(lambda: list(pm.extract_batch(["post.md"] * 3))) == told
    assert not warned(lambda: [pm.extract(Path("post.md")), extractor.extract("post.md")])
    for text in ("post.txt", ".", "\0", "\ud800", "ä" * 250, "salt\nwater"):
        assert not warned(lambda text=text: pm.extract(text))


def test_a_style_that_a_language_lacks_is_told_with_those_that_have_it() -> None:
    for text, style, told in (
        (TEXT, "tags", "'tags' for languages other than English; texts in English (en)"),
        (GERMAN, "news", "'news' for English; texts in German (de)"),
    ):
        for find in (partial(pm.extract, style=style), pm.Extractor(style=style)):
            with pytest.warns(pm.PhrasemillWarning) as found:
                find(text)
            assert [str(one.message) for one in found] == [f"learned has the style {told} are ranked by general"]
    assert not warned(lambda: [pm.extract(GERMAN, style="tags"), pm.extract(TEXT, style="news")])


# Results


def test_keyphrases_are_a_list_that_json_takes() -> None:
    found = pm.extract(TEXT, explain=True)
    assert isinstance(found, list) and found.texts == [one.text for one in found]
    assert isinstance(found[:2], pm.Keyphrases) and isinstance(found[0], pm.Keyphrase)
    assert json.loads(json.dumps(found.to_dicts()))[0]["text"] == found[0].text
    assert found.to_dicts() == [one.to_dict() for one in found]
    assert pickle.loads(pickle.dumps(found)) == found
    assert [type(one) for one in pm.extract_batch([TEXT], jobs=1)] == [pm.Keyphrases]


def test_a_keyphrase_unpacks_and_is_no_tuple() -> None:
    one = pm.extract(f"{TEXT} Salt water is heavy.", top=1)[0]
    text, score = one
    assert (text, score) == (one.text, one.score) and not isinstance(one, tuple) and one.present
    assert [f"{TEXT} Salt water is heavy."[start:end] for start, end in one.spans] == ["Salt water"] * 2
    assert not pm.Keyphrase("deep learning", 0.5).present


def test_keyphrases_print_one_per_line_and_have_a_full_record() -> None:
    found = pm.Keyphrases([pm.Keyphrase("salt", 0.1234567, (pm.Span(0, 4),)), pm.Keyphrase("well", 12345.67)])
    assert str(found) == "[Keyphrase('salt', 0.1235),\n Keyphrase('well', 12350.0)]" and str(pm.Keyphrases()) == "[]"
    assert found[0].to_dict() == {"text": "salt", "score": 0.1234567, "present": True, "spans": [[0, 4]]}
    [shared, *_] = pm.extract_set([TEXT, f"{TEXT} Wells."], top=1)
    assert repr(shared) == f"SetKeyphrase({shared.text!r}, {float(f'{shared.score:.4g}')!r}, documents=2)"


def test_notebooks_show_a_table() -> None:
    found = pm.Keyphrases([pm.Keyphrase("<b>salt</b>", 0.51234, (pm.Span(0, 4),)), pm.Keyphrase("well", 0.1)])
    html = found._repr_html_()
    assert html.count("<tr>") == 3 and "&lt;b&gt;salt" in html and "<b>" not in html
    assert ">0.5123<" in html and ">absent<" in html
    assert pm.Keyphrases()._repr_html_() == "<p>no keyphrases</p>"
    below_zero = pm.Keyphrases([pm.Keyphrase("salt", -1.2), pm.Keyphrase("wells", -23.1)])._repr_html_()
    assert ">-1.20<" in below_zero and ">-23.10<" in below_zero, "four digits"


def test_highlight_marks_every_place_and_escapes_the_text() -> None:
    text = "A <b> salt well. Salt wells & salt."
    spans = (pm.Span(6, 10), pm.Span(17, 21), pm.Span(30, 34))
    found = [pm.Keyphrase("salt well", 0.9, (pm.Span(6, 15),)), pm.Keyphrase("salt", 0.5, spans)]
    shown = pm.highlight(text, [*found, pm.Keyphrase("water", 0.2)])
    assert shown.count("<mark") == 3 and ">salt well</mark>" in shown and ">Salt</mark>" in shown
    assert "&lt;b&gt;" in shown and "&amp;" in shown and shown.endswith("<p>Not in the text: water</p>")
    assert isinstance(shown, str) and shown._repr_html_() == shown
    titled = pm.Document("1", TEXT, title="Salt water")
    assert pm.highlight(titled, pm.extract(titled)).count("<mark") >= 3
    with pytest.raises(pm.ConfigError, match="belong to another text"):
        pm.highlight("short", pm.extract(TEXT))


def test_the_reasons_count_sentences_from_one() -> None:
    found = pm.extract("Fog lay on the coast. Nobody pumps the aquifer.", method="tfidf", explain=True, top="all")
    words = {one.text: [reason.words for reason in one.evidence] for one in found}
    assert "first appears in sentence 1" in words["coast"]
    assert "first appears in sentence 2" in words["aquifer"]


@pytest.mark.parametrize("method", ["learned", "tfidf", "yake"])
def test_no_phrase_is_listed_twice_where_a_text_is_cut_into_words_in_two_ways(method: str) -> None:
    text = "地下水位下降导致海水入侵沿海含水层" * 250  # some places are cut in a word, where a piece of the text ends
    found = pm.extract(text, method=method, top="all").texts
    assert len(found) == len(set(found)) >= 10


# Extractors


def test_an_extractor_works_from_any_thread_and_loop() -> None:
    extractor = pm.Extractor("textrank(window=5)", top=3)
    expected = pm.extract(TEXT, method="textrank(window=5)", top=3)
    assert extractor.extract(TEXT) == extractor(TEXT) == expected
    with ThreadPoolExecutor(4) as apart:  # browser tests leave an event loop in this thread
        assert apart.submit(lambda: asyncio.run(extractor.aextract(TEXT))).result() == expected
        assert list(apart.map(extractor.extract, [TEXT] * 8)) == [expected] * 8
    assert list(extractor.batch([TEXT, TEXT])) == [expected] * 2


def test_an_extractor_is_a_value() -> None:
    extractor = pm.Extractor("textrank(window=5)", top=3, exclude=["salt"], jobs=1)
    assert pickle.loads(pickle.dumps(extractor)) == extractor != pm.Extractor("textrank(window=5)", top=3)
    assert repr(extractor) == "Extractor(method='textrank(window=5)', top=3, exclude=('salt',))"
    lists = [pm.Extractor(exclude=["salt"], boost={"wells": 2.0}) for _ in range(2)]
    assert len({extractor, *lists}) == 2
    assert lists[0].options["exclude"] == ("salt",) and repr(extractor.method) == "textrank(window=5)"
    with pytest.raises((AttributeError, TypeError)):
        extractor.language = "de"  # type: ignore[misc]


def test_an_extractor_keeps_its_workers_until_it_is_closed() -> None:
    with pm.Extractor(WhoWorks(), jobs=1) as extractor:
        [[worker]] = extractor.batch([TEXT])
        abandoned = extractor.batch([TEXT] * 300)
        next(abandoned)
        abandoned.close()  # type: ignore[attr-defined]
        assert list(extractor.batch([TEXT] * 2)) == [[worker]] * 2
    with pytest.raises(pm.ConfigError, match="closed"):
        extractor.batch([TEXT])
    with pytest.raises(ProcessLookupError):
        os.kill(int(worker.text), 0)


def test_all_is_none() -> None:
    text = made_texts.text(2, sentences=40)
    assert pm.extract(text, top="all") == pm.extract(text, top=None) and len(pm.extract(text, top="all")) > 10
    assert pm.extract_set([TEXT], top="all") == pm.extract_set([TEXT], top=None)


def test_style_is_a_parameter_of_the_method() -> None:
    assert pm.extract(TEXT, style="news") == pm.extract(TEXT, method="learned(style='news')")
    texts = [TEXT, TEXT + " Twice."]
    assert pm.extract_set(texts, style="news") == pm.extract_set(texts, method="consensus(style='news')")
