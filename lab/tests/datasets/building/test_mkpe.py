"""Document sets out of single documents: grouping, merged gold, decisions, statistics, files."""

import json
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.building.decisions import Decision, derive, read_decisions, refine, write_decisions
from phrasemill_lab.datasets.building.grouping import DocumentSet, by_keyphrase, by_topic
from phrasemill_lab.datasets.building.mkpe import build, merge_lists, merged, word_scores, write
from phrasemill_lab.datasets.statistics import set_rows


def article(id_: str, text: str, *phrases: Reference, topic: object = "wells", language: str = "en") -> Document:
    return Document(id_, text, language=language, references=phrases, metadata={"topic": topic})


WELLS = [
    article("a", "Salt water reaches deep wells. Pumps work.", "salt water", "deep wells", "rust"),
    article("b", "Salt water spoils the old pumps of deep wells.", "salt", "old pumps", "Salt Waters"),
    article("c", "Salt water again.", "salt water", "water"),
]


def test_by_topic_keeps_the_order() -> None:
    documents = [article("a", "", topic="t2"), article("b", "", topic="t1"), article("c", "", topic="t2")]
    groups = by_topic(documents)
    assert [(group.id, [d.id for d in group.documents]) for group in groups] == [("t2", ["a", "c"]), ("t1", ["b"])]
    assert by_topic([article("a", "", topic=7)])[0].id == "7"
    for topic in (None, ["t"]):
        with pytest.raises(DataError, match="document a: no 'topic' to group it by"):
            by_topic([article("a", "", topic=topic)])


def test_the_gold_of_a_set_by_hand() -> None:
    # In documents: salt 3/3, water 3/3, deep 2/3, well 2/3, pump 2/3, old 1/3. "rust" does not occur; "salt" and
    # "water" are contained in "salt water"; "Salt Waters" is the same again.
    made = merged(DocumentSet("wells", tuple(WELLS)))
    assert made.references == ("salt water", "deep wells", "old pumps")
    # Two summaries, both with "old" and "pump" only: old (1/3 + 1)/2, pump (2/3 + 1)/2, deep and well (2/3)/2.
    made = merged(DocumentSet("wells", tuple(WELLS)), summaries=["Old pumps.", "An old pump"])
    assert made.references == ("old pumps", "salt water", "deep wells")


def test_a_set_is_in_one_language() -> None:
    group = DocumentSet("x", (article("a", "wells"), article("b", "puits", language="fr")))
    with pytest.raises(DataError, match=r"set x: its documents are in several languages \(en, fr\)"):
        merged(group)


# Grouping by keyphrase


def corpus() -> list[Document]:
    documents = []
    for topic in ("deep learning", "salt water"):
        for i in range(6):
            shared = ("tree rings",) if i % 2 else ()
            documents.append(article(f"{topic[0]}{i}", "", topic, f"word{i}", *shared, topic=None))
    return [*documents, article("x", "", "deep learnings", topic=None)]


def test_sets_around_a_keyphrase_share_it_and_are_disjoint() -> None:
    groups = by_keyphrase(corpus(), size=3)
    assert sorted(group.id for group in groups) == ["deep learning", "salt water", "tree rings"]
    ids = [document.id for group in groups for document in group.documents]
    assert len(ids) == len(set(ids))
    for group in groups:
        assert len(group.documents) == 3
        assert all(group.id in document.references or group.id == "deep learning" for document in group.documents)


def test_the_same_seed_gives_the_same_sets() -> None:
    assert by_keyphrase(corpus(), size=3, seed=5) == by_keyphrase(corpus(), size=3, seed=5)
    names = {tuple(group.id for group in by_keyphrase(corpus(), size=6, seed=seed)) for seed in range(10)}
    assert len(names) > 1


def test_those_that_share_most_are_taken_first() -> None:
    first, *_ = by_keyphrase([d for d in corpus() if d.id.startswith("s")], size=3, sets=1, words=2)
    assert [document.id for document in first.documents] == ["s1", "s3", "s5"]


def test_sets_that_cannot_be_made() -> None:
    with pytest.raises(DataError, match="no keyphrase of 2 words or more is shared by 20 documents"):
        by_keyphrase(corpus(), size=20)
    for options in ({"size": 1}, {"words": 0}, {"sets": 0}):
        with pytest.raises(ConfigError, match="must be at least"):
            by_keyphrase(corpus(), **options)


