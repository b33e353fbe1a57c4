"""The options of the commands: how each is called, what its help says, and how its value is read.

Values arrive as the strings that people typed. Typer would convert them by way of Pydantic, whose import alone takes
longer than the keyphrases of a page, so the classes below hand them on and the functions here convert them.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from phrasemill.errors import ConfigError
from phrasemill.registry import METHODS, Spec, parse

if TYPE_CHECKING:
    from phrasemill.readers import Columns

INPUT, SELECTION, OUTPUT = "Input", "Which phrases", "Output"
NEURAL = "Models that write keyphrases"
FLAG = " "  # instead of <bool>, which tells nobody anything

FORMATS = ("table", "json", "jsonl", "csv", "text")
LIST_FORMATS = ("table", "json")

Number = TypeVar("Number", int, float)


class _AsTyped:
    """Stands in for Typer's conversion of one parameter."""

    def coerce(self, value: object, param: object, ctx: object) -> object:
        return value


def _skip_conversion(parameters: Iterable[object]) -> None:
    """Where Typer works otherwise inside, this does nothing, and the command is only slower to start."""
    for parameter in parameters:
        if hasattr(parameter, "_runtime_param"):
            parameter._runtime_param = _AsTyped()


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


def one_of(value: str, choices: Iterable[str], option: str) -> str:
    if value not in choices:
        raise ConfigError(f"{option} must be one of {', '.join(choices)}; got {value!r}")
    return value


def number(value: str, kind: Callable[[str], Number], complaint: str) -> Number:
    try:
        return kind(value)
    except ValueError:
        raise ConfigError(f"{complaint}; got {value!r}") from None


def top(value: str) -> int | float | str | None:
    """A number of phrases, a share of them, `auto`, or None for all."""
    complaint = "--top must be a number, a share such as 0.2, auto, or all"
    if value.lower() == "all":
        return None
    if value.lower() == "auto":
        return "auto"
    return number(value, float, complaint) if "." in value else number(value, int, complaint)


STYLED = ("consensus", "encoder", "generator", "learned")


def styled(method: str, style: str | None) -> str:
    """The spec of the method, with the style that was asked for."""
    if style is None:
        return method
    spec = parse(method)
    if spec.name not in STYLED:
        raise ConfigError(f"--style is for the methods {', '.join(STYLED)}, not for {spec.name}")
    if any(key == "style" for key, _ in spec.options) or spec.values:
        raise ConfigError(f"--style and {method} both name a style; leave one out")
    return str(Spec(spec.name, (), (("style", style), *spec.options)))


def threshold(value: str | None) -> float | None:
    return None if value is None else number(value, float, "--threshold must be a number")


def output_format(value: str | None, output: Path | None) -> str:
    """The format asked for, or the one that the name of the output file calls for, or a table."""
    extension = output.suffix.lower().removeprefix(".") if output else ""
    if value is None:
        return extension if extension in ("json", "jsonl", "csv") else "table"
    return one_of(value, FORMATS, "--format")


def input_format(value: str | None) -> str | None:
    """A format of `readers`, by its name or by an extension."""
    from phrasemill.errors import UnknownName
    from phrasemill.readers.sniffing import BY_EXTENSION, FORMATS

    if value is not None and value.lower() not in {*BY_EXTENSION, *FORMATS}:
        raise UnknownName("format", value, FORMATS)
    return value and value.lower()


def columns(value: str | None) -> "Columns | None":
    from phrasemill.readers import parse_columns

    return parse_columns(value) if value is not None else None


def language(value: str | None) -> str | None:
    """The code of a language that was given by any code or name."""
    from phrasemill.text.language_codes import language_code

    return None if value is None else language_code(value)


SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


def largest(value: str) -> int:
    """A number of bytes, as in 500k, 64M or 1.5G."""
    found = SIZE.fullmatch(value.strip())
    count = int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " ")) if found else 0
    if not count:
        raise ConfigError(f"--largest must be a size such as 64M or 1G; got {value!r}")
    return count


