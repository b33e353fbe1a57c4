"""How the keyphrases of a document look: as a table, marked in the text, and in the other formats of `extract`."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from phrasemill.cli.output import Part, View, on_screen
from phrasemill.files.tables import Table, clean, one_line
from phrasemill.keyphrases import ABSENT, marked_spans
from phrasemill.types import Document, Keyphrase

if TYPE_CHECKING:
    from rich.text import Text

NOTHING = "no keyphrases"
MOST_REASONS = 5
# Marks on a terminal, readable on dark and on light ones alike: the background is set, too.
MARKS = (
    "black on bright_yellow",
    "black on bright_cyan",
    "black on bright_green",
    "black on bright_magenta",
    "bright_white on blue",
    "bright_white on dark_red",
)


class Result(NamedTuple):
    """The keyphrases of one document, and the spec of the method that found them."""

    document: Document
    method: str
    keyphrases: list[Keyphrase]


def listing(*, many: bool, highlight: bool, concepts: bool, output: Path | None) -> View[Result]:
    """Return the view of results; `many` is for several documents, `concepts` for those with a vocabulary."""
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"  # marks need colours
    coloured = highlight and output is None and on_screen() and not dull
    table = partial(_table, many=many, highlight=highlight, coloured=coloured, concepts=concepts)
    return View(table, record, partial(_rows, concepts=concepts), partial(_lines, concepts=concepts))


def record(result: Result) -> dict[str, object]:
    """Return a result in the shape that `evaluate` reads."""
    return {
        "id": result.document.id,
        "language": result.document.language,
        "method": result.method,
        "keyphrases": [keyphrase.to_dict() for keyphrase in result.keyphrases],
    }


def _table(result: Result, *, many: bool, highlight: bool, coloured: bool, concepts: bool) -> Iterator[Part]:
    """Yield the text with its marks, if that is wanted, the table, and the reasons; with a vocabulary labels first."""
    title, found = result.document.id if many else "", result.keyphrases
    if highlight:
        heading, title = f"{title}\n" if title else "", ""
        yield _coloured(result, heading) if coloured else f"{heading}{_bracketed(result)}"
    if not found:
        yield f"{title}\n{NOTHING}" if title else NOTHING
        return
    phrases = [_mark(rank, k.text) if coloured else k.text for rank, k in enumerate(found)]
    ranks, times = range(1, len(found) + 1), [len(k.spans) or ABSENT for k in found]
    columns = {"#": ranks, "keyphrase": phrases, "score": [float(k.score) for k in found], "times": times}
    if concepts:
        columns = {"#": ranks, "concept": [k.label for k in found], **columns}
        if any(k.concept != k.label for k in found):
            columns["id"] = [k.concept for k in found]
    yield Table(title, tuple(columns), list(zip(*columns.values(), strict=True)))
    if reasons := [_reasons(rank, k) for rank, k in enumerate(found, start=1) if k.evidence]:
        yield "\n\n".join(reasons)


def _rows(result: Result, *, concepts: bool) -> Table:
    """Return the columns of CSV, with a vocabulary those of concepts first."""
    header = ("id", "rank", *(("label", "concept") if concepts else ()), "text", "score", "present", "start", "end")
    rows = []
    for rank, k in enumerate(result.keyphrases, start=1):
        place = k.spans[0] if k.spans else ("", "")
        name = (k.label, k.concept) if concepts else ()
        rows.append((result.document.id, rank, *name, k.text, k.score, str(k.present).lower(), *place))
    return Table("", header, rows)


def _lines(result: Result, *, concepts: bool) -> Iterator[str]:
    """Yield the phrases; with a vocabulary the label, or else the phrase, its wording and the id of its concept."""
    for k in result.keyphrases:
        yield "\t".join(map(one_line, (k.label or k.text, k.text, k.concept) if concepts else (k.text,)))


def _reasons(rank: int, keyphrase: Keyphrase) -> str:
    """Return the strongest reasons, one per line, with how far each moved the score."""
    lines = [f"{rank} {one_line(keyphrase.text)}"]
    for one in keyphrase.evidence[:MOST_REASONS]:
        lines.append("  " + (f"{one.weight:+.2f}  " if one.weight else "") + one_line(one.words))
    return "\n".join(lines)


def _bracketed(result: Result) -> str:
    """Return the text with its keyphrases in double brackets."""
    text = clean(result.document.content)
    out: list[str] = []
    done = 0
    for (start, end), _ in marked_spans(result.keyphrases):
        out += text[done:start], "[[", text[start:end], "]]"
        done = end
    return "".join([*out, text[done:]]).rstrip()


def _coloured(result: Result, heading: str) -> "Text":
    """Return the text with each keyphrase in the colour that it has in the table below."""
    from rich.text import Text

    text = Text(f"{heading}{clean(result.document.content).rstrip()}")
    for (start, end), rank in marked_spans(result.keyphrases):
        text.stylize(MARKS[rank % len(MARKS)], len(heading) + start, len(heading) + end)
    return text


def _mark(rank: int, phrase: str) -> "Text":
    from rich.text import Text

    return Text(one_line(phrase), style=MARKS[rank % len(MARKS)])
