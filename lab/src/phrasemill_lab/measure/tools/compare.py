"""Our methods, and other people's extractors beside them: the same texts, one core, in turns.

Each method of ours takes turns with all tools that do the same, each in its own process: time from process start to the
first keyphrases, texts per second on abstracts and on papers (processor time, fastest round), seconds for one text of
5 MB, and peak memory. F1@10 is on news and on biomedical abstracts whose keyphrases no model of ours was trained on.
Networks are timed on few texts, and not on the long one. Without data, the text that ships with the package takes the
place of all these. What cannot run is a row, or a cell, that says why.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any, NamedTuple, TypeAlias

import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.errors import PhrasemillError
from phrasemill.models import shipped
from phrasemill.specs import parse, split_specs
from phrasemill_lab.measure import Report, Row, table, targets, verdict
from phrasemill_lab.measure.corpora import content, long_text, records, texts
from phrasemill_lab.measure.fresh import EXAMPLE, OpenProcess, environment
from phrasemill_lab.measure.tools.environments import MODEL, TOOLS, megabytes, python_of, wanted

WORKER = str(Path(__file__).with_name("worker.py"))
VARIABLES = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONWARNINGS": "ignore",
    "PHRASEMILL_STOPWORDS": str(shipped("stopwords_en.txt")),
}
QUALITY = {"DUC-2001": "duc2001.jsonl.gz", "PubMedAKE": "pubmedake_sample1000.jsonl.gz"}
METRIC = "F1@10"
TRAINING = "inspec_train.jsonl.gz"
LONG = 5_000_000
PAPERS = 20  # times as many abstracts as papers are read
NEURAL = 20  # abstracts that time networks
NETWORKS = ("bertkpe", "catseqd", "embedrank", "encoder", "generator", "mderank")
# What learns from the training split of Inspec in seconds, and what is not measured: models of one's own, and a server.
TRAINED_HERE = ("kea", "maui", "maxent", "naivebayes")
NOT_MEASURED = ("catseq", "copyrnn", "llm")
STARTS = 5
SLOW = 10.0  # seconds of a round that is not repeated
LONGEST = 60  # characters of a reason
PATIENCE = 20  # times the limit of an answer is what all phrases of a test set may take: they are not timed
START, ABSTRACTS, PAPER, LONG_TEXT, MEMORY = (
    "start-up, ms",
    "abstracts, per s",
    "papers, per s",
    "5 MB, s",
    "memory, MB",
)
RATIOS = {START: "start-up", ABSTRACTS: "abstracts", PAPER: "papers", LONG_TEXT: "5 MB", MEMORY: "memory"}

Figure: TypeAlias = "float | str | None"  # a measurement, or why there is none


class Corpora(NamedTuple):
    """The texts; `quality` has texts and their keyphrases, by name."""

    abstracts: list[str]
    papers: list[str]
    long: str
    quality: dict[str, tuple[list[str], list[list[str]]]]


class Side(NamedTuple):
    """An extractor: the Python that has it, its adapter, the variant, and folders with packages that it also reads."""

    python: Path
    adapter: str
    variant: str
    packages: str = ""


def measure(
    names: Sequence[str],
    methods: Sequence[str],
    data: Path | None,
    cache: Path,
    documents: int,
    rounds: int,
    limit: float,
) -> list[Report]:
    """Return the figures of our methods, and those of the tools with how many times better ours are."""
    mine: list[Row] = []
    theirs: list[Row] = []
    corpora = _read(data, documents)
    tools: dict[str, list[Side]] = {}  # by the method of ours that does the same
    for name, tool in wanted(names).items():
        if (python := python_of(cache / name)).exists():
            for variant, method in tool.variants.items():
                tools.setdefault(method, []).append(Side(python, name, variant))
        else:
            missing: Row = {"tool": tool.title, "licence": tool.licence}
            missing["ours"] = f"not installed: phrasemill measure tools install {name}"
            columns = (*RATIOS, *corpora.quality, *RATIOS.values(), "target", "verdict", "installed, MB")
            theirs.append(missing | dict.fromkeys(columns))
    with TemporaryDirectory() as folder:
        for spec in [one for given in methods for one in split_specs(given)] or ours():
            beside = tools.get(spec, [])
            model = _trained(spec, data, Path(folder)) if spec in TRAINED_HERE else spec
            packages = os.pathsep.join([*filter(None, sys.path), str(cache / MODEL)])
            used = corpora
            if parse(spec).name in NETWORKS or any(TOOLS[one.adapter].network for one in beside):
                used = corpora._replace(abstracts=corpora.abstracts[:NEURAL], papers=corpora.papers[:1], long="")
            sides = [Side(Path(sys.executable), "phrasemill", model, packages), *beside]
            own, *others = _measured(sides, used, rounds, limit)
            print(f"{spec}: done", file=sys.stderr, flush=True)
            mine.append({"method": spec} | _shown(own))
            theirs += [_row(side, spec, found, own) for side, found in zip(beside, others, strict=True)]
    title = f"Ours: {len(corpora.abstracts)} abstracts, {len(corpora.papers)} papers"
    reports = [Report("speed", mine, [table(title, mine)])]
    if theirs:
        reports.append(Report("extractors", theirs, [table("Tools, and how many times better ours is", theirs)]))
    return reports


def ours() -> list[str]:
    """Return the methods of ours that are measured."""
    names = [name for name in METHODS.names() if name not in NOT_MEASURED]
    return [name for name in names if METHODS.get(name).__module__.startswith("phrasemill.")]


def _trained(name: str, data: Path | None, folder: Path) -> str:
    """Return the spec of a method with a model that is trained here; without data, that of none."""
    if data is None or not (data / TRAINING).exists():
        return name
    model = folder / name
    command = ["train", name, "--data", str(data / TRAINING), "-o", str(model)]
    subprocess.run([sys.executable, "-m", "phrasemill", *command], check=True, stdout=subprocess.DEVNULL)
    return f"{name}(model={str(model)!r})"


def _read(data: Path | None, documents: int) -> Corpora:
    quality = {}
    for name, file in QUALITY.items():
        if data is None:
            break
        found = list(records(data, file, documents))
        quality[name] = ([content(one) for one in found], [one["keyphrases"] for one in found])
    papers = texts(data, "papers", max(1, documents // PAPERS))
    return Corpora(texts(data, "abstracts", documents), papers, long_text(data, LONG if data else LONG // 100), quality)


def _measured(sides: Sequence[Side], corpora: Corpora, rounds: int, limit: float) -> list[dict[str, Figure]]:
    """Return for each side its figures, or why there are none, by name."""
    starts = _fastest(STARTS, [partial(_start, side, limit) for side in sides])
    found: dict[str, list[Figure]] = {START: [one if isinstance(one, str) else 1000 * one[0] for one in starts]}
    for name, some in ((ABSTRACTS, corpora.abstracts), (PAPER, corpora.papers)):
        with ExitStack() as stack:
            workers = [_attempt(partial(stack.enter_context, _running(side, limit))) for side in sides]
            costs = _fastest(rounds, [partial(_costs, worker, some) for worker in workers])
        found[name] = [one if isinstance(one, str) else len(some) / max(one[0], 1e-9) for one in costs]
        if name == ABSTRACTS:
            found[MEMORY] = [one if isinstance(one, str) else one[1] for one in costs]
    long = [_attempt(partial(_alone, side, ["costs", [corpora.long]], limit)) for side in sides if corpora.long]
    found[LONG_TEXT] = [one if isinstance(one, str) else one[0] for one in long or [""] * len(sides)]
    for name, (some, gold) in corpora.quality.items():
        keys = {str(i): phrases for i, phrases in enumerate(gold)}
        lists = [_attempt(partial(_alone, side, ["phrases", some], PATIENCE * limit)) for side in sides]
        found[name] = [one if isinstance(one, str) else _score(one, keys) for one in lists]
    return [{name: found[name][i] for name in (*RATIOS, *corpora.quality)} for i in range(len(sides))]


@contextmanager
def _running(side: Side, limit: float) -> Iterator[OpenProcess]:
    """A worker that has extracted from a page, and has loaded what is loaded once."""
    variables = environment() | VARIABLES | {"PYTHONPATH": side.packages}
    with OpenProcess([str(side.python), WORKER, side.adapter, side.variant], variables, limit) as worker:
        worker.ask(["phrases", [EXAMPLE.read_text(encoding="utf-8")]])
        yield worker


def _start(side: Side, limit: float) -> list[float]:
    start = time.perf_counter()
    with _running(side, limit):
        return [time.perf_counter() - start]


def _alone(side: Side, order: object, limit: float) -> Any:
    with _running(side, limit) as worker:
        return worker.ask(order)


def _costs(worker: OpenProcess | str, some: Sequence[str]) -> Any:
    return worker if isinstance(worker, str) else worker.ask(["costs", some])


def _fastest(rounds: int, calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Return what each call returned when it was fastest, in turns. One that fails, or is slow, is not repeated."""
    best = [_attempt(call) for call in calls]
    for _, (number, call) in product(range(rounds - 1), enumerate(calls)):
        if not isinstance(before := best[number], str) and before[0] < SLOW:
            again = _attempt(call)
            best[number] = again if isinstance(again, str) else min(before, again)
    return best


