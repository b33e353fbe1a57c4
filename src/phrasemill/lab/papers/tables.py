"""A published table, what we get for it, and both side by side."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill.errors import UnknownName
from phrasemill.evaluation import Score
from phrasemill.tables import Table

FOLDER = Path(__file__).parent / "published"
DIGITS = {"correlation": 4, "count": 0}
NOTHING = "–"
Figures = tuple[float | None, ...]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Published:
    """A table as it was printed: rows by system, a figure a column, None where the paper has a dash."""

    name: str
    title: str
    paper: str
    source: str
    columns: tuple[str, ...]
    rows: dict[str, Figures]
    unit: str = "per cent"
    note: str = ""

    @property
    def digits(self) -> int:
        """After the point: as many as the paper prints."""
        if self.unit in DIGITS:
            return DIGITS[self.unit]
        figures = [figure for row in self.rows.values() for figure in row if figure is not None]
        return 1 if all(round(figure, 1) == figure for figure in figures) else 2


@cache
def published(name: str) -> Published:
    """The table of that name, from its file."""
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        raise UnknownName("published table", name, [one.stem for one in FOLDER.glob("*.json")])
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    record["columns"] = tuple(record["columns"])
    record["rows"] = {system: tuple(row) for system, row in record["rows"].items()}
    return Published(name=name, **record)


@dataclass(frozen=True, slots=True)
class Setting:
    """Where data and models are, how many documents at most, a folder for what is trained, and who watches.

    `methods` are the rows that are wanted of the tables of generation, `predictions` lists that were made elsewhere,
    `NAME=FILE`, and `save` a folder for those made here; `held` keeps what several tables share.
    """

    data: Path
    scratch: Path
    models: Path | None = None
    documents: int | None = None
    methods: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    save: Path | None = None
    progress: Progress = lambda step, done, total: None
    held: dict[object, Any] = field(default_factory=dict)

    def shared(self, key: object, make: Callable[[], Any]) -> Any:
        """What `make` returns, made once for all tables."""
        if key not in self.held:
            self.held[key] = make()
        return self.held[key]


@dataclass(frozen=True, slots=True)
class Row:
    """One system: `method` is what it is here."""

    system: str
    method: str = ""
    published: Figures | None = None
    ours: Figures | None = None

    @property
    def difference(self) -> Figures | None:
        if self.published is None or self.ours is None:
            return None
        pairs = zip(self.published, self.ours, strict=True)
        return tuple([None if old is None or new is None else new - old for old, new in pairs])


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A table with both figures; `notes` say what differs in the making, `signatures` how ours were scored."""

    table: Published
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()

    def grid(self) -> Table:
        """Up to three lines a system: published, ours, difference."""
        lines: list[tuple[str, ...]] = []
        for row in self.rows:
            kinds = (("published", row.published), ("ours", row.ours), ("difference", row.difference))
            for kind, figures in kinds:
                if figures is not None:
                    label = row.method if kind == "ours" and row.method else kind
                    cells = [self._cell(figure, signed=kind == "difference") for figure in figures]
                    lines.append((row.system if kind == "published" or row.published is None else "", label, *cells))
        title = f"{self.table.name}: {self.table.title} ({self.table.paper}; {self.table.source})"
        return Table(title, ("system", "", *self.table.columns), tuple(lines), (*self.notes, *self.signatures))

    def _cell(self, figure: float | None, *, signed: bool) -> str:
        if figure is None:
            return NOTHING
        shown = f"{figure:{'+' if signed else ''},.{self.table.digits}f}"
        return shown if any(digit in "123456789" for digit in shown) else shown.lstrip("+-")

    def record(self) -> dict[str, object]:
        """For JSON: figures in full."""
        table = self.table
        rows = [
            {
                "system": row.system,
                "method": row.method,
                "published": row.published,
                "ours": row.ours,
                "difference": row.difference,
            }
            for row in self.rows
        ]
        head = {"name": table.name, "title": table.title, "paper": table.paper, "source": table.source}
        body = {"unit": table.unit, "columns": table.columns, "rows": rows}
        return {**head, **body, "notes": self.notes, "signatures": self.signatures}


def per_cent(scores: Iterable[Score]) -> Figures:
    return tuple([100 * one.value if one.metric.share else one.value for one in scores])


def signatures_of(scores: Iterable[Score]) -> list[str]:
    """Each once; metrics that share all choices in one line."""
    alike: dict[str, dict[str, None]] = {}
    for score in scores:
        metric, _, choices = score.signature.partition("|")
        alike.setdefault(choices, {})[metric] = None
    return [f"{' '.join(metrics)}|{choices}" for choices, metrics in alike.items()]


def nothing(columns: Sequence[object]) -> Figures:
    return (None,) * len(columns)


def sampled(setting: Setting, what: str = "documents") -> list[str]:
    """The note of a run over a part of the data."""
    return [] if setting.documents is None else [f"Ours are of the first {setting.documents:,} {what} only."]
