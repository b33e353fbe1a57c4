"""Where the peers live: one virtual environment each, in a cache folder outside the checkout."""

import os
import sys
from pathlib import Path
from types import ModuleType

from worker import ADAPTERS, adapter

FAILED, WHEEL = "failed.txt", "wheel"
OURSELVES = "phrasemill"
MODEL = "embedding-model"  # the folder with the sentence encoder that our methods of meaning read
# Parts of an environment that are no part of what was installed.
TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")


def peers() -> dict[str, ModuleType]:
    """Return the adapters by name, without ourselves."""
    names = sorted(path.stem for path in ADAPTERS.glob("*.py") if path.stem not in ("__init__", OURSELVES))
    return {name: adapter(name) for name in names}


def package(peer: ModuleType) -> str:
    """Return the pinned package of a peer: its first requirement, if it names no other."""
    return str(getattr(peer, "PACKAGE", peer.REQUIREMENTS[0]))


def cache() -> Path:
    """Return the default folder: the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phrasemill-peers"


def python_of(environment: Path) -> Path:
    """Return the interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def wanted(names: list[str]) -> dict[str, ModuleType]:
    """Return the peers called `names`, or all of them."""
    known = peers()
    if unknown := sorted(set(names) - set(known)):
        raise SystemExit(f"no peer is called {', '.join(unknown)}; there are {', '.join(known)}")
    return {name: known[name] for name in names or known}


def why_not(name: str, environment: Path) -> str:
    """Return why a peer cannot run, or nothing."""
    if (environment / FAILED).exists():
        return f"not installed: {(environment / FAILED).read_text(encoding='utf-8')}"
    return "" if python_of(environment).exists() else f"not installed: python lab/benchmarks/peers/make.py {name}"


def wheel_megabytes(environment: Path) -> float | None:
    """Return the size of the package's own wheel, where `make.py` kept it."""
    found = list((environment / WHEEL).glob("*.whl"))
    return sum(path.stat().st_size for path in found) / 1e6 if found else None


def installed_megabytes(environment: Path) -> float | None:
    """Return the size of all that an environment has, with dependencies and byte code, without pip and setuptools."""
    total = 0
    for folder in [*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")]:
        for part in folder.iterdir():
            if part.name.split("-")[0] not in TOOLS:
                files = [part] if part.is_file() else part.rglob("*")
                total += sum(path.lstat().st_size for path in files if path.is_file())
    return total / 1e6 if total else None
