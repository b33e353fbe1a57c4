"""Compiles the kernels: with the machine's C compiler, and where there is none with that of the package `ziglang`."""

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, CompileError, PlatformError

WINDOWS = os.name == "nt"  # there setuptools finds Visual Studio, or says where it is to be had
# No fused multiply-add: floats must come out the same on every machine.
FLAGS = [] if WINDOWS else ["-O3", "-g0", "-ffp-contract=off"]
# What Python adds for the compiler that it knows; and Zig, too, is to compile for any processor of this kind.
ZIG = "-DNDEBUG -fwrapv -fPIC -mcpu=baseline -fno-sanitize=undefined -fomit-frame-pointer -Xclang -O3".split()
SHARED = ["-shared", *(["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else [])]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "annotation_typing": True,
    "infer_types": True,
    "freethreading_compatible": True,  # kernels touch nothing but their arguments
}


def compiles(command: str) -> bool:
    """Return whether a C compiler is there and compiles what every C program begins with."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "try.c"), Path(folder, "try.o")
        source.write_text("#include <math.h>\n#include <stdlib.h>\nint number = 1;\n", encoding="utf-8")
        try:
            subprocess.run([*shlex.split(command), "-c", source, "-o", made], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return False
        return made.exists()


def words(variable: str) -> list[str]:
    return shlex.split(os.environ.get(variable, ""))


# Who names a compiler gets that one, or an error.
CHOSEN = os.environ.get("CC", "")
COMPILES = WINDOWS or compiles(CHOSEN or sysconfig.get_config_var("CC") or "cc")


class BuildKernels(build_ext):
    """Looks for what compiling needs, translates the kernels to C, and takes Zig where there is no compiler."""

    def build_extensions(self) -> None:
        try:
            from Cython.Build import cythonize
        except ImportError:
            raise PlatformError("Cython is missing: pip install 'cython>=3.1', or build with isolation") from None
        if not any(Path(folder, "Python.h").exists() for folder in self.compiler.include_dirs):
            raise PlatformError(
                "Python.h is missing: install the headers of this Python (on Debian apt install python3-dev, on Fedora"
                " dnf install python3-devel), or use a Python that brings them, such as one of python.org, uv or conda"
            )
        if not COMPILES and CHOSEN:
            raise PlatformError(f"CC={CHOSEN} does not compile C: unset CC, or set it to a C compiler")
        made = cythonize(
            self.extensions,
            force=self.force,
            build_dir="build/cython",
            include_path=["src", "../src"],  # the headers of the library, for those of the laboratory, too
            compiler_directives=DIRECTIVES,
        )
        for ext, translated in zip(self.extensions, made, strict=True):
            ext.sources = translated.sources
        with tempfile.TemporaryDirectory() as cache:
            if not COMPILES:
                self.use_zig(cache)
            super().build_extensions()

    def use_zig(self, cache: str) -> None:
        package = find_spec("ziglang")
        if package is None or not package.origin:
            raise PlatformError("there is no C compiler: install gcc or clang, or pip install ziglang")
        zig = [str(Path(package.origin).with_name("zig")), "cc"]
        self.compiler.set_executables(
            compiler_so=[*zig, *ZIG, *words("CFLAGS")], linker_so=[*zig, *SHARED, *words("LDFLAGS")]
        )
        os.environ.update(ZIG_GLOBAL_CACHE_DIR=cache, ZIG_LOCAL_CACHE_DIR=cache)

    def build_extension(self, ext: Extension) -> None:
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError):
            raise CompileError(f"{ext.name} does not compile: above is what the compiler says") from None


setup(
    ext_modules=[
        Extension(f"{path.parts[1]}.kernels.{path.stem}", [path.as_posix()], extra_compile_args=FLAGS)
        for path in sorted(Path("src").glob("*/kernels/*.pyx"))  # lab/setup.py runs this file, too
    ],
    cmdclass={"build_ext": BuildKernels},
    options={"build_ext": {"parallel": os.cpu_count()}},
    # Setuptools passes this on to whoever builds: pip fetches it, for the time of the build.
    setup_requires=[] if COMPILES or CHOSEN else ["ziglang>=0.13"],
)
