"""Scores and differences as tables, as CSV and as JSON."""

import json
from collections.abc import Sequence

from phrasemill.evaluation.aggregate import Score, Scores, shown
from phrasemill.evaluation.significance import Difference
from phrasemill.tables import Table, csv_of, table_width


def scores_grid(systems: Sequence[Scores], *, room: int | None = None) -> Table:
    """One row a metric, one column a system; signatures below.

    Where that is wider than `room`, systems are rows, and where that is too wide as well, every score has its own.
    """
    names = [score.name for score in systems[0]]
    cells = {(scores.system, name): _cell(scores.score(name)) for scores in systems for name in names}
    titles = [scores.system for scores in systems]
    notes = signatures(systems)
    by_metric = [(name, *(cells[title, name] for title in titles)) for name in names]
    by_system = [(title, *(cells[title, name] for name in names)) for title in titles]
    single = [(f"{title}  {name}", cells[title, name]) for title in titles for name in names]
    shapes = [
        Table("", ("metric", *titles), tuple(by_metric), notes),
        Table("", ("system", *names), tuple(by_system), notes),
        Table("", ("system, metric", "score"), tuple(single), notes),
    ]
    return next((grid for grid in shapes if room is None or table_width(grid) <= room), shapes[-1])


def _cell(score: Score) -> str:
    if score.interval is None:
        return score.shown
    low, high = (shown(end, share=score.metric.share) for end in (score.interval.low, score.interval.high))
    return f"{score.shown} [{low}, {high}]"


def signatures(systems: Sequence[Scores]) -> tuple[str, ...]:
    """Each signature once; systems that answered different documents have different ones."""
    return tuple(dict.fromkeys(score.signature for scores in systems for score in scores))


def documents_grid(systems: Sequence[Scores], *, room: int | None = None) -> Table:
    """One row a document, one column a metric of a system; empty where the document does not count.

    Where that is wider than `room`, every score has its own row.
    """
    columns = [(scores.system, score, score.documents) for scores in systems for score in scores]
    ids = dict.fromkeys(id_ for _, _, documents in columns for id_ in documents)
    names = [f"{system} {score.name}" if len(systems) > 1 else score.name for system, score, _ in columns]
    rows = [
        (id_, *(shown(d[id_], share=score.metric.share) if id_ in d else "" for _, score, d in columns)) for id_ in ids
    ]
    grid = Table("", ("document", *names), tuple(rows))
    if room is None or table_width(grid) <= room:
        return grid
    single = [(f"{id_}  {name}", cell) for id_, *cells in rows for name, cell in zip(names, cells, strict=True) if cell]
    return Table("", ("document, metric", "score"), tuple(single))


def differences_grid(differences: Sequence[Difference], *, test: str) -> Table:
    """One row a pair and metric. An asterisk marks what is still significant at 0.05 after Holm's correction."""
    rows = [
        (
            d.metric,
            d.a,
            d.b,
            shown(d.a_value, share=d.share),
            shown(d.b_value, share=d.share),
            f"{shown(d.value, share=d.share)} [{shown(d.interval.low, share=d.share)}, "
            f"{shown(d.interval.high, share=d.share)}]",
            f"{d.p:.4f}",
            f"{d.adjusted:.4f}{'*' if d.adjusted < 0.05 else ''}",
        )
        for d in differences
    ]
    note = f"paired {test}, two-sided; * significant at 0.05 after Holm's correction over {len(rows)} tests"
    return Table("", ("metric", "A", "B", "score A", "score B", "B - A", "p", "p (Holm)"), tuple(rows), (note,))


def differing_grid(a: Scores, b: Scores, *, name: str, top: int) -> Table:
    """The documents on which two systems differ most, by `name`."""
    one, other = a.score(name), b.score(name)
    mine, theirs = one.documents, other.documents
    order = sorted((id_ for id_ in mine if id_ in theirs), key=lambda id_: -abs(theirs[id_] - mine[id_]))
    share = one.metric.share
    rows = [
        (
            id_,
            shown(mine[id_], share=share),
            shown(theirs[id_], share=share),
            shown(theirs[id_] - mine[id_], share=share),
        )
        for id_ in order[:top]
    ]
    return Table(f"Where they differ most, {name}", ("document", a.system, b.system, "difference"), tuple(rows))


def as_record(scores: Scores, *, per_document: bool = False) -> dict[str, object]:
    """What `--format json` prints of one system: scores from 0 to 1, never in per cent."""
    record: dict[str, object] = {
        "system": scores.system,
        "preset": scores.preset,
        "gold": scores.gold,
        "scores": {score.name: score.value for score in scores},
        "signatures": {score.name: score.signature for score in scores},
        "documents": {score.name: len(score.statistics) for score in scores},
        "missing": list(scores.missing),
        "surplus": list(scores.surplus),
    }
    intervals = {s.name: [s.interval.low, s.interval.high] for s in scores if s.interval}
    if intervals:
        record["intervals"] = intervals
    if per_document:
        record["per_document"] = {score.name: score.documents for score in scores}
    return record


def as_json(systems: Sequence[Scores], *, per_document: bool = False) -> str:
    """One object for one system, a list of them for several."""
    records = [as_record(scores, per_document=per_document) for scores in systems]
    return json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2) + "\n"


def differences_json(differences: Sequence[Difference]) -> str:
    return json.dumps({"differences": difference_records(differences)}, ensure_ascii=False, indent=2) + "\n"


def difference_records(differences: Sequence[Difference]) -> list[dict[str, object]]:
    """What `compare --format json` prints of each pair of systems."""
    return [
        {
            "metric": d.metric,
            "a": d.a,
            "b": d.b,
            "a_value": d.a_value,
            "b_value": d.b_value,
            "difference": d.value,
            "interval": [d.interval.low, d.interval.high],
            "p": d.p,
            "p_holm": d.adjusted,
            "documents": d.documents,
        }
        for d in differences
    ]


def scores_csv(systems: Sequence[Scores]) -> str:
    """One line a score, from 0 to 1 in full precision, with its signature."""
    header = ("system", "metric", "value", "low", "high", "documents", "signature")
    rows = [
        (
            scores.system,
            score.name,
            repr(score.value),
            repr(score.interval.low) if score.interval else "",
            repr(score.interval.high) if score.interval else "",
            str(len(score.statistics)),
            score.signature,
        )
        for scores in systems
        for score in scores
    ]
    return csv_of([header, *rows])
