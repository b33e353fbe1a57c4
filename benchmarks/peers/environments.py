"""Where the peers live: one virtual environment each, in a cache folder outside the checkout."""

import os
import sys
from pathlib import Path
from types import ModuleType

from worker import ADAPTERS, adapter

FAILED = "failed.txt"


def peers() -> dict[str, ModuleType]:
    """Return the adapters by name, without ourselves."""
    names = sorted(path.stem for path in ADAPTERS.glob("*.py") if path.stem not in ("__init__", "phrasemill"))
    return {name: adapter(name) for name in names}


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
