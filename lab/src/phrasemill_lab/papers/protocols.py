"""The metrics, protocols and data that papers describe, and whether ours are the same: `protocols.toml`."""

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Protocol:
    """A metric or a step of a paper: what it says, what ours does, and why the two differ or ours is `missing`."""

    paper: str
    source: str
    name: str
    command: str
    published: str
    ours: str
    reason: str = ""
    missing: bool = False

    def record(self) -> dict[str, object]:
        """Return the row for JSON."""
        return asdict(self)


@cache
def protocols(paper: str) -> tuple[Protocol, ...]:
    """Return the protocols of a paper in the order of the file."""
    record = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple([one for entry in record["protocol"] if (one := Protocol(**entry)).paper == paper])
