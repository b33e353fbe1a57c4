"""Results as text: JSON, lines of JSON, CSV, plain lines, and tables in plain columns."""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from phrasemill.types import Document, Keyphrase, Span

ABSENT = "absent"  # instead of a number of places
HEADER = ("#", "keyphrase", "score", "times")
NOTHING = "no keyphrases"
MOST_REASONS = 5


class Result(NamedTuple):
    """The keyphrases of one document, and the spec of the method that found them."""

    document: Document
    method: str
    keyphrases: list[Keyphrase]


def render(
    results: Iterator[Result],
    format: str,
    *,
    many: bool,
    highlight: bool = False,
    concepts: bool = False,
    encoding: str = "utf-8",
) -> Iterator[str]:
    """The results in `format`, in chunks that can be printed as they come; `many` is for several inputs, `concepts`
    for those with a vocabulary."""
    if format == "json":
        records = [_readable(record(result), encoding) for result in results]
        yield (records[0] if not many else "[\n" + ",\n".join(records) + "\n]" if records else "[]") + "\n"
    elif format == "jsonl":
        for result in results:
            yield to_json(record(result), encoding) + "\n"
    elif format == "csv":
        yield from _csv(results, concepts=concepts)
    elif format == "text":
        for result in results:
            yield "".join(f"{one_line(keyphrase.text)}\n" for keyphrase in result.keyphrases)
    else:
        for i, result in enumerate(results):
            yield ("\n" if i else "") + (f"{clean(result.document.id)}\n" if many else "")
            yield (f"{marked(result)}\n\n" if highlight else "") + table(result) + reasons(result)


def record(result: Result) -> dict[str, object]:
    """The shape that `evaluate` reads."""
    return {
        "id": result.document.id,
        "method": result.method,
        "keyphrases": [keyphrase.record() for keyphrase in result.keyphrases],
    }


def reasons(result: Result) -> str:
    """Below the table, for each phrase, why it is there; nothing where nobody asked."""
    lines = []
    for rank, k in enumerate(result.keyphrases, start=1):
        if k.evidence:
            lines += ["", f"{rank} {one_line(k.text)}", *(f"  {line}" for line in reasons_of(k))]
    return "\n".join([*lines, ""]) if lines else ""


def reasons_of(keyphrase: Keyphrase) -> list[str]:
    """The strongest reasons, one a line, with how far each moved the score."""
    return [
        (f"{one.weight:+.2f}  " if one.weight else "") + one_line(one.words)
        for one in keyphrase.evidence[:MOST_REASONS]
    ]


def to_json(value: object, encoding: str | None, indent: int | None = None) -> str:
    """JSON as people read it, with escapes only where the output has no such characters."""
    import json

    return json.dumps(value, ensure_ascii=not (encoding or "").lower().startswith("utf"), indent=indent)


def _readable(record: dict[str, object], encoding: str) -> str:
    """A record over several lines, one a keyphrase."""
    head = [f"  {to_json(key, encoding)}: {to_json(record[key], encoding)}" for key in ("id", "method")]
    keyphrases = record["keyphrases"]
    assert isinstance(keyphrases, list)
    lines = ",\n".join([f"    {to_json(keyphrase, encoding)}" for keyphrase in keyphrases])
    inside = f"[\n{lines}\n  ]" if lines else "[]"
    return "{\n" + ",\n".join([*head, f'  "keyphrases": {inside}']) + "\n}"


def _csv(results: Iterable[Result], *, concepts: bool) -> Iterator[str]:
    from phrasemill.tables import csv_of

    header = ("id", "rank", "text", "score", "present", "start", "end")
    rows: list[Sequence[object]] = [(*header, "concept", "label") if concepts else header]
    for result in results:
        for rank, k in enumerate(result.keyphrases, start=1):
            place = k.spans[0] if k.spans else ("", "")
            name = (k.concept, k.label) if concepts else ()
            rows.append((result.document.id, rank, k.text, k.score, str(k.present).lower(), *place, *name))
        yield csv_of(rows)
        rows = []


def header(result: Result) -> tuple[str, ...]:
    """The columns of a table; one more where phrases stand for concepts."""
    return (*HEADER, "concept") if any(k.concept for k in result.keyphrases) else HEADER


def rows(result: Result) -> list[tuple[str, ...]]:
    """Rank, phrase, score, number of places and, where there are any, concept of each keyphrase; scores with the same
    number of decimals."""
    places = decimals(k.score for k in result.keyphrases)
    cells = [
        (str(rank), one_line(k.text), f"{k.score:.{places}f}", str(len(k.spans) or ABSENT), one_line(concept(k)))
        for rank, k in enumerate(result.keyphrases, start=1)
    ]
    return [row[: len(header(result))] for row in cells]


def concept(keyphrase: Keyphrase) -> str:
    """The preferred label, and the id where it is another."""
    if not keyphrase.concept or keyphrase.concept == keyphrase.label:
        return keyphrase.label
    return f"{keyphrase.label} ({keyphrase.concept})"


def decimals(scores: Iterable[float]) -> int:
    """So many that the best score has four significant digits."""
    best = max((abs(score) for score in scores), default=0.0)
    return min(max(3 - math.floor(math.log10(best)), 0), 9) if best and math.isfinite(best) else 3


def table(result: Result) -> str:
    """The keyphrases in plain columns, for pipes and files."""
    return columns([header(result), *rows(result)], right=(0, 2, 3)) if result.keyphrases else f"{NOTHING}\n"


def columns(lines: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows of cells, aligned by spaces."""
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    out = []
    for cells in lines:
        padding = [" " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True)]
        padded = [p + c if i in right else c + p for i, (c, p) in enumerate(zip(cells, padding, strict=True))]
        out.append("  ".join(padded).rstrip())
    return "\n".join(out) + "\n"


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(1 for character in text if unicodedata.east_asian_width(character) in "WF")
    return len(text) + wide - sum(1 for character in text if unicodedata.category(character) in ("Mn", "Me", "Cf"))


def clean(text: str) -> str:
    """`text` without the characters that would drive a terminal (escape, bell …)."""
    if text.isprintable():
        return text
    return "".join([" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n\t" else c for c in text])


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def marked(result: Result) -> str:
    """The text with its keyphrases in double brackets."""
    text = clean(result.document.content)
    out: list[str] = []
    done = 0
    for (start, end), _ in places(result.keyphrases):
        out += text[done:start], "[[", text[start:end], "]]"
        done = end
    return "".join([*out, text[done:]]).rstrip()


def places(keyphrases: Sequence[Keyphrase]) -> list[tuple[Span, int]]:
    """Every place to mark, with the index of its phrase. Where two overlap, the longer wins, then the better."""
    every = [(span, rank) for rank, k in enumerate(keyphrases) for span in k.spans]
    every.sort(key=lambda place: (place[0].start, place[0].start - place[0].end, place[1]))
    chosen: list[tuple[Span, int]] = []
    for span, rank in every:
        if chosen and span.start < chosen[-1][0].end:
            if span.end - span.start <= chosen[-1][0].end - chosen[-1][0].start:
                continue
            chosen.pop()
        chosen.append((span, rank))
    return chosen
