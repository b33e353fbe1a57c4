"""A built wheel works outside the checkout, with its data files, and also where there is no compiler."""

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

import pytest

from phrasemill.kernels import is_compiled, tokens

pytestmark = pytest.mark.wheels

ROOT = Path(__file__).parents[2]
WEIGHTS = {  # packages, with the methods they are for and what they contain
    "bertkpe": ("bertkpe", "bertkpe_en"),
    "catseqd": ("catseqd", "catseqd_en.safetensors"),
    "encoder-large": ("encoder(size='large')", "encoder_large_en.safetensors"),
}
LARGEST_WHEEL = 75_000_000  # bytes
CHECK = """
import json, phrasemill
from phrasemill.kernels import is_compiled, tokens
text = "Neural networks learn. A neural network has layers, and neural networks generalise."
names = ("firstphrases", "tfidf", "textrank")
found = {name: [[k.text, k.score, k.spans] for k in phrasemill.extract(text, method=name)] for name in names}
print(json.dumps([phrasemill.__file__, is_compiled(tokens), found]))
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PHRASEMILL"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_wheel(folder: Path, **environment: str) -> Path:
    """A wheel of a copy of the sources, made offline with the build tools of this environment."""
    copy = folder / "source"
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, copy / name)
    run(
        sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, copy,
        cwd=folder, **environment,
    )  # fmt: skip
    return next(folder.glob("*.whl"))


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment that holds the wheel, and sees this environment's libraries behind it."""
    venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
    python = folder / "venv" / "bin" / "python"
    target = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    (target / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


@pytest.mark.skipif(
    not shutil.which(os.environ.get("CC", "cc")) or "PHRASEMILL_INTERPRETED" in os.environ, reason="no C compiler"
)
def test_the_checkout_itself_is_compiled() -> None:
    """What `pip install -e` leaves in the source tree, and what all other tests run."""
    assert is_compiled(tokens)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("compiled")
    wheel = build_wheel(folder)
    return wheel, install(wheel, folder)


def test_the_wheel_holds_its_data_and_licences(compiled: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(compiled[0]).namelist()
    data = {path.name for path in (ROOT / "src" / "phrasemill" / "data").iterdir()}
    assert {name.split("/")[-1] for name in names if name.startswith("phrasemill/data/")} == data
    assert {"phrasemill/py.typed", "phrasemill/kernels/tokens.pyx"} <= set(names)
    assert {name.split("/")[-1] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert not [name for name in names if name.endswith((".c", ".cpp")) or name.startswith("tests")]


def test_the_wheel_is_small_enough_for_an_index(compiled: tuple[Path, Path]) -> None:
    """PyPI's limit is 100 MB a file; three quarters of it leave room. The largest weights are packages of their own."""
    assert compiled[0].stat().st_size < LARGEST_WHEEL


@pytest.mark.parametrize("package", WEIGHTS)
def test_large_weights_are_packages_of_their_own(compiled: tuple[Path, Path], package: str, tmp_path: Path) -> None:
    method, name = WEIGHTS[package]
    ask = f"from phrasemill.shipped import shipped; print(shipped({name!r}).exists())"
    assert run(compiled[1], "-c", ask, cwd=tmp_path).strip() == "False"
    call = f"pm.extract('Salt.', method={method!r})"
    fails = f"import phrasemill as pm\ntry: {call}\nexcept pm.ModelError as e: print(e)"
    message = f"{method} needs its weights: pip install phrasemill-{package}"
    assert message in run(compiled[1], "-c", fails, cwd=tmp_path)
    installed = str(ROOT / "weights" / package / "src")
    assert run(compiled[1], "-c", ask, cwd=tmp_path, PYTHONPATH=installed).strip() == "True"


def test_every_package_of_weights_is_listed() -> None:
    assert set(WEIGHTS) == {package.name for package in (ROOT / "weights").iterdir() if package.is_dir()}


def test_versions_are_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for package in (ROOT / "weights").iterdir():
        text = (package / "pyproject.toml").read_text(encoding="utf-8")
        assert tomllib.loads(text)["project"]["version"] == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_it_works_outside_the_checkout(compiled: tuple[Path, Path], tmp_path: Path) -> None:
    place, was_compiled, found = json.loads(run(compiled[1], "-c", CHECK, cwd=tmp_path))
    assert not Path(place).is_relative_to(ROOT)
    assert was_compiled
    assert all(found.values())
    output = run(compiled[1], "-m", "phrasemill", "extract", "--example", "--format", "text", cwd=tmp_path)
    assert len(output.splitlines()) == 10


def test_without_a_compiler_it_installs_and_gives_the_same(compiled: tuple[Path, Path], tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, CC="no-such-compiler", CXX="no-such-compiler")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]
    python = install(wheel, tmp_path)
    _, was_compiled, found = json.loads(run(python, "-c", CHECK, cwd=tmp_path))
    assert not was_compiled
    assert found == json.loads(run(compiled[1], "-c", CHECK, cwd=tmp_path))[2]


def test_the_compiled_package_can_be_told_to_run_interpreted(compiled: tuple[Path, Path], tmp_path: Path) -> None:
    _, was_compiled, found = json.loads(run(compiled[1], "-c", CHECK, cwd=tmp_path, PHRASEMILL_INTERPRETED="1"))
    assert not was_compiled
    assert found == json.loads(run(compiled[1], "-c", CHECK, cwd=tmp_path))[2]
