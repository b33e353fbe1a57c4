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
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from phrasemill.registry import METHODS, parse, split_specs
from phrasemill_lab.measure import Report, Row, table, targets, verdict
from phrasemill_lab.measure.corpora import all_records, long_text, texts
from phrasemill_lab.measure.tools.adapters import Adapter
from phrasemill_lab.measure.tools.contests import Contest, Figure, Side
from phrasemill_lab.measure.tools.environments import MODEL, megabytes, python_of, wanted, why_not

QUALITY = {"DUC-2001": "duc2001.jsonl.gz", "PubMedAKE": "pubmedake_sample1000.jsonl.gz"}
TRAINING = "inspec_train.jsonl.gz"
LONG = 5_000_000
PAPERS = 20  # times as many abstracts as papers are read
NEURAL = 20  # abstracts that time networks
NETWORKS = ("bertkpe", "catseqd", "embedrank", "encoder", "generator", "mderank")
# What learns from the training split of Inspec in seconds, and what is not measured: models of one's own, and a server.
TRAINED_HERE = ("kea", "maui", "maxent", "naivebayes")
NOT_MEASURED = ("catseq", "copyrnn", "llm")
NATIVE = "native"  # of the targets
# What is measured: its name in a row, whether more is better, and its name as a ratio.
START, ABSTRACTS, PAPER, LONG_TEXT, MEMORY = (
    "start-up, ms",
    "abstracts, per s",
    "papers, per s",
    "5 MB, s",
    "memory, MB",
)
RATIOS = {START: "start-up", ABSTRACTS: "abstracts", PAPER: "papers", LONG_TEXT: "5 MB", MEMORY: "memory"}
MORE = (ABSTRACTS, PAPER)


class Corpora(NamedTuple):
    """The texts; `quality` has texts and their keyphrases, by name."""

    abstracts: list[str]
    papers: list[str]
    long: str
    quality: dict[str, tuple[list[str], list[list[str]]]]


class Tool(NamedTuple):
    """One variant of somebody else's tool."""

    label: str
    adapter: Adapter
    side: Side
    environment: Path


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
    tools = _runnable(names, cache, theirs, list(corpora.quality))
    with TemporaryDirectory() as folder:
        for spec in [one for given in methods for one in split_specs(given)] or ours():
            beside = tools.get(spec, [])
            model = _trained(spec, data, Path(folder)) if spec in TRAINED_HERE else spec
            packages = os.pathsep.join([*filter(None, sys.path), str(cache / MODEL)])
            side = Side(Path(sys.executable), "phrasemill", model, packages)
            used = corpora
            if parse(spec).name in NETWORKS or any(one.adapter.network for one in beside):
                used = corpora._replace(abstracts=corpora.abstracts[:NEURAL], papers=corpora.papers[:1], long="")
            found = _measured(Contest([side, *(one.side for one in beside)], rounds, limit), used)
            print(f"{spec}: done", file=sys.stderr, flush=True)
            mine.append({"method": spec} | _shown(found[0]))
            theirs += [_row(tool, spec, own, found[0]) for tool, own in zip(beside, found[1:], strict=True)]
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
    papers = max(1, documents // PAPERS)
    long = long_text(data, LONG if data else LONG // 100)
    quality = {}
    for name, file in QUALITY.items():
        if data is None:
            break
        found = list(all_records(data, file, documents))
        contents = [f"{one.get('title', '')}\n{one['text']}".strip() for one in found]
        quality[name] = (contents, [one["keyphrases"] for one in found])
    return Corpora(texts(data, "abstracts", documents), texts(data, "papers", papers), long, quality)


def _runnable(names: Sequence[str], cache: Path, rows: list[Row], sets: Sequence[str]) -> dict[str, list[Tool]]:
    """Return the variants of the tools that can run by the method of ours that does the same; the others are rows."""
    found: dict[str, list[Tool]] = {}
    for name, one in wanted(names).items():
        version = (one.package or one.requirements[0]).replace("==", " ")
        environment = cache / name
        if reason := why_not(name, environment):
            empty = dict.fromkeys((*RATIOS, *sets, *RATIOS.values(), "target", "verdict", "installed, MB"))
            rows.append({"tool": version, "licence": one.licence, "ours": reason} | empty)
            continue
        for variant, method in one.variants.items():
            label = f"{version}, {variant}" if len(one.variants) > 1 else version
            side = Side(python_of(environment), name, variant)
            found.setdefault(method, []).append(Tool(label, one, side, environment))
    return found


def _measured(contest: Contest, corpora: Corpora) -> list[dict[str, Figure]]:
    """Return for each side its figures, or why there are none, by name."""
    none: list[Figure] = [""] * len(contest.sides)
    found = {START: [one if isinstance(one, str) else 1000 * one for one in contest.start_up()]}
    for name, some in ((ABSTRACTS, corpora.abstracts), (PAPER, corpora.papers)):
        seconds = contest.seconds(some)
        found[name] = [one if isinstance(one, str) else len(some) / max(one, 1e-9) for one in seconds]
    found[LONG_TEXT] = contest.long_text(corpora.long) if corpora.long else none
    found[MEMORY] = contest.megabytes(corpora.abstracts)
    for name, (some, gold) in corpora.quality.items():
        found[name] = contest.f1(some, gold)
    return [{name: figures[i] for name, figures in found.items()} for i in range(len(contest.sides))]


def _shown(figures: dict[str, Figure]) -> Row:
    """Return figures as rows have them: whole numbers from 100 on."""
    return {
        name: one if isinstance(one, str) else round(one, None if one >= 100 else 1) for name, one in figures.items()
    }


def _row(tool: Tool, spec: str, figures: dict[str, Figure], mine: dict[str, Figure]) -> Row:
    """Return the figures of one tool, and how many times better ours are."""
    ratios = {name: _times(figures[cost], mine[cost], more=cost in MORE) for cost, name in RATIOS.items()}
    target = targets("tools").get(NATIVE) if tool.adapter.native else None
    ratio = ratios[RATIOS[ABSTRACTS]]
    met = "" if target is None or ratio is None else verdict(ratio, target)
    row: Row = {"tool": tool.label, "licence": tool.adapter.licence, "ours": spec}
    return (
        row
        | _shown(figures)
        | ratios
        | {"target": target, "verdict": met}
        | {"installed, MB": megabytes(tool.environment)}
    )


def _times(theirs: Figure, own: Figure, *, more: bool) -> float | None:
    if isinstance(theirs, str) or isinstance(own, str) or not theirs or not own:
        return None
    return own / theirs if more else theirs / own
