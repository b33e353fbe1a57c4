"""What `sets`, `tags` and the laboratory still import from here, until they use `cli/output.py`."""

from collections.abc import Iterable, Iterator

from phrasemill.cli.output import on_screen, readable, size, to_json, writable, write, write_json
from phrasemill.files.tables import clean, one_line

NOTHING = "no keyphrases"

__all__ = ["NOTHING", "as_json", "clean", "on_screen", "one_line", "size", "writable", "write", "write_json"]


def as_json(records: Iterable[dict[str, object]], format: str, *, many: bool, encoding: str) -> Iterator[str]:
    if format == "jsonl":
        yield from (to_json(one, encoding) + "\n" for one in records)
        return
    made = list(records)
    yield readable(made if many else made[0], encoding) + "\n"
