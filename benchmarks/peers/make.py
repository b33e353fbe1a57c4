"""Make the environments of the peers: one `python -m venv` each, outside the checkout, with pinned versions from pip.

    python benchmarks/peers/make.py [NAME …] [--cache DIR] [--limit SECONDS]

What is there already is kept. What cannot be installed leaves a note, which `compare.py` shows as that peer's row.
"""

import argparse
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from environments import FAILED, cache, python_of, wanted

DONE = "requirements.txt"


def make(environment: Path, requirements: tuple[str, ...], limit: float) -> str:
    """Make one environment; return why that failed, or nothing."""
    shutil.rmtree(environment, ignore_errors=True)
    commands = [
        [sys.executable, "-m", "venv", str(environment)],
        [str(python_of(environment)), "-m", "pip", "install", "-q", *requirements],
    ]
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"not finished after {limit:.0f} s"
        if done.returncode:
            return reason(done.stderr)
    (environment / DONE).write_text("\n".join(requirements), encoding="utf-8")
    return ""


def reason(output: str) -> str:
    """Return the line of pip's output that says most: the end of what a failed build printed, or pip's last error."""
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    built = [before for before, line in pairwise(lines) if line == "[end of output]"]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (built or errors or lines or ["pip printed nothing"])[-1][:140]


def is_made(environment: Path, requirements: tuple[str, ...]) -> bool:
    note = environment / DONE
    return note.exists() and note.read_text(encoding="utf-8").split("\n") == list(requirements)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="which peers (default: all)")
    parser.add_argument("--cache", type=Path, default=cache(), help="where (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=900, help="seconds for each (default: %(default).0f)")
    options = parser.parse_args()
    for name, peer in wanted(options.names).items():
        environment = options.cache / name
        if is_made(environment, peer.REQUIREMENTS):
            print(f"{name}: there")
            continue
        failure = make(environment, peer.REQUIREMENTS, options.limit)
        if failure:
            shutil.rmtree(environment, ignore_errors=True)
            environment.mkdir(parents=True)
            (environment / FAILED).write_text(failure, encoding="utf-8")
        print(f"{name}: {failure or 'made'}", flush=True)


if __name__ == "__main__":
    main()
