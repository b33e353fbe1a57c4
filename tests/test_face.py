"""The Python face: what is public, what sources are taken, and what notebooks show."""

import ast
import asyncio
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

import made_texts
import phrasemill as pm

TEXT = "Salt water moves inland when pumps draw too much groundwater."


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert dir(pm) == pm.__all__
    pm.extract(TEXT)  # loads submodules, which become attributes
    assert dir(pm) == pm.__all__


def test_no_two_public_classes_share_a_name() -> None:
    public = {name for name in pm.__all__ if isinstance(getattr(pm, name), type)}
    found = [
        node.name
        for file in sorted(Path(pm.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name in public
    ]
    assert sorted(found) == sorted(public)


def test_a_path_is_read(tmp_path: Path) -> None:
    file = tmp_path / "wells.txt"
    file.write_text(TEXT, encoding="utf-8")
    assert pm.extract(file) == pm.extract(TEXT) == pm.extract(pm.read(file))
    assert list(pm.extract_batch([file, TEXT, pm.Document("1", TEXT)])) == [pm.extract(TEXT)] * 3
    with pytest.raises(pm.InputError, match=r"missing.txt"):
        pm.extract(tmp_path / "missing.txt")


class Series:
    """What a column of a data frame looks like."""

    def __iter__(self) -> object:
        return iter([TEXT])


class Frame(Series):
    columns = ("text",)


@pytest.mark.parametrize("source", [[TEXT], (TEXT,), {TEXT}, Series(), iter([TEXT])])
def test_several_texts_are_referred_to_extract_batch(source: object) -> None:
    with pytest.raises(pm.InputError, match=r"^expected a text, a Document or a Path, got .*; extract_batch takes"):
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
@pytest.mark.parametrize("jobs", [None, 2])
def test_one_text_is_refused_by_extract_batch_at_once(sources: object, message: str, jobs: int | None) -> None:
    with pytest.raises(pm.InputError, match=message):
        pm.extract_batch(sources, jobs=jobs)  # type: ignore[arg-type]


def test_series_work_in_a_batch() -> None:
    assert list(pm.extract_batch(Series())) == [pm.extract(TEXT)]  # type: ignore[arg-type]


def test_style_is_a_parameter_of_the_method() -> None:
    assert pm.extract(TEXT, style="news") == pm.extract(TEXT, method="learned(style='news')")
    assert pm.extract_set([TEXT, TEXT + " Twice."], style="news") == pm.extract_set(
        [TEXT, TEXT + " Twice."], method="consensus(style='news')"
    )
    with pytest.raises(
        pm.ConfigError, match="textrank has no style; styles are for consensus, encoder, generator, learned"
    ):
        pm.extract(TEXT, method="textrank", style="news")
    with pytest.raises(pm.ConfigError, match="both name a style"):
        pm.extract(TEXT, method="learned(style='author')", style="news")
    with pytest.raises(pm.UnknownName, match="unknown style 'poems'; choose from author"):
        pm.extract(TEXT, style="poems")
    with pytest.raises(pm.ConfigError, match="not with an object"):
        pm.extract(TEXT, method=pm.Extractor(), style="news")  # type: ignore[arg-type]


def test_all_is_none() -> None:
    text = made_texts.text(2, sentences=40)
    assert pm.extract(text, top="all") == pm.extract(text, top=None)
    assert len(pm.extract(text, top="all")) > 10
    assert pm.extract_set([TEXT], top="all") == pm.extract_set([TEXT], top=None)


def test_methods_are_listed_best_first_with_what_is_installed() -> None:
    listed = pm.methods()
    single = [one for one in listed if not one.for_sets]
    qualities = [one.facts.quality or 0.0 for one in single]
    assert qualities == sorted(qualities, reverse=True)
    assert listed[-1].for_sets and {"learned", "consensus"} <= {one.name for one in listed if one.installed}
    for one in listed:
        assert one.installed or "pip install" in one.install
    pm.extract(TEXT, method="textrank")  # the subpackage is an attribute now, and can still be called
    assert pm.methods() == listed


def test_languages_have_codes_and_names() -> None:
    german = next(one for one in pm.languages() if one.code == "de")
    assert german.name == "German" and german.detected and german.tagger and german.stemmer and german.stopwords
    with pytest.raises(AttributeError, match="no attribute 'method'"):
        pm.method  # noqa: B018


def test_keyphrases_are_a_list_that_json_takes() -> None:
    found = pm.extract(TEXT, explain=True)
    assert isinstance(found, list) and found.texts == [one.text for one in found]
    assert isinstance(found[:2], pm.Keyphrases) and isinstance(found[0], pm.Keyphrase)
    assert json.loads(json.dumps(found.to_dicts()))[0]["text"] == found[0].text
    assert found.to_dicts() == [one.to_dict() for one in found]
    assert pickle.loads(pickle.dumps(found)) == found
    assert [type(one) for one in pm.extract_batch([TEXT], jobs=1)] == [pm.Keyphrases]


def test_keyphrases_print_one_per_line_and_have_a_full_record() -> None:
    found = pm.Keyphrases([pm.Keyphrase("salt", 0.1234567, (pm.Span(0, 4),)), pm.Keyphrase("well", 12345.67)])
    assert str(found) == "[Keyphrase('salt', 0.1235),\n Keyphrase('well', 12350.0)]" and str(pm.Keyphrases()) == "[]"
    assert found[0].to_dict() == {"text": "salt", "score": 0.1234567, "present": True, "spans": [[0, 4]]}
    [shared, *_] = pm.extract_set([TEXT, f"{TEXT} Wells."], top=1)
    assert repr(shared) == f"SetKeyphrase({shared.text!r}, {float(f'{shared.score:.4g}')!r}, documents=2)"


def test_a_keyphrase_unpacks_and_is_no_tuple() -> None:
    one = pm.Keyphrase("salt", 0.5, (pm.Span(0, 4),))
    phrase, score = one
    assert (phrase, score) == ("salt", 0.5) and not isinstance(one, tuple) and pm.Keyphrase.__bases__ == (object,)


def test_notebooks_show_a_table() -> None:
    found = pm.Keyphrases([pm.Keyphrase("<b>salt</b>", 0.51234, (pm.Span(0, 4),)), pm.Keyphrase("well", 0.1)])
    html = found._repr_html_()
    assert html.count("<tr>") == 3 and "&lt;b&gt;salt" in html and "<b>" not in html
    assert ">0.5123<" in html and ">absent<" in html
    assert pm.Keyphrases()._repr_html_() == "<p>no keyphrases</p>"


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


def test_an_extractor_is_built_once_and_works_from_any_thread() -> None:
    extractor = pm.Extractor("textrank(window=5)", top=3)
    expected = pm.extract(TEXT, method="textrank(window=5)", top=3)
    assert extractor.extract(TEXT) == extractor(TEXT) == expected
    with ThreadPoolExecutor(1) as apart:  # browser tests leave an event loop in this thread
        assert apart.submit(lambda: asyncio.run(extractor.aextract(TEXT))).result() == expected
    found: list[pm.Keyphrases] = []
    threads = [Thread(target=lambda: found.append(extractor.extract(TEXT))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
    assert list(extractor.batch([TEXT, TEXT])) == [expected] * 2
    assert pickle.loads(pickle.dumps(extractor)) == extractor
    lists = [pm.Extractor(exclude=["salt"], boost={"wells": 2.0}) for _ in range(2)]
    assert len({extractor, *lists}) == 2
    extractor.close()


def test_an_extractor_refuses_wrong_options_when_it_is_made() -> None:
    with pytest.raises(pm.UnknownName, match="unknown method 'nothing'"):
        pm.Extractor("nothing")
    with pytest.raises(pm.ConfigError, match="top must be a count"):
        pm.Extractor(top="many")  # type: ignore[arg-type]
    with pytest.raises(pm.ConfigError, match="diversity must be from 0 to 1"):
        pm.Extractor(diversity=2)
    with pytest.raises(pm.UnknownName, match="redundancy"):
        pm.Extractor(redundancy="nothing")
    with pytest.raises(pm.ConfigError, match="jobs must be"):
        pm.Extractor(jobs=0)
    with pytest.raises(pm.InputError, match="call extract"):
        pm.Extractor().batch(TEXT)


def test_an_extractor_keeps_its_workers_until_it_is_closed() -> None:
    expected = [pm.extract(TEXT, top=2)] * 3
    with pm.Extractor(top=2, jobs=1) as extractor:
        assert list(extractor.batch([TEXT] * 3)) == expected
        [pool] = extractor._pools._idle  # type: ignore[union-attr]
        assert list(extractor.batch([TEXT] * 3)) == expected
        assert extractor._pools._idle == [pool]  # type: ignore[union-attr]
        abandoned = extractor.batch([TEXT] * 300)
        next(abandoned)
        abandoned.close()  # type: ignore[attr-defined]
        assert extractor._pools._idle == []  # type: ignore[union-attr]
        assert list(extractor.batch([TEXT])) == expected[:1]
    with pytest.raises(pm.ConfigError, match="closed"):
        extractor.batch([TEXT])


def test_a_column_of_scores_below_zero_has_four_digits() -> None:
    shown = pm.Keyphrases([pm.Keyphrase("salt", -1.2), pm.Keyphrase("wells", -23.1)])._repr_html_()
    assert ">-1.20<" in shown and ">-23.10<" in shown
