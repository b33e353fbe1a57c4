"""The hot loops, which Cython compiles ahead of time.

A kernel walks an analysis through its `Text`, and candidates through their `Occurrences` (`text.pxd`), which open the
columns once. It returns arrays, which it makes and fills itself, and shortens in the end.

What takes long lets other threads run meanwhile. Such a loop is a function or method that touches no Python object,
which Cython checks, and its caller lets go of the GIL where the text is long:

    state = released(text.count)
    self.walk()
    restored(state)

    cdef void walk(self) noexcept nogil: ...

In between nothing may raise, and no Python attribute of another object may be read: a kernel takes pointers before.
Memory that grows there is C memory; the function returns whether it sufficed, and its caller raises.
"""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all kernels: each has its source in this folder."""
    return sorted(path.stem for path in FOLDER.glob("*.pyx"))


def missing() -> list[str]:
    """Return the kernels that are not compiled, or only for another Python."""
    there = {path.name for path in FOLDER.iterdir()}
    return [name for name in names() if there.isdisjoint(name + suffix for suffix in EXTENSION_SUFFIXES)]


if _missing := missing():
    raise ImportError(
        f"{len(_missing)} of {len(names())} kernels of Phrasemill are not compiled for Python"
        f" {sys.version.split()[0]}: run pip install . (or pip install -e .) in the folder of its source"
    )
