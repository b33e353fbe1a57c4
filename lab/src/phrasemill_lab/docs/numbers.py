"""Find numbers in pages that no file of figures has.

- Speeds, on every page: they must be between markers; in the evidence, known numbers will do.
- Tables of the README and of the evidence: fractions and thousands must be between markers.
- Sentences of these: fractions must be between markers, or known.

Known are the numbers of the tables that a page shows, and what docs/figures/remarks.json says about the page: figures
that no command writes. Code, versions, dates, links and ordinary whole numbers are left alone. The verdicts on papers
are written by `phrasemill reproduce` from its own files, and are compared with these elsewhere.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from phrasemill_lab.bench.figures import Cell, Figures, FigureTable, shown

README = Path("README.md")
EVIDENCE, WRITTEN_BY_REPRODUCE = Path("docs", "evidence"), Path("docs", "evidence", "papers")
REMARKS = "remarks"
FRACTION = r"\d+(?:,\d{3})*\.\d+"
# Not a part of a version (1.2.3, Python 3.11), of a name (GPL-3.0, Section 6.2) or of a word.
ALONE = r"(?<![\w.@])(?<![A-Za-z]-)(?<!Python )(?<!Section )(?:{})(?![\w]|\.\d)"
FRACTIONS = re.compile(ALONE.format(FRACTION))
FIGURES = re.compile(ALONE.format(rf"{FRACTION}|\d{{1,3}}(?:,\d{{3}})+|\d+"))
LARGE = re.compile(ALONE.format(rf"{FRACTION}|\d{{1,3}}(?:,\d{{3}})+"))
# 3,000 abstracts per second, 12 documents/s; not: half a second, takes a second, 16 KB per second.
SPEED = re.compile(
    r"(?<![\w@.])(\d[\d,.]*)(?: (?!about|half|take|takes|is|in|[KMG]i?B)[\w'-]+){0,3}?(?: (?:a|per) second|/s)\b"
)
SHOWN = re.compile(r"<!-- figures: ([\w-]+)(?:\.([\w-]+))?")
HIDDEN = re.compile(
    r"^( *)(?P<fence>```|~~~).*?^\1(?P=fence)[^\n]*$"  # fenced code
    r"|<!-- figures: [^>]*-->.*?<!-- end -->|<!--.*?-->"
    r"|`[^`\n]*`|(?<=\])\([^)\n]*\)"  # code, and where links lead
    r"|CC BY(?:-SA)? \d\.\d(?: or \d\.\d)?|Apache(?: License)? 2\.0",
    re.MULTILINE | re.DOTALL,
)


def sourceless(page: Path, text: str, figures: Mapping[str, Figures]) -> Iterator[str]:
    """Yield where a page has a number without a source, and which: `12: 49.5 …`."""
    strict = is_strict(page)
    known = set(_known(page, text, figures)) if strict else set()
    bare = HIDDEN.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), text)
    for count, line in enumerate(bare.splitlines(), 1):
        if strict and line.lstrip().startswith("|"):
            if found := LARGE.search(line):
                yield f"{count}: {found[0]} in a table is not between markers"
            continue
        for speed in SPEED.finditer(line):
            if speed[1] not in known:
                yield f"{count}: the speed {speed[0]!r} is not between markers"
        for one in FRACTIONS.findall(line) if strict else ():
            if one not in known:
                yield f"{count}: {one} is in no file of figures of this page"


def is_strict(page: Path) -> bool:
    """Return whether all figures of a page are checked: those of the README and of the evidence."""
    return page == README or (page.is_relative_to(EVIDENCE) and not page.is_relative_to(WRITTEN_BY_REPRODUCE))


def _known(page: Path, text: str, figures: Mapping[str, Figures]) -> Iterator[str]:
    for file, name in set(SHOWN.findall(text)):
        if file in figures:
            yield from numbers(figures[file], name)
    if REMARKS in figures:
        for where, _, cell, *_ in figures[REMARKS].table(REMARKS).rows:
            if where == page.as_posix():
                yield from _parts(cell, None)


def numbers(run: Figures, name: str = "") -> Iterator[str]:
    """Yield all numbers of a run, or of one of its values, as pages show them."""
    for value in [run.value(name)] if name else run.values.values():
        if isinstance(value, FigureTable):
            for row in value.rows:
                for column, cell in zip(value.columns, row, strict=True):
                    yield from _parts(cell, value.digits.get(column))
        else:
            yield from _parts(value, None)


def _parts(cell: Cell, digits: int | None) -> Iterator[str]:
    yield from FIGURES.findall(shown(cell, digits))
