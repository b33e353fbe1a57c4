"""Our tag model beside the backends of Annif: how well, how fast, how large.

    python lab/benchmarks/tags.py DIR --annif PYTHON [--split dev|test] [--only NAME …]

PYTHON is that of an environment with Annif, such as one made by
`python -m venv annif && annif/bin/pip install 'annif[fasttext,omikuji]'`. Every system learns from the same documents
and suggests for the same others, one after the other, each in processes of its own with one thread. Annif's settings
are those of its documentation, untuned; so are ours, which were chosen on `dev`.

StackExchange: `dev` learns from the first 4,000 questions of the valid split and suggests for the rest; `test` learns
from the whole valid split. Inspec, controlled terms: learns from train, suggests for dev or test. Tags that no learned
document has count as missed. Seconds are of the processor; start-up is from the start of the process to the first
suggestion, the shortest of three; memory is the most that was resident.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.types import Document
from phrasemill_lab.bench.figures import add_option
from phrasemill_lab.bench.measuring import ONE_THREAD
from phrasemill_lab.bench.scripts import MarkdownRows, write_figures
from phrasemill_lab.models.sources import Source

WORKER = Path(__file__).with_name("tags_worker.py")
STARTS = 3
EXACT = {"match": "exact", "empty_gold": "skip", "denominator": "k"}
METRICS = ("F1@5", "nDCG@10")
PROMISES = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)
# https://github.com/NatLibFi/Annif/wiki has these settings.
PROJECTS = {
    "tfidf": "backend=tfidf\nanalyzer=snowball(english)",
    "mllm": "backend=mllm\nanalyzer=snowball(english)",
    "fasttext": "backend=fasttext\nanalyzer=snowball(english)\ndim=500\nlr=0.25\nepoch=30\nloss=hs\nchunksize=24",
    "omikuji-parabel": "backend=omikuji\nanalyzer=snowball(english)",
    "omikuji-bonsai": "backend=omikuji\nanalyzer=snowball(english)\ncluster_balanced=False\ncluster_k=100\nmax_depth=3",
}
OURS = "phrasemill"
CORPORA = {
    ("StackExchange", "dev"): (
        Source("stackexchange_takg_valid.jsonl.gz", last=4000),
        Source("stackexchange_takg_valid.jsonl.gz", first=4000),
    ),
    ("StackExchange", "test"): (
        Source("stackexchange_takg_valid.jsonl.gz"),
        Source("stackexchange_takg_test.jsonl.gz"),
    ),
    ("Inspec, controlled", "dev"): (
        Source("inspec_train.jsonl.gz", gold="contr"),
        Source("inspec_dev.jsonl.gz", gold="contr"),
    ),
    ("Inspec, controlled", "test"): (
        Source("inspec_train.jsonl.gz", gold="contr"),
        Source("inspec_test.jsonl.gz", gold="contr"),
    ),
}
NAMES = tuple(dict.fromkeys(corpus for corpus, _ in CORPORA))


def tags_of(document: Document) -> list[str]:
    return [(one if isinstance(one, str) else one[0]).lower() for one in document.references]


def prepare(folder: Path, train: Sequence[Document], test: Sequence[Document]) -> None:
    """Write what the processes read."""
    numbers: dict[str, int] = {}
    with (folder / "train.tsv").open("w", encoding="utf-8") as file:
        for one in train:
            addresses = " ".join(f"<urn:t:{numbers.setdefault(tag, len(numbers))}>" for tag in tags_of(one))
            print(" ".join(one.content.split()), addresses, sep="\t", file=file)
    for part, documents in (("train", train), ("test", test)):
        with (folder / f"{part}.jsonl").open("w", encoding="utf-8") as file:
            for one in documents:
                print(json.dumps({"id": one.id, "title": one.title, "text": one.text, "tags": tags_of(one)}), file=file)
    concepts = [
        f"<urn:t:{number}> a skos:Concept ; skos:prefLabel {json.dumps(tag)}@en ." for tag, number in numbers.items()
    ]
    prefix = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    (folder / "tags.ttl").write_text("\n".join([prefix, *concepts]) + "\n", encoding="utf-8")
    projects = [f"[{name}]\nname={name}\nlanguage=en\nvocab=tags\nlimit=100\n{s}" for name, s in PROJECTS.items()]
    (folder / "projects.cfg").write_text("\n\n".join(projects) + "\n", encoding="utf-8")


def process(python: str, name: str, action: str, folder: Path) -> dict[str, Any]:
    """Return what a process of the worker prints; raise its last line where it fails."""
    settings = {"ANNIF_PROJECTS": str(folder / "projects.cfg"), "ANNIF_DATADIR": str(folder / "annif")}
    command = [python, str(WORKER.resolve()), name, action, str(folder)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | ONE_THREAD | settings, encoding="utf-8"
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["it ended without a word"])[-1][:200])
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def measure(python: str, name: str, folder: Path, test: Sequence[Document]) -> tuple[list[str], dict[str, Any]]:
    learned = process(python, name, "learn", folder)
    found = process(python, name, "suggest", folder)
    one = folder / "test.jsonl"
    whole = one.read_text(encoding="utf-8")
    one.write_text(whole.splitlines()[0] + "\n", encoding="utf-8")
    starts = [process(python, name, "suggest", folder) for _ in range(STARTS)]
    one.write_text(whole, encoding="utf-8")
    answers = {d.id: [tag for tag, _ in answer] for d, answer in zip(test, found["answers"], strict=True)}
    scores = pm.evaluate(answers, {d.id: tags_of(d) for d in test}, metrics=METRICS, policy=EXACT)
    cells = [f"{100 * scores[metric]:.1f}" for metric in METRICS]
    cells += [f"{learned['processor']:.1f} s", f"{1000 * found['each']:.1f} ms"]
    cells += [
        f"{min(one['start'] for one in starts):.2f} s",
        f"{found['memory']:.0f} MB",
        f"{learned['memory']:.0f} MB",
    ]
    return cells, found


def promises(found: dict[str, Any], test: Sequence[Document]) -> str:
    """Return how often tags are right, beside the probability that was promised, in steps."""
    pairs = [
        (score, tag in set(tags_of(one)))
        for one, answer in zip(test, found["answers"], strict=True)
        for tag, score in answer
    ]
    cells = []
    for low, high in pairwise(PROMISES):
        inside = [(score, right) for score, right in pairs if low <= score < high]
        if inside:
            promised = sum(score for score, _ in inside) / len(inside)
            kept = sum(right for _, right in inside) / len(inside)
            cells.append(f"{promised:.2f}/{kept:.2f} ({len(inside):,})")
    return ", ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DIR", help="folder with the data")
    parser.add_argument("--annif", metavar="PYTHON", help="a Python that has Annif; without it, our model alone")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--corpora", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--only", nargs="+", choices=(OURS, *PROJECTS), default=(OURS, *PROJECTS))
    add_option(parser)
    options = parser.parse_args()
    table = MarkdownRows(
        "corpus",
        "system",
        *METRICS,
        "learning",
        "one suggestion",
        "start-up",
        "memory",
        "memory, learning",
        name="annif",
        keys=2,
    )
    kept = []
    for (corpus, split), (train_source, test_source) in CORPORA.items():
        if split != options.split or corpus not in options.corpora:
            continue
        train, test = (
            [one for one in source.documents(options.data) if one.references] for source in (train_source, test_source)
        )
        with tempfile.TemporaryDirectory() as place:
            prepare(Path(place), train, test)
            for name in options.only:
                python = sys.executable if name == OURS else options.annif
                if python is None:
                    continue
                try:
                    cells, found = measure(python, name, Path(place), test)
                except RuntimeError as error:
                    table.add(corpus, name, f"did not run: {error}", *[""] * 6)
                    continue
                table.add(corpus, name if name == OURS else f"Annif {name}", *cells)
                if name == OURS:
                    kept.append(f"{corpus}, promised/kept (suggestions): {promises(found, test)}")
    print("", *kept, sep="\n")
    write_figures(options.figures, promises="; ".join(kept))


if __name__ == "__main__":
    main()
