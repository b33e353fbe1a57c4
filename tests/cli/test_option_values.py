"""Options: values are read by the types of the parameters, and a group stands for its options."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer

from phrasemill.cli.options import Option, command
from phrasemill.errors import ConfigError

app = typer.Typer()
read: dict[str, object] = {}


@dataclass(frozen=True)
class Place:
    folder: Annotated[Path, Option("--folder -f DIR")] = Path("here")
    jobs: Annotated[int | None, Option("--jobs N", least=1, none="all")] = None


@command(app, "")
def work(
    *,
    files: Annotated[list[Path] | None, Option("FILE")] = None,
    place: Place,
    limit: Annotated[float, Option("--limit SECONDS", least=0)] = 30,
    kind: Annotated[str, Option("--kind KIND", choices=("a", "b"))] = "a",
    quick: Annotated[bool, Option("--quick")] = False,
) -> int:
    read.update(files=files, place=place, limit=limit, kind=kind, quick=quick)
    return 0


def test_values_have_the_types_of_their_parameters() -> None:
    app([], standalone_mode=False)
    assert read == {"files": None, "place": Place(Path("here"), None), "limit": 30.0, "kind": "a", "quick": False}
    app(["x", "y", "-f", "there", "--jobs", "2", "--limit", "0.5", "--kind", "b", "--quick"], standalone_mode=False)
    assert read["files"] == [Path("x"), Path("y")] and read["place"] == Place(Path("there"), 2)
    assert (read["limit"], read["kind"], read["quick"]) == (0.5, "b", True)
    app(["--jobs", "all"], standalone_mode=False)
    assert read["place"] == Place()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jobs", "0"], "--jobs must be a whole number, 1 or more, or all; got '0'"),
        (["--jobs", "1.5"], "--jobs must be a whole number, 1 or more, or all; got '1.5'"),
        (["--limit", "nan"], "--limit must be a number of seconds, 0 or more; got 'nan'"),
        (["--limit", "inf"], "--limit must be a number of seconds, 0 or more; got 'inf'"),
        (["--kind", "c"], "--kind must be one of a, b; got 'c'"),
    ],
)
def test_a_value_that_cannot_be_is_named(arguments: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        app(arguments, standalone_mode=False)
    assert str(raised.value) == message
