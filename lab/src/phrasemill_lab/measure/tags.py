"""Our tag model beside the backends of Annif: how well, how fast, how large.

Annif's Python is that of an environment made by `python -m venv annif && annif/bin/pip install
'annif[fasttext,omikuji]' && annif/bin/python -m nltk.downloader punkt_tab`. Every system learns from the same documents
and suggests for the same others, one after the other, each in processes of its own with one thread. Annif's settings
are those of its documentation, untuned; so are ours, which were chosen on `dev`.

StackExchange: `dev` learns from the first 4,000 questions of the valid split and suggests for the rest; `test` learns
from the whole valid split. Inspec, controlled terms: learns from train, suggests for dev or test. Tags that no learned
document has count as missed. Seconds are of the processor; start-up is to the first suggestion.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.errors import PhrasemillError
from phrasemill.types import Document
from phrasemill_lab.measure import Report, Row, table
from phrasemill_lab.measure.fresh import environment, printed
from phrasemill_lab.models.sources import Source

WORKER = Path(__file__).with_name("tags_worker.py")
EXACT = {"match": "exact", "empty_gold": "skip", "denominator": "k"}
METRICS = ("F1@5", "nDCG@10")
OURS = "phrasemill"
# https://github.com/NatLibFi/Annif/wiki has these settings.
PROJECTS = {
    "tfidf": "backend=tfidf\nanalyzer=snowball(english)",
    "mllm": "backend=mllm\nanalyzer=snowball(english)",
    "fasttext": "backend=fasttext\nanalyzer=snowball(english)\ndim=500\nlr=0.25\nepoch=30\nloss=hs\nchunksize=24",
    "omikuji-parabel": "backend=omikuji\nanalyzer=snowball(english)",
    "omikuji-bonsai": "backend=omikuji\nanalyzer=snowball(english)\ncluster_balanced=False\ncluster_k=100\nmax_depth=3",
}
VALID, TEST = "stackexchange_takg_valid.jsonl.gz", "stackexchange_takg_test.jsonl.gz"
INSPEC = Source("inspec_train.jsonl.gz", gold="contr")
CORPORA = {
    ("StackExchange", "dev"): (Source(VALID, last=4000), Source(VALID, first=4000)),
    ("StackExchange", "test"): (Source(VALID), Source(TEST)),
    ("Inspec, controlled", "dev"): (INSPEC, Source("inspec_dev.jsonl.gz", gold="contr")),
    ("Inspec, controlled", "test"): (INSPEC, Source("inspec_test.jsonl.gz", gold="contr")),
}
COSTS = ("learning_s", "suggestion_ms", "start_s", "memory_mb", "memory_learning_mb")


def measure(data: Path, annif: str | None, split: str) -> Report:
    """Return one row for each corpus and system, of which those that fail say why."""
    rows: list[Row] = []
    for (corpus, part), sources in CORPORA.items():
        if part != split:
            continue
        train, test = ([one for one in source.documents(data) if one.references] for source in sources)
        with tempfile.TemporaryDirectory() as place:
            _prepare(Path(place), train, test)
            for name in (OURS, *(PROJECTS if annif else ())):
                row: Row = {"corpus": corpus, "system": name if name == OURS else f"Annif {name}"}
                try:
                    python = annif if name != OURS and annif else sys.executable
                    rows.append(row | _measured(python, name, place, test) | {"failed": ""})
                except PhrasemillError as error:
                    rows.append(row | dict.fromkeys((*METRICS, *COSTS)) | {"failed": str(error)})
    return Report("tags", rows, [table("Tags", rows)], failed=any(row["failed"] for row in rows))


def _tags_of(document: Document) -> list[str]:
    return [(one if isinstance(one, str) else one[0]).lower() for one in document.references]


def _prepare(folder: Path, train: Sequence[Document], test: Sequence[Document]) -> None:
    """Write what the processes read."""
    numbers: dict[str, int] = {}
    with (folder / "train.tsv").open("w", encoding="utf-8") as file:
        for one in train:
            addresses = " ".join(f"<urn:t:{numbers.setdefault(tag, len(numbers))}>" for tag in _tags_of(one))
            print(" ".join(one.content.split()), addresses, sep="\t", file=file)
    for part, documents in (("train", train), ("test", test)):
        with (folder / f"{part}.jsonl").open("w", encoding="utf-8") as file:
            for one in documents:
                record = {"id": one.id, "title": one.title, "text": one.text, "tags": _tags_of(one)}
                print(json.dumps(record), file=file)
    concepts = [f"<urn:t:{i}> a skos:Concept ; skos:prefLabel {json.dumps(tag)}@en ." for tag, i in numbers.items()]
    prefix = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    (folder / "tags.ttl").write_text("\n".join([prefix, *concepts]) + "\n", encoding="utf-8")
    projects = [f"[{name}]\nname={name}\nlanguage=en\nvocab=tags\nlimit=100\n{s}" for name, s in PROJECTS.items()]
    (folder / "projects.cfg").write_text("\n\n".join(projects) + "\n", encoding="utf-8")


def _measured(python: str, name: str, place: str, test: Sequence[Document]) -> Row:
    """Return the figures of one system."""
    learned = _process(python, name, "learn", place)
    found = _process(python, name, "suggest", place)
    answers = {d.id: [tag for tag, _ in answer] for d, answer in zip(test, found["answers"], strict=True)}
    scores = pm.evaluate(answers, {d.id: _tags_of(d) for d in test}, metrics=METRICS, policy=EXACT)
    row: Row = {metric: 100 * scores[metric] for metric in METRICS}
    costs = (learned["processor"], 1000 * found["each"], found["start"], found["memory"], learned["memory"])
    return row | dict(zip(COSTS, costs, strict=True))


def _process(python: str, name: str, action: str, place: str) -> Any:
    """Return what a process of the worker prints."""
    variables = environment() if name == OURS else dict(os.environ)
    variables |= {"ANNIF_PROJECTS": f"{place}/projects.cfg", "ANNIF_DATADIR": f"{place}/annif"}
    return printed([python, str(WORKER), name, action, place], variables, folder=place)