def _attempt(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except (PhrasemillError, OSError) as error:
        return shorten(str(error), LONGEST, placeholder=" …")


def _score(found: Sequence[Sequence[str]], gold: dict[str, list[str]]) -> float:
    return 100 * float(pm.evaluate({str(i): list(one) for i, one in enumerate(found)}, gold, metrics=[METRIC])[METRIC])


def _shown(figures: dict[str, Figure]) -> Row:
    """Return figures as rows have them: whole numbers from 100 on."""
    return {
        name: round(one, None if one >= 100 else 1) if isinstance(one, float) else one for name, one in figures.items()
    }


def _row(side: Side, spec: str, figures: dict[str, Figure], mine: dict[str, Figure]) -> Row:
    """Return the figures of one tool, and how many times better ours are."""
    tool = TOOLS[side.adapter]
    ratios: dict[str, float | None] = {}
    for name, title in RATIOS.items():
        one, own = figures[name], mine[name]
        ratios[title] = None
        if isinstance(one, float) and isinstance(own, float) and one and own:
            ratios[title] = own / one if name in (ABSTRACTS, PAPER) else one / own
    target, ratio = targets("tools").get("native") if tool.native else None, ratios[RATIOS[ABSTRACTS]]
    row: Row = {"tool": f"{tool.title}, {side.variant}" if len(tool.variants) > 1 else tool.title}
    row |= {"licence": tool.licence, "ours": spec, **_shown(figures), **ratios, "target": target}
    row["verdict"] = "" if target is None or ratio is None else verdict(ratio, target)
    return row | {"installed, MB": megabytes(side.python.parents[1])}