# Decisions


LIST: tuple[Reference, ...] = ("salt water", "old pump", "deep wells", "rain", "water of the sea")


def decided(*decisions: tuple[str, ...]) -> tuple[Reference, ...]:
    return refine(LIST, [Decision(action, phrases) for action, *phrases in decisions], topic="t")  # type: ignore[arg-type]


def test_each_action() -> None:
    assert decided(["remove", "rain", "Old pumps"]) == ("salt water", "deep wells", "water of the sea")  # type: ignore[arg-type]
    assert decided(("cluster", "sea water", "water of the sea", "salt water")) == (
        ("sea water", "water of the sea", "salt water"),
        "old pump",
        "deep wells",
        "rain",
    )
    assert decided(("prefer", "Deep Wells"))[2] == "Deep Wells"
    assert decided(("cluster", "rain", "showers"), ("prefer", "showers"))[3] == ("showers", "rain")
    assert decided(("add", "drought"))[-1] == "drought"
    assert decided(("order", "rain", "old pump")) == (
        "rain",
        "old pump",
        "salt water",
        "deep wells",
        "water of the sea",
    )
    assert decided(("cluster", "rain", "showers"), ("remove", "rain"))[3] == "showers"


@pytest.mark.parametrize("action", ["remove", "prefer", "order", "cluster"])
def test_a_phrase_that_is_not_there(action: str) -> None:
    decision = Decision(action, ("snow", "hail"), "d.tsv, line 4")
    with pytest.raises(DataError, match=r"d\.tsv, line 4: no.* phrase.* in the list of t"):
        refine(LIST, [decision], topic="t")


def test_a_phrase_that_is_there_already() -> None:
    with pytest.raises(DataError, match="'rain' is in the list of t already"):
        decided(("add", "rain"))


