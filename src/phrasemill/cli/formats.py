"""Results as text: JSON, JSON lines, CSV, plain lines, and tables in plain columns."""

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.tables import align, csv_of, rounded
from phrasemill.keyphrases import ABSENT, aligned, marked_spans
from phrasemill.types import Document, Keyphrase

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
    """Yield the results in `format`, in chunks that can be printed as they come; `many` is for several inputs,
    `concepts` for those with a vocabulary."""
    if format in ("json", "jsonl"):
        yield from as_json(map(record, results), format, many=many, encoding=encoding)
    elif format == "bulk":
        from phrasemill.engine.bulk import bulk_lines

        yield from (bulk_lines(one.document, one.keyphrases) for one in results)
    elif format == "csv":
        yield from _csv(results, concepts=concepts)
    elif format == "text":
        for result in results:
            yield "".join(f"{_text_line(keyphrase, concepts)}\n" for keyphrase in result.keyphrases)
    else:
        for i, result in enumerate(results):
            yield ("\n" if i else "") + (f"{clean(result.document.id)}\n" if many else "")
            yield (f"{marked(result)}\n\n" if highlight else "") + table(result) + reasons(result)


def _text_line(keyphrase: Keyphrase, concepts: bool) -> str:
    """Return a phrase; with a vocabulary, its label and the id of its concept after it, separated by tabs."""
    cells = (keyphrase.text, keyphrase.label, keyphrase.concept) if concepts else (keyphrase.text,)
    return "\t".join(map(one_line, cells))


def on_screen() -> bool:
    """Return whether a person is looking, so that colours and frames make sense."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def write(text: str | Iterable[str], output: Path | None) -> None:
    """Write a text, or chunks of one, to a file or the screen; a file is replaced when the first chunk is there."""
    chunks = iter([text] if isinstance(text, str) else text)
    if output is None:
        sys.stdout.writelines(chunks)
        return
    first = next(chunks, "")
    with output.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(first)
        file.writelines(chunks)


def write_json(value: object, output: Path | None = None) -> None:
    """Write a value as indented JSON to a file or the screen."""
    write(to_json(value, "utf-8" if output else sys.stdout.encoding, indent=2) + "\n", output)


def writable(target: Path) -> Path:
    """Return the file to write; raise `InputError` if it is a folder, or in none."""
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"{target}: {'is a folder' if target.is_dir() else 'there is no such folder'}")
    return target


def size(path: Path) -> str:
    """Return the size of a file, or of all files in a folder, with its unit."""
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    count = sum(one.stat().st_size for one in files)
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


def as_json(records: Iterable[dict[str, object]], format: str, *, many: bool, encoding: str) -> Iterator[str]:
    """Yield records as `jsonl`, or as `json` with one line per keyphrase: a list of them if `many`."""
    if format == "jsonl":
        yield from (to_json(one, encoding) + "\n" for one in records)
        return
    texts = [_readable(one, encoding) for one in records]
    yield (texts[0] if not many else "[\n" + ",\n".join(texts) + "\n]" if texts else "[]") + "\n"


def record(result: Result) -> dict[str, object]:
    """Return a result in the shape that `evaluate` reads."""
    return {
        "id": result.document.id,
        "language": result.document.language,
        "method": result.method,
        "keyphrases": [keyphrase.to_dict() for keyphrase in result.keyphrases],
    }


def reasons(result: Result) -> str:
    """Return the lines below the table, with the evidence for each phrase, if it was requested."""
    lines = []
    for rank, k in enumerate(result.keyphrases, start=1):
        if k.evidence:
            lines += ["", f"{rank} {one_line(k.text)}", *(f"  {line}" for line in reasons_of(k))]
    return "\n".join([*lines, ""]) if lines else ""


def reasons_of(keyphrase: Keyphrase) -> list[str]:
    """Return the strongest reasons, one per line, with how far each moved the score."""
    return [
        (f"{one.weight:+.2f}  " if one.weight else "") + one_line(one.words)
        for one in keyphrase.evidence[:MOST_REASONS]
    ]


def to_json(value: object, encoding: str | None, indent: int | None = None) -> str:
    """Return JSON with rounded numbers, and with escapes only where the encoding of the output lacks a character."""
    import json

    return json.dumps(rounded(value), ensure_ascii=not (encoding or "").lower().startswith("utf"), indent=indent)


def _readable(record: dict[str, object], encoding: str) -> str:
    *head, (key, keyphrases) = record.items()
    assert isinstance(keyphrases, list)
    lines = [f"  {to_json(name, encoding)}: {to_json(value, encoding)}" for name, value in head]
    inside = ",\n".join([f"    {to_json(keyphrase, encoding)}" for keyphrase in keyphrases])
    lines.append(f'  "{key}": [\n{inside}\n  ]' if inside else f'  "{key}": []')
    return "{\n" + ",\n".join(lines) + "\n}"


def _csv(results: Iterable[Result], *, concepts: bool) -> Iterator[str]:
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
    """Return the columns of a table; one more where phrases stand for concepts."""
    return (*HEADER, "concept") if any(k.concept for k in result.keyphrases) else HEADER


def rows(result: Result) -> list[tuple[str, ...]]:
    """Return rank, phrase, score, count and, where there are any, concept of each keyphrase; scores have the same
    number of decimals."""
    scores = aligned(k.score for k in result.keyphrases)
    cells = [
        (str(rank), one_line(k.text), score, str(len(k.spans) or ABSENT), one_line(concept(k)))
        for rank, (k, score) in enumerate(zip(result.keyphrases, scores, strict=True), start=1)
    ]
    return [row[: len(header(result))] for row in cells]


def concept(keyphrase: Keyphrase) -> str:
    """Return the preferred label, and the id if it is another."""
    if not keyphrase.concept or keyphrase.concept == keyphrase.label:
        return keyphrase.label
    return f"{keyphrase.label} ({keyphrase.concept})"


def table(result: Result) -> str:
    """Return the keyphrases in plain columns, for pipes and files."""
    return align([header(result), *rows(result)], right=(0, 2, 3)) if result.keyphrases else f"{NOTHING}\n"


def clean(text: str) -> str:
    """Return `text` without the characters that control a terminal (escape, bell …)."""
    if text.isprintable():
        return text
    return "".join([" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n\t" else c for c in text])


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def marked(result: Result) -> str:
    """Return the text with its keyphrases in double brackets."""
    text = clean(result.document.content)
    out: list[str] = []
    done = 0
    for (start, end), _ in marked_spans(result.keyphrases):
        out += text[done:start], "[[", text[start:end], "]]"
        done = end
    return "".join([*out, text[done:]]).rstrip()
