"""A published table, our figures for it, and both side by side."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from phrasemill.errors import ConfigError, PhrasemillError, UnknownName
from phrasemill.evaluation import Score, Scores, evaluate
from phrasemill.pipeline import extract_batch
from phrasemill.tables import Table, group_signatures
from phrasemill.types import Analysis, Document, Keyphrase

FOLDER = Path(__file__).parent / "published"
DIGITS = {"correlation": 4, "count": 0}
NOTHING = "–"
NO_FIGURES = "no figures"
TOP = 20  # phrases per document
Figures = tuple[float | None, ...]
Made = TypeVar("Made")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Published:
    """A table as it was printed: one row per system, one figure per column, None where the paper has a dash.

    `decimals` are those of each column, where they differ.
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

    @property
    def digits(self) -> int:
        """The number of decimals that the paper prints."""
        if self.unit in DIGITS:
            return DIGITS[self.unit]
        figures = [figure for row in self.rows.values() for figure in row if figure is not None]
        return 1 if all(round(figure, 1) == figure for figure in figures) else 2

    @property
    def column_digits(self) -> tuple[int, ...]:
        """The number of decimals that the paper prints in each column."""
        return self.decimals or (self.digits,) * len(self.columns)


def figure_text(figure: float, digits: int, *, signed: bool = False) -> str:
    """Return a figure with a sign where it is `signed`; zero has none."""
    shown = f"{figure:{'+' if signed else ''},.{digits}f}"
    return shown if any(digit in "123456789" for digit in shown) else shown.lstrip("+-")


@cache
def published(name: str) -> Published:
    """Return the table of that name, from its file."""
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        raise UnknownName("published table", name, [one.stem for one in FOLDER.glob("*.json")])
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in ("columns", "decimals"):
        record[name] = tuple(record.get(name, ()))
    record["rows"] = {system: tuple(row) for system, row in record.get("rows", {}).items()}
    return Published(name=name, **record)


@dataclass(frozen=True, slots=True)
class Setting:
    """The options of `phrasemill reproduce`, and `shared`, which keeps what several tables need.

    `scratch` is a folder for what is trained. `methods` are the chosen rows of the generation tables, `predictions`
    lists that were made elsewhere (`NAME=FILE`), `gold` answer keys for them, and `save` a folder for lists made here.
    """

    data: Path
    scratch: Path
    models: Path | None = None
    documents: int | None = None
    methods: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    gold: tuple[Path, ...] = ()
    save: Path | None = None
    progress: Progress = lambda step, done, total: None
    held: dict[object, Any] = field(default_factory=dict)

    def shared(self, make: Callable[..., Made], *arguments: Hashable) -> Made:
        """Return what `make` returns for this setting and these arguments, made once for all tables."""
        key = (make, *arguments)
        if key not in self.held:
            self.held[key] = make(self, *arguments)
        made: Made = self.held[key]
        return made

    def refuse_sample(self, reason: str) -> None:
        """Raise a `ConfigError` where `--documents` is given to a table that it does not apply to."""
        if self.documents is not None:
            raise ConfigError(f"{reason}; leave out --documents")

    def sample_note(self, what: str = "documents") -> list[str]:
        """Return the note of a run over a part of the data."""
        return [] if self.documents is None else [f"Ours are of the first {self.documents:,} {what} only."]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One system: `method` is the spec that we ran for it, `signatures` say how our figures were scored."""

    system: str
    method: str = ""
    published: Figures | None = None
    ours: Figures | None = None
    signatures: tuple[str, ...] = ()

    @property
    def difference(self) -> Figures | None:
        if self.published is None or self.ours is None:
            return None
        pairs = zip(self.published, self.ours, strict=True)
        return tuple([None if old is None or new is None else new - old for old, new in pairs])


def scored_row(
    system: str, method: str, published: Figures | None, scores: Iterable[Score | None] | None
) -> ComparisonRow:
    """Return a row of scores in per cent, counts as they are; without figures where there are no scores at all."""
    found = list(scores or ())
    signatures = tuple(score.signature for score in found if score is not None)
    ours = tuple([None if one is None else 100 * one.value if one.metric.share else one.value for one in found])
    return ComparisonRow(system, method, published, ours if signatures else None, signatures)


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A published table beside ours; `notes` name differences in how they were made, `failed` is for checks."""

    table: Published
    rows: tuple[ComparisonRow, ...]
    notes: tuple[str, ...] = ()
    failed: bool = False

    @property
    def signatures(self) -> tuple[str, ...]:
        return tuple(group_signatures(signature for row in self.rows for signature in row.signatures))

    def tables(self) -> list[Table]:
        """Return one table with three lines per system: published, ours, difference; two where we have no figures."""
        lines: list[tuple[str, ...]] = []
        digits = self.table.column_digits
        for row in self.rows:
            kinds = (("published", row.published), ("ours", row.ours), ("difference", row.difference))
            for kind, figures in kinds:
                if figures is not None:
                    label = row.method if kind == "ours" and row.method else kind
                    cells = map(partial(self._cell, signed=kind == "difference"), figures, digits)
                    lines.append((row.system if kind == "published" or row.published is None else "", label, *cells))
            if row.ours is None:
                lines.append(("", NO_FIGURES, *(NOTHING for _ in digits)))
        title = f"{self.table.name}: {self.table.title} ({self.table.paper}; {self.table.source})"
        return [Table(title, ("system", "", *self.table.columns), tuple(lines), (*self.notes, *self.signatures))]

    @staticmethod
    def _cell(figure: float | None, digits: int, *, signed: bool) -> str:
        return NOTHING if figure is None else figure_text(figure, digits, signed=signed)

    def record(self) -> dict[str, object]:
        """Return the table for JSON, with all digits."""
        table = self.table
        names = ("system", "method", "published", "ours", "difference")
        rows = [{name: getattr(row, name) for name in names} for row in self.rows]
        head = {"name": table.name, "title": table.title, "paper": table.paper, "source": table.source}
        body = {"unit": table.unit, "columns": table.columns, "rows": rows}
        return {**head, **body, "notes": self.notes, "signatures": self.signatures}


