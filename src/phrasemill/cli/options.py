"""How options are declared, and how their values are read.

Typer would convert values with Pydantic, whose import alone takes longer than extracting the keyphrases of a page.
It is therefore given text and flags only, and `command` converts the values by the annotations of the function.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from phrasemill.errors import ConfigError

INPUT, SELECTION, KNOWN, OUTPUT = "Input", "Which phrases", "Phrases you know", "Output"
FLAG = " "  # instead of a metavar

Function = TypeVar("Function", bound=Callable[..., int])


@dataclass(frozen=True, slots=True)
class Option:
    """An option by its spelling, such as `--output -o FILE`; a flag has no metavar, and an argument has no name.

    `least` is the smallest number, `choices` are the only values, `none` is the word for None, and `complete` lists
    what a shell may suggest.
    """

    spelling: str
    help: str = ""
    panel: str | None = None
    _: KW_ONLY
    least: float | None = None
    choices: tuple[str, ...] = ()
    none: str | None = None
    complete: Callable[[], list[str]] | None = None

    @property
    def names(self) -> list[str]:
        return [word for word in self.spelling.split() if word.startswith("-")]

    @property
    def metavar(self) -> str:
        last = self.spelling.split()[-1]
        return FLAG if last.startswith("-") else last

    def for_typer(self) -> Any:
        declare: Callable[..., Any] = partial(typer.Option, *self.names) if self.names else typer.Argument
        help, complete = self.help, self.complete
        if self.choices:
            *others, last = self.choices
            help = help or f"{', '.join(others)} or {last}."
            complete = complete or (lambda: list(self.choices))
        return declare(metavar=self.metavar, help=help, rich_help_panel=self.panel, autocompletion=complete)

    def read(self, kind: Callable[[str], Any], text: str) -> Any:
        """Return `text` as the type `kind`; raise `ConfigError` if it is not one, or not among the choices."""
        if text == self.none:
            return None
        if kind in (int, float):
            return self._number(kind, text)
        return one_of(text, self.choices, self.names[0]) if self.choices else kind(text)

    def _number(self, kind: Callable[[str], float], text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = math.nan
        least = -math.inf if self.least is None else self.least
        if least <= found < math.inf:
            return found
        what = "whole number" if kind is int else "number of seconds" if self.metavar == "SECONDS" else "number"
        limit = "" if self.least is None else f", {self.least:g} or more"
        other = f", or {self.none}" if self.none else ""
        raise ConfigError(f"{self.names[0]} must be a {what}{limit}{other}; got {text!r}")


ListFormat = Annotated[str, Option("--format -f FORMAT", choices=("table", "json"))]
Output = Annotated[Path | None, Option("--output -o FILE", "Write to this file instead of the screen.", OUTPUT)]


class _Unconverted:
    """Replaces Typer's conversion of one parameter."""

    def coerce(self, value: object, param: object, ctx: object) -> object:
        return value


def _skip_conversion(parameters: Iterable[object]) -> None:
    """Where Typer works otherwise inside, this does nothing, and the command is only slower to start."""
    for parameter in parameters:
        if hasattr(parameter, "_runtime_param"):
            parameter._runtime_param = _Unconverted()


def _without_type(parameters: list[Any]) -> list[Any]:
    """Return the parameters, which are shown without <bool> and <list[str]>: such types say nothing."""
    for parameter in parameters:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None
        elif getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = FLAG
    return parameters


class Command(TyperCommand):
    """A command whose values Typer does not convert."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_type(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _skip_conversion(self.get_params(ctx))
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A group of commands, likewise."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_type(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _skip_conversion(self.get_params(ctx))
        return super().parse_args(ctx, args)


def group(name: str, help: str, epilog: str = "", cls: type[Group] = Group) -> typer.Typer:
    """Return a group of commands, which shows its help where none is named."""
    return typer.Typer(
        name=name,
        cls=cls,
        help=help,
        epilog=epilog,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def command(app: typer.Typer, examples: str, name: str | None = None) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to `app` as a command, and returns the function as it is.

    A parameter whose type is a class stands for all options that are parameters of the class.
    """

    def add(function: Function) -> Function:
        app.command(name, cls=Command, epilog=examples)(_with_text(function))
        return function

    return add


class _TextParameter(NamedTuple):
    """A parameter as Typer takes it, and how its value is read."""

    parameter: Parameter
    read: Callable[[Any], Any]


def _with_text(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function of which all parameters are text or flags, without groups."""
    groups: dict[str, Any] = {}
    parameters: list[_TextParameter] = []
    for one in signature(function).parameters.values():
        if isinstance(one.annotation, type):
            groups[one.name] = one.annotation
            parameters += map(_text_parameter, signature(groups[one.name]).parameters.values())
        else:
            parameters.append(_text_parameter(one))

    @wraps(function)
    def called(**given: Any) -> int:
        values = {one.name: read(given[one.name]) for one, read in parameters}
        for name, group in groups.items():
            values[name] = group(**{field: values.pop(field) for field in signature(group).parameters})
        return function(**values)

    called.__signature__ = Signature([one.parameter for one in parameters])  # type: ignore[attr-defined]
    called.__annotations__ = {}
    return called


def _text_parameter(one: Parameter) -> _TextParameter:
    annotation, declared = get_args(one.annotation)
    kind = get_args(annotation)[0] if isinstance(annotation, UnionType) else annotation
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)

    def read(value: Any) -> Any:
        if value is None or kind is bool:
            return value
        return [declared.read(kind, each) for each in value] if many else declared.read(kind, value)

    text: Any = annotation if kind is bool else list[str] | None if many else str | None
    default = declared.none if one.default is None else one.default
    if default not in (None, Parameter.empty) and kind is not bool:
        default = str(default)
    typed = Annotated[text, declared.for_typer()]
    return _TextParameter(Parameter(one.name, Parameter.KEYWORD_ONLY, default=default, annotation=typed), read)


def one_of(value: str, choices: Iterable[str], option: str) -> str:
    if value not in choices:
        raise ConfigError(f"{option} must be one of {', '.join(choices)}; got {value!r}")
    return value
