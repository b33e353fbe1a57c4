"""The hot loops: typed Python that Cython compiles ahead of time, and that runs interpreted where it was not.

Each kernel takes whole documents as buffers (`array.array`, `memoryview`) and returns the same, in both forms. A
process started with `PHRASEMILL_INTERPRETED=1` loads the interpreted form even where a compiled one is installed.
Local variables are declared where Cython cannot infer the C type that is wanted from what is assigned to them.

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

Arrays are made before, and shortened after. Such a loop reads the characters of a text with `_text.py`. Buffers that
it writes to belong to one extraction (`lender.py`), or nobody else has seen them yet.
"""

import importlib.util
import os
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.pyx"))


def is_compiled(kernel: ModuleType) -> bool:
    """Return whether `kernel` was loaded in its compiled form."""
    return not isinstance(kernel.__loader__, SourceFileLoader)


def interpreted(name: str) -> ModuleType:
    """Return the kernel `name` loaded from its source, whether or not a compiled one is installed."""
    loader = SourceFileLoader(f"{__name__}.{name}", str(FOLDER / f"{name}.pyx"))
    module = importlib.util.module_from_spec(importlib.machinery.ModuleSpec(loader.name, loader))
    loader.exec_module(module)
    return module


if os.environ.get("PHRASEMILL_INTERPRETED"):
    for _name in names():
        sys.modules[f"{__name__}.{_name}"] = globals()[_name] = interpreted(_name)
