"""How many instructions a piece of work takes, counted by Valgrind's Callgrind: the same under any load.

Callgrind writes its count, and begins anew, whenever the process calls `getpgid`, which nothing else here does. So one
process counts many pieces of work, without what is loaded before. Memory addresses, which decide about collisions, are
fixed as far as the hash seed of Python goes; what is left moves the counts by less than a hundredth.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy

from phrasemill.kernels import tokens
from phrasemill_lab.bench.measuring import ONE_THREAD

MARK = "getpgid"
COMPILER, CYTHON = re.compile(rb"(?:GCC: |clang version )[^\0]+"), re.compile(rb"cython_\d+_\d+_\d+")
SUMMARY = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def toolchain() -> str:
    """Return what decides how many instructions the same source takes: processor, Python, NumPy and compilers."""
    kernel = Path(str(tokens.__file__)).read_bytes()
    built = [found[0].decode() if (found := one.search(kernel)) else "" for one in (COMPILER, CYTHON)]
    python = f"Python {platform.python_version()}, {platform.python_compiler()}"
    return "; ".join([platform.machine(), python, f"NumPy {numpy.__version__}", *built])


def why_not(wanted: str = "") -> str:
    """Return why instructions cannot be counted here, or compared with those of a toolchain; nothing if they can."""
    if not hasattr(os, MARK) or shutil.which("valgrind") is None:
        return "Valgrind is not installed"
    return "another Python, NumPy or compiler made the baseline" if wanted and wanted != toolchain() else ""


def mark(works: Mapping[str, Callable[[], object]]) -> None:
    """Do each piece of work twice, with a mark before and after the second: the first fills the caches."""
    for work in works.values():
        work()
        os.getpgid(0)
        work()
        os.getpgid(0)


def counted(script: Path, specs: Mapping[str, str], names: Sequence[str]) -> dict[str, int]:
    """Return the instructions of what `script --work SPECS` marks, under these names."""
    with TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        valgrind = ["valgrind", "--tool=callgrind", f"--dump-before={MARK}", f"--callgrind-out-file={counts}"]
        command = [*valgrind, sys.executable, str(script), "--work", json.dumps(specs)]
        environment = os.environ | ONE_THREAD | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            raise SystemExit("\n".join(done.stderr.splitlines()[-5:]))
        # Dump 1 ends before the second run of the first piece of work, dump 2 after it, and so on.
        dumps = [Path(f"{counts}.{2 * number}") for number in range(1, len(names) + 1)]
        return {name: _total(dump) for name, dump in zip(names, dumps, strict=True)}


def _total(dump: Path) -> int:
    found = SUMMARY.search(dump.read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{dump.name}: Callgrind wrote no total")
    return int(found[1])
