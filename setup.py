"""Compiles the kernels where Cython and a C compiler are at hand; without them the same files run interpreted.

Set PHRASEMILL_INTERPRETED=1 to build without compiling.
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


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
        )
        for path in sorted(folder.glob("*.pyx"))
    ]
    return cythonize(
        extensions,
        build_dir="build/cython",
        include_path=["src"],  # kernels/_text.pxd
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "annotation_typing": True,
            "infer_types": True,
            "freethreading_compatible": True,  # kernels touch nothing but their arguments
        },
    )


class BuildKernels(build_ext):
    """A kernel that does not compile, for whatever reason, stays interpreted."""

    def build_extension(self, ext: Extension) -> None:
        try:
            super().build_extension(ext)
        except Exception as error:
            print(f"{ext.name} is not compiled and will run interpreted: {error}")
            self.failed = {*getattr(self, "failed", ()), ext.name}

    def copy_extensions_to_source(self) -> None:
        """What an editable install does last, with whatever there is to copy."""
        self.extensions = [ext for ext in self.extensions if ext.name not in getattr(self, "failed", ())]
        super().copy_extensions_to_source()


setup(ext_modules=kernels(), cmdclass={"build_ext": BuildKernels}, options={"build_ext": {"parallel": os.cpu_count()}})
