"""One table per paper: its metrics and protocols, every figure that it prints, what prints ours, and a verdict.

Ours are the figures that `phrasemill reproduce NAME --keep` wrote to `measured/`, one file per table. A verdict is by
rule, both ways: figures are the same if they agree to the last printed digit, and differ otherwise, above or below. Why
they differ, or why there are none, is in `reasons.toml`, by table, system and figures. Metrics and protocols are in
`protocols.toml`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from phrasemill.tables import Table
from phrasemill_lab.papers.catalogue import ENTRIES, PAPERS, PaperEntry, paper_of
from phrasemill_lab.papers.comparison import NOTHING, Figures, Published, Reproduced, figure_text
from phrasemill_lab.papers.protocols import Protocol
from phrasemill_lab.papers.reasons import reason_for

MEASURED = Path(__file__).parent / "measured"
SAME, DIFFERS, MISSING = VERDICTS = ("same", "differs", "not possible")
CUT = re.compile(r"(?P<metric>.*)@(?P<cut>\w+)")
# Half a unit of the last digit, and a little for figures that were rounded twice.
HALF = 0.51
COMMAND = "phrasemill reproduce --verdicts"
PROTOCOL = "–"  # in place of a system


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Some figures of one system in one table: `figures` is what they are, such as `concat P@1/5/10/20`."""

    source: str
    table: str
    system: str
    figures: str
    published: tuple[float, ...]
    ours: tuple[float, ...] | None
    digits: tuple[int, ...]
    verdict: str
    reason: str

    @property
    def differences(self) -> tuple[float, ...]:
        return tuple([new - old for old, new in zip(self.published, self.ours or (), strict=False)])

    @property
    def words(self) -> str:
        """The verdict in words: how much figures differ, both ways."""
        if self.verdict != DIFFERS:
            return self.verdict
        texts = [
            figure_text(one, digits, signed=True) for one, digits in zip(self.differences, self.digits, strict=True)
        ]
        ordered = [text for _, text in sorted(zip(self.differences, texts, strict=True))]
        extent = ordered[0] if ordered[0] == ordered[-1] else f"{ordered[0]} to {ordered[-1]}"
        return f"{self.verdict} by {extent}"

    def record(self) -> dict[str, object]:
        """Return the row for JSON, with all digits."""
        names = ("source", "table", "system", "figures", "published", "ours", "differences", "verdict", "reason")
        return {name: getattr(self, name) for name in names}


def keep(made: Reproduced, folder: Path) -> None:
    """Write the figures of a table, ours beside the published ones, for `verdict_rows`; nothing if we have none."""
    names = ("system", "method", "published", "ours")
    rows = [{name: getattr(row, name) for name in names} for row in made.rows if row.ours is not None]
    if not rows:
        return
    folder.mkdir(parents=True, exist_ok=True)
    lines = ",\n  ".join(json.dumps(_rounded(row), ensure_ascii=False) for row in rows)
    text = f'{{\n "rows": [\n  {lines}\n ]\n}}\n'
    (folder / f"{made.table.name}.json").write_text(text, encoding="utf-8")


def _rounded(row: Mapping[str, object]) -> dict[str, object]:
    """Return the row with figures of six digits, so that files do not change with the last bit."""
    return {
        name: [None if one is None else round(one, 6) for one in value] if isinstance(value, tuple) else value
        for name, value in row.items()
    }


def verdict_rows(entry: PaperEntry, folder: Path = MEASURED) -> list[VerdictRow]:
    """Return every published figure of a table with ours and the verdict."""
    table = entry.table
    path = folder / f"{entry.name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    # A row of ours may go by another name than the published one that it stands beside.
    names = {figures: system for system, figures in table.rows.items()}
    beside = [row for row in kept if row["published"] is not None]
    printed = {row["system"]: tuple(row["published"]) for row in beside}
    called = {system: system if system in table.rows else names.get(old, system) for system, old in printed.items()}
    ours = {called[row["system"]]: tuple(row["ours"]) for row in beside}
    return [
        row
        for system, figures in (table.rows or printed).items()
        for row in _system_rows(table, system, figures, ours.get(system))
    ]


