"""Find numbers in pages that no file of figures has.

- Speeds, on every page: they must be between markers.
- Tables of the README and of the evidence: fractions and thousands must be between markers.
- Sentences of these: fractions must be between markers, or occur in a file of figures.

Code, versions, dates, links and ordinary whole numbers are left alone. The verdicts on papers are written by
`phrasemill reproduce` from its own files, and are compared with these elsewhere.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from phrasemill.lab.bench.figures import Cell, Figures, FigureTable, shown

EVIDENCE, WRITTEN_BY_REPRODUCE = Path("docs", "evidence"), Path("docs", "evidence", "papers")
FRACTION = r"\d+(?:,\d{3})*\.\d+"
# Not a part of a version (1.2.3), of a name (GPL-3.0) or of a word.
ALONE = r"(?<![\w.@])(?<![A-Za-z]-)(?:{})(?![\w]|\.\d)"
FRACTIONS = re.compile(ALONE.format(FRACTION))
FIGURES = re.compile(ALONE.format(rf"{FRACTION}|\d{{1,3}}(?:,\d{{3}})+"))
SPEED = re.compile(r"\d[\d,.]*(?: [\w'-]+){0,3}?(?: (?:a|per) second|/s)\b")
HIDDEN = re.compile(
    r"^( *)(?P<fence>```|~~~).*?^\1(?P=fence)[^\n]*$"  # fenced code
    r"|<!-- figures: [^>]*-->.*?<!-- end -->|<!--.*?-->"
    r"|`[^`\n]*`|(?<=\])\([^)\n]*\)",  # code, and where links lead
    re.MULTILINE | re.DOTALL,
)


def sourceless(page: Path, text: str, figures: Mapping[str, Figures]) -> Iterator[str]:
    """Yield where a page has a number without a source, and which: `12: 49.5 …`."""
    strict = page.name == "README.md" or (
        page.is_relative_to(EVIDENCE) and not page.is_relative_to(WRITTEN_BY_REPRODUCE)
    )
    known = {number for run in figures.values() for number in numbers(run)} if strict else set()
    bare = HIDDEN.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), text)
    for count, line in enumerate(bare.splitlines(), 1):
        if found := SPEED.search(line):
            yield f"{count}: the speed {found[0]!r} is not between markers"
        elif strict and line.lstrip().startswith("|"):
            if found := FIGURES.search(line):
                yield f"{count}: {found[0]} in a table is not between markers"
        elif strict:
            for one in FRACTIONS.findall(line):
                if one not in known:
                    yield f"{count}: {one} is in no file of figures"


def numbers(run: Figures) -> Iterator[str]:
    """Yield all numbers of a run, as pages show them."""
    for value in run.values.values():
        if isinstance(value, FigureTable):
            for row in value.rows:
                for column, cell in zip(value.columns, row, strict=True):
                    yield from _parts(cell, value.digits.get(column))
        else:
            yield from _parts(value, None)


def _parts(cell: Cell, digits: int | None) -> Iterator[str]:
    yield from FIGURES.findall(shown(cell, digits))
