"""Results of measurements: one CSV file per table in `lab/results/`, each row with the command, date and commit."""

import csv
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path("lab", "results")
MADE = ("command", "date", "commit", "machine")
# Options whose values are places on one machine, and what is written instead.
PLACES = {"--data": "DIR", "-d": "DIR", "--output": "OUT", "-o": "OUT"}


def write(name: str, rows: Sequence[Mapping[str, object]], *, folder: Path = FOLDER) -> Path:
    """Write the table `name`: one row per mapping, with the same keys in the same order, and how it was made."""
    made = dict(zip(MADE, (command(), datetime.now(UTC).date().isoformat(), commit(), machine()), strict=True))
    path = folder / f"{name}.csv"
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], *MADE], lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, **made} for row in rows)
    return path


def read(name: str, *, folder: Path = FOLDER) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def command(words: Sequence[str] | None = None) -> str:
    """Return the command line of this process, without places of this machine."""
    shown, rest = ["phrasemill"], list(sys.argv[1:] if words is None else words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        shown.append(name + equals + PLACES.get(name, value) if equals else name)
        if name in PLACES and not equals and rest:
            rest.pop(0)
            shown.append(PLACES[name])
    return shlex.join(shown)


def commit() -> str:
    """Return the commit of this checkout, with a plus sign where files have changed since; nothing outside of one."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    revision = git("rev-parse", "--short", "HEAD")
    changed = revision and git("status", "--porcelain", "--untracked-files=no")
    return revision + ("+" if changed else "")


def machine() -> str:
    """Return the kind of processor and the number of cores."""
    cpu = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    return f"{cpu}, {os.cpu_count()} cores"
