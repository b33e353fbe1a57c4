"""`tags review`: what could be tidied up, to accept or refuse by name, by kind, or in a file."""

import csv
from collections.abc import Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from phrasemill.cli import formats, options
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import align, csv_of

if TYPE_CHECKING:
    from phrasemill.tags.collection import Tags
    from phrasemill.tags.review import Proposal

EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags review my.tags
  phrasemill tags review my.tags --accept Baking,vegtables --refuse soil --write
  phrasemill tags review my.tags --kind plural --accept all --write
  phrasemill tags review my.tags --format csv > decisions.csv
  phrasemill tags review my.tags --decisions decisions.csv --write"""
FORMATS = ("table", "json", "csv")
HEADER = ("decision", "kind", "old", "new", "documents", "why")
ACCEPT, REFUSE = "accept", "refuse"
LARGEST = 64 << 20

NAMES_HELP = "Proposals by the tag that would go, such as Baking; several with commas, or all."
DECISIONS_HELP = "A table as printed by --format csv, with accept or refuse in the first column."
KIND_HELP = "Only proposals of this kind: case, hyphen, plural, spelling, form, abbreviation, meaning, split or once."


class Decided(NamedTuple):
    """Proposals that were accepted, and those that were refused."""

    accepted: "list[Proposal]"
    refused: "list[Proposal]"


def register(group: typer.Typer) -> None:
    """Add the command to the group `tags`."""
    options.command(group, EXAMPLES)(review)


def review(
    tags: Annotated[Path, Option("TAGS", "The file of tags, written by phrasemill tags learn.")],
    kind: Annotated[list[str] | None, Option("--kind KIND", KIND_HELP + " May be repeated.")] = None,
    accept: Annotated[list[str] | None, Option("--accept TAG", f"{NAMES_HELP} May be repeated.")] = None,
    refuse: Annotated[list[str] | None, Option("--refuse TAG", f"{NAMES_HELP} They are not proposed again.")] = None,
    decisions: Annotated[Path | None, Option("--decisions FILE", DECISIONS_HELP)] = None,
    write: Annotated[bool, Option("--write", "Write the changes to TAGS. Without it, only show them.", OUTPUT)] = False,
    format: Annotated[str, Option("--format -f FORMAT", "", OUTPUT, choices=FORMATS)] = "table",
) -> int:
    """Propose merges, splits and removals of tags, which you accept or refuse by name."""
    from phrasemill.tags.collection import Tags, changing

    if decisions is not None and (accept or refuse):
        raise ConfigError("--accept and --refuse, and --decisions are two ways to decide; use one")
    deciding = bool(accept or refuse or decisions)
    if write and not deciding:
        raise ConfigError("--write needs decisions: --accept, --refuse or --decisions")
    found = Tags.open(tags)
    proposals = found.review(kinds=kind)
    if not deciding:
        _list(proposals, format)
        return 0
    decided = _decided(proposals, accept, refuse) if decisions is None else _from_file(proposals, decisions)
    _show(decided, found)
    if not (decided.accepted or decided.refused):
        return 0
    if not write:
        print("nothing is written yet: add --write")
        return 0
    with changing(tags) as current:
        current.accept(decided.accepted)
        current.refuse(decided.refused)
    print(f"{tags}: updated; phrasemill tags apply FOLDER --with {tags} carries it over to the files")
    return 0


def _list(proposals: "Sequence[Proposal]", format: str) -> None:
    if format == "json":
        formats.write_json([one.record() for one in proposals])
    elif format == "csv":
        rows = [("", one.kind, one.old, " + ".join(one.new), one.documents, one.why) for one in proposals]
        formats.write(csv_of([HEADER, *rows]), None)
    elif proposals:
        lines = [(one.kind, f"{one.old} ({one.documents:,})", _becomes(one), one.why) for one in proposals]
        print(align(lines), end="")
    else:
        print("nothing to tidy up")


def _becomes(one: "Proposal") -> str:
    return f"→ {' + '.join(one.new)}" if one.new else "→ remove"


def _decided(proposals: "Sequence[Proposal]", accept: list[str] | None, refuse: list[str] | None) -> Decided:
    decided = Decided(_named(proposals, accept, ACCEPT), _named(proposals, refuse, REFUSE))
    both = next((one.old for one in decided.accepted if one in decided.refused), None)
    if both is not None:
        raise ConfigError(f"{both!r} is both accepted and refused")
    return decided


def _named(proposals: "Sequence[Proposal]", given: list[str] | None, option: str) -> "list[Proposal]":
    """Return the proposals that the values of an option name."""
    from phrasemill.cli.tags import split

    by_name = {one.old: one for one in proposals}
    found: list[Proposal] = []
    for value in given or []:
        if value not in by_name and value.strip().lower() == "all":
            found += proposals
            continue
        for name in [value] if value in by_name else split([value]):  # a tag may have a comma in it
            if name not in by_name:
                close = get_close_matches(name, by_name, n=1)
                raise ConfigError(
                    f"--{option} {name}: not among the proposals" + (f" (did you mean {close[0]!r}?)" if close else "")
                )
            found.append(by_name[name])
    return list(dict.fromkeys(found))


def _from_file(proposals: "Sequence[Proposal]", path: Path) -> Decided:
    from phrasemill.files.streams import read_file
    from phrasemill.readers.decoding import decode

    known = {(one.old, " + ".join(one.new)): one for one in proposals}
    decided = Decided([], [])
    rows = csv.reader(StringIO(decode(read_file(path, largest=LARGEST), name=str(path)), newline=""))
    header = [name.strip().lower() for name in next(rows, [])]
    if not {"decision", "old", "new"} <= set(header):
        raise InputError(f"{path}: needs the columns decision, old and new, as tags review --format csv prints them")
    for row in rows:
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        word = cells.get("decision", "").lower()
        if not word:
            continue
        if word not in (ACCEPT, REFUSE):
            raise InputError(f"{path}, line {rows.line_num}: a decision is accept or refuse; got {word!r}")
        one = _matching(known, cells)
        if one is None:
            raise InputError(f"{path}, line {rows.line_num}: {cells.get('old')!r} is not among the proposals any more")
        (decided.accepted if word == ACCEPT else decided.refused).append(one)
    return decided


def _matching(known: "dict[tuple[str, str], Proposal]", cells: dict[str, str]) -> "Proposal | None":
    """Return the proposal of a row; a leading apostrophe guards cells against spreadsheets."""
    old, new = cells.get("old", ""), cells.get("new", "")
    wordings = ((a, b) for a in (old, old.removeprefix("'")) for b in (new, new.removeprefix("'")))
    return next((known[pair] for pair in wordings if pair in known), None)


def _show(decided: Decided, tags: "Tags") -> None:
    """Print what the decisions change."""
    counts = tags.counts
    rows = []
    for one in decided.accepted:
        after = [f"{tag} ({len(_documents(tags, tag, decided)):,})" for tag in one.new]
        rows.append((one.old, f"({counts[one.old]:,})", f"→ {' + '.join(after)}" if after else "→ removed"))
    rows += [(one.old, f"({counts[one.old]:,})", "stays, and is not proposed again") for one in decided.refused]
    print(align(rows) if rows else "nothing was decided\n", end="")


def _documents(tags: "Tags", tag: str, decided: Decided) -> set[str]:
    """Return the documents that a tag will have."""
    found = set(tags.usage.documents_of(tag))
    for one in decided.accepted:
        if tag in one.new:
            found |= tags.usage.documents_of(one.old)
    return found
