"""How commands and their options are declared, and how values are read.

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
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from phrasemill.errors import ConfigError

INPUT, SELECTION, KNOWN, OUTPUT = "Input", "Which phrases", "Phrases you know", "Output"
FLAG = " "  # instead of a metavar
SHORT_HELP, HELP = "-h", "--help"

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
        if kind not in (int, float):
            return one_of(text, self.choices, self.names[0]) if self.choices else kind(text)
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


def one_of(value: str, choices: Iterable[str], option: str) -> str:
    if value not in choices:
        raise ConfigError(f"{option} must be one of {', '.join(choices)}; got {value!r}")
    return value


class _Unconverted:
    """Replaces Typer's conversion of one parameter."""

    def coerce(self, value: object, param: object, ctx: object) -> object:
        return value


class _Plain(TyperCommand if TYPE_CHECKING else object):  # type: ignore[misc]
    """A command or group whose values Typer does not convert; `-h` prints `short`, if there is one."""

    @property
    def short(self) -> str:
        return ""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, which are shown without <bool> and <list[str]>: such types say nothing."""
        parameters: list[Any] = super().get_params(ctx)
        for one in parameters:
            if one.param_type_name == "argument":
                one.display_type_rich = lambda ctx: None
            elif getattr(one, "is_flag", False) and one.metavar is None:
                one.metavar = FLAG
        return parameters

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for one in self.get_params(ctx):
            # Where Typer works otherwise inside, values are converted twice, and the command is only slower to start.
            if hasattr(one, "_runtime_param"):
                one._runtime_param = _Unconverted()
        group = isinstance(self, TyperGroup)
        if SHORT_HELP in (args[:1] if group else args) or (group and not args):
            if self.short:
                print(self.short)
                raise typer.Exit
            args = [HELP]
        return super().parse_args(ctx, args)


class Command(_Plain, TyperCommand):
    """A command of ours."""


class Group(_Plain, TyperGroup):
    """A group of commands, likewise."""


def group(name: str, help: str, epilog: str = "", cls: type[Group] = Group) -> typer.Typer:
    """Return a group of commands, which shows its help where none is named."""
    return typer.Typer(
        name=name,
        cls=cls,
        help=help,
        epilog=epilog,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": [HELP]},
    )


def command(
    app: typer.Typer, examples: str, name: str | None = None, *, short: str = ""
) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to `app` as a command, and returns the function as it is.

    A parameter whose type is a class stands for all options that are parameters of the class. `short` is what `-h`
    prints, where `--help` is longer than a screen.
    """
    cls = type("Command", (Command,), {"short": short})

    def add(function: Function) -> Function:
        app.command(name, cls=cls, epilog=examples)(_with_text(function))
        return function

    return add


def _with_text(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function of which all parameters are text or flags, without groups."""
    groups: dict[str, Any] = {}
    declared: list[Parameter] = []
    for one in signature(function).parameters.values():
        if isinstance(one.annotation, type):
            groups[one.name] = one.annotation
            declared += signature(one.annotation).parameters.values()
        else:
            declared.append(one)

    @wraps(function)
    def called(**given: Any) -> int:
        values = {one.name: _read(one.annotation, given[one.name]) for one in declared}
        for name, group in groups.items():
            values[name] = group(**{field: values.pop(field) for field in signature(group).parameters})
        return function(**values)

    called.__signature__ = Signature(list(map(_as_text, declared)))  # type: ignore[attr-defined]
    called.__annotations__ = {}
    return called


def _as_text(one: Parameter) -> Parameter:
    """Return the parameter as Typer takes it."""
    kind, many, option = _parts(one.annotation)
    text: Any = bool if kind is bool else list[str] | None if many else str | None
    default = option.none if one.default is None else one.default
    if default not in (None, Parameter.empty) and kind is not bool:
        default = str(default)
    if kind is bool and default is None:
        text = bool | None
    typed = Annotated[text, option.for_typer()]
    return Parameter(one.name, Parameter.KEYWORD_ONLY, default=default, annotation=typed)


def _read(annotation: Any, value: Any) -> Any:
    kind, many, option = _parts(annotation)
    if value is None or kind is bool:
        return value
    return [option.read(kind, each) for each in value] if many else option.read(kind, value)


def _parts(annotation: Any) -> tuple[Any, bool, Option]:
    """Return the type of a value, whether there may be several, and the option, of `Annotated[list[str] | None, …]`."""
    kind, option = get_args(annotation)
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    return (get_args(kind)[0], True, option) if get_origin(kind) is list else (kind, False, option)