def test_decisions_in_files(tmp_path: Path) -> None:
    lines = tmp_path / "d.tsv"
    lines.write_text("# by hand\n\nt1\tremove\train\nt2\tcluster\ta\tb\nt1\tprefer\tDeep wells\n", encoding="utf-8")
    found = read_decisions(lines)
    assert {topic: [(d.action, d.phrases) for d in made] for topic, made in found.items()} == {
        "t1": [("remove", ("rain",)), ("prefer", ("Deep wells",))],
        "t2": [("cluster", ("a", "b"))],
    }
    assert found["t2"][0].where == f"{lines}, line 4"
    listed = [{"topic": t, "action": d.action, "phrases": list(d.phrases)} for t, made in found.items() for d in made]
    (tmp_path / "d.json").write_text(json.dumps(listed), encoding="utf-8")
    again = read_decisions(tmp_path / "d.json")
    write_decisions(again, tmp_path / "e.tsv")
    third = read_decisions(tmp_path / "e.tsv")
    for other in (again, third):
        assert {t: [(d.action, d.phrases) for d in made] for t, made in other.items()} == {
            t: [(d.action, d.phrases) for d in made] for t, made in found.items()
        }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t\tremove", "line 1: a decision is set, action and phrases, with tabs between them"),
        ("\nt remove x", "line 2: a decision is set"),
        ("t\tdelete\tx", "line 1: unknown action 'delete'; choose from add, cluster, order, prefer, remove"),
        ("t\tcluster\tx", "line 1: cluster needs two phrases or more"),
        ("t\tremove\t", "line 1: remove needs a phrase"),
        ("[1]", "decision 1: a decision has topic, action and phrases"),
        ('[{"topic": 1, "action": "add", "phrases": ["x"]}]', "decision 1: topic and action must be texts"),
        ("[", "is not JSON"),
    ],
)
def test_bad_files_of_decisions(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_decisions(path)


def test_decisions_on_unknown_sets() -> None:
    with pytest.raises(DataError, match="there are decisions on dunes, but no such set"):
        list(build(by_topic(WELLS), decisions={"dunes": [Decision("remove", ("x",))]}))


@pytest.mark.parametrize(
    "wanted",
    [
        LIST,
        (),
        ("rain",),
        (("Salt Water", "sea water"), "Deep wells"),
        ("drought", "rain", ("old pump", "rain pump"), "snow"),
        tuple(reversed(LIST)),
    ],
)
def test_derived_decisions_lead_there_exactly(wanted: tuple[Reference, ...]) -> None:
    assert refine(LIST, derive(LIST, wanted), topic="t") == wanted


# Statistics and files


def test_the_statistics_by_hand() -> None:
    documents = tuple(WELLS)
    groups = [
        DocumentSet("a", documents, (("salt water", "sea water"), "rain")),
        DocumentSet("b", documents[:1], ("deep wells", "old rusty pumps", "wells", "rain water")),
    ]
    assert dict(set_rows(groups)) == {
        "topics": "2",
        "documents per topic": "2.00 (1.00)",
        "keyphrases per topic": "3.00 (1.00)",
        "words per keyphrase": "1.83 (0.69)",
        "keyphrases with substitutes": "1 of 6",
        "wordings per cluster": "2.00 (0.00)",
        "unique stems in a cluster": "0.75 (0.00)",
    }
    assert dict(set_rows(groups, top=1))["keyphrases with substitutes"] == "1 of 2"
    assert dict(set_rows([]))["topics"] == "0"


def test_the_files(tmp_path: Path) -> None:
    groups = list(build(by_topic(WELLS), decisions={"wells": [Decision("cluster", ("salt water", "brine"))]}))
    write(groups, tmp_path / "out", top=2)
    (line,) = (tmp_path / "out" / "sets.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "id": "wells",
        "doc_ids": ["a", "b", "c"],
        "keyphrases": ["salt water", "deep wells", "old pumps"],
        "clusters": [["salt water", "brine"], ["deep wells"], ["old pumps"]],
        "keyphrases_trunc2": ["salt water", "deep wells"],
    }
    documents = [json.loads(line) for line in (tmp_path / "out" / "documents.jsonl").read_text("utf-8").splitlines()]
    assert [(d["id"], d["topic"]) for d in documents] == [("a", "wells"), ("b", "wells"), ("c", "wells")]
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file"):
        write(groups, tmp_path / "file")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "articles.jsonl"
    records = [{"id": d.id, "title": "", "text": d.text, "keyphrases": d.references, "topic": "wells"} for d in WELLS]
    source.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert run(["dataset", "build", "mkpe", str(source), "-o", str(tmp_path / "out")]) == 0
    assert "documents per topic" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "sets.jsonl").read_text(encoding="utf-8"))["keyphrases"][0] == "salt water"
    arguments = ["--group-by-keyphrase", "--size", "2", "--words", "1", "--format", "json"]
    assert run(["dataset", "build", "mkpe", str(source), "-o", str(tmp_path / "two"), *arguments]) == 0
    assert dict(map(tuple, (row[:2] for row in json.loads(capsys.readouterr().out)["Document sets"])))["topics"] == "1"
    for wrong in (["--size", "two"], ["--top", "0"], ["--format", "html"], ["--topic-field", "category"]):
        more = [] if wrong[0] != "--size" else ["--group-by-keyphrase"]
        assert run(["dataset", "build", "mkpe", str(source), "-o", str(tmp_path / "out"), *wrong, *more]) == 2
        assert capsys.readouterr().err.count("\n") == 1


RIVERS = [
    "Salt water moves inland where pumps draw groundwater.",
    "Groundwater pumps supply the farms of the valley.",
    "The valley floods in spring; farms stand in salt water.",
]


def test_summaries_are_averaged_in_and_add_no_words() -> None:
    scores = word_scores([{"salt", "water"}, {"salt"}], [{"water", "tide"}])
    assert scores == {"salt": 0.5, "water": 0.75}


def test_phrases_that_do_not_occur_are_dropped() -> None:
    assert list(merge_lists([["salt water", "water salt"]], ["The salt water."])) == ["salt water"]


def test_the_whole_merge_of_lists() -> None:
    lists = [["salt water", "pumps"], ["Groundwater pumps", "pump"], ["Salt Water", "the moon"]]
    found = merge_lists(lists, RIVERS)
    assert list(found) == ["salt water", "Groundwater pumps"]
    assert found["salt water"] == pytest.approx(2 / 3)


def test_no_documents_and_no_phrases() -> None:
    assert merge_lists([], []) == {}
    assert merge_lists([["salt"]], []) == {}
