"""`tags apply` and `tags undo`: tags written back to files, after a preview."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.reading import Failures
from phrasemill.errors import InputError

if TYPE_CHECKING:
    from phrasemill.tags.applying import Plan

APPLY_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags apply notes/ --with my.tags
  phrasemill tags apply notes/ --with my.tags --write
  phrasemill tags apply notes/ --with my.tags --no-suggestions --write
  phrasemill tags apply notes/ --with my.tags --threshold 0.7 --write
  phrasemill tags apply papers/ --with my.tags --to sidecar --write"""
UNDO_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags undo notes/"""
TARGETS = ("front-matter", "sidecar", "csv")
SOME_FAILED = 1

TO_HELP = "Where to write the tags: front-matter (Markdown only), sidecar (FILE.tags.json) or csv."
SUGGESTIONS_HELP = (
    "Whether to add suggested tags. With --no-suggestions, only accepted merges, splits and removals are applied."
)


def register(group: typer.Typer) -> None:
    """Add the commands to the group `tags`."""
    options.command(group, APPLY_EXAMPLES)(apply)
    options.command(group, UNDO_EXAMPLES)(undo)


def apply(
    folder: Annotated[str, Option("FOLDER", "A folder of notes, or one file.")],
    with_: Annotated[Path | None, Option("--with TAGS", "The file of tags, written by phrasemill tags learn.")] = None,
    write: Annotated[
        bool, Option("--write", "Write the changes to the files. Without it, only show them.", OUTPUT)
    ] = False,
    to: Annotated[str | None, Option("--to PLACE", TO_HELP, OUTPUT, choices=TARGETS)] = None,
    output: Annotated[Path | None, Option("--output -o FILE", "The table to write with --to csv.", OUTPUT)] = None,
    threshold: Annotated[float, Option("--threshold P", "The lowest probability of a tag to add.", least=0)] = 0.5,
    limit: Annotated[int, Option("--limit -n N", "The most tags to add to one document.", least=0)] = 5,
    suggestions: Annotated[bool, Option("--suggestions/--no-suggestions", SUGGESTIONS_HELP)] = True,
    tags_field: Annotated[
        str | None, Option("--tags-field NAME", "The front-matter key that contains the tags.")
    ] = None,
) -> int:
    """Show as a diff how the tags of your files would change. With --write, change them."""
    from phrasemill.cli.tags import opened, reader
    from phrasemill.tags.applying import Plan
    from phrasemill.tags.writing import write_changes

    _check(folder)
    failures = Failures()
    root = _undo_folder(folder, output)
    plan = Plan(
        opened(with_),
        reader(failures, tags_field),
        root,
        target=to,
        output=output,
        threshold=threshold,
        most=limit,
        suggestions=suggestions and limit > 0,
    )
    changes = []
    for change in plan.changes(folder):
        changes.append(change)
        print(change.diff())
    if not plan.files:
        raise InputError(f"{folder}: no files with a place for tags; try --to sidecar")
    done = 0
    if write:
        done = write_changes(changes, root, report=failures)
    failures.close()
    print(_summary(plan, len(changes)))
    if plan.without_place:
        kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in plan.without_place.most_common())
        print(f"no place for tags in {kinds}: left as they are; --to sidecar or --to csv writes tags for them")
    if write and done:
        print(f"{_files(done)} written; phrasemill tags undo {root} restores them")
    elif changes and not write:
        print("nothing is written yet: add --write")
    return SOME_FAILED if failures.count else 0


def undo(folder: Annotated[str, Option("FOLDER", "The folder or file that tags were written to.")]) -> int:
    """Undo the last tags apply --write. Files that have changed since are skipped."""
    from phrasemill.tags.writing import undo as restore

    _check(folder)
    failures = Failures()
    done = restore(_undo_folder(folder, None), report=failures)
    failures.close()
    print(f"{_files(done.restored)} restored" + (f", {done.left:,} left alone" if done.left else ""))
    return SOME_FAILED if done.left else 0


def _check(folder: str) -> None:
    if not Path(folder).exists():
        raise InputError(f"{folder}: no such file or folder")


def _undo_folder(folder: str, output: Path | None) -> Path:
    if output is not None:
        return output.parent
    return Path(folder) if Path(folder).is_dir() else Path(folder).parent


def _summary(plan: "Plan", changed: int) -> str:
    parts = [f"{_files(plan.files)} read", f"{changed:,} to change"]
    if plan.renamed:
        parts.append(f"{_tags(plan.renamed)} renamed or removed")
    if plan.added:
        parts.append(f"{_tags(plan.added)} added")
    if plan.inline:
        parts.append(f"{plan.inline:,} #tag{'' if plan.inline == 1 else 's'} within texts left as they are")
    return ", ".join(parts)


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _tags(count: int) -> str:
    return f"{count:,} tag{'' if count == 1 else 's'}"
