"""Parts of Markdown pages: tables, docstrings, code."""

import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc

from phrasemill.tables import Table, as_markdown

CODE = re.compile(r"(`+[^`]*`+)")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of words; nothing without rows."""
    found = tuple([tuple([" ".join(cell.split()) for cell in row]) for row in rows])
    return as_markdown(Table("", tuple(header), found, words=True)) if found else ""


def code(value: str) -> str:
    """Return inline code; nothing for nothing."""
    return f"`{value}`" if value else ""


def block(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def contents(names: Iterable[str]) -> str:
    """Return links to the sections of a page, which are named in code."""
    return ", ".join(f"[`{name}`](#{anchor(name)})" for name in names)


def anchor(heading: str) -> str:
    """Return the address of a heading within its page."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def prose(docstring: str | None) -> str:
    """Return a docstring as Markdown: tags outside of code are shown as they are."""
    text = cleandoc(docstring or "")
    lines = []
    for line in text.splitlines():
        lines.append(line if line.startswith("    ") else escaped(line))
    return "\n".join(lines) + "\n" if lines else ""


def escaped(text: str) -> str:
    """Return text whose angle brackets are not taken for HTML."""
    parts = CODE.split(text)
    return "".join(part if i % 2 else part.replace("<", "&lt;") for i, part in enumerate(parts))


def page(title: str, intro: str, parts: Iterable[str]) -> str:
    """Return a page, with the note that it is written by a command."""
    note = "<!-- Written by python -m phrasemill_lab.docs.reference from the code. Do not edit. -->\n"
    return "\n".join([note, f"# {title}\n", f"{intro}\n", *(part for part in parts if part)]).rstrip("\n") + "\n"