def _language_names() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


def _input_format_names() -> list[str]:
    from phrasemill.readers.sniffing import FORMATS

    return list(FORMATS)


def _format_names() -> list[str]:
    return list(FORMATS)


def _method_names() -> list[str]:
    return METHODS.names()


def _redundancy_names() -> list[str]:
    return ["none", "variants", "inclusion", "similarity", "meaning"]


def _style_names() -> list[str]:
    from phrasemill.methods.styles import STYLES

    return list(STYLES)


Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="Text, Markdown, HTML, PDF, Word, JATS, JSON lines, CSV or Parquet; - is standard input.",
        show_default=False,
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="SPEC",
        help="How to rank: a name, with parameters if you like; see [bold]phrasemill methods[/bold].",
        autocompletion=_method_names,
        rich_help_panel=SELECTION,
    ),
]
Top = Annotated[
    str,
    typer.Option(
        "--top",
        "-n",
        metavar="N",
        help="How many: a number, a share of the candidates such as 0.2, auto (as many as the text deserves), or all.",
        rich_help_panel=SELECTION,
    ),
]
Style = Annotated[
    str | None,
    typer.Option(
        metavar="STYLE",
        help="Whose choice is wanted: indexer, author, reader, news, or general; for learned, encoder and generator.",
        autocompletion=_style_names,
        show_default=False,
        rich_help_panel=SELECTION,
    ),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", metavar=FLAG, help="Say why each phrase is there.", rich_help_panel=OUTPUT),
]
Threshold = Annotated[
    str | None,
    typer.Option(metavar="SCORE", help="Leave out what scores less.", show_default=False, rich_help_panel=SELECTION),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PHRASE",
        help="A phrase you do not want; may be given several times.",
        show_default=False,
        rich_help_panel=SELECTION,
    ),
]
ExcludeFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="A file of phrases you do not want, one a line.",
        show_default=False,
        rich_help_panel=SELECTION,
    ),
]
Redundancy = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="Drop a phrase like a better one: none, variants, inclusion, similarity(0.8), "
        "or by what they mean, meaning(0.8). Default: the method's own.",
        autocompletion=_redundancy_names,
        show_default=False,
        rich_help_panel=SELECTION,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="LANGUAGE",
        help="By code or name: en, deu, French, pt-BR. By default what the file says, else English.",
        autocompletion=_language_names,
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
Repair = Annotated[
    bool,
    typer.Option(
        "--repair",
        metavar=FLAG,
        help="For text out of a PDF: join broken words, drop page headers.",
        rich_help_panel=INPUT,
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--input-format",
        metavar="FORMAT",
        help="What the files are, where neither name nor content tells: plain, html, pdf, csv …",
        autocompletion=_input_format_names,
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="The fields of JSON lines, CSV and Parquet, as text=NAME,title=NAME,id=NAME; + joins several texts.",
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
Largest = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help="The largest document that is read, or line of JSON, or row; such as 500k or 1G.",
        rich_help_panel=INPUT,
    ),
]
AsSet = Annotated[
    bool,
    typer.Option(
        "--set",
        metavar=FLAG,
        help="The keyphrases of all files together, as one set; a FILE may be a folder.",
        rich_help_panel=INPUT,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="FIELD",
        help="Many sets: folder, or a field of JSON lines, CSV or Parquet. Implies --set.",
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
Against = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="What marks the set out from this file or folder; may be given several times. Implies --set.",
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
Example = Annotated[
    bool,
    typer.Option("--example", metavar=FLAG, help="Use the example text that is built in.", rich_help_panel=INPUT),
]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        autocompletion=_format_names,
        help="table (the default), json, jsonl, csv or text; for sets also html.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Highlight = Annotated[
    bool,
    typer.Option(
        "--highlight", metavar=FLAG, help="Print the text with its keyphrases marked.", rich_help_panel=OUTPUT
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write there instead of to the screen.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
MethodsFormat = Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="table or json.")]
