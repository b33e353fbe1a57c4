"""Results as tables, for a terminal, for Markdown and for the page."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phrasemill.tables import Table, as_markdown
from phrasemill_lab.bench.results import BenchResult, BenchScore, read_folder
from phrasemill_lab.bench.scatter import Dot
from phrasemill_lab.bench.tasks import TASKS

MEGABYTE = 1_000_000
NOTHING = "–"
HOW = (
    "Raw text in, keyphrases out (the first 50), one core; rates are by processor time, the fastest of up to three "
    "rounds, without what is loaded once. Start-up is the time from a fresh process to the first keyphrase of the text "
    "that ships, the fastest of five. Memory is the most that a fresh process had, with all documents of the dataset "
    "in it. Model is the size of the data files that were opened. Scores are in per cent with 95 % bootstrap intervals "
    "over documents. Methods get neither language nor style, as with default settings; a row with a "
    "style names it. Essential are the keyphrases that a reader would miss (grade 2)."
)


@dataclass(frozen=True, slots=True)
class Section:
    """One dataset with its results, the best first and failures last."""

    label: str
    results: tuple[BenchResult, ...]

    @property
    def title(self) -> str:
        one = self.results[0]
        what = f"{one.groups:,} sets of {one.documents:,} documents" if one.sets else f"{one.documents:,} documents"
        return (
            f"{one.title}: {'the first ' if one.sampled else ''}{what}, {one.tokens / one.documents:,.0f} tokens each"
        )

    @property
    def measured(self) -> list[BenchResult]:
        return [result for result in self.results if not result.failed]

    @property
    def metrics(self) -> list[str]:
        return list(dict.fromkeys(score.metric for result in self.measured for score in result.quality or ()))

    @property
    def signatures(self) -> list[str]:
        found = [score.signature for result in self.measured for score in result.quality or ()]
        return list(dict.fromkeys(found))


def results_of(folder: Path, version: str) -> tuple[list[BenchResult], int]:
    """Return the results of `version` in a folder, and how many there are of others."""
    every = list(read_folder(folder))
    kept = [result for result in every if result.version == version]
    return kept, len(every) - len(kept)


def sections(results: Sequence[BenchResult]) -> list[Section]:
    """Return results by dataset, in the order of the list of tasks; other data by the same name are apart."""
    groups: dict[tuple[str, str], list[BenchResult]] = {}
    for result in results:
        groups.setdefault((result.label, result.digest), []).append(result)
    order = [task.name for task in TASKS]

    def known(key: tuple[str, str]) -> tuple[int, str]:
        name = key[0].partition("@")[0]
        return order.index(name) if name in order else len(order), key[0]

    return [Section(key[0], tuple(sorted(groups[key], key=_rank))) for key in sorted(groups, key=known)]


def _rank(result: BenchResult) -> tuple[bool, float, str]:
    return bool(result.failed), -result.quality[0].value if result.quality else 0.0, result.spec


def section_table(section: Section) -> Table:
    """Return one row per method: scores, rates, start-up, memory, size."""
    metrics = section.metrics
    header = ("method", *metrics, "documents/s", "tokens/s", "start-up ms", "peak MB", "model MB")
    rows = [
        (
            result.spec,
            *(score_cell(result, metric) for metric in metrics),
            rate_cell(result.documents_a_second),
            rate_cell(result.tokens_a_second),
            NOTHING if result.startup is None else f"{1000 * result.startup:,.0f}",
            NOTHING if result.peak is None else f"{result.peak / MEGABYTE:,.0f}",
            NOTHING if result.model is None else f"{result.model / MEGABYTE:,.1f}",
        )
        for result in section.measured
    ]
    failures = [f"{result.spec} failed: {result.failed}" for result in section.results if result.failed]
    return Table(section.title, header, tuple(rows), (*failures, *section.signatures))


def absences(left_out: dict[str, str], not_here: dict[str, str]) -> list[str]:
    """Return a line for each method that could not run, and one for the datasets that are not there."""
    lines = [f"{name} was left out: {reason}" for name, reason in left_out.items()]
    if not_here:
        lines.append(f"Not here: {', '.join(not_here)} (phrasemill dataset list shows where they are published)")
    return lines


def machines(results: Sequence[BenchResult]) -> str:
    return "; ".join(dict.fromkeys(f"{one.machine}, Python {one.python}" for one in results))


def dots(section: Section) -> list[Dot]:
    """Return the points of a dataset's picture: those with a score and a rate."""
    found = []
    for result in section.measured:
        speed = result.documents_a_second
        if result.quality and speed:
            score = result.quality[0]
            tip = f"{result.spec}: {score.metric} {100 * score.value:.1f}, {rate_cell(speed)} documents per second"
            found.append(Dot(result.method, speed, score.value, score.low, score.high, tip))
    return found


def overview(every: Sequence[Section]) -> tuple[list[Section], list[Dot]]:
    """Return the datasets of single documents, and for each method that ran on all of them its means over them."""
    used = [section for section in every if not section.results[0].sets and dots(section)]
    by_method: dict[str, list[tuple[BenchScore, float]]] = {}
    for section in used:
        for result in section.measured:
            if result.quality and result.tokens_a_second:
                by_method.setdefault(result.method, []).append((result.quality[0], result.tokens_a_second))
    found = []
    for method, scored in by_method.items():
        if len(scored) < len(used):
            continue
        speed = math.exp(sum(math.log(one) for _, one in scored) / len(scored))
        value, low, high = (
            sum(getattr(one, name) for one, _ in scored) / len(scored) for name in ("value", "low", "high")
        )
        tip = f"{method}: mean score {100 * value:.1f}, {rate_cell(speed)} tokens per second"
        found.append(Dot(method, speed, value, low, high, tip))
    return used, found


def markdown(results: Sequence[BenchResult], notes: Sequence[str]) -> str:
    """Return the whole report as Markdown."""
    made = sections(results)
    parts = ["# Quality, speed and cost\n", f"{HOW}\n", f"{machines(results)}.\n"]
    for section in made:
        table = section_table(section)
        plain = Table("", table.header, tuple((f"`{row[0]}`", *row[1:]) for row in table.rows), table.notes)
        parts.append(f"## {table.title}\n\n{as_markdown(plain)}")
    if notes:
        parts.append("## What is missing\n\n" + "".join(f"- {note}\n" for note in notes))
    return "\n".join(parts)


def records(results: Sequence[BenchResult]) -> Iterator[dict[str, object]]:
    """Yield the results for JSON."""
    from dataclasses import asdict

    for result in results:
        yield asdict(result) | {
            "documents_a_second": result.documents_a_second,
            "tokens_a_second": result.tokens_a_second,
        }


def rate_cell(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 20 else f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"


def score_cell(result: BenchResult, metric: str) -> str:
    """Return a score in per cent with its interval."""
    for score in result.quality or ():
        if score.metric == metric:
            return f"{100 * score.value:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]"
    return NOTHING
