"""What `evaluate` and the laboratory still import from here, until they use `cli/output.py`."""

from collections.abc import Callable, Sequence
from pathlib import Path

from phrasemill.cli.output import show_tables, width_of
from phrasemill.files.tables import Table


def show(make: Callable[[int | None], Table | Sequence[Table]], format: str, output: Path | None) -> None:
    made = make(width_of(format, output))
    show_tables([made] if isinstance(made, Table) else made, format, output)
