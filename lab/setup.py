"""Compiles the kernels of the laboratory as the library's are compiled: both are built in one checkout."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "setup.py"))
