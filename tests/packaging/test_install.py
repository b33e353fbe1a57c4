"""A wheel is built and installed where there is no compiler, and works outside the checkout, with its data files."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.wheels

ROOT = Path(__file__).parents[2]
WEIGHTS = {  # packages, with the methods they are for and what they contain
    "bertkpe": ("bertkpe", "bertkpe_en"),
    "catseqd": ("catseqd", "catseqd_en.safetensors"),
    "encoder-large": ("encoder(size='large')", "encoder_large_en.safetensors"),
}
LARGEST_WHEEL = 75_000_000  # bytes
LIBRARIES = sysconfig.get_path("purelib")  # of this environment, with those of the extras
CHECK = """
import json, phrasemill
text = "Neural networks learn. A neural network has layers, and neural networks generalise."
names = (None, "yake", "topicrank", "singlerank", "rake")
found = [phrasemill.extract(text, **{"method": name} if name else {}).to_dicts() for name in names]
print(json.dumps([phrasemill.__file__, found]))
"""
BUILD = "from setuptools import build_meta; build_meta.build_wheel('.')"
REQUIRES = "from setuptools import build_meta; print(build_meta.get_requires_for_build_wheel())"
NO_CYTHON = f"import sys; sys.modules['Cython.Build'] = None; {BUILD}"
NO_HEADERS = f"from distutils import sysconfig; sysconfig.get_python_inc = lambda *_, **__: '.'; {BUILD}"


class Installed(NamedTuple):
    wheel: Path
    python: Path
    why_compiled: str  # by a compiler of the machine, because ziglang cannot be had; empty otherwise


def process(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    taken = ("PYTHON", "PHRASEMILL", "CC", "CFLAGS", "LDFLAGS", "LDSHARED")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(taken)}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False
    )


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = process(*command, cwd=cwd, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def sources(folder: Path) -> Path:
    """A copy of what a package is made of, with nothing compiled."""
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info")
    copy = folder / "source"
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The sources of a package with one kernel."""
    folder = tmp_path / "src" / "phrasemill" / "kernels"
    folder.mkdir(parents=True)
    for name in ("paratext.pyx", "text.pxd"):
        shutil.copy(ROOT / "src" / "phrasemill" / "kernels" / name, folder)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The package in an environment of its own, built without a compiler, in the way of `pip install .`."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    asked = process(*pip, "install", "-q", "--dry-run", "--no-deps", "ziglang", cwd=folder)
    copy = sources(folder)
    if asked.returncode == 0:
        run(*pip, "wheel", "-q", "--no-deps", "-w", folder, copy, cwd=folder, PATH=str(python.parent))
        wheel = next(folder.glob("*.whl"))
        run(*pip, "install", "-q", wheel, cwd=folder, PATH=str(python.parent))
        return Installed(wheel, python, "")
    run(*pip[:3], "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, copy, cwd=folder)
    wheel = next(folder.glob("*.whl"))
    target = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    (target / "libraries.pth").write_text(f"{LIBRARIES}\n", encoding="utf-8")
    return Installed(wheel, python, f"ziglang cannot be had: {asked.stderr}")


def test_where_there_is_no_compiler_it_installs_and_gives_the_same(installed: Installed, tmp_path: Path) -> None:
    if installed.why_compiled:
        pytest.skip(installed.why_compiled)
    place, found = json.loads(run(installed.python, "-c", CHECK, cwd=tmp_path))
    assert not Path(place).is_relative_to(ROOT)
    assert all(found)
    here = run(sys.executable, "-c", CHECK, cwd=tmp_path, PYTHONPATH=str(ROOT / "src"))
    assert found == json.loads(here)[1]
    for absent in ("Cython", "ziglang"):
        assert "ModuleNotFoundError" in process(installed.python, "-c", f"import {absent}", cwd=tmp_path).stderr
    kernels = len(list((ROOT / "src" / "phrasemill" / "kernels").glob("*.pyx")))
    assert f"all {kernels} are compiled" in run(installed.python, "-m", "phrasemill", "doctor", "--quick", cwd=tmp_path)


def test_the_command_works_outside_the_checkout(installed: Installed, tmp_path: Path) -> None:
    output = run(installed.python, "-m", "phrasemill", "extract", "--example", "--format", "text", cwd=tmp_path)
    assert len(output.splitlines()) == 10


def test_a_build_asks_for_zig_only_where_there_is_no_compiler(small: Path) -> None:
    def requires(**environment: str) -> str:
        return run(sys.executable, "-c", REQUIRES, cwd=small, **environment).splitlines()[-1]

    compiler = small / "compiler"
    compiler.write_text("#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\n: > $1\n", encoding="utf-8")
    compiler.chmod(0o755)
    assert requires(CC=str(compiler)) == "[]"
    assert requires(CC="no-such-compiler") == "[]", "who names a compiler gets an error, and no other"
    assert requires(PATH="") == "['ziglang>=0.13']"


@pytest.mark.parametrize(
    ("code", "environment", "line"),
    [
        (
            BUILD,
            {"CC": "no-such-compiler"},
            "CC=no-such-compiler does not compile C: unset CC, or set it",
        ),
        (BUILD, {"PATH": ""}, "there is no C compiler: install gcc or clang, or pip install ziglang"),
        (BUILD, {"CC": "./fails"}, "phrasemill.kernels.paratext does not compile: above is"),
        (NO_HEADERS, {}, "Python.h is missing: install the headers of this Python"),
        (
            NO_CYTHON,
            {},
            "Cython is missing: pip install 'cython>=3.1'",
        ),
    ],
)
def test_a_build_that_cannot_go_on_fails_in_one_line(
    small: Path, code: str, environment: dict[str, str], line: str
) -> None:
    fails = small / "fails"
    fails.write_text('#!/bin/sh\ncase "$*" in *try.c*) : > "$4" ;; *) exit 1 ;; esac\n', encoding="utf-8")
    fails.chmod(0o755)
    done = process(sys.executable, "-c", code, cwd=small, **environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"error: {line}")


def test_sources_that_are_not_compiled_say_so_in_one_line(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "src" / "phrasemill" / "kernels", tmp_path / "kernels", ignore=ignored)
    done = process(sys.executable, "-c", "import kernels", cwd=tmp_path)
    assert "kernels of Phrasemill are not compiled for Python" in done.stderr.splitlines()[-1]
    assert "run pip install ." in done.stderr.splitlines()[-1]


def test_the_wheel_holds_its_data_and_licences(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    data = {path.name for path in (ROOT / "src" / "phrasemill" / "data").iterdir()}
    assert {name.split("/")[-1] for name in names if name.startswith("phrasemill/data/")} == data
    assert {"phrasemill/py.typed", "phrasemill/kernels/tokens.pyx"} <= set(names)
    assert {name.split("/")[-1] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert not [name for name in names if name.endswith((".c", ".cpp")) or name.startswith("tests")]
    assert not [name for name in names if "lab" in Path(name).parts or name.startswith("phrasemill_lab")]


def test_the_laboratory_installs_beside_the_library_and_adds_its_commands(installed: Installed, tmp_path: Path) -> None:
    if installed.why_compiled:
        pytest.skip(f"{installed.why_compiled}; this environment, which has the laboratory, is on the path")
    reproduce = (installed.python, "-m", "phrasemill", "reproduce", "--format", "csv")
    without = process(*reproduce, cwd=tmp_path)
    assert without.returncode == 2
    assert without.stderr.startswith("phrasemill: phrasemill reproduce is in the package phrasemill-lab: pip install")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info", "build", "tests")
    shutil.copytree(ROOT / "lab", tmp_path / "lab", ignore=ignored)
    shutil.copy(ROOT / "setup.py", tmp_path)
    pip = (sys.executable, "-m", "pip", "--python", installed.python)
    run(*pip[:3], "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, tmp_path / "lab", cwd=tmp_path)
    run(*pip, "install", "-q", "--no-deps", next(tmp_path.glob("*.whl")), cwd=tmp_path)
    assert "mkduc01-table2" in run(*reproduce, cwd=tmp_path)


def test_the_wheel_is_small_enough_for_an_index(installed: Installed) -> None:
    """PyPI's limit is 100 MB a file; three quarters of it leave room. The largest weights are packages of their own."""
    assert installed.wheel.stat().st_size < LARGEST_WHEEL


@pytest.mark.parametrize("package", WEIGHTS)
def test_large_weights_are_packages_of_their_own(installed: Installed, package: str, tmp_path: Path) -> None:
    method, name = WEIGHTS[package]
    ask = f"from phrasemill.models import separate; print(separate({name!r}).exists())"
    assert run(installed.python, "-c", ask, cwd=tmp_path).strip() == "False"
    call = f"pm.extract('Salt.', method={method!r})"
    fails = f"import phrasemill as pm\ntry: {call}\nexcept pm.ModelError as e: print(e)"
    message = f"{method} needs its weights: pip install phrasemill-{package}"
    assert message in run(installed.python, "-c", fails, cwd=tmp_path, PYTHONPATH=LIBRARIES)
    weights = str(ROOT / "weights" / package / "src")
    assert run(installed.python, "-c", ask, cwd=tmp_path, PYTHONPATH=weights).strip() == "True"


def test_every_package_of_weights_is_listed() -> None:
    assert set(WEIGHTS) == {package.name for package in (ROOT / "weights").iterdir() if package.is_dir()}


def test_versions_are_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for package in (ROOT / "weights").iterdir():
        text = (package / "pyproject.toml").read_text(encoding="utf-8")
        assert tomllib.loads(text)["project"]["version"] == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
