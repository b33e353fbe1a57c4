"""Compiles the kernels where Cython and a C compiler are at hand; without them the same files run interpreted.

Set PHRASEMILL_INTERPRETED=1 to build without compiling.
"""

import os
from pathlib import Path

from setuptools import Extension, setup


def kernels() -> list[Extension]:
    if os.environ.get("PHRASEMILL_INTERPRETED"):
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    folder = Path("src/phrasemill/kernels")
    extensions = [
        Extension(
            f"phrasemill.kernels.{path.stem}",
            [path.as_posix()],
            # No fused multiply-add: floats must come out as they do interpreted.
            extra_compile_args=[] if os.name == "nt" else ["-O3", "-g0", "-ffp-contract=off"],
            optional=True,
        )
        for path in sorted(folder.glob("[!_]*.py"))
    ]
    return cythonize(
        extensions,
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "annotation_typing": True,
        },
    )


setup(ext_modules=kernels(), options={"build_ext": {"parallel": os.cpu_count()}})
