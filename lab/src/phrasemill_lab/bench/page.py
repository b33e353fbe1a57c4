"""The results as one HTML file with pictures: it loads nothing from elsewhere."""

from collections.abc import Sequence
from html import escape

from phrasemill.evaluation.html_report import document, signature_list
from phrasemill.plots import standalone
from phrasemill.tables import as_html
from phrasemill_lab.bench.report import HOW, Section, dots, machines, overview, section_table, sections
from phrasemill_lab.bench.results import BenchResult
from phrasemill_lab.bench.scatter import scatter

STYLE = """
body { max-width: 78rem; } svg { max-width: 66rem; } figure { margin: 0; } .scroll { margin-bottom: .5rem; }
nav ul { columns: 2; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
"""
OVERVIEW = "Quality against speed, all datasets of single documents"
READING = (
    "Up is better, right is faster. Filled points are those that no other method beats in both; the line joins them. "
    "Whiskers are 95 % intervals. Point at a dot for its figures."
)


def page(results: Sequence[BenchResult], notes: Sequence[str]) -> str:
    """Return the whole report."""
    made = sections(results)
    links = "".join(f'<li><a href="#{escape(one.label)}">{escape(one.results[0].title)}</a></li>' for one in made)
    parts = [
        "<h1>Quality, speed and cost</h1>",
        f"<p>{escape(HOW)}</p>",
        f"<p>{escape(machines(results))}.</p>",
        f"<nav><ul>{links}</ul></nav>" if len(made) > 1 else "",
        *_overview(made),
        *(part for section in made for part in _section(section)),
        *(["<h2>What is missing</h2><ul>", *(f"<li>{escape(note)}</li>" for note in notes), "</ul>"] if notes else []),
    ]
    return document("Phrasemill: quality, speed and cost", parts, style=STYLE)


def picture(results: Sequence[BenchResult]) -> str | None:
    """Quality against speed over all datasets, or over the only one, as an SVG file; None where there is too little."""
    made = sections(results)
    drawn = _overview_picture(made)
    if drawn is None and len(made) == 1:
        drawn = _section_picture(made[0])
    return None if drawn is None else standalone(drawn)


def _overview_picture(made: Sequence[Section]) -> str | None:
    used, means = overview(made)
    if len(used) < 2 or len(means) < 2:
        return None
    return scatter(means, title=OVERVIEW, across="tokens per second, one core", up="mean score, per cent")


def _section_picture(section: Section) -> str | None:
    found = dots(section)
    title, up = f"{section.results[0].title}: quality against speed", f"{(section.metrics or [''])[0]}, per cent"
    return scatter(found, title=title, across="documents per second, one core", up=up) if len(found) > 1 else None


def _overview(made: Sequence[Section]) -> list[str]:
    drawn = _overview_picture(made)
    if drawn is None:
        return []
    names = ", ".join(f"{one.results[0].title} ({one.metrics[0]})" for one in overview(made)[0])
    caption = f"Mean over {names}; methods that ran on all of them. {READING}"
    return [f"<h2>{OVERVIEW}</h2>", f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"]


def _section(section: Section) -> list[str]:
    made = section_table(section)
    failures = [note for note in made.notes if note not in section.signatures]
    drawn = _section_picture(section)
    parts = [f'<h2 id="{escape(section.label)}">{escape(made.title)}</h2>']
    if drawn is not None:
        parts.append(f"<figure>{drawn}<figcaption>{escape(READING)}</figcaption></figure>")
    return [
        *parts,
        as_html(made),
        *(f'<p class="warn">{escape(one)}</p>' for one in failures),
        signature_list(section.signatures),
    ]
