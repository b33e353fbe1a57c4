"""Scores, differences and the choices of a scorer: as tables, as JSON, and scores as a page."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields

from phrasemill.evaluation.metrics import METRICS
from phrasemill.evaluation.page import Section, bar, code, folded, listed, paragraph, table
from phrasemill.evaluation.page import page as written
from phrasemill.evaluation.policies import CHOICES, PRESETS, Policy
from phrasemill.evaluation.scores import Interval, Score, Scores, shown
from phrasemill.evaluation.significance import SIGNIFICANT, Difference
from phrasemill.files.tables import Table, cells, table_width

MOST_IDS = 10  # in a message; the count is always there
MOST_DOCUMENTS = 500  # in the page; the rest is in --per-document


def scores_table(systems: Sequence[Scores], *, room: int | None = None) -> Table:
    """Return one row per metric, one column per system, with the signatures as notes.

    Where that is wider than `room`, systems are rows, and where that is too wide as well, every score has a row.
    """
    names, titles = [score.name for score in systems[0]], [scores.system for scores in systems]
    shown_as = {(scores.system, name): _cell(scores.score(name)) for scores in systems for name in names}
    notes = grouped(score.signature for scores in systems for score in scores)
    shapes = [
        Table("", ("metric", *titles), [(name, *(shown_as[title, name] for title in titles)) for name in names], notes),
        Table("", ("system", *names), [(title, *(shown_as[title, name] for name in names)) for title in titles], notes),
        Table("", ("system, metric", "score"), [(f"{t}  {n}", shown_as[t, n]) for t in titles for n in names], notes),
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
    wide = Table("", ("document", *names), rows)
    if room is None or table_width(wide) <= room:
        return wide
    single = [(f"{id_}  {name}", cell) for id_, *row in rows for name, cell in zip(names, row, strict=True) if cell]
    return Table("", ("document, metric", "score"), single)


def differences_table(differences: Sequence[Difference], *, test: str) -> Table:
    """Return one row per pair and metric. An asterisk marks significance after Holm's correction."""
    rows = []
    for d in differences:
        values = (shown(d.a_value, share=d.share), shown(d.b_value, share=d.share))
        holm = f"{d.adjusted:.4f}{'*' if d.adjusted < SIGNIFICANT else ''}"
        rows.append((d.metric, d.a, d.b, *values, _with_interval(d.value, d.interval, d.share), f"{d.p:.4f}", holm))
    tests = f"{len(rows)} test{'' if len(rows) == 1 else 's'}"
    note = f"paired {test}, two-sided; * significant at {SIGNIFICANT} after Holm's correction over {tests}"
    return Table("Differences", ("metric", "A", "B", "score A", "score B", "B - A", "p", "p (Holm)"), rows, (note,))


def differing_table(a: Scores, b: Scores, *, name: str, top: int) -> Table:
    """Return the documents on which two systems differ most, by the metric `name`."""
    one, other = a.score(name), b.score(name)
    ours, theirs = one.documents, other.documents
    gaps = {id_: theirs[id_] - ours[id_] for id_ in ours if id_ in theirs}
    rows = [
        (id_, *(shown(value, share=one.metric.share) for value in (ours[id_], theirs[id_], gaps[id_])))
        for id_ in sorted(gaps, key=lambda id_: -abs(gaps[id_]))[:top]
    ]
    return Table(f"Where they differ most, {name}", ("document", a.system, b.system, "difference"), rows)


def all_rows(systems: Sequence[Scores], differences: Sequence[Difference] = ()) -> Table:
    """Return a row per score for CSV, from 0 to 1, with its signature; a difference is a row `against` a system."""
    header = ("system", "metric", "value", "low", "high", "documents", "signature", "against", "p", "p (Holm)")
    rows: list[tuple[object, ...]] = []
    for scores in systems:
        for one in scores:
            ends = (one.interval.low, one.interval.high) if one.interval else ("", "")
            documents = len(one.statistics)
            rows.append((scores.system, one.name, one.value, *ends, documents, one.signature, "", "", ""))
    for d in differences:
        rows.append((d.b, d.metric, d.value, d.interval.low, d.interval.high, d.documents, "", d.a, d.p, d.adjusted))
    return Table("", header, rows)


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


