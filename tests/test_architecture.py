"""The shape of the code: arrows between layers, what an import loads, what is public."""

import ast
import subprocess
import sys
from pathlib import Path

import phrasemill

SOURCE = Path(phrasemill.__file__).parent
# Each layer may import itself and those above it; docs/design.md draws the picture.
LAYERS = [
    {"errors", "types", "shipped"},
    {"files"},
    {"extras", "keyphrases", "lender", "plots", "registry", "tables", "tensors", "kernels", "workers"},
    {"facts"},
    {"text", "embeddings"},
    {"candidates", "client", "diversity", "limits", "readers", "redundancy", "wording"},
    {"evaluation", "selection", "statistics", "vocabulary"},
    {"listing", "options", "sources"},
    {"pipeline"},
    {"extractor"},
    {"methods", "compat"},
    {"sets"},
    {"tags"},
    {"engine"},
    {"service"},
    {"integrations"},
    {"cli"},
    {"lab"},
    {"__main__"},
]
LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer}
HEAVY = ["numpy", "scipy", "torch", "pyarrow", "rich", "typer", "nltk", "stopwordsiso", "tokenizers", "asyncio"]


def imports(path: Path) -> set[str]:
    """The layers that the file at `path` imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("phrasemill.")}
    return found


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


FILES = [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def test_arrows_point_one_way() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {other}"
        for path in FILES
        for other in sorted(imports(path) - {layer_of(path), "__version__"})
        if LEVEL[other] >= LEVEL[layer_of(path)]
    ]
    assert not wrong


def test_every_layer_is_on_the_map() -> None:
    assert {layer_of(path) for path in FILES} <= set(LEVEL)
    design = (SOURCE.parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
    for name in LEVEL:
        assert name in design, f"docs/design.md does not mention {name}"


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


def test_the_public_namespace_is_sorted_and_complete() -> None:
    assert phrasemill.__all__ == sorted(phrasemill.__all__)
    for name in phrasemill.__all__:
        assert getattr(phrasemill, name) is not None


def test_the_versions_agree() -> None:
    import tomllib

    project = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert phrasemill.__version__ == project["version"]
