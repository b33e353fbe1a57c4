"""What every method for sets promises, and what `extract_set` and `GrowingSet` do around them."""

import json
import math

import pytest

import phrasemill as pm
from document_sets import CHESS, FLOOD, FRENCH
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.sets import GrowingSet, SetKeyphrase, build_set_method
from phrasemill.types import Document

SPECS = [
    *(name for name in SET_METHODS.names() if name not in ("concat", "merge", "consensus")),
    "concat(positionrank)",
    "concat(tfidf, seed=None)",
    "merge(multipartiterank)",
    "merge(firstphrases, keep=5)",
    "consensus(multipartiterank)",
    "consensus(method=tfidf, diversity=0.0, longer=1.5)",
]
TEXTS = {document.id: document.content for document in (*FLOOD, *CHESS, FRENCH)}
EVERYWHERE = [spec for spec in SPECS if not any(name in spec for name in ("rank", "firstphrases"))]


def check(found: list[SetKeyphrase], ids: set[str]) -> None:
    scores = [phrase.score for phrase in found]
    assert all(math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert len({phrase.text for phrase in found}) == len(found)
    for phrase in found:
        assert phrase.mentions and phrase.documents <= phrase.total
        assert phrase.variants[0] == phrase.text
        assert set(phrase.sources) <= ids
        wordings = set()
        for mention in phrase.mentions:
            assert mention.spans == tuple(sorted(mention.spans))
            wordings |= {" ".join(TEXTS[mention.document][start:end].split()) for start, end in mention.spans}
        assert wordings <= set(phrase.variants)
        json.dumps(phrase.to_dict())


@pytest.mark.parametrize("spec", SPECS)
def test_the_contract(spec: str) -> None:
    found = pm.extract_set(FLOOD, method=spec, top=8)
    assert 0 < len(found) <= 8
    check(found, {document.id for document in FLOOD})
    assert found == pm.extract_set(FLOOD, method=spec, top=8)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("documents", [[], [""], ["", " \n ", "..."], ["the of and"]], ids=repr)
def test_nothing_comes_of_nothing(spec: str, documents: list[str]) -> None:
    assert pm.extract_set(documents, method=spec) == []


@pytest.mark.parametrize("spec", SPECS)
def test_a_set_of_one(spec: str) -> None:
    found = pm.extract_set(FLOOD[:1], method=spec)
    check(found, {"flood-1"})
    assert found and all(phrase.documents == phrase.total == 1 for phrase in found)


@pytest.mark.parametrize("spec", EVERYWHERE)
def test_two_languages_in_one_set(spec: str) -> None:
    found = pm.extract_set([*FLOOD, FRENCH], method=spec, top=40)
    check(found, {*(document.id for document in FLOOD), "marais"})
    if not spec.startswith("concat"):
        assert any("marais" in phrase.sources for phrase in found)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not spec.startswith("concat")])
def test_documents_say_the_same_in_any_order(spec: str) -> None:
    lists = [pm.extract_set(some, method=spec, top="all") for some in (FLOOD, FLOOD[::-1], [*FLOOD[1:], FLOOD[0]])]
    told = [{(frozenset(k.variants), round(k.score, 9), k.documents, k.times) for k in one} for one in lists]
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("spec", SPECS)
def test_a_copy_changes_nothing(spec: str) -> None:
    copies = [Document(f"copy of {d.id}", d.text, d.title) for d in FLOOD]
    assert pm.extract_set([*FLOOD, *copies], method=spec) == pm.extract_set(FLOOD, method=spec)


def test_each_document_gives_as_many_phrases_as_are_kept() -> None:
    assert len(pm.extract_set(FLOOD, method="merge(firstphrases, keep=1)", top="all")) <= 3


def test_of_a_hundred_documents_one_is_not_enough() -> None:
    texts = [f"Solar pumps lift groundwater in {'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10]}ville." for n in range(100)]
    assert all(one.documents > 1 for one in pm.extract_set(texts, top="all"))


def test_texts_are_numbered() -> None:
    found = pm.extract_set([document.text for document in FLOOD], method="merge(positionrank)")
    assert {source for phrase in found for source in phrase.sources} == {"1", "2", "3"}


def test_limits_and_exclusions() -> None:
    everything = pm.extract_set(FLOOD, top=None)
    assert len(pm.extract_set(FLOOD, top=3)) == 3
    assert len(pm.extract_set(FLOOD, top=0.5)) == math.ceil(len(everything) / 2)
    first = everything[0]
    assert pm.extract_set(FLOOD, top=None, exclude=[first.text])[0].text != first.text
    assert len(pm.extract_set(FLOOD, top=3, exclude=[first.text])) == 3
    assert pm.extract_set(FLOOD, threshold=first.score + 1) == []


