"""How good methods are: all datasets that are there, beside our targets, with nothing told about a text.

Methods get neither the language nor the style of a text. Speed and memory of the same runs stand beside the scores.
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError, PhrasemillError, UnknownName
from phrasemill.evaluation.report import grouped
from phrasemill.files.tables import Table
from phrasemill.specs import parse, split_specs
from phrasemill_lab.measure import NOTHING, Progress, Report, Row, cell, table, targets, verdict
from phrasemill_lab.measure.fresh import first_keyphrase, fresh, peak_megabytes
from phrasemill_lab.measure.tasks import COUNT, Figure, LoadedDataset, Task, available, task

ALL = "all"
DEFAULTS = {False: ("learned", "encoder"), True: ("consensus", "consensus(by='encoder')")}  # for texts, and for sets
ENGLISH = "encoder"  # reads English only
# Short rounds are noisy: they are repeated, and the fastest counts.
ROUNDS, ENOUGH_SECONDS = 3, 5.0
STARTS = 3
COSTS = ("documents_per_s", "start_ms", "memory_mb")


def measure(
    data: Path,
    methods: Sequence[str],
    datasets: Sequence[str],
    documents: int | None,
    limit: float,
    progress: Progress,
) -> Report:
    """Measure methods (by default learned and encoder, `all` for every one) on datasets (by default those in `data`).

    A method that fails is a row that says why, but where all are measured, those that cannot run here are `left_out`.
    """
    if (documents is not None and documents < 1) or limit <= 0:
        raise ConfigError("--documents and --limit must be more than 0")
    names = [part.strip() for one in datasets for part in one.split(",") if part.strip()] or available(data)
    plan = _plan(list(dict.fromkeys(names)), [spec for one in methods for spec in split_specs(one)])
    for one, _ in plan:
        one.load(data, 1)
    rows: list[Row] = []
    tables: list[Table] = []
    left_out: dict[str, str] = {}
    for one, specs in plan:
        loaded, own = one.load(data, documents), list[Row]()
        for done, spec in enumerate(specs):
            progress(one.title, done, len(specs), spec)
            reason = _reason_not_to_run(spec, one.sets)
            if reason and ALL in methods:
                left_out[spec] = reason
                continue
            own += _rows(loaded, data, documents, spec, limit, reason)
        progress(one.title, len(specs), len(specs), "done")
        if own:
            tables.append(_table(loaded, own))
            rows += own
    if aims := [row for row in rows if row["target"] is not None]:
        columns = ("dataset", "metric", "method", "score", "target", "verdict")
        shown = [{name: row[name] for name in columns} for row in aims]
        tables.append(table(f"Targets (lab/targets.toml; of {COUNT}, fewer are better)", shown))
    remarks = [f"{spec} was left out: {reason}" for spec, reason in left_out.items()]
    return Report("quality", rows, tables, any(row["failed"] for row in rows), remarks)


def _plan(names: Sequence[str], specs: Sequence[str]) -> list[tuple[Task, list[str]]]:
    """Return the methods for each dataset: those for sets, or those for texts."""
    every = {False: METHODS, True: SET_METHODS}
    for spec in specs:
        name = parse(spec).name
        if spec != ALL and not any(name in registry for registry in every.values()):
            raise UnknownName("method", name, [*METHODS.names(), *SET_METHODS.names()])
    plan = []
    for one in map(task, names):
        if ALL in specs:
            chosen = every[one.sets].names()
        elif specs:
            chosen = [spec for spec in dict.fromkeys(specs) if parse(spec).name in every[one.sets]]
        else:
            chosen = [spec for spec in DEFAULTS[one.sets] if one.language == "en" or spec != ENGLISH]
        plan.append((one, chosen))
    if not any(chosen for _, chosen in plan):
        raise ConfigError("no dataset for these methods: those for sets need mkduc01, the others sets of documents")
    return [(one, chosen) for one, chosen in plan if chosen]


@cache
def _start(spec: str, sets: bool) -> float:
    return 1000 * min(first_keyphrase(spec, sets=sets)[1] for _ in range(STARTS))


@cache
def _reason_not_to_run(spec: str, sets: bool) -> str:
    try:
        _start(spec, sets)
    except PhrasemillError as error:
        return str(error)
    return ""


def run(name: str, root: str, documents: int | None, spec: str) -> tuple[dict[str, list[str]], float, float]:
    """Return what a method finds, the processor seconds of the fastest round, and the most memory, in megabytes."""
    one = task(name)
    loaded = one.load(Path(root), documents)
    extract = one.extraction(spec)
    next(iter(extract(loaded.without_language[:1])), None)  # loads what is loaded once
    times: list[float] = []
    lists: list[list[str]] = []
    peak = 0.0
    begun = time.perf_counter()
    while len(times) < ROUNDS and (not times or time.perf_counter() - begun < ENOUGH_SECONDS):
        start = time.process_time()
        lists = list(extract(loaded.without_language))
        times.append(time.process_time() - start)
        peak = peak or peak_megabytes()
    return {group.id: found for group, found in zip(loaded.groups, lists, strict=True)}, min(times), peak


def _rows(
    loaded: LoadedDataset, data: Path, documents: int | None, spec: str, limit: float, reason: str
) -> Iterator[Row]:
    """Yield one row for each metric, or one with the reason why there is none."""
    one = loaded.task
    count = len(loaded.groups)
    head: Row = {"dataset": one.name, "method": spec, "documents": count}
    figures, costs = [Figure("", 0.0)], dict.fromkeys(COSTS)
    if not reason:
        name = one.file if Path(one.file).is_absolute() else one.name  # a file of one's own
        try:
            lists, seconds, peak = fresh(run, name, data, documents, spec, limit=limit)
            figures = one.scores(lists, loaded)
            rate = len(loaded.documents) / max(seconds, 1e-9)
            costs = dict(zip(COSTS, (rate, _start(spec, one.sets), peak), strict=True))
        except PhrasemillError as error:
            reason = str(error)
    aims = {} if loaded.sampled else targets("quality").get(one.name, {})
    for figure in figures:
        target = None if reason else aims.get(figure.metric, {}).get(spec)
        bounds = {"low": figure.low and 100 * figure.low, "high": figure.high and 100 * figure.high}
        scored = {"metric": figure.metric, "score": None if reason else figure.shown} | bounds
        met = "" if target is None else verdict(figure.shown, target, fewer=figure.metric == COUNT)
        goal = {"target": target, "verdict": met}
        yield head | scored | goal | costs | {"failed": reason, "signature": figure.signature}


def _table(loaded: LoadedDataset, rows: Sequence[Row]) -> Table:
    """Return one row per method, the best first; those that failed say why."""
    one, count = loaded.task, len(loaded.documents)
    what = f"{len(loaded.groups):,} sets of {count:,} documents" if one.sets else f"{count:,} documents"
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(str(row["method"]), []).append(row)
    metrics = list(dict.fromkeys(str(row["metric"]) for row in rows if not row["failed"]))
    ranked = sorted(by_method.items(), key=lambda pair: -float(str(pair[1][0]["score"] or 0)))
    lines = []
    for spec, own in ranked:
        if own[0]["failed"]:
            failed = f"failed: {own[0]['failed']}"
            lines.append((spec, failed, *[NOTHING] * (max(len(metrics), 1) - 1 + len(COSTS))))
        else:
            scores = {str(row["metric"]): _score(row) for row in own}
            lines.append((spec, *(scores[metric] for metric in metrics), *(cell(own[0][name]) for name in COSTS)))
    header = ("method", *(metrics or ["score"]), "documents/s", "start-up ms", "peak MB")
    title = f"{one.title}: {'the first ' if loaded.sampled else ''}{what}"
    signatures = grouped(str(row["signature"]) for row in rows if row["signature"])
    return Table(title, header, tuple(lines), tuple(signatures))


def _score(row: Row) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.1f}, {row['high']:.1f}]"
    return f"{row['score']:.1f}{interval}"
