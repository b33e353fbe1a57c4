"""The hot loops: typed Python that Cython compiles ahead of time, and that runs interpreted where it was not.

Each kernel takes whole documents as buffers (`array.array`, `memoryview`) and returns the same, in both forms.
Setting `PHRASEMILL_INTERPRETED=1` makes a process load the interpreted form even where a compiled one is installed.
"""

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

NAMES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


def interpreted(name: str) -> ModuleType:
    """The kernel `name` loaded from its source file, whether or not a compiled one is installed."""
    path = Path(__file__).parent / f"{name}.py"
    loader = importlib.machinery.SourceFileLoader(f"{__name__}.{name}", str(path))
    spec = importlib.util.spec_from_file_location(f"{__name__}.{name}", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


if os.environ.get("PHRASEMILL_INTERPRETED"):
    for _name in NAMES:
        sys.modules[f"{__name__}.{_name}"] = interpreted(_name)
        setattr(sys.modules[__name__], _name, sys.modules[f"{__name__}.{_name}"])
