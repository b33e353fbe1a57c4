"""The hot loops: typed Python that Cython compiles ahead of time.

Each kernel takes whole documents as buffers (`array.array`, `memoryview`) and returns the same. Local variables are
declared where Cython cannot infer the C type that is wanted from what is assigned to them.

A kernel that takes long lets other threads run meanwhile. Its loop is a function of its own, in which Cython allows no
Python object, and the kernel calls it without the GIL where the text is long (`_gil.py` says from which size on):

    if count < _LONG:
        _tag(types, out)
    else:
        with cython.nogil:
            _tag(types, out)

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def _tag(types: cython.const[cython.int][::1], out: cython.uchar[::1]) -> cython.void: ...

Arrays are made before, and shortened after. Such a loop reads the characters of a text with `_text.pxd`. Buffers that
it writes to belong to one extraction (`text/analyse.py`), or nobody else has seen them yet.
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