def test_what_is_ruled_out_takes_the_place_of_nothing() -> None:
    texts = [
        "Solar pumps lift groundwater. Solar pumps are cheap, and the groundwater board likes them.",
        "Solar pumps need no diesel. The groundwater board pays for solar pumps.",
    ]
    words = pm.extract_set(texts, longest=1, top="all")
    assert {"groundwater", "pumps", "Solar", "board"} <= {one.text for one in words}
    for one in words:
        single = {phrase.text.lower() for text in texts for phrase in pm.extract(text, longest=1, top="all")}
        assert one.text.lower() in single
    without = pm.extract_set(texts, exclude=["solar pumps"], top="all")
    assert {"pumps", "Solar"} & {one.text for one in without}
    assert "Solar pumps" not in [one.text for one in without]
    longer = pm.extract_set(texts, method="collabrank", shortest=2, top="all")
    assert longer and all(len(one.text.split()) > 1 for one in longer)


def test_limits_are_those_of_extract_for_methods_of_yours() -> None:
    class Mine:
        def extract(self, source: object, /, **options: object) -> list[pm.Keyphrase]:
            return []

    with pytest.raises(ConfigError, match="need a method made of Ranker"):
        pm.extract_set(FLOOD, method=Mine(), longest=1)  # type: ignore[arg-type]


def test_notes_say_what_the_list_does_not() -> None:
    copies = [Document(f"copy of {d.id}", d.text, d.title) for d in FLOOD[:2]]
    assert pm.extract_set([*FLOOD, *copies]).notes == ("2 of 5 documents are duplicates: each text counts once",)
    assert pm.extract_set(FLOOD).notes == ()
    assert pm.extract_set(FLOOD, threshold=9.0).notes == ("no phrase has a score as high as the threshold",)
    assert pm.extract_set(FLOOD, shortest=30).notes == ("no phrase keeps to the limits",)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("Groundwater supplies most farms.", "list of texts"),
        ([b"Groundwater"], "bytes"),
        ([FLOOD[0], Document("flood-1", "Another text.")], "'flood-1'"),
    ],
)
def test_what_is_no_set(documents: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pm.extract_set(documents)


def test_methods_of_either_kind() -> None:
    assert repr(build_set_method("positionrank")) == "consensus(method=positionrank)"
    assert repr(build_set_method(METHODS.build("positionrank"))) == "consensus(method=positionrank)"
    assert build_set_method(build_set_method("merge")).name == "merge"
    with pytest.raises(UnknownName, match="consensus"):
        build_set_method("nonsense")
    with pytest.raises(ConfigError, match="method"):
        build_set_method(object())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spec",
    [
        "merge(keep=0)",
        "collabrank(window=1)",
        "collabrank(keep=0)",
        "bayatmakou(longest=0)",
        "consensus(keep=0)",
        "consensus(support=-1.0)",
        "consensus(diversity=2.0)",
        "concat(method=3)",
        "concat(merge)",
        "consensus(clusters='sense')",
        "consensus(alike=0.8)",
        "consensus(clusters='meaning', alike=2.0)",
    ],
)
def test_nonsense_is_refused(spec: str) -> None:
    with pytest.raises(ConfigError):
        SET_METHODS.build(spec)


def test_a_set_that_grows_is_as_if_made_at_once() -> None:
    method = build_set_method("consensus(positionrank)")
    growing = GrowingSet(FLOOD[:2], method=method)
    assert GrowingSet([FLOOD[0], Document("a", FRENCH.text)], method=method).languages == {"flood-1": "en", "a": "fr"}
    growing.extract()
    growing.add(FLOOD[2])
    assert growing.extract(top=20) == pm.extract_set(FLOOD, method=method, top=20)


def test_documents_are_read_once() -> None:
    class Counting:
        calls = 0

        def extract(self, source: object, /, **options: object) -> list[pm.Keyphrase]:
            self.calls += 1
            return []

    extractor = Counting()
    growing = GrowingSet([*FLOOD, Document("copy", FLOOD[0].text, FLOOD[0].title)], method=extractor)  # type: ignore[arg-type]
    growing.add(CHESS[0])
    growing.extract()
    growing.extract()
    assert extractor.calls == 4


def test_order_in_concat_is_a_matter_of_the_seed() -> None:
    documents = [Document(str(i), f"Word{i} and thing{i} are here. Then word{i} left.") for i in range(20)]
    lists = {
        seed: [phrase.text for phrase in pm.extract_set(documents, method=f"concat(firstphrases, seed={seed})", top=5)]
        for seed in (None, 1, 2)
    }
    assert lists[None][0] == "Word0"
    assert lists[1] != lists[2]
