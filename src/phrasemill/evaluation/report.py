"""Scores, differences and the choices of a scorer as tables, as CSV and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from phrasemill.evaluation.scores import Interval, Score, Scores, shown
from phrasemill.evaluation.metrics import METRICS
from phrasemill.evaluation.policies import CHOICES, PRESETS, Policy
from phrasemill.evaluation.significance import Difference
from phrasemill.files.tables import Table, csv_of, rounded, table_width


def scores_table(systems: Sequence[Scores], *, room: int | None = None) -> Table:
    """Return one row per metric, one column per system, with the signatures as notes.

    Where that is wider than `room`, systems are rows, and where that is too wide as well, every score has a row.
    """
    names, titles = [score.name for score in systems[0]], [scores.system for scores in systems]
    cells = {(scores.system, name): _cell(scores.score(name)) for scores in systems for name in names}
    # Each signature once; systems that answered different documents have different ones.
    notes = tuple(dict.fromkeys(score.signature for scores in systems for score in scores))
    by_metric = [(name, *(cells[title, name] for title in titles)) for name in names]
    by_system = [(title, *(cells[title, name] for name in names)) for title in titles]
    single = [(f"{title}  {name}", cells[title, name]) for title in titles for name in names]
    shapes = [
        Table("", ("metric", *titles), tuple(by_metric), notes),
        Table("", ("system", *names), tuple(by_system), notes),
        Table("", ("system, metric", "score"), tuple(single), notes),
    ]
    return next((table for table in shapes if room is None or table_width(table) <= room), shapes[-1])


def _cell(score: Score) -> str:
    return score.shown if score.interval is None else _with_interval(score.value, score.interval, score.metric.share)


def _with_interval(value: float, interval: Interval, share: bool) -> str:
    middle, low, high = (shown(one, share=share) for one in (value, interval.low, interval.high))
    return f"{middle} [{low}, {high}]"


def documents_table(systems: Sequence[Scores], *, room: int | None = None) -> Table:
    """Return one row per document, one column per metric of a system; empty where the document does not count.

    Where that is wider than `room`, every score has its own row.
    """
    columns = [(scores.system, score, score.documents) for scores in systems for score in scores]
    ids = dict.fromkeys(id_ for _, _, documents in columns for id_ in documents)
    names = [f"{system} {score.name}" if len(systems) > 1 else score.name for system, score, _ in columns]
    rows = [
        (id_, *(shown(d[id_], share=score.metric.share) if id_ in d else "" for _, score, d in columns)) for id_ in ids
    ]
    table = Table("", ("document", *names), tuple(rows))
    if room is None or table_width(table) <= room:
        return table
    single = [(f"{id_}  {name}", cell) for id_, *cells in rows for name, cell in zip(names, cells, strict=True) if cell]
    return Table("", ("document, metric", "score"), tuple(single))


def differences_table(differences: Sequence[Difference], *, test: str) -> Table:
    """Return one row per pair and metric. An asterisk marks significance at 0.05 after Holm's correction."""
    rows = []
    for d in differences:
        values = (shown(d.a_value, share=d.share), shown(d.b_value, share=d.share))
        holm = f"{d.adjusted:.4f}{'*' if d.adjusted < 0.05 else ''}"
        rows.append((d.metric, d.a, d.b, *values, _with_interval(d.value, d.interval, d.share), f"{d.p:.4f}", holm))
    note = f"paired {test}, two-sided; * significant at 0.05 after Holm's correction over {len(rows)} tests"
    return Table("", ("metric", "A", "B", "score A", "score B", "B - A", "p", "p (Holm)"), tuple(rows), (note,))


def differing_table(a: Scores, b: Scores, *, name: str, top: int) -> Table:
    """Return the documents on which two systems differ most, by the metric `name`."""
    one, other = a.score(name), b.score(name)
    ours, theirs = one.documents, other.documents
    gaps = {id_: theirs[id_] - ours[id_] for id_ in ours if id_ in theirs}
    rows = [
        (id_, *(shown(value, share=one.metric.share) for value in (ours[id_], theirs[id_], gaps[id_])))
        for id_ in sorted(gaps, key=lambda id_: -abs(gaps[id_]))[:top]
    ]
    return Table(f"Where they differ most, {name}", ("document", a.system, b.system, "difference"), tuple(rows))


def as_record(scores: Scores, *, per_document: bool = False) -> dict[str, object]:
    """Return one system for JSON: scores from 0 to 1, never in per cent."""
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
    """Return one object for one system, a list of them for several."""
    records = [as_record(scores, per_document=per_document) for scores in systems]
    return json.dumps(rounded(records[0] if len(records) == 1 else records), ensure_ascii=False, indent=2) + "\n"


def differences_json(differences: Sequence[Difference]) -> str:
    return json.dumps(rounded({"differences": difference_records(differences)}), ensure_ascii=False, indent=2) + "\n"


def difference_records(differences: Sequence[Difference]) -> list[dict[str, object]]:
    """Return each pair of systems for JSON."""
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
    """Return one line per score, from 0 to 1, with its signature."""
    header = ("system", "metric", "value", "low", "high", "documents", "signature")
    rows = [
        (scores.system, score.name, score.value, *_ends(score), str(len(score.statistics)), score.signature)
        for scores in systems
        for score in scores
    ]
    return csv_of([header, *rows])


def _ends(score: Score) -> tuple[float | str, float | str]:
    return (score.interval.low, score.interval.high) if score.interval else ("", "")


def choice_tables() -> list[Table]:
    """Return three tables for `phrasemill metrics`: the metrics, the presets, and the choices with their meaning."""
    metrics = [
        (metric_label(e.name), f"{e.summary} Needs {e.needs}." if e.needs else e.summary, e.paper)
        for e in METRICS.describe()
    ]
    presets = [(p.name, p.summary, p.consequence) for p in PRESETS.values()]
    default = Policy()
    choices = [
        (f"{name}={value!r}", meaning, "default" if getattr(default, name) == value else "")
        for name, values in CHOICES.items()
        for value, meaning in values.items()
    ]
    return [
        Table("Metrics", ("name", "what it is", "paper"), tuple(metrics), words=True),
        Table("Presets", ("name", "what it is", "what that does"), tuple(presets), words=True),
        Table("Choices", ("choice", "what it means", ""), tuple(choices), words=True),
    ]


def choice_records() -> dict[str, object]:
    """Return metrics, presets and choices for JSON."""
    return {
        "metrics": [{**entry._asdict(), "name": metric_label(entry.name)} for entry in METRICS.describe()],
        "presets": [
            {
                "name": p.name,
                "summary": p.summary,
                "source": p.source,
                "consequence": p.consequence,
                "metrics": list(p.metrics),
                "policy": asdict(p.policy),
            }
            for p in PRESETS.values()
        ],
        "choices": CHOICES,
        "defaults": {field.name: field.default for field in fields(Policy)},
    }


def metric_label(name: str) -> str:
    """Return how a metric is written: with `@k` where it takes a cut."""
    return f"{name}@k" if getattr(METRICS.get(name), "cuts", False) else name
