"""The page that every report is written on: the scores of systems, and the keyphrases of sets.

`page(title, sections)` returns one HTML file. A section is a heading and parts; a part is a text, which becomes a
paragraph, or `Html` from the functions below, which escape every text they are given:

    page("Scores", [Section("Two systems", ["By F1@5.", table(("system", "F1@5"), [("a", "41.20"), ("b", "39.75")])])])

The file loads nothing and runs nothing. It reads well on a telephone, on a wide screen and on paper, in light and in
dark, as the reader prefers. Its whole body is one `<main>`.
"""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import NamedTuple

# Blue for what is shown, yellow for what is marked, orange for warnings: Okabe and Ito's, told apart by everybody.
STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --bar: #0072b2; --mark: #ffe08a; --warn: #d55e00; }
@media (prefers-color-scheme: dark) { :root { --bar: #56b4e9; --mark: #6b5a1e; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
.quiet { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .9rem; }
.warning { border-left: 4px solid var(--warn); padding-left: .75rem; }
.scroll { overflow-x: auto; background:
  linear-gradient(90deg, transparent, Canvas 80%) right / 3rem 100% no-repeat local,
  linear-gradient(90deg, transparent, #8886) right / .75rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
th, td { max-width: 14rem; padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
th:first-child, td:first-child { padding-left: 0; } th { font-weight: 600; }
.number { text-align: right; } td.number { white-space: nowrap; }
tbody tr:hover { background: var(--soft); }
tbody th { font-weight: 400; min-width: 6rem; }
code { font: .85em ui-monospace, monospace; }
svg.bar { width: 8rem; height: .6rem; } .bar .all { fill: var(--soft); } .bar .share { fill: var(--bar); }
.bar line { stroke: currentColor; stroke-width: 2; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
blockquote { margin: .25rem 0 .25rem .25rem; padding-left: .75rem; border-left: 3px solid var(--line); }
details { margin: .75rem 0; } summary { cursor: pointer; } nav ul { columns: 16rem; padding-left: 1.2rem; }
@media print { main { max-width: none; } }
"""
# Whatever a phrase or an id contains, the page cannot load or run anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Html(str):
    """Text that is HTML already; any other text is escaped."""

    __slots__ = ()


class Section(NamedTuple):
    """A heading with what is below it; texts become paragraphs. Its address in the page is `#section-1` and so on."""

    title: str
    parts: Sequence[str]


def page(
    title: str, sections: Sequence[Section], *, lead: Sequence[str] = (), contents: bool = False, style: str = ""
) -> str:
    """Return a whole HTML file.

    `lead` are parts between the title and the first section, `contents` lists links to the sections below them, and
    `style` is CSS beyond that of all reports.
    """
    body = [Html(f"<h1>{escape(title)}</h1>"), *_parts(lead)]
    if contents:
        links = [Html(f'<a href="#section-{i}">{escape(one.title)}</a>') for i, one in enumerate(sections, start=1)]
        body.append(Html(f"<nav>{listed(links)}</nav>"))
    for i, section in enumerate(sections, start=1):
        body += [Html(f'<h2 id="section-{i}">{escape(section.title)}</h2>'), *_parts(section.parts)]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def paragraph(text: str, *, kind: str = "") -> Html:
    """Return a paragraph; its kind is `quiet`, `warning` or nothing."""
    return Html(f'<p class="{kind}">{html(text)}</p>' if kind else f"<p>{html(text)}</p>")


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: Collection[int] = (0,)) -> Html:
    """Return a table that scrolls by itself where it is too wide. The columns `words` hold text, the others numbers.

    A cell without text is the head of nothing.
    """

    def line(cells: Sequence[str], scope: str) -> str:
        parts = []
        for i, cell in enumerate(cells):
            name = f'th scope="{scope}"' if cell and (scope == "col" or i == 0) else "td"
            kind = "" if i in words else ' class="number"'
            parts.append(f"<{name}{kind}>{html(cell)}</{name[:2]}>")
        return f"<tr>{''.join(parts)}</tr>"

    body = "\n".join(line(row, "row") for row in rows)
    head = f"<thead>{line(header, 'col')}</thead>"
    return Html(f'<div class="scroll" tabindex="0"><table>{head}<tbody>\n{body}\n</tbody></table></div>')


def listed(items: Iterable[str]) -> Html:
    """Return a list with bullets."""
    return Html("<ul>\n" + "\n".join(f"<li>{html(one)}</li>" for one in items) + "\n</ul>")


def folded(summary: str, parts: Sequence[str]) -> Html:
    """Return parts behind a line that opens them."""
    return Html("\n".join([f"<details><summary>{html(summary)}</summary>", *_parts(parts), "</details>"]))


def code(text: str) -> Html:
    """Return a text as it would be typed, in letters of one width."""
    return Html(f"<code>{html(text)}</code>")


def bar(share: float, *, low: float | None = None, high: float | None = None, label: str) -> Html:
    """Return a bar of `share` of its full length, with a line from `low` to `high` where they are given.

    `label` says the same to those who cannot see it.
    """
    parts = ['<rect class="all" width="100" height="6"/>']
    parts.append(f'<rect class="share" width="{100 * share:.1f}" height="6"/>')
    if low is not None and high is not None:
        parts.append(f'<line x1="{100 * low:.1f}" x2="{100 * high:.1f}" y1="3" y2="3"/>')
    drawn = "".join(parts)
    return Html(
        f'<svg class="bar" role="img" aria-label="{escape(label)}" viewBox="0 0 100 6" preserveAspectRatio="none" '
        f'xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'
    )


def html(text: str) -> Html:
    """Return `text` escaped, unless it is HTML already."""
    return text if isinstance(text, Html) else Html(escape(text))


def _parts(parts: Iterable[str]) -> list[Html]:
    return [part if isinstance(part, Html) else paragraph(part) for part in parts]
