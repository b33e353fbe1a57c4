"""The reference is written from the code, and complete."""

import inspect
import re
from fractions import Fraction
from pathlib import Path

import pytest

import phrasemill
from phrasemill.cli import COMMANDS, options
from phrasemill.engine import rows
from phrasemill.evaluation.metrics import METRICS
from phrasemill.evaluation.policies import PRESETS, Policy
from phrasemill.evaluation.report import metric_label
from phrasemill.readers.sniffing import FORMATS
from phrasemill.registry import METHODS, SET_METHODS, parameters_of
from phrasemill.service.problems import KINDS
from phrasemill_lab.docs.reference import commands, http
from phrasemill_lab.docs.reference import pages as reference_pages
from phrasemill_lab.docs.reference.pages import PAGES, PUBLIC
from phrasemill_lab.docs.reference.python_names import defined, public
from phrasemill_lab.docs.reference.specs import meanings_of

pytestmark = pytest.mark.docs
FOLDER = Path(__file__).parents[2] / "docs" / "reference"
SOURCE = Path(phrasemill.__file__).parent
PARAMETERS = re.compile(r"^\| parameter \| default \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_what_the_code_says(name: str) -> None:
    assert text(name) == PAGES[name](), "run python -m phrasemill_lab.docs.reference"


def test_every_package_with_public_names_has_a_page() -> None:
    packages = [path.parent.name for path in SOURCE.glob("*/__init__.py") if "__all__" in path.read_text("utf-8")]
    internal = {"kernels", "workers", "text", "files", "lab"}
    assert set(packages) - internal <= {name.removeprefix("phrasemill.") for name in PUBLIC}


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_is_explained(module: str) -> None:
    page = text(f"python/{module.removeprefix('phrasemill.')}.md")
    for name, one in public(module).items():
        assert f"\n## `{name}`\n" in page
        if inspect.isclass(one.object) or inspect.isfunction(one.object):
            assert inspect.getdoc(one.object), name


@pytest.mark.parametrize("package", ["compat", "integrations"])
def test_every_module_for_other_libraries_is_there(package: str) -> None:
    listed = {*reference_pages.COMPATIBLE, *reference_pages.INTEGRATIONS}
    page = text(f"python/{package}.md")
    for path in SOURCE.joinpath(package).glob("[a-z]*.py"):
        if path.stem in ("columns", "mcp"):  # what these share, and a server without names of its own
            continue
        assert path.stem in listed and f"## `phrasemill.{package}.{path.stem}`" in page
        for name in defined(f"phrasemill.{package}.{path.stem}"):
            assert f"### `{name}`" in page


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_there(name: str) -> None:
    page = text("commands.md")
    for called, command, context in commands.walked(name):
        assert re.search(rf"^###? {re.escape(called)}$", page, flags=re.MULTILINE), called
        for one in command.get_params(context):
            for spelled in () if one.name == "help" or one.param_type_name == "argument" else one.opts:
                assert re.search(rf"`{re.escape(spelled)}[ `]", page), (called, spelled)
            assert getattr(one, "help", "") or one.name == "help", (called, one.name)


def test_every_request_and_object_is_there() -> None:
    page, described = text("http.md"), http.description()
    for name, operation in http.operations(described):
        assert f"## `{name}`" in page and operation.get("description")
    for name in described["components"]["schemas"]:
        assert f"### {name}\n" in page


@pytest.mark.parametrize("name", [*METHODS.names(), *SET_METHODS.names()])
def test_every_parameter_of_a_method_is_explained(name: str) -> None:
    made_by = (METHODS if name in METHODS else SET_METHODS).get(name)
    if not made_by.__module__.startswith("phrasemill."):
        pytest.skip("registered by a test")
    meanings = meanings_of(made_by)
    assert [key for key in parameters_of(made_by) if not meanings.get(key)] == []


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("python/")])
def test_every_member_of_a_class_is_explained(name: str) -> None:
    unexplained = re.findall(
        r"^###+ `([\w.]+)`\n\n(?:```py\n(?:(?!```).*\n)+```|A property: `[^`]+`\.)\n(?=\n#|\Z)", text(name), re.M
    )
    assert unexplained == []


def test_defaults_are_written_as_values() -> None:
    assert not [name for name in PAGES if "field(" in text(name).lower()]


def test_every_metric_choice_and_preset_is_there() -> None:
    page = text("scores.md")
    assert all(f"| `{metric_label(name)}` |" in page for name in METRICS.names())
    assert all(f"### `{name}`" in page for name in PRESETS)
    assert all(f"| `{name}` |" in page for name in Policy.__slots__)


def test_every_format_is_there() -> None:
    page = text("formats.md")
    assert all(f"| `{name}` |" in page for name in (*FORMATS, *options.FORMATS, *rows.FORMATS))


def test_every_error_and_problem_is_there() -> None:
    page = text("errors.md")
    errors = [
        name
        for name in phrasemill.__all__
        if inspect.isclass(one := getattr(phrasemill, name)) and issubclass(one, Exception)
    ]
    assert all(f"`{name}`" in page or f"phrasemill.{name}`" in page for name in errors)
    assert all(f"| `{name}` |" in page for name in KINDS)


def tables_of_parameters() -> list[tuple[str, str, str]]:
    """The method, the parameter and the default of each row of the hand-written tables."""
    found = []
    for page in ("methods.md", "set-methods.md"):
        for name, section in re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", text(page), flags=re.MULTILINE | re.DOTALL):
            for table in re.findall(
                r"^\| parameter \| default \|.*\n\|[-|]+\n((?:\|.*\n)+)", section, flags=re.MULTILINE
            ):
                for row in table.splitlines():
                    cells = [cell.strip() for cell in row.split(" | ")]
                    names, defaults = re.findall(r"`(\w+)`", cells[0]), cells[1].split(", ")
                    found += [(name, one, default) for one, default in zip(names, defaults, strict=False)]
    return found


@pytest.mark.parametrize(("name", "parameter", "default"), tables_of_parameters())
def test_tables_of_parameters_agree_with_the_code(name: str, parameter: str, default: str) -> None:
    known = parameters_of((METHODS if name in METHODS else SET_METHODS).get(name))
    assert parameter in known
    value = known[parameter]
    if value is None or value == "" or name == "consensus":  # words say what that means
        return
    plain = default.strip("`'")
    if isinstance(value, bool | str):
        assert plain == str(value)
    elif isinstance(value, int | float):
        assert float(Fraction(plain)) == pytest.approx(value)
