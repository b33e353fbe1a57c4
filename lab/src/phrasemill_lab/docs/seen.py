"""What a method sees in a text, as a picture: the text with its keyphrases marked, their scores, and the reasons."""

import textwrap
from collections.abc import Iterator, Sequence

from phrasemill import plots
from phrasemill.types import Keyphrase

COLUMNS, LETTER, LINE = 92, 7.3, 20  # of a font whose letters are of one width
LEFT, TOP, WIDTH = 16, 14, 760
BAR, NAME, REASONS = 110, 150, 2
MONOSPACE = 'style="font: 12px ui-monospace, monospace"'
MARK = 'fill-opacity="0.35" rx="3"'


def picture(text: str, keyphrases: Sequence[Keyphrase], *, title: str) -> str:
    """Return the beginning of `text`, up to the last complete paragraph given, and the keyphrases below it."""
    parts: list[str] = []
    y = float(TOP)
    for start, line in _lines(text):
        y += LINE
        for number, phrase in enumerate(keyphrases):
            for span in phrase.spans:
                first, last = max(span.start, start), min(span.end, start + len(line))
                if first < last:
                    x, width = LEFT + (first - start) * LETTER, (last - first) * LETTER
                    box = f'x="{x - 1:.1f}" y="{y - 13:.1f}" width="{width + 2:.1f}" height="17"'
                    parts.append(f'<rect {box} fill="{plots.colour(number)}" {MARK}/>')
        if line:
            fixed = f'{MONOSPACE} textLength="{len(line) * LETTER:.0f}"'
            parts.append(plots.text(LEFT, y, line, anchor="start", extra=fixed))
    y += LINE
    for number, phrase in enumerate(keyphrases):
        y += LINE + 12
        parts += _row(phrase, number, y)
        y += LINE - 4
    return plots.svg(title, parts, width=WIDTH, height=y + TOP)


def _row(phrase: Keyphrase, number: int, y: float) -> Iterator[str]:
    """Yield the phrase, a bar for its score, and the strongest reasons."""
    yield plots.text(LEFT, y, phrase.text, anchor="start", extra='font-weight="bold"')
    box = f'x="{LEFT + NAME}" y="{y - 11}" width="{BAR * phrase.score:.1f}" height="13"'
    yield f'<rect {box} fill="{plots.colour(number)}"/>'
    yield plots.text(LEFT + NAME + BAR + 34, y, f"{phrase.score:.2f}", anchor="end")
    for i, one in enumerate(phrase.evidence[:REASONS]):
        yield plots.text(LEFT + NAME + BAR + 50, y + i * 16, one.words, anchor="start", extra='fill-opacity="0.8"')


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with the place where each begins."""
    position = 0
    for paragraph in text.split("\n"):
        if not paragraph:
            yield position, ""
        at = 0
        for line in textwrap.wrap(paragraph, COLUMNS):
            at = paragraph.index(line, at)
            yield position + at, line
            at += len(line)
        position += len(paragraph) + 1
