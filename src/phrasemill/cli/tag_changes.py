"""`tags review`, `apply` and `undo`: what could be tidied up, and tags written back to files, after a preview."""

import csv
from collections.abc import Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import options
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.output import View, counted, show
from phrasemill.cli.reading import Failures
from phrasemill.cli.tags import TAGS_HELP, With, group, opened, reader, split
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import Table, as_text

if TYPE_CHECKING:
    from phrasemill.tags import Proposal, Tags

REVIEW_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags review my.tags --kind plural --accept all --write
  phrasemill tags review my.tags --format csv > decisions.csv
  phrasemill tags review my.tags --decisions decisions.csv --write"""
APPLY_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags apply notes/ --with my.tags --no-suggestions
  phrasemill tags apply notes/ --with my.tags --threshold 0.7 --write
  phrasemill tags apply papers/ --with my.tags --to sidecar --write"""
UNDO_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags undo notes/"""
FORMATS = ("table", "json", "csv")
HEADER = ("decision", "kind", "old", "new", "documents", "why")
ACCEPT, REFUSE = "accept", "refuse"
TARGETS = ("front-matter", "sidecar", "csv")
LARGEST = 64 << 20

NAMES_HELP = "Proposals by the tag that would go, such as Baking; several with commas, or all."
DECISIONS_HELP = "A table as printed by --format csv, with accept or refuse in the first column."
KIND_HELP = "Only proposals of this kind: case, hyphen, plural, spelling, form, abbreviation, meaning, split or once."
TO_HELP = "Where to write the tags: front-matter (Markdown only), sidecar (FILE.tags.json) or csv."
SUGGESTIONS_HELP = "Whether to add suggested tags, not only to apply accepted merges, splits and removals."

Decided = tuple["list[Proposal]", "list[Proposal]"]  # those that were accepted, and those that were refused


@options.command(group, REVIEW_EXAMPLES)
def review(
    tags: Annotated[Path, Option("TAGS", TAGS_HELP)],
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
        rows = [(one.kind, f"{one.old} ({one.documents:,})", _becomes(one.new), one.why) for one in proposals]
        records = [one.record() for one in proposals]
        view = View(lambda _: [Table("", (), rows) if rows else "nothing to tidy up"], lambda _: records, _rows)
        show([proposals], view, format)
        return 0
    decided = _named(proposals, accept, refuse) if decisions is None else _from_file(proposals, decisions)
    print(_outcome(found, decided), end="")
    if write and any(decided):
        with changing(tags) as current:
            current.accept(decided[0])
            current.refuse(decided[1])
        print(f"{tags}: updated; phrasemill tags apply FOLDER --with {tags} carries it over to the files")
    elif any(decided):
        print("nothing is written yet: add --write")
    return 0


def _becomes(new: Sequence[str], *, otherwise: str = "remove") -> str:
    return f"→ {' + '.join(new) or otherwise}"


def _rows(proposals: "list[Proposal]") -> Table:
    rows = [("", one.kind, one.old, " + ".join(one.new), one.documents, one.why) for one in proposals]
    return Table("", HEADER, rows)


def _named(proposals: "list[Proposal]", accept: list[str] | None, refuse: list[str] | None) -> Decided:
    """Return the proposals that the values of the options name."""
    by_name = {one.old: one for one in proposals}
    decided: Decided = ([], [])
    for option, values, into in ((ACCEPT, accept, decided[0]), (REFUSE, refuse, decided[1])):
        for value in values or []:
            if value not in by_name and value.strip().lower() == "all":
                into += [one for one in proposals if one not in into]
                continue
            for name in [value] if value in by_name else split([value]):  # a tag may have a comma in it
                if name not in by_name:
                    close = "".join(f" (did you mean {one!r}?)" for one in get_close_matches(name, by_name, n=1))
                    raise ConfigError(f"--{option} {name}: not among the proposals{close}")
                if by_name[name] not in into:
                    into.append(by_name[name])
    both = next((one.old for one in decided[0] if one in decided[1]), None)
    if both is not None:
        raise ConfigError(f"{both!r} is both accepted and refused")
    return decided


def _from_file(proposals: "list[Proposal]", path: Path) -> Decided:
    from phrasemill.files.streams import read_file
    from phrasemill.readers.decoding import decode

    known = {(one.old, " + ".join(one.new)): one for one in proposals}
    decided: Decided = ([], [])
    rows = csv.reader(StringIO(decode(read_file(path, largest=LARGEST), name=str(path)), newline=""))
    header = [name.strip().lower() for name in next(rows, [])]
    if not {"decision", "old", "new"} <= set(header):
        raise InputError(f"{path}: needs the columns decision, old and new, as tags review --format csv prints them")
    for row in rows:
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        word, old, new = (cells.get(name, "") for name in ("decision", "old", "new"))
        if not word:
            continue
        if word.lower() not in (ACCEPT, REFUSE):
            raise InputError(f"{path}, line {rows.line_num}: a decision is accept or refuse; got {word!r}")
        # A leading apostrophe guards cells against spreadsheets.
        pairs = [(a, b) for a in (old, old.removeprefix("'")) for b in (new, new.removeprefix("'"))]
        one = next((known[pair] for pair in pairs if pair in known), None)
        if one is None:
            raise InputError(f"{path}, line {rows.line_num}: {old!r} is not among the proposals any more")
        decided[word.lower() == REFUSE].append(one)
    return decided


def _outcome(tags: "Tags", decided: Decided) -> str:
    """Return what the decisions change."""
    before = tags.counts
    tags.accept(decided[0])
    after = tags.counts
    rows = []
    for one in decided[0]:
        became = _becomes([f"{tag} ({after[tag]:,})" for tag in one.new], otherwise="removed")
        rows.append((one.old, f"({before[one.old]:,})", became))
    rows += [(one.old, f"({before[one.old]:,})", "stays, and is not proposed again") for one in decided[1]]
    return as_text(Table("", (), rows)) or "nothing was decided\n"


@options.command(group, APPLY_EXAMPLES)
def apply(
    folder: Annotated[str, Option("FOLDER", "A folder of notes, or one file.")],
    with_: With = None,
    write: Annotated[bool, Option("--write", "Write the changes to the files, not only show them.", OUTPUT)] = False,
    to: Annotated[str | None, Option("--to PLACE", TO_HELP, OUTPUT, choices=TARGETS)] = None,
    output: Annotated[Path | None, Option("--output -o FILE", "The table to write with --to csv.", OUTPUT)] = None,
    threshold: Annotated[float, Option("--threshold P", "The lowest probability of a tag to add.", least=0)] = 0.5,
    limit: Annotated[int, Option("--limit -n N", "The most tags to add to one document.", least=0)] = 5,
    suggestions: Annotated[bool, Option("--suggestions/--no-suggestions", SUGGESTIONS_HELP)] = True,
    tags_field: Annotated[str | None, Option("--tags-field NAME", "The front-matter key with the tags.")] = None,
) -> int:
    """Show as a diff how the tags of your files would change. With --write, change them."""
    from phrasemill.tags.applying import Plan
    from phrasemill.tags.writing import write_changes

    root = _root(folder, output)
    failures = Failures()
    read = reader(failures, tags_field)
    most = limit if suggestions else 0
    plan = Plan(opened(with_), read, root, target=to, output=output, threshold=threshold, most=most)
    changes = []
    for change in plan.changes(folder):
        changes.append(change)
        print(change.diff())
    if not plan.files:
        raise InputError(f"{folder}: no files with a place for tags; try --to sidecar")
    done = write_changes(changes, root, report=failures) if write else 0
    failures.close()
    parts = [f"{counted(plan.files, 'file')} read", f"{len(changes):,} to change"]
    counts = [(plan.renamed, "tag", "renamed or removed"), (plan.added, "tag", "added")]
    counts.append((plan.inline, "#tag", "within texts left as they are"))
    print(", ".join([*parts, *(f"{counted(count, noun)} {what}" for count, noun, what in counts if count)]))
    if plan.without_place:
        kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in plan.without_place.most_common())
        print(f"no place for tags in {kinds}: left as they are; --to sidecar or --to csv writes tags for them")
    if done:
        print(f"{counted(done, 'file')} written; phrasemill tags undo {root} restores them")
    elif changes and not write:
        print("nothing is written yet: add --write")
    return 1 if failures.count else 0


@options.command(group, UNDO_EXAMPLES)
def undo(folder: Annotated[str, Option("FOLDER", "The folder or file that tags were written to.")]) -> int:
    """Undo the last tags apply --write. Files that have changed since are skipped."""
    from phrasemill.tags.writing import undo as restore

    failures = Failures()
    done = restore(_root(folder, None), report=failures)
    failures.close()
    print(f"{counted(done.restored, 'file')} restored" + (f", {done.left:,} left alone" if done.left else ""))
    return 1 if done.left else 0


def _root(folder: str, output: Path | None) -> Path:
    """Return the folder that has the copies of what is written."""
    if not Path(folder).exists():
        raise InputError(f"{folder}: no such file or folder")
    if output is not None:
        return output.parent
    return Path(folder) if Path(folder).is_dir() else Path(folder).parent
