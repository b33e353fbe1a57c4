"""The shape of the code: arrows between layers, what an import loads, what is public."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import phrasemill

SOURCE = Path(phrasemill.__file__).parent
DESIGN = (SOURCE.parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
THE_MAP = DESIGN.split("## The map", 1)[1]
# docs/design.md has the layers: each may import itself and those to its left.
LAYERS = [re.findall(r"\w+", layer) for layer in re.findall(r"^`(errors, .*?)`$", THE_MAP, re.M | re.S)[0].split("←")]
LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer}
HEAVY = ["numpy", "scipy", "torch", "pyarrow", "rich", "typer", "nltk", "stopwordsiso", "tokenizers", "asyncio"]


def imports(path: Path) -> set[str]:
    """The layers that the file at `path` imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import, which this test does not read"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("phrasemill.")}
    return found


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


FILES = sorted(SOURCE.rglob("*.py"))


def test_arrows_point_one_way() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {other}"
        for path in FILES
        for other in sorted(imports(path) - {layer_of(path), "__version__"})
        if LEVEL[other] >= LEVEL[layer_of(path)]
    ]
    assert not wrong


def test_nothing_imports_the_laboratory() -> None:
    naming = re.compile(r"^\s*(?:from|import) phrasemill_lab|import_module\(.phrasemill_lab", re.M)
    assert not [str(path.relative_to(SOURCE)) for path in FILES if naming.search(path.read_text(encoding="utf-8"))]


def test_the_map_shows_what_is_there() -> None:
    there = {layer_of(path) for path in FILES}
    assert set(LEVEL) == there
    drawn = re.search(r"```\nsrc/phrasemill/\n(.*?)\nweights/", THE_MAP, re.S)
    assert drawn is not None
    entries = re.findall(r"^  (\w+)(?:\.py|/) ", drawn[1], re.M)
    assert len(entries) == len(set(entries))
    assert set(entries) - {"data"} == there - {"__main__"}


def test_no_drawers_for_odds_and_ends() -> None:
    assert not {path.stem for path in FILES} & {"utils", "helpers", "common", "misc", "util"}


def test_importing_and_extracting_loads_nothing_heavy() -> None:
    code = "import sys, phrasemill; phrasemill.extract('Graph theory of large graphs.'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    # Tools that the environment itself loads at start-up are not ours.
    before = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & (set(loaded) - set(before))


def test_methods_are_listed_and_the_default_runs_without_heavy_modules() -> None:
    """Workers of the service have 64 MB: a method's network comes with NumPy and its runtime when it is called."""
    code = """
import sys, phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.service import specs
pm.extract("Graph theory of large graphs.")
print(*[METHODS.build(name) for name in METHODS.names()], *sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "torch", "onnxruntime", "tokenizers", "httpx"} & set(done.stdout.split())


def test_the_public_namespace_is_sorted_and_complete() -> None:
    assert phrasemill.__all__ == sorted(phrasemill.__all__)
    for name in phrasemill.__all__:
        assert getattr(phrasemill, name) is not None


def test_the_versions_agree() -> None:
    import tomllib

    project = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert phrasemill.__version__ == project["version"]
