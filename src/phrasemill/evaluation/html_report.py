"""A report as one HTML file, which loads nothing from elsewhere and prints well."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from phrasemill.evaluation.scores import Progress, Scores, evaluate
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.plots import Bar, Series, bars, histogram, lines
from phrasemill.evaluation.report import differences_table, differing_table, documents_table, scores_table
from phrasemill.evaluation.significance import Difference
from phrasemill.files.tables import as_html, group_signatures

ROOM = 110  # letters of a table before its rows and columns are exchanged
CURVE = 20  # the plot of score against k ends here
MOST_DOCUMENTS = 500  # in the table of single documents; the rest is in --format csv --per-document
STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; }
tbody tr:hover { background: var(--soft); }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; max-width: 48rem; font: 12px system-ui, sans-serif; }
svg text { fill: currentColor; }
.warn { border-left: 4px solid #D55E00; padding-left: .75rem; }
details { margin: 1rem 0; } summary { cursor: pointer; }
@media print { body { max-width: none; } details > * { display: block; } }
"""


def curves(
    systems: Sequence[Answers],
    gold: Answers,
    *,
    preset: str,
    policy: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> dict[str, list[Series]]:
    """Precision, recall and F1 at each k up to 20, by metric, one series per system."""
    names = [f"{metric}@{k}" for metric in ("F1", "P", "R") for k in range(1, CURVE + 1)]
    found: dict[str, list[Series]] = {"F1": [], "P": [], "R": []}
    for system in systems:
        scores = evaluate(system, gold, metrics=names, preset=preset, policy=policy, progress=progress)
        for metric, series in found.items():
            series.append(Series(system.name, [scores[f"{metric}@{k}"] for k in range(1, CURVE + 1)]))
    return found


def page(
    systems: Sequence[Scores],
    *,
    curve: Mapping[str, Sequence[Series]],
    differences: Sequence[Difference] = (),
    test: str = "bootstrap",
    title: str = "Keyphrase scores",
) -> str:
    """Return the whole report."""
    grid = scores_table(systems, room=ROOM)
    sections = [
        f"<h1>{escape(title)}</h1>",
        *_warnings(systems),
        "<h2>Scores</h2>",
        as_html(grid),
        signature_list(grid.notes),
        *_side_by_side(systems),
        *_curves(curve),
        *_distribution(systems),
        *_differences(systems, differences, test),
        *_documents(systems),
    ]
    return document(title, sections)


def document(title: str, sections: Sequence[str], *, style: str = "") -> str:
    """Return a whole file around the parts of its body; `style` is added to the style that all reports share."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a phrase or an id contains, the page cannot load or run anything.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body>\n</html>\n"
    )


def signature_list(signatures: Iterable[str]) -> str:
    """Return signatures behind a line that opens them."""
    items = "\n".join(f"<li><code>{escape(one)}</code></li>" for one in group_signatures(signatures))
    return f"<details><summary>Signatures: how each score was computed</summary><ul>\n{items}\n</ul></details>"


def _warnings(systems: Sequence[Scores]) -> list[str]:
    found = []
    for scores in systems:
        for ids, what in ((scores.missing, "documents without an answer"), (scores.surplus, "answers to no document")):
            if ids:
                some = ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")
                found.append(f'<p class="warn">{escape(scores.system)}: {len(ids)} {what}: {escape(some)}</p>')
    return found


def _side_by_side(systems: Sequence[Scores]) -> list[str]:
    names = [score.name for score in systems[0] if score.metric.share]
    if not names:
        return []
    values = []
    for scores in systems:
        chosen = [scores.score(name) for name in names]
        values.append(
            [
                Bar(one.value, one.interval.low, one.interval.high) if one.interval else Bar(*[one.value] * 3)
                for one in chosen
            ]
        )
    title = "Systems side by side, in per cent"
    return [f"<h2>{title}</h2>", bars(names, [scores.system for scores in systems], values, title=title)]


def _curves(curve: Mapping[str, Sequence[Series]]) -> list[str]:
    parts = ["<h2>Score against k</h2>"] if curve else []
    for metric, series in curve.items():
        labels = [str(k) for k in range(1, CURVE + 1)]
        drawn = lines(series, labels, title=f"{metric}@k, in per cent", axis="k")
        parts += [f"<h3>{escape(metric)}@k</h3>", drawn]
    return parts


def _distribution(systems: Sequence[Scores]) -> list[str]:
    name = next((score.name for score in systems[0] if score.metric.share), None)
    if name is None:
        return []
    series = [Series(scores.system, list(scores.score(name).documents.values())) for scores in systems]
    drawn = histogram(series, title="Share of documents, in per cent", axis=f"by their {name}")
    return [f"<h2>Documents by their {escape(name)}</h2>", drawn]


def _differences(systems: Sequence[Scores], differences: Sequence[Difference], test: str) -> list[str]:
    if not differences:
        return []
    grid = differences_table(differences, test=test)
    first = differences[0]
    one, other = (next(s for s in systems if s.system == name) for name in (first.a, first.b))
    differing = differing_table(one, other, name=first.metric, top=10)
    return [
        "<h2>Differences</h2>",
        as_html(grid),
        *(f"<p>{escape(note)}</p>" for note in grid.notes),
        f"<h3>{escape(differing.title)}</h3>",
        as_html(differing),
    ]


def _documents(systems: Sequence[Scores]) -> list[str]:
    grid = documents_table(systems)
    shown = grid._replace(rows=grid.rows[:MOST_DOCUMENTS])
    count = f"{len(grid.rows)}" if len(grid.rows) <= MOST_DOCUMENTS else f"the first {MOST_DOCUMENTS}"
    return [f"<details><summary>Single documents ({count})</summary>", as_html(shown), "</details>"]
