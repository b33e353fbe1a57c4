"""A published table, our figures for it, both side by side, and why they differ."""

import json
import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from phrasemill.errors import DataError, UnknownName
from phrasemill.evaluation import Score
from phrasemill.evaluation.report import grouped
from phrasemill.extractor import extract_batch
from phrasemill.files.streams import ENDINGS
from phrasemill.files.tables import Table
from phrasemill.types import Analysis, Document, Method

HERE = Path(__file__).parent
FOLDER = HERE / "published"
NOTHING = "–"
NO_FIGURES = "no figures"
TOP = 20  # phrases per document
HALF = 0.51  # of a unit of the last digit, and a little for figures that were rounded twice
Figures = tuple[float | None, ...]
Made = TypeVar("Made")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Published:
    """A table as it was printed: one row per system, one figure per column, None where the paper has a dash.

    `decimals` are those that the paper prints in each column.
    """

    name: str
    title: str
    paper: str
    source: str
    columns: tuple[str, ...] = ()
    rows: Mapping[str, Figures] = field(default_factory=dict)
    unit: str = "per cent"
    note: str = ""
    decimals: tuple[int, ...] = ()


@cache
def published(name: str) -> Published:
    """Return the table of that name, from its file."""
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        raise UnknownName("published table", name, [one.stem for one in FOLDER.glob("*.json")])
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    columns, decimals = tuple(record.get("columns", ())), record.get("decimals", ())
    record["decimals"] = (decimals,) * len(columns) if isinstance(decimals, int) else tuple(decimals)
    record["rows"] = {system: tuple(row) for system, row in record.get("rows", {}).items()}
    return Published(name=name, **{**record, "columns": columns})


@cache
def told(kind: str) -> list[dict[str, Any]]:
    """Return what is written about the tables: each `reason`, `note` or `protocol`, in the order of its file."""
    return list(tomllib.loads((HERE / f"{kind}s.toml").read_text(encoding="utf-8"))[kind])


def notes_for(table: str) -> list[str]:
    """Return the notes on a table, of which `notes.toml` names patterns."""
    return [one["text"] for one in told("note") if any(fnmatchcase(table, pattern) for pattern in one["tables"])]


def reason_for(table: str, system: str, figures: str = "", *, missing: bool = False) -> str:
    """Return the first reason in `reasons.toml` that fits, whose names are patterns; without one an empty string."""
    for one in told("reason"):
        patterns = ((table, one["tables"]), (system, one.get("systems", "*")), (figures, one.get("figures", "*")))
        if one.get("missing", False) == missing and all(fnmatchcase(name, pattern) for name, pattern in patterns):
            return str(one["text"])
    return ""


def same(one: float, other: float, digits: int) -> bool:
    """Return whether two figures agree to the last of that many decimals."""
    return abs(one - other) <= HALF * 10**-digits


def figure_text(figure: float, digits: int, *, signed: bool = False) -> str:
    """Return a figure with a sign where it is `signed`; zero has none."""
    shown = f"{figure:{'+' if signed else ''},.{digits}f}"
    return shown if any(digit in "123456789" for digit in shown) else shown.lstrip("+-")


