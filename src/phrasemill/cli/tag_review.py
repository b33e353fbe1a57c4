"""`tags review`: what could be tidied up, to accept or refuse one by one, by number, by kind, or in a file."""

import csv
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from phrasemill.cli import formats, options
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.errors import ConfigError, InputError
from phrasemill.tables import align, csv_of

if TYPE_CHECKING:
    from phrasemill.tags.collection import Tags
    from phrasemill.tags.review import Proposal

EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags review my.tags
  phrasemill tags review my.tags --accept 1,3 --refuse 2 --write
  phrasemill tags review my.tags --kind plural --accept all --write
  phrasemill tags review my.tags --ask
  phrasemill tags review my.tags --format csv > decisions.csv
  phrasemill tags review my.tags --decisions decisions.csv --write"""
FORMATS = ("table", "json", "csv")
HEADER = ("decision", "kind", "old", "new", "documents", "why")
ACCEPT, REFUSE = "accept", "refuse"
SPELT = {
    "a": ACCEPT,
    "y": ACCEPT,
    "yes": ACCEPT,
    "r": REFUSE,
    "n": REFUSE,
    "no": REFUSE,
    ACCEPT: ACCEPT,
    REFUSE: REFUSE,
}
LARGEST = 64 << 20

NUMBERS_HELP = "Proposals by number, such as 1,3-5, or all."
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
    accept: Annotated[str | None, Option("--accept NUMBERS", NUMBERS_HELP)] = None,
    refuse: Annotated[str | None, Option("--refuse NUMBERS", f"{NUMBERS_HELP} They are not proposed again.")] = None,
    decisions: Annotated[Path | None, Option("--decisions FILE", DECISIONS_HELP)] = None,
    ask: Annotated[bool, Option("--ask", "Ask about each proposal in turn.")] = False,
    write: Annotated[bool, Option("--write", "Write the changes to TAGS. Without it, only show them.", OUTPUT)] = False,
    format: Annotated[str, Option("--format -f FORMAT", "", OUTPUT, choices=FORMATS)] = "table",
) -> int:
    """Propose merges, splits and removals of tags, which you accept or refuse one by one."""
    from phrasemill.tags.collection import Tags, changing

    ways = [accept or refuse, decisions, ask]
    if sum(map(bool, ways)) > 1:
        raise ConfigError("--accept and --refuse, --decisions, and --ask are three ways to decide; use one")
    if write and not any(ways):
        raise ConfigError("--write needs decisions: --accept, --refuse, --decisions or --ask")
    found = Tags.open(tags)
    proposals = found.review(kinds=kind)
    if not any(ways):
        _list(proposals, format)
        return 0
    decided = _decided(proposals, accept, refuse, decisions)
    _show(decided, found)
    if not (decided.accepted or decided.refused):
        return 0
    if not (write or (ask and _confirmed(tags))):
        print("nothing is written yet" + ("" if ask else ": add --write"))
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
        lines = [
            (str(one.number), one.kind, f"{one.old} ({one.documents:,})", _becomes(one), one.why) for one in proposals
        ]
        print(align(lines, right=(0,)), end="")
    else:
        print("nothing to tidy up")


def _becomes(one: "Proposal") -> str:
    return f"→ {' + '.join(one.new)}" if one.new else "→ remove"


def _decided(
    proposals: "Sequence[Proposal]", accept: str | None, refuse: str | None, decisions: Path | None
) -> Decided:
    if decisions is not None:
        return _from_file(proposals, decisions)
    if accept or refuse:
        accepted, refused = (
            _numbered(proposals, given, option) for given, option in ((accept, ACCEPT), (refuse, REFUSE))
        )
        both = {one.number for one in accepted} & {one.number for one in refused}
        if both:
            raise ConfigError(f"proposal {min(both)} is both accepted and refused")
        return Decided(accepted, refused)
    return _asked(proposals)


def _numbered(proposals: "Sequence[Proposal]", given: str | None, option: str) -> "list[Proposal]":
    """Return the proposals that `1,3-5` or `all` names."""
    if not given:
        return []
    if given.strip().lower() == "all":
        return list(proposals)
    found: list[Proposal] = []
    for part in given.split(","):
        first, mark, last = (side.strip() for side in part.partition("-"))
        if not first.isdecimal() or (mark and not last.isdecimal()):
            raise ConfigError(f"--{option} takes numbers such as 1,3-5, or all; got {given!r}")
        for number in range(int(first), int(last or first) + 1):
            if not 1 <= number <= len(proposals):
                raise ConfigError(f"--{option} {number}: there are {len(proposals):,} proposals")
            found.append(proposals[number - 1])
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
        if word not in SPELT:
            raise InputError(f"{path}, line {rows.line_num}: a decision is accept or refuse; got {word!r}")
        one = _matching(known, cells)
        if one is None:
            raise InputError(f"{path}, line {rows.line_num}: {cells.get('old')!r} is not among the proposals any more")
        (decided.accepted if SPELT[word] == ACCEPT else decided.refused).append(one)
    return decided


def _matching(known: "dict[tuple[str, str], Proposal]", cells: dict[str, str]) -> "Proposal | None":
    """Return the proposal of a row; a leading apostrophe guards cells against spreadsheets."""
    old, new = cells.get("old", ""), cells.get("new", "")
    wordings = ((a, b) for a in (old, old.removeprefix("'")) for b in (new, new.removeprefix("'")))
    return next((known[pair] for pair in wordings if pair in known), None)


def _asked(proposals: "Iterable[Proposal]") -> Decided:
    decided = Decided([], [])
    for one in proposals:
        print(f"{one.number}. {one.kind}: {one.old} ({one.documents:,}) {_becomes(one)}   {one.why}")
        answer = _answer("   accept, refuse, skip or quit? [a/r/s/q] ")
        if answer.startswith("q"):
            break
        if answer in SPELT:
            (decided.accepted if SPELT[answer] == ACCEPT else decided.refused).append(one)
    return decided


def _confirmed(path: Path) -> bool:
    return _answer(f"write this to {path}? [y/n] ") in ("y", "yes")


def _answer(question: str) -> str:
    print(question, end="", flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        print()
        return "q"
    return line.strip().lower()


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