def complaints(systems: Sequence[Scores]) -> list[str]:
    """Return a sentence on ids without an answer and on answers without gold, whatever the policy does with them."""
    found = []
    for one in systems:
        for ids, what in (
            (one.missing, "gold documents have no answer"),
            (one.surplus, "answers are to no document of the gold"),
        ):
            more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
            found += [f"{one.system}: {len(ids)} {what}: {', '.join(ids[:MOST_IDS])}{more}"] if ids else []
    return found


def page(
    systems: Sequence[Scores],
    differences: Sequence[Difference] = (),
    *,
    test: str = "bootstrap",
    title: str = "Keyphrase scores",
) -> str:
    """Return the report as one HTML file, complete in itself.

    `phrasemill evaluate --format html` writes it; the service answers `POST /v1/evaluate` with `format=html` by it, and
    its page shows that. `differences` are those of `compare`.
    """
    signatures = [score.signature for scores in systems for score in scores]
    counted = max(len(score.statistics) for score in systems[0])
    intervals = ", with 95 % intervals" if any(score.interval for score in systems[0]) else ""
    lead = f"Preset {systems[0].preset}, {counted:,} documents. Shares are in per cent{intervals}."
    bars = []
    for name in [score.name for score in systems[0]]:
        for scores in systems:
            one, bar_of = scores.score(name), ""
            if one.metric.share:
                low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
                bar_of = bar(one.value, low=low, high=high, label=_cell(one))
            bars.append((name, scores.system, _cell(one), bar_of))
    sections = [
        Section(
            "Scores",
            [
                table(("metric", "system", "score", ""), bars, words=(0, 1, 3)),
                folded("Signatures: how each score was computed", [listed(map(code, grouped(signatures)))]),
            ],
        )
    ]
    if differences:
        first, grid = differences[0], differences_table(differences, test=test)
        a, b = (next(one for one in systems if one.system == name) for name in (first.a, first.b))
        most = differing_table(a, b, name=first.metric, top=10)
        sections += [
            Section(grid.title, [table(grid.header, cells(grid), words=(0, 1, 2)), *grid.notes]),
            Section(most.title, [table(most.header, cells(most))]),
        ]
    grid = documents_table(systems)
    some = "" if len(grid.rows) <= MOST_DOCUMENTS else f"the first {MOST_DOCUMENTS} of "
    shown_rows = table(grid.header, cells(grid)[:MOST_DOCUMENTS])
    sections.append(Section("Documents", [folded(f"The scores of {some}{len(grid.rows):,} documents", [shown_rows])]))
    warnings = [paragraph(one, kind="warning") for one in complaints(systems)]
    return written(title, sections, lead=[paragraph(lead, kind="quiet"), *warnings])


def grouped(notes: Iterable[str]) -> list[str]:
    """Join the signatures of metrics that share all choices into one line; leave other notes as they are."""
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        name, bar, choices = note.partition("|")
        groups.setdefault(("", choices) if bar else (note, ""), []).append(name)
    return [words or f"{' '.join(dict.fromkeys(names))}|{choices}" for (words, choices), names in groups.items()]


def choice_tables() -> list[Table]:
    """Return three tables for `evaluate --list`: the metrics, the presets, and the choices with their meaning."""
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
        Table("Metrics", ("name", "what it is", "paper"), metrics),
        Table("Presets", ("name", "what it is", "what that does"), presets),
        Table("Choices", ("choice", "what it means", ""), choices),
    ]


def choice_records() -> dict[str, object]:
    """Return metrics, presets and choices for JSON."""
    return {
        "metrics": [{**entry._asdict(), "name": metric_label(entry.name)} for entry in METRICS.describe()],
        "presets": [asdict(one) for one in PRESETS.values()],
        "choices": CHOICES,
        "defaults": {field.name: field.default for field in fields(Policy)},
    }


def metric_label(name: str) -> str:
    """Return how a metric is written: with `@k` where it takes a cut."""
    return f"{name}@k" if getattr(METRICS.get(name), "cuts", False) else name
