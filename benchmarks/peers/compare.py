"""Other people's extractors beside ours: the same texts, one run, one core, processes that take turns.

    python benchmarks/peers/make.py
    python benchmarks/peers/compare.py [--data DIR] [--pattern FILE] [--documents N] [--only NAME …]

For each peer, our method that does the same runs beside it, in turn, each in its own process; documents per second
are of the fastest round, by processor time. With `--data`, F1@10 of both over the same documents: take a development
split, not a test split. A peer that cannot run is a row that says why.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from environments import FAILED, cache, python_of, wanted

import phrasemill as pm
from phrasemill.lab.bench.corpora import all_records, texts
from phrasemill.lab.bench.measuring import ONE_THREAD
from phrasemill.lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill.options import DEFAULT_METHOD

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
HEAD = ("peer", "licence", "documents/s", "ours", "documents/s", "we are faster by", "F1@10 theirs", "F1@10 ours")


class CannotRunError(Exception):
    """Why a process did not answer."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts, and the gold of each where there is one."""

    texts: list[str]
    gold: list[list[str]]

    def first(self, most: int) -> "Corpus":
        return Corpus(self.texts[:most], self.gold[:most])


class Worker:
    """A process of `worker.py` that waits for orders."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | ONE_THREAD | OFFLINE | {"PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"},
        )
        self._answer()

    def seconds(self) -> float:
        return float(self._ask("round"))

    def phrases(self) -> list[list[str]]:
        return json.loads(self._ask("phrases"))

    def _ask(self, order: str) -> str:
        assert self.process.stdin
        print(order, file=self.process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> str:
        assert self.process.stdout and self.process.stderr
        line = self.process.stdout.readline()
        if not line:
            lines = self.process.stderr.read().strip().splitlines() or ["it ended without a message"]
            raise CannotRunError(" ".join(lines[-1].split())[:160])
        return line


@contextmanager
def worker(python: Path | str, *arguments: str) -> Iterator[Worker]:
    """A worker that is ended, and waited for, at the end."""
    started: list[Worker] = []
    try:
        started.append(Worker([str(python), str(Path(__file__).with_name("worker.py")), *arguments]))
        yield started[0]
    finally:
        for one in started:
            one.process.kill()
            one.process.communicate()


def why_not(name: str, peer: ModuleType, environment: Path, model: str) -> str:
    """Return why `peer` cannot run, or nothing."""
    if (environment / FAILED).exists():
        return f"could not be installed: {(environment / FAILED).read_text(encoding='utf-8')}"
    if not python_of(environment).exists():
        return f"not installed: python benchmarks/peers/make.py {name}"
    option = getattr(peer, "MODEL", "")
    return f"needs a model: {option}" if option and not model else ""


def f1(found: list[list[str]], gold: list[list[str]]) -> str:
    if not gold:
        return "–"
    keyed = {str(i): phrases for i, phrases in enumerate(found)}
    scores = pm.evaluate(keyed, {str(i): phrases for i, phrases in enumerate(gold)}, metrics=["F1@10"])
    return f"{100 * scores['F1@10']:.1f}"


@contextmanager
def on_disk(corpus: Corpus) -> Iterator[str]:
    """The texts in a file that workers can read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(corpus.texts), encoding="utf-8")
        yield str(path)


def shown(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.1f}" if rate >= 1 else f"{rate:.2f}"


def row(theirs: list[str], ours: str, corpus: Corpus, rounds: int) -> list[str]:
    """Return the figures of one peer (its Python, adapter, variant and model) and of our method beside it."""
    python, name, variant, model = theirs
    with (
        on_disk(corpus) as path,
        worker(python, name, variant, path, model) as peer,
        worker(sys.executable, "phrasemill", ours, path) as own,
    ):
        taken = [(peer.seconds(), own.seconds()) for _ in range(rounds)]
        rates = [len(corpus.texts) / max(min(column), 1e-9) for column in zip(*taken, strict=True)]
        quality = f1(peer.phrases(), corpus.gold), f1(own.phrases(), corpus.gold)
    return [shown(rates[0]), f"`{ours}`", shown(rates[1]), f"{rates[1] / rates[0]:.1f} ×", *quality]


def default(corpus: Corpus, rounds: int) -> list[str]:
    """Return the figures of our default method, which no peer has."""
    with on_disk(corpus) as path, worker(sys.executable, "phrasemill", DEFAULT_METHOD, path) as own:
        rate = len(corpus.texts) / max(min(own.seconds() for _ in range(rounds)), 1e-9)
        ours = f"`{DEFAULT_METHOD}`, our default"
        return ["none", "", "", ours, shown(rate), "", "", f1(own.phrases(), corpus.gold)]


def read(data: Path | None, pattern: str, most: int) -> Corpus:
    """Return up to `most` texts with their keyphrases; without `data`, the shipped text again and again."""
    found = texts(data, pattern, most)
    if data is None:
        return Corpus(found, [])
    return Corpus(found, [record.get("keyphrases", []) for record in all_records(data, pattern, most)])


def main() -> None:
    given = parser(__doc__, data=False, pattern="inspec_dev.jsonl.gz", documents=500)
    given.add_argument("--only", nargs="+", default=[], metavar="NAME", help="which peers (default: all)")
    given.add_argument("--cache", type=Path, default=cache(), help="where make.py put them (default: %(default)s)")
    given.add_argument("--rounds", type=int, default=3, help="how often each runs (default: %(default)s)")
    given.add_argument("--neural", type=int, default=50, help="documents for networks (default: %(default)s)")
    given.add_argument("--spacy-model", default="", help="name or folder of a spaCy model that you have")
    options = given.parse_args()
    corpus = read(options.data, options.pattern, options.documents)
    print(f"{len(corpus.texts)} documents, {options.rounds} rounds; version {pm.__version__} of ours\n")
    rows = MarkdownRows(*HEAD, name="peers")
    for name, peer in wanted(options.only).items():
        environment = options.cache / name
        version = peer.REQUIREMENTS[0].replace("==", " ")
        reason = why_not(name, peer, environment, options.spacy_model)
        if reason:
            rows.add(version, peer.LICENCE, reason, *[""] * 5)
            continue
        network = getattr(peer, "NETWORK", False)
        some = corpus.first(options.neural) if network else corpus
        for variant, ours in peer.VARIANTS.items():
            label = f"{version}, {variant}" if len(peer.VARIANTS) > 1 else version
            label += f" ({len(some.texts)} documents)" if network else ""
            try:
                theirs = [str(python_of(environment)), name, variant, options.spacy_model]
                figures = row(theirs, ours, some, 1 if network else options.rounds)
            except CannotRunError as error:
                figures = [f"failed: {error}", *[""] * 5]
            rows.add(label, peer.LICENCE, *figures)
    rows.add(*default(corpus, options.rounds))
    write_figures(options.figures)


if __name__ == "__main__":
    main()