def _system_rows(table: Published, system: str, figures: Figures, ours: Figures | None) -> Iterator[VerdictRow]:
    """Yield one row per group of figures, those that we have apart from those that we have not."""
    found = ours or (None,) * len(figures)
    digits = table.column_digits
    groups: dict[str, list[int]] = {}
    for i, figure in enumerate(figures):
        if figure is not None:
            groups.setdefault(_metric(table.columns[i]), []).append(i)
    for metric, printed in groups.items():
        for there in (True, False):
            chosen = [i for i in printed if (found[i] is not None) == there]
            if chosen:
                old = tuple([figures[i] or 0.0 for i in chosen])
                new = tuple([found[i] or 0.0 for i in chosen]) if there else None
                name = _figures(metric, [table.columns[i] for i in chosen])
                yield _judged(table, system, name, old, new, tuple([digits[i] for i in chosen]))


def _judged(
    table: Published,
    system: str,
    figures: str,
    old: tuple[float, ...],
    new: tuple[float, ...] | None,
    digits: tuple[int, ...],
) -> VerdictRow:
    verdict, reason = SAME, ""
    if new is None or any(abs(b - a) > HALF * 10**-n for a, b, n in zip(old, new, digits, strict=True)):
        verdict = MISSING if new is None else DIFFERS
        reason = reason_for(table.name, system, figures, missing=new is None)
    return VerdictRow(table.source, table.name, system, figures, old, new, digits, verdict, reason)


def _metric(column: str) -> str:
    """Return a column without its cut: `concat P` for `concat P@5`."""
    cut = CUT.fullmatch(column)
    return cut["metric"] if cut else column


def _figures(metric: str, columns: Sequence[str]) -> str:
    """Return one name for columns that differ in their cut: `concat P@1/5/10/20`."""
    cuts = [cut["cut"] for column in columns if (cut := CUT.fullmatch(column))]
    return f"{metric}@{'/'.join(cuts)}" if cuts else metric


def paper_verdicts(paper: str, names: Iterable[str] = (), folder: Path = MEASURED) -> list[VerdictRow]:
    """Return the rows of a paper's tables, of all or of those named."""
    chosen = set(names)
    every = [one for one in ENTRIES if paper_of(one.name) == paper and (not chosen or one.name in chosen)]
    return [row for one in every for row in verdict_rows(one, folder)]


def verdict_table(paper: str, rows: Sequence[VerdictRow], protocols: Sequence[Protocol] = ()) -> Table:
    """Return the one table of a paper: where, command, system, figures, published, ours, verdict; reasons by number."""
    header = ("table", "command", "system", "figures", "published", "ours", "verdict")
    reasons: dict[str, int] = {}

    def numbered(verdict: str, reason: str) -> str:
        return f"{verdict} ({reasons.setdefault(reason, len(reasons) + 1)})" if reason else verdict

    lines = [
        (one.source, one.command, PROTOCOL, one.name, one.published, one.ours, numbered(_agreed(one), one.reason))
        for one in protocols
    ]
    for row in rows:
        told = (row.source, f"reproduce {row.table}", row.system, row.figures, *_shown(row))
        lines.append((*told, numbered(row.words, row.reason)))
    because = [f"({number}) {reason}" for reason, number in reasons.items()]
    return Table(PAPERS[paper], header, tuple(lines), (summary(rows, protocols), *because), words=True)


def _agreed(protocol: Protocol) -> str:
    if protocol.missing:
        return MISSING
    return DIFFERS if protocol.reason else SAME


def _shown(row: VerdictRow) -> tuple[str, str]:
    """Return both sides as text; figures that are the same are shown as published, however ours would be rounded."""
    published = _joined(row.published, row.digits)
    if row.ours is None:
        return published, NOTHING
    return published, published if row.verdict == SAME else _joined(row.ours, row.digits)


def _joined(figures: tuple[float, ...], digits: tuple[int, ...]) -> str:
    return " / ".join([figure_text(one, places) for one, places in zip(figures, digits, strict=True)])


def summary(rows: Sequence[VerdictRow], protocols: Sequence[Protocol] = ()) -> str:
    """Return how many rows have each verdict, and of those that differ, how many are above, below or both."""
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in VERDICTS}
    above = sum(row.verdict == DIFFERS and min(row.differences) >= 0 for row in rows)
    below = sum(row.verdict == DIFFERS and max(row.differences) <= 0 for row in rows)
    both = counts[DIFFERS] - above - below
    figures = (
        f"{len(rows)} rows of figures: {counts[SAME]} the same; {counts[DIFFERS]} differ ({above} above, {below} "
        f"below, {both} both); {counts[MISSING]} not possible."
    )
    if not protocols:
        return figures
    agreed = [_agreed(one) for one in protocols]
    counted = f"{agreed.count(SAME)} the same; {agreed.count(DIFFERS)} differ; {agreed.count(MISSING)} not possible."
    return f"{len(protocols)} metrics and protocols: {counted} {figures}"
