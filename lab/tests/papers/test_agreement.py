"""`phrasemill measure agreement` and Tables 3 to 5: the groups and statistics of Kim, Baldwin and Kan (2010)."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import options
from phrasemill.errors import MissingExtra, PhrasemillError
from phrasemill.evaluation.phrases import normaliser
from phrasemill.text.analyse import analyse
from phrasemill_lab.papers import Setting, reproduce
from phrasemill_lab.papers.agreement import EXAMPLES, agreement
from phrasemill_lab.papers.correlation import correlation, human_bound, kinds, majority

KEYPHRASE = "effective grid computing algorithm"
GRADES = {"effective grid": (1, 1, 2), "grid computing": (2, 2, 1), "grid computing algorithm": (4, 3, 4)}
OTHERS = {"algorithm of a grid": (2, 2, 2), "apple pie": (0, 0, 0)}
Command = Callable[..., str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in a folder that has judgements of pairs, of lists and of whole answers."""
    monkeypatch.chdir(tmp_path)
    graded = (GRADES | OTHERS).items()
    pairs = [{"keyphrase": KEYPHRASE, "candidate": candidate, "scores": scores} for candidate, scores in graded]
    made_datasets.write(tmp_path / "pairs.jsonl", pairs)
    found = (["a", "b"], ["a", "x"], ["x", "y"])
    rows = [{"id": f"d{i}", "keyphrases": phrases, "scores": [3 - i, 2 - i]} for i, phrases in enumerate(found)]
    made_datasets.write(tmp_path / "run.jsonl", rows)
    made_datasets.write(tmp_path / "gold.jsonl", [row | {"keyphrases": ["a", "b"]} for row in rows])
    app = options.group("measure", "Measure.")
    options.command(app, EXAMPLES)(agreement)
    app.callback()(lambda: None)

    def run(*arguments: str) -> str:
        assert app(["agreement", *arguments], standalone_mode=False) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(("pairs", "count"), [("all", "5"), ("near-misses", "4"), ("parts", "3")])
def test_pairs_of_phrases(command: Command, pairs: str, count: str) -> None:
    """`apple pie` shares nothing; `algorithm of a grid` shares words, but neither phrase is part of the other."""
    shown = command("pairs.jsonl", "-m", "modified-r-precision", "-m", "exact", "--pairs", pairs)
    lines = shown.splitlines()
    assert lines[1].split() == ["judgements", "n", "human", "modified-r-precision", "exact"]
    assert lines[2].split()[:2] == ["all", count] and lines[2].split()[-1] == "-", "none is the keyphrase itself"


def test_whole_answers(command: Command) -> None:
    options = ("run.jsonl", "--predictions", "run.jsonl", "--gold", "gold.jsonl", "-m", "F1@5", "--format", "json")
    (record,) = json.loads(command(*options))
    assert record["judgements"] == 3 and record["spearman"] == {"human": 1, "F1@5": 1}


@pytest.mark.parametrize(
    ("line", "arguments", "message"),
    [
        ('{"candidate": "a"}', "", "neither a keyphrase"),
        ('{"id": "a", "scores": ["high"]}', "", "'high' where a score should be"),
        ('{"id": "a", "scores": [1]}\n{"id": "b", "scores": [1, 2]}', "", "not every judgement"),
        ('{"id": "a", "scores": [1]}', "", "no keyphrase to compare with"),
        ('{"id": "a", "scores": [1]}', "--gold gold.jsonl", "go together"),
        ('{"id": "a", "scores": [1]}', "--pairs substrings", "must be one of all, near-misses, parts"),
        ('{"keyphrase": "node", "candidate": "nodes", "scores": [1]}', "--pairs parts", "of parts"),
    ],
)
def test_what_is_wrong_is_told(command: Command, tmp_path: Path, line: str, arguments: str, message: str) -> None:
    (tmp_path / "wrong.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(PhrasemillError, match=message):
        command("wrong.jsonl", *arguments.split())


def test_statistics_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks 1 2 3 4 against 1 3 2 4: rho = 1 - 6 · 2 / (4 · 15) = 0.8; 5 of 6 pairs agree: tau = 4/6."""
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4], "spearman") == pytest.approx(0.8)
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4], "kendall") == pytest.approx(4 / 6)
    assert human_bound([(1, 1), (2, 2), (3, 5)], max, "spearman") == pytest.approx(1)
    assert majority([1, 1, 3, 4, 4]) == 4, "the median of 1 1 3 4 4 is 3, and 4 is nearer to it"
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtra, match="rank correlation needs scipy"):
        correlation([1, 2], [2, 1], "spearman")


def test_kinds_of_pairs() -> None:
    """The examples are the paper's, sections 2 and 4.3, and one by universal tags."""
    examples = {
        ("computing algorithm", "grid computing algorithm"): {"up to 4 words", "up to 3 words", "overlap: head"},
        ("effective grid", KEYPHRASE): {"up to 4 words", "overlap: first"},
        ("service", "quality of service"): {"with preposition"},
        ("performance", "performance and scalability"): {"with conjunction"},
        ("network", "neural network"): {"adjective-noun", "simple"},
        ("intrusion", "intrusion detection system"): {"noun-noun", "simple"},
        ("mer", "eau de mer"): {"with preposition"},
    }
    key = normaliser("porter").key
    for (candidate, keyphrase), groups in examples.items():
        tokens = analyse(keyphrase, language="fr" if "mer" in keyphrase else "en").tokens
        assert groups <= set(kinds(key(candidate).split(), key(keyphrase).split(), [token.tag for token in tokens]))


def test_metrics_beside_people(tmp_path: Path) -> None:
    grades = (("sel", 2), ("eau", 0), ("eau salée froide", 1), ("eau de mer", 1), ("pont", 0))
    judged = [{"phrase": phrase, "score": score} for phrase, score in grades]
    silent = {"phrase": "mer", "score": 2, "kind": "silence"}
    record = {"id": "1", "keyphrases": ["sel", ["eau salée"]], "judgements": [*judged, silent]}
    made_datasets.write(tmp_path / "termith_eval_judged.jsonl", [record])
    setting = Setting(tmp_path, tmp_path)
    made = reproduce("ngram-metrics-table3", setting)
    assert made.rows[0].ours is not None and made.rows[0].ours[0] is None, "one judge, no human bound"
    assert made.rows[0].ours[1] == pytest.approx(1), "`eau` has half the words, `eau salée froide` two thirds"
    assert any("Ours: 2 judgements of parts" in note for note in made.notes)
    wider = {row.system for row in made.rows if row.published is None}
    assert wider == {"not only parts: near-misses", "not only parts: all"}
    scores = {row.system: row.ours for row in reproduce("ngram-metrics-section4.3", setting).rows}
    assert scores["candidate shorter, first"] == (0,) and scores["candidate longer, first"] == (2,), "doubled"