def extracted(
    setting: Setting,
    method: str,
    documents: Sequence[Document],
    *,
    analyses: Iterable[Analysis] | None = None,
    top: int | None = TOP,
    label: str = "",
) -> dict[str, list[Keyphrase]]:
    """Return the phrases of each document by one method, from `analyses` of the documents where they are given."""
    found: dict[str, list[Keyphrase]] = {}
    every = extract_batch(analyses or documents, method=method, top=top)
    for done, (document, phrases) in enumerate(zip(documents, every, strict=True)):
        found[document.id] = phrases
        setting.progress(label or method, done + 1, len(documents))
    return found


def texts(lists: Mapping[str, Sequence[Keyphrase]]) -> dict[str, tuple[str, ...]]:
    return {id_: tuple([phrase.text for phrase in found]) for id_, found in lists.items()}


def scored(
    setting: Setting,
    method: str | None,
    documents: Sequence[Document],
    gold: Mapping[str, Sequence[str | Sequence[str]]],
    *,
    metrics: Sequence[str],
    preset: str,
    notes: list[str],
) -> Scores | None:
    """Return the scores of a method; None, and a note, where it cannot run here.

    Documents without any candidate have no list, as in published outputs: the preset decides whether they count.
    """
    if method is None:
        return None
    try:
        found = {id_: phrases for id_, phrases in texts(extracted(setting, method, documents)).items() if phrases}
    except PhrasemillError as error:
        notes.append(f"{method}: {error}")
        return None
    if not found:
        notes.append(f"{method}: no candidates in any document")
        return None
    return evaluate(found, gold, metrics=metrics, preset=preset)


def with_models(spec: str | None, setting: Setting) -> str | None:
    """Return the spec with the folder of models in it; None where it needs one and there is none."""
    if spec is None or "{models}" not in spec:
        return spec
    there = setting.models is not None and (setting.models / "bertkpe").exists()
    return spec.format(models=setting.models) if there else None
