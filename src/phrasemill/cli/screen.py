"""What `sets` still imports from here, until it uses `cli/output.py`."""

from collections.abc import Iterable, Sequence

from phrasemill.cli.output import show_tables
from phrasemill.files.tables import Table


def grid(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, notes: Iterable[str] = ()) -> None:
    show_tables([Table(title, header, rows, tuple(notes))])
