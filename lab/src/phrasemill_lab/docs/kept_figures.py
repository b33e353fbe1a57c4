"""Figures that other files than those of docs/figures have: methods, sizes of models, tables of papers."""

import json
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from phrasemill.facts import FACTS
from phrasemill_lab.bench.figures import Cell, Figures, FigureTable
from phrasemill_lab.papers.comparison import FOLDER, published
from phrasemill_lab.papers.verdicts import MEASURED

NOTHING = "–"


def kept_figures(root: Path) -> dict[str, Figures]:
    """Return them by the names that pages use."""
    return {"methods": _methods(), "files": _files(root), "papers": _papers()}


def _methods() -> Figures:
    """Return the figures of `phrasemill methods`."""
    found = {name: facts for name, facts in sorted(FACTS.items()) if facts.speed is not None}
    rows = tuple([(name, f.speed or "", f.indexers or "", f.authors or "") for name, f in found.items()])
    made = FigureTable(("method", "abstracts/s", "F1@10, indexers", "F1@10, authors"), rows)
    return Figures({"methods": made}, command="phrasemill methods")


def _files(root: Path) -> Figures:
    """Return the sizes of the shipped models and tables; several files, or those of many languages, count as one."""
    sizes: dict[str, list[int]] = {}
    for folder in (root / "src" / "phrasemill" / "data", *root.glob("weights/*/src/*")):
        for path in folder.rglob("*.safetensors"):
            whole = re.sub(r"\.\d+\.", ".", path.name) if path.parent == folder else f"{path.parent.name}/"
            name = re.sub(r"^(tagger|words)_\w\w\.", r"\1_*.", whole)
            sizes.setdefault(name, []).append(path.stat().st_size)
    rows = [(f"`{name}`", len(found), round(sum(found) / 1e6, 1)) for name, found in sorted(sizes.items())]
    return Figures({"sizes": FigureTable(("model or table", "files", "MB"), tuple(rows))})


def _papers() -> Figures:
    """Return the papers' tables, published and ours, as `phrasemill reproduce --keep` wrote them."""
    shared = [path for path in sorted(MEASURED.glob("*.json")) if (FOLDER / path.name).exists()]
    tables = {path.stem: _paper(path) for path in shared}
    return Figures(tables, source="`phrasemill reproduce`, whose figures are in lab/src/phrasemill_lab/papers/measured")


def _paper(path: Path) -> FigureTable:
    """Return one row per system; the values of a metric at several cuts are one column, published and one of ours."""
    columns = published(path.stem).columns
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    order = sorted(
        range(len(columns)), key=lambda i: [one.partition("@")[0] for one in columns].index(_base(columns[i]))
    )
    groups = {base: list(numbers) for base, numbers in groupby(order, key=lambda i: _base(columns[i]))}
    names = {base: _joined(base, [columns[i] for i in numbers]) for base, numbers in groups.items()}
    header = ["system", *(f"{name}, {whose}" for name in names.values() for whose in ("published", "ours"))]
    cells = [
        [row["system"], *(_cell(row[whose], numbers) for numbers in groups.values() for whose in ("published", "ours"))]
        for row in rows
    ]
    return FigureTable(tuple(header), tuple(map(tuple, cells)), digits=dict.fromkeys(header[1:], 1))


def _base(column: str) -> str:
    return column.partition("@")[0]


def _joined(base: str, columns: Sequence[str]) -> str:
    cuts = [one.partition("@")[2] for one in columns]
    return f"{base}@{'/'.join(cuts)}" if cuts[0] else base


def _cell(values: Sequence[float | None] | None, numbers: Sequence[int]) -> Cell:
    chosen = [None if values is None else values[i] for i in numbers]
    known = [one for one in chosen if one is not None]
    if len(known) < len(chosen):
        return NOTHING
    return [float(one) for one in known] if len(known) > 1 else float(known[0])