@dataclass(frozen=True, slots=True)
class Setting:
    """The options of `phrasemill reproduce`, and `held`, which keeps what several tables need.

    `scratch` is a folder for what is trained. `methods` are the chosen rows of the generation tables, `lists` a folder
    of their ranked lists; `predictions` are files of systems to rank, and `gold` answer keys for them.
    """

    data: Path
    scratch: Path
    models: Path | None = None
    documents: int | None = None
    methods: tuple[str, ...] = ()
    lists: Path | None = None
    predictions: tuple[str, ...] = ()
    gold: tuple[Path, ...] = ()
    progress: Progress = lambda step, done, total: None
    held: dict[object, Any] = field(default_factory=dict)

    def shared(self, make: Callable[..., Made], *arguments: Hashable) -> Made:
        """Return what `make` returns for this setting and these arguments, made once for all tables."""
        key = (make, *arguments)
        if key not in self.held:
            self.held[key] = make(self, *arguments)
        made: Made = self.held[key]
        return made

    def file(self, name: str) -> Path:
        """Return the file of this name in the data folder, plain or compressed."""
        for path in (self.data / f"{name}{ending}" for ending in ("", *ENDINGS)):
            if path.is_file():
                return path
        raise DataError(f"{self.data}: no {name} in it (it may be compressed)")


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One system: `method` is the spec that we ran for it, `signatures` say how our figures were scored.

    The published figures are those of the table's row of that name; `()` where none belong beside ours.
    """

    system: str
    ours: Figures | None = None
    method: str = ""
    published: Figures | None = None
    signatures: tuple[str, ...] = ()

    @property
    def difference(self) -> Figures | None:
        if self.published is None or self.ours is None:
            return None
        pairs = zip(self.published, self.ours, strict=True)
        return tuple([None if old is None or new is None else new - old for old, new in pairs])


class Failure(str):
    """A note on a figure that a check finds to differ."""


Part = ComparisonRow | Table | str  # what makes up a table: rows, tables of ranks, notes


def counted(system: str, *figures: float | None) -> ComparisonRow:
    return ComparisonRow(system, tuple([None if one is None else float(one) for one in figures]))


def scored(
    system: str, scores: Iterable[Score | None] | None, method: str = "", published: Figures | None = None
) -> ComparisonRow:
    """Return a row of scores in per cent, counts as they are; without figures where there are no scores at all."""
    found = list(scores or ())
    signatures = tuple(score.signature for score in found if score is not None)
    ours = tuple([None if one is None else 100 * one.value if one.metric.share else one.value for one in found])
    return ComparisonRow(system, ours if signatures else None, method, published, signatures)


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A published table beside ours; `notes` name differences in how they were made.

    `ranks` are tables that show systems in order instead of figures. A check has `failed` where any figure differs.
    """

    table: Published
    rows: tuple[ComparisonRow, ...]
    notes: tuple[str, ...] = ()
    failed: bool = False
    ranks: tuple[Table, ...] = ()

    @property
    def signatures(self) -> tuple[str, ...]:
        return tuple(grouped(signature for row in self.rows for signature in row.signatures))

    def tables(self) -> list[Table]:
        """Return one table with three lines per system: published, ours, difference; two where we have no figures."""
        lines: list[tuple[str, ...]] = []
        digits = self.table.decimals
        for row in self.rows:
            kinds = (("published", row.published), ("ours", row.ours), ("difference", row.difference))
            for kind, figures in kinds:
                if figures is not None:
                    label = row.method if kind == "ours" and row.method else kind
                    cells = [
                        NOTHING if one is None else figure_text(one, places, signed=kind == "difference")
                        for one, places in zip(figures, digits, strict=False)
                    ]
                    lines.append((row.system if kind == "published" or row.published is None else "", label, *cells))
            if row.ours is None:
                lines.append(("", NO_FIGURES, *(NOTHING for _ in digits)))
        title = f"{self.table.name}: {self.table.title} ({self.table.paper}; {self.table.source})"
        table = Table(title, ("system", "", *self.table.columns), tuple(lines), (*self.notes, *self.signatures))
        return [table, *self.ranks] if lines else list(self.ranks)

    def record(self) -> dict[str, object]:
        """Return the table for JSON, with all digits."""
        table = self.table
        names = ("system", "method", "published", "ours", "difference")
        rows = [{name: getattr(row, name) for name in names} for row in self.rows]
        head = {name: getattr(table, name) for name in ("name", "title", "paper", "source", "unit", "columns")}
        ranks = [{"title": one.title, "header": one.header, "rows": one.rows} for one in self.ranks]
        made = {**head, "rows": rows, "notes": self.notes, "signatures": self.signatures}
        return {**made, "tables": ranks} if ranks else made


def extracted(
    setting: Setting,
    method: str | Method,
    documents: Sequence[Document],
    *,
    analyses: Iterable[Analysis] | None = None,
    top: int | None = TOP,
    label: str = "",
) -> dict[str, tuple[str, ...]]:
    """Return the phrases of each document by one method, from `analyses` of the documents where they are given."""
    found = {}
    every = extract_batch(analyses or documents, method=method, top=top)
    for done, (document, phrases) in enumerate(zip(documents, every, strict=True)):
        found[document.id] = tuple([phrase.text for phrase in phrases])
        setting.progress(label or str(method), done + 1, len(documents))
    return found


def trained(setting: Setting, trainer: str, documents: Iterable[Document], name: str) -> Path:
    """Return the model that a trainer makes of the documents, trained once per run."""
    from phrasemill.training.trainer import TRAINERS

    path = setting.scratch / name
    if not path.exists():
        TRAINERS.build(trainer).fit(documents).save(path)
    return path
