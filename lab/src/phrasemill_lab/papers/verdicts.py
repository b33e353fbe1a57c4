"""One table per paper: its metrics and protocols, every figure that it prints, what prints ours, and a verdict.

Ours are the figures that `phrasemill reproduce NAME --keep` wrote to `measured/`, one file per table. A verdict is by
rule, both ways: figures are the same if they agree to the last printed digit, and differ otherwise, above or below. Why
they differ, or why there are none, is in `reasons.toml`. Metrics and protocols are in `protocols.toml`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import DataError
from phrasemill.files.tables import Table
from phrasemill_lab.papers.catalogue import PAPERS, PaperEntry, entries
from phrasemill_lab.papers.comparison import (
    HERE,
    NOTHING,
    Figures,
    Published,
    Reproduced,
    figure_text,
    reason_for,
    same,
    told,
)

MEASURED = HERE / "measured"
SAME, DIFFERS, MISSING = VERDICTS = ("same", "differs", "not possible")
CUT = re.compile(r"(?P<metric>.*)@(?P<cut>\w+)")
DIGITS = 6  # of the figures in `measured/`, so that files do not change with the last bit


class Protocol(NamedTuple):
    """A metric or a step of a paper: what it says, what ours does, and why the two differ or ours is `missing`."""

    paper: str
    source: str
    name: str
    command: str
    published: str
    ours: str
    reason: str = ""
    missing: bool = False

    @property
    def verdict(self) -> str:
        return MISSING if self.missing else DIFFERS if self.reason else SAME

    def record(self) -> dict[str, object]:
        return self._asdict()

    def cells(self) -> tuple[str, ...]:
        return self.source, self.command, NOTHING, self.name, self.published, self.ours, self.verdict


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

    def record(self) -> dict[str, object]:
        """Return the row for JSON, with all digits."""
        names = ("source", "table", "system", "figures", "published", "ours", "differences", "verdict", "reason")
        return {name: getattr(self, name) for name in names}

    def cells(self) -> tuple[str, ...]:
        """Return the row as text; figures that are the same are shown as published, however ours would be rounded."""
        published = self._shown(self.published)
        ours = NOTHING if self.ours is None else published if self.verdict == SAME else self._shown(self.ours)
        verdict = self.verdict
        if verdict == DIFFERS:  # how much, both ways
            each = sorted(zip(self.differences, self.digits, strict=True))
            ends = [figure_text(difference, digits, signed=True) for difference, digits in (each[0], each[-1])]
            verdict += f" by {' to '.join(dict.fromkeys(ends))}"
        return self.source, f"reproduce {self.table}", self.system, self.figures, published, ours, verdict

    def _shown(self, figures: tuple[float, ...]) -> str:
        return " / ".join([figure_text(one, digits) for one, digits in zip(figures, self.digits, strict=True)])


def keep(made: Reproduced, folder: Path) -> None:
    """Write the figures of a table, ours beside the published ones, for `verdict_rows`; nothing if we have none."""
    lines = []
    for row in made.rows:
        if row.ours is not None:
            ours = [None if one is None else round(one, DIGITS) for one in row.ours]
            record = {"system": row.system, "method": row.method, "published": row.published, "ours": ours}
            lines.append(json.dumps(record, ensure_ascii=False))
    if lines:
        folder.mkdir(parents=True, exist_ok=True)
        text = '{\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
        (folder / f"{made.table.name}.json").write_text(text, encoding="utf-8")


def verdict_rows(entry: PaperEntry, folder: Path = MEASURED) -> list[VerdictRow]:
    """Return every published figure of a table with ours and the verdict."""
    path = folder / f"{entry.name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    beside = {row["system"]: row for row in kept if row["published"] is not None}
    # Checks have no rows of their own; what they compare with is kept beside ours.
    rows = entry.table.rows or {system: tuple(row["published"]) for system, row in beside.items()}
    return [
        row
        for system, figures in rows.items()
        for row in _system_rows(entry.table, system, figures, beside.get(system, {}).get("ours"))
    ]


def _system_rows(
    table: Published, system: str, figures: Figures, ours: Sequence[float | None] | None
) -> Iterator[VerdictRow]:
    """Yield one row per metric, whose cuts go together: those that we have apart from those that we have not."""
    found = ours or [None] * len(figures)
    groups: dict[tuple[str, bool], list[int]] = {}
    for i, column in enumerate(table.columns):
        if figures[i] is not None:
            cut = CUT.fullmatch(column)
            for there in (True, False):
                chosen = groups.setdefault((cut["metric"] if cut else column, there), [])
                chosen += [i] if (found[i] is not None) == there else []
    for (metric, there), chosen in groups.items():
        if not chosen:
            continue
        cuts = [cut["cut"] for i in chosen if (cut := CUT.fullmatch(table.columns[i]))]
        name = f"{metric}@{'/'.join(cuts)}" if cuts else metric
        old = tuple([figures[i] or 0.0 for i in chosen])
        new = tuple([found[i] or 0.0 for i in chosen]) if there else None
        digits = tuple([table.decimals[i] for i in chosen])
        verdict = MISSING if new is None else SAME if all(map(same, old, new, digits)) else DIFFERS
        reason = "" if verdict == SAME else reason_for(table.name, system, name, missing=not there)
        yield VerdictRow(table.source, table.name, system, name, old, new, digits, verdict, reason)


def paper_verdicts(paper: str, names: Iterable[str] = (), folder: Path = MEASURED) -> list[Protocol | VerdictRow]:
    """Return the rows of a paper's tables, below its protocols; or those of the tables that are named."""
    if not any(folder.glob("*.json")):
        raise DataError(f"{folder}: no figures in it that --keep wrote")
    every = entries(paper)
    chosen = [one for one in every if one.name in set(names)] if names else every
    rows = [row for one in chosen for row in verdict_rows(one, folder)]
    described = [one for record in told("protocol") if (one := Protocol(**record)).paper == paper]
    return [*(described if chosen == every else ()), *rows]


