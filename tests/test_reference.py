"""Whatever a user can name is explained: public names, commands and options, parameters of methods, requests."""

import inspect
import pkgutil
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.cli import app, extract
from phrasemill.engine import rows
from phrasemill.errors import MissingExtra
from phrasemill.specs import parameters_of

ROOT = Path(__file__).parents[1]
INTERNAL = {"kernels", "workers", "text", "files"}
PAGES = "\n".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/reference/python/*.md"))
MODULES = re.findall(r"^::: (phrasemill[\w.]*)$", PAGES, flags=re.MULTILINE)


def test_every_public_package_has_a_page() -> None:
    inits = (ROOT / "src" / "phrasemill").glob("*/__init__.py")
    packages = {path.parent.name for path in inits if "__all__" in path.read_text(encoding="utf-8")}
    assert {f"phrasemill.{name}" for name in packages - INTERNAL} <= set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_public_names_and_their_members_are_explained(module: str) -> None:
    try:
        found = pkgutil.resolve_name(module)
    except MissingExtra as error:
        pytest.skip(str(error))
    assert inspect.getdoc(found)
    own = [name for name, one in vars(found).items() if getattr(one, "__module__", "") == module]
    for name in getattr(found, "__all__", [one for one in own if not one.startswith("_")]):
        one = getattr(found, name)
        if inspect.isclass(one) or inspect.isfunction(one):
            assert inspect.getdoc(one), name
        for member, value in vars(one).items() if inspect.isclass(one) else ():
            called = isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value)
            assert member.startswith("_") or not called or inspect.getdoc(getattr(one, member)), (name, member)


def walked(command: Any, context: Any) -> Iterator[Any]:
    yield command
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from walked(command.get_command(context, name), context)


def test_commands_and_options_are_explained() -> None:
    root: Any = get_command(app)
    context = root.make_context("phrasemill", ["--help"], resilient_parsing=True)
    for command in walked(root, context):
        assert command.help or command.short_help, command.name
        assert [one.name for one in command.get_params(context) if not getattr(one, "help", "")] == [], command.name


@pytest.mark.parametrize("name", [*METHODS.names(), *SET_METHODS.names()])
def test_parameters_of_methods_are_explained(name: str) -> None:
    made_by: Any = (METHODS if name in METHODS else SET_METHODS).get(name)
    if not made_by.__module__.startswith("phrasemill."):
        pytest.skip("registered by a test")
    docs = "\n".join(one.__doc__ or "" for one in made_by.__mro__)
    assert [key for key in parameters_of(made_by) if f"- `{key}`: " not in docs] == []


def rows_of_parameters() -> list[tuple[str, str, str]]:
    """The method, the parameter and the default of each row of the tables that are written by hand."""
    found = []
    for page in ("methods.md", "set-methods.md"):
        text = (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")
        for name, section in re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL):
            for table in re.findall(r"^\| parameter \| default \|.*\n\|[-|]+\n((?:\|.*\n)+)", section, re.MULTILINE):
                for row in table.splitlines():
                    cells = [cell.strip() for cell in row.split(" | ")]
                    names, defaults = re.findall(r"`(\w+)`", cells[0]), cells[1].split(", ")
                    found += [(name, one, default) for one, default in zip(names, defaults, strict=False)]
    return found


@pytest.mark.parametrize(("name", "parameter", "default"), rows_of_parameters())
def test_tables_of_parameters_agree_with_the_code(name: str, parameter: str, default: str) -> None:
    value = parameters_of((METHODS if name in METHODS else SET_METHODS).get(name))[parameter]
    if value is None or value == "" or name == "consensus":  # words say what that means
        return
    plain = default.strip("`'")
    if isinstance(value, bool | str):
        assert plain == str(value)
    elif isinstance(value, int | float):
        assert float(Fraction(plain)) == pytest.approx(value)


def test_formats_of_results_are_described() -> None:
    page = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in (*extract.FORMATS, *rows.FORMATS))


def test_requests_are_described() -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from phrasemill.service.app import create_app

    for path, operations in create_app(workers=1, tags="a file of tags").openapi()["paths"].items():
        assert all(one.get("description") for one in operations.values()), path
