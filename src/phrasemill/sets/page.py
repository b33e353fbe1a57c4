"""The keyphrases of sets as one HTML file: each phrase with its documents, and quotes in context.

The page loads nothing, runs nothing, and prints well; whatever a text contains is shown as text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from phrasemill.evaluation.html_report import document
from phrasemill.sets.results import SetKeyphrase, SetKeyphrases
from phrasemill.types import Span

CONTEXT = 80  # characters of context on either side of a quote
QUOTES = 3  # of one document
WHITE_SPACE = re.compile(r"\s+")
MOST_DOCUMENTS = 30  # of one phrase; the others are counted
STYLE = """
:root { --mark: #ffe08a; --bar: #4477aa; }
@media (prefers-color-scheme: dark) { :root { --mark: #6b5a1e; --bar: #7fb0e0; } }
.about, .also, .where { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .9rem; }
ol.phrases { list-style: none; padding: 0; }
ol.phrases > li { border-bottom: 1px solid var(--line); }
details { margin: 0; }
summary { display: grid; grid-template-columns: 2rem 1fr 9rem 6rem; gap: .5rem; padding: .5rem; }
summary:hover { background: var(--soft); }
summary .rank, summary .count { text-align: right; font-variant-numeric: tabular-nums; }
summary .phrase { font-weight: 600; overflow-wrap: anywhere; }
summary .also { display: block; font-weight: 400; }
.bar { align-self: center; height: .6rem; width: 100%; }
.bar rect { fill: var(--bar); } .bar .all { fill: var(--soft); }
summary .count::after { content: " ▸"; } details[open] > summary .count::after { content: " ▾"; }
.documents { margin: 0 0 1rem 2.5rem; padding: 0; list-style: none; }
.documents > li { margin: .5rem 0; }
.documents q { display: block; quotes: none; border-left: 3px solid var(--line); padding-left: .75rem; margin: .25rem 0;
  overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
nav ul { columns: 2; }
@media (max-width: 40rem) { summary { grid-template-columns: 1.5rem 1fr 4rem; } summary .bar { display: none; } nav ul {
  columns: 1; } }
"""


@dataclass(frozen=True, slots=True)
class SetResult:
    """The keyphrases of one set, the spec of the method that found them, and texts and languages of its documents by
    id."""

    id: str
    method: str
    keyphrases: SetKeyphrases
    texts: Mapping[str, str]
    languages: Mapping[str, str] = field(default_factory=dict)


def page(sets: Sequence[SetResult], *, title: str = "Keyphrases of document sets") -> str:
    """Return the whole page."""
    parts = [f"<h1>{escape(title)}</h1>"]
    if len(sets) > 1:
        links = "".join(f'<li><a href="#{_anchor(i)}">{escape(one.id)}</a></li>' for i, one in enumerate(sets))
        parts.append(f"<nav><ul>{links}</ul></nav>")
    parts += [_section(one, _anchor(i), titled=len(sets) > 1) for i, one in enumerate(sets)]
    return document(title, parts, style=STYLE)


def _anchor(number: int) -> str:
    return f"set-{number + 1}"


def _section(one: SetResult, anchor: str, *, titled: bool) -> str:
    count = f"{len(one.texts):,} document{'' if len(one.texts) == 1 else 's'}"
    items = "\n".join(_phrase(phrase, rank, one.texts) for rank, phrase in enumerate(one.keyphrases, start=1))
    body = f'<ol class="phrases">\n{items}\n</ol>' if items else "<p>No keyphrases.</p>"
    about = f'<p class="about">{count}, by <code>{escape(one.method)}</code>. Open a phrase to see where it stands.</p>'
    notes = "".join(f'<p class="about">{escape(note)}</p>\n' for note in one.keyphrases.notes)
    title = f"<h2>{escape(one.id)}</h2>\n" if titled else ""
    return f'<section id="{anchor}">\n{title}{about}\n{notes}{body}\n</section>'


def _phrase(phrase: SetKeyphrase, rank: int, texts: Mapping[str, str]) -> str:
    others = [variant for variant in phrase.variants if variant != phrase.text][:6]
    notes = [f"also {', '.join(others)}"] if others else []
    if phrase.contrast is not None:
        c = phrase.contrast
        notes.append(
            f"{c.other_documents} of {c.other_total} in the other set; "
            f"{c.ratio:.1f} times as common, p = {c.p:.2g}, corrected {c.q:.2g}"
        )
    also = "".join(f'<span class="also">{escape(note)}</span>' for note in notes)
    share = round(100 * phrase.documents / phrase.total) if phrase.total else 0
    bar = (
        f'<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{share} per cent">'
        f'<rect class="all" width="100" height="6"/><rect width="{share}" height="6"/></svg>'
    )
    count = f"{phrase.documents} of {phrase.total}"
    return (
        f'<li><details><summary><span class="rank">{rank}</span><span class="phrase">{escape(phrase.text)}{also}</span>'
        f'{bar}<span class="count">{count}</span></summary>\n{_documents(phrase, texts)}\n</details></li>'
    )


def _documents(phrase: SetKeyphrase, texts: Mapping[str, str]) -> str:
    items = []
    for mention in phrase.mentions[:MOST_DOCUMENTS]:
        quotes, shown = _quotes(texts[mention.document], mention.spans)
        more = len(mention.spans) - shown
        rest = f' <span class="where">and {more} more</span>' if more > 0 else ""
        items.append(f'<li><span class="where">{escape(mention.document)}</span>{quotes}{rest}</li>')
    more = len(phrase.mentions) - MOST_DOCUMENTS
    if more > 0:
        items.append(f'<li class="where">and {more:,} more documents</li>')
    return f'<ul class="documents">{"".join(items)}</ul>'


def _quotes(text: str, spans: Sequence[Span]) -> tuple[str, int]:
    """Return up to QUOTES passages that do not overlap, with places marked, and how many places they show."""
    quotes: list[str] = []
    shown = 0
    while shown < len(spans) and len(quotes) < QUOTES:
        begin = max(0, spans[shown].start - CONTEXT)
        stop = min(len(text), spans[shown].end + CONTEXT)
        inside = [span for span in spans[shown:] if span.end <= stop]
        shown += len(inside)
        quotes.append(_quote(text, begin, stop, inside))
    return "".join(quotes), shown


def _quote(text: str, begin: int, stop: int, spans: Sequence[Span]) -> str:
    """Return the passage from `begin` to `stop`, cut at words, with `spans` marked."""
    if begin > 0:
        begin = min(text.find(" ", begin, spans[0].start) + 1 or begin, spans[0].start)
    if stop < len(text):
        stop = max(text.rfind(" ", spans[-1].end, stop), spans[-1].end)
    parts, at = ["… " if begin > 0 else ""], begin
    for start, end in spans:
        parts += _shown(text[at:start]), "<mark>", _shown(text[start:end]), "</mark>"
        at = end
    return "<q>" + "".join([*parts, _shown(text[at:stop]), " …" if stop < len(text) else ""]) + "</q>"


def _shown(text: str) -> str:
    return escape(WHITE_SPACE.sub(" ", text))