def verdict_table(paper: str, rows: Sequence[Protocol | VerdictRow]) -> Table:
    """Return the one table of a paper: where, command, system, figures, published, ours, verdict; reasons by number."""
    header = ("table", "command", "system", "figures", "published", "ours", "verdict")
    reasons = {reason: n for n, reason in enumerate(dict.fromkeys(one.reason for one in rows if one.reason), start=1)}
    lines = []
    for one in rows:
        *cells, verdict = one.cells()
        lines.append((*cells, f"{verdict} ({reasons[one.reason]})" if one.reason else verdict))
    because = [f"({number}) {reason}" for reason, number in reasons.items()]
    return Table(PAPERS[paper], header, tuple(lines), (summary(rows), *because))


def summary(rows: Sequence[Protocol | VerdictRow]) -> str:
    """Return how many rows have each verdict, and of figures that differ, how many are above, below or both."""
    figures = [one for one in rows if isinstance(one, VerdictRow)]
    differing = [one.differences for one in figures if one.verdict == DIFFERS]
    above, below = sum(min(one) >= 0 for one in differing), sum(max(one) <= 0 for one in differing)
    extent = f"{above} above, {below} below, {len(differing) - above - below} both"
    texts = []
    for kind, of_kind in (
        ("metrics and protocols", [one for one in rows if isinstance(one, Protocol)]),
        ("rows of figures", figures),
    ):
        same, differs, missing = (sum(one.verdict == verdict for one in of_kind) for verdict in VERDICTS)
        how = f" ({extent})" if of_kind is figures else ""
        if of_kind:
            texts.append(f"{len(of_kind)} {kind}: {same} the same; {differs} differ{how}; {missing} not possible.")
    return " ".join(texts)
