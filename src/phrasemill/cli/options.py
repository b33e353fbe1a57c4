"""How the options of commands are declared, and how their values are read.

Values arrive as the strings that people typed. Typer would convert them with Pydantic, whose import alone takes longer
than extracting the keyphrases of a page, so `Command` and `Group` pass them on and the functions here convert them.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from phrasemill.cli.reading import Inputs
from phrasemill.errors import ConfigError
from phrasemill.options import HELP

INPUT, SELECTION, KNOWN, OUTPUT = "Input", "Which phrases", "Phrases you know", "Output"
NEURAL = "Models that write keyphrases"
FLAG = " "  # instead of <bool>, which means nothing to most people

FORMATS = ("table", "json", "jsonl", "csv", "text")
LIST_FORMATS = ("table", "json")
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)

Number = TypeVar("Number", int, float)


class _Unconverted:
    """Replaces Typer's conversion of one parameter."""

    def coerce(self, value: object, param: object, ctx: object) -> object:
        return value


def _skip_conversion(parameters: Iterable[object]) -> None:
    """Where Typer works otherwise inside, this does nothing, and the command is only slower to start."""
    for parameter in parameters:
        if hasattr(parameter, "_runtime_param"):
            parameter._runtime_param = _Unconverted()


class Command(TyperCommand):
    """A command whose values are not converted."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _skip_conversion(self.get_params(ctx))
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """The command itself, likewise."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _skip_conversion(self.get_params(ctx))
        return super().parse_args(ctx, args)


def option(
    *names: str,
    help: str,
    metavar: str = FLAG,
    panel: str | None = None,
    complete: Callable[[], list[str]] | None = None,
    default: bool = True,
) -> Any:
    """Declare an option; `default` is whether its help shows the default, `complete` lists what a shell may suggest."""
    return typer.Option(
        *names, metavar=metavar, help=help, rich_help_panel=panel, autocompletion=complete, show_default=default
    )


def with_groups(command: Callable[..., int]) -> Callable[..., int]:
    """Return the command with the options of a group in the place of each parameter that is a group (a dataclass)."""
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for one in signature(command).parameters.values():
        if is_dataclass(one.annotation):
            groups[one.name] = one.annotation
            parameters += [
                Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
                for field in fields(one.annotation)
            ]
        else:
            parameters.append(one.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def expanded(**given: Any) -> int:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        return command(**given)

    expanded.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {}
    return expanded


def one_of(value: str, choices: Iterable[str], option: str) -> str:
    if value not in choices:
        raise ConfigError(f"{option} must be one of {', '.join(choices)}; got {value!r}")
    return value


def number(value: str, kind: Callable[[str], Number], complaint: str) -> Number:
    try:
        return kind(value)
    except ValueError:
        raise ConfigError(f"{complaint}; got {value!r}") from None


def whole(value: str, option: str, *, least: int = 1) -> int:
    """Read a whole number that is at least `least`."""
    complaint = f"{option} must be a whole number, {least} or more"
    found = number(value, int, complaint)
    if found < least:
        raise ConfigError(f"{complaint}; got {value!r}")
    return found


def seconds(value: str, option: str, *, least: float = 0.0) -> float:
    """Read a finite number of seconds that is at least `least`."""
    complaint = f"{option} must be a number of seconds, {least:g} or more"
    found = number(value, float, complaint)
    if not least <= found < math.inf:
        raise ConfigError(f"{complaint}; got {value!r}")
    return found


def output_format(value: str | None, output: Path | None) -> str:
    """Return the format that was given, or the one of the output file's extension, or a table."""
    extension = output.suffix.lower().removeprefix(".") if output else ""
    if value is None:
        return extension if extension in ("json", "jsonl", "csv") else "table"
    return one_of(value, FORMATS, "--format")


def _language_names() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


def _input_formats() -> list[str]:
    from phrasemill.readers.sniffing import FORMATS

    return list(FORMATS)


Language = Annotated[
    str | None,
    option("--language", "-l", metavar="LANGUAGE", help=HELP["language"], panel=INPUT, complete=_language_names),
]
MethodsFormat = Annotated[str, option("--format", "-f", metavar="FORMAT", help="table or json.")]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options of all commands that read documents."""

    input_format: Annotated[
        str | None,
        option(
            metavar="FORMAT",
            help="Format of the files, where neither name nor content shows it: plain, html, pdf, csv …",
            panel=INPUT,
            complete=_input_formats,
        ),
    ] = None
    columns: Annotated[
        str | None,
        option(
            metavar="NAMES",
            help="Fields of JSON lines, CSV and Parquet, as text=NAME,title=NAME,id=NAME; + joins several texts.",
            panel=INPUT,
        ),
    ] = None
    largest: Annotated[
        str,
        option(metavar="SIZE", help="Largest document, JSON line or row to read, such as 500k or 1G.", panel=INPUT),
    ] = "64M"

    def inputs(self) -> Inputs:
        """Return the reader of files that these options describe."""
        from phrasemill.errors import UnknownName
        from phrasemill.readers import parse_columns
        from phrasemill.readers.sniffing import BY_EXTENSION, FORMATS

        format = self.input_format and self.input_format.lower()
        if format is not None and format not in {*BY_EXTENSION, *FORMATS}:
            raise UnknownName("format", str(self.input_format), FORMATS)
        columns = None if self.columns is None else parse_columns(self.columns)
        return Inputs(format=format, columns=columns, largest=self._bytes())

    def _bytes(self) -> int:
        found = SIZE.fullmatch(self.largest.strip())
        count = int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " ")) if found else 0
        if not count:
            raise ConfigError(f"--largest must be a size such as 64M or 1G; got {self.largest!r}")
        return count
