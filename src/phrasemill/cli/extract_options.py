"""The options that `extract` and `run` share: those of `phrasemill.extract`, as they are typed on a command line, and
those of all commands that read documents."""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Annotated, Any, ClassVar

from phrasemill.catalogue import METHODS, styles
from phrasemill.cli.options import INPUT, Option
from phrasemill.cli.reading import Inputs, lines_of
from phrasemill.errors import ConfigError
from phrasemill.options import ALL, OPTIONS
from phrasemill.options import Option as Declared
from phrasemill.select import AUTO, REDUNDANCY

BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>(?:.*\S)?)\s*=\s*(?P<factor>[^=\s]+)\s*")
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)

FORMAT_HELP = "The format of the files, if neither name nor content shows it: plain, html, pdf, csv …"
COLUMNS_HELP = (
    "The fields of JSON lines, CSV and Parquet, as text=NAME,title=NAME,id=NAME. To join several texts, write a+b."
)


def _languages() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


def _styles() -> list[str]:
    return sorted({style for some in styles().values() for style in some})


def _input_formats() -> list[str]:
    from phrasemill.readers.sniffing import FORMATS

    return list(FORMATS)


Language = Annotated[str | None, Option("--language -l LANGUAGE", OPTIONS["language"].help, INPUT, complete=_languages)]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options of all commands that read documents."""

    input_format: Annotated[
        str | None, Option("--input-format FORMAT", FORMAT_HELP, INPUT, complete=_input_formats)
    ] = None
    columns: Annotated[str | None, Option("--columns NAMES", COLUMNS_HELP, INPUT)] = None
    largest: Annotated[
        str, Option("--largest SIZE", "The largest document, JSON line or row to read, such as 500k or 1G.", INPUT)
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


# What help adds to the text of an option, and what a shell suggests.
MORE = {"method": "See [bold]phrasemill methods[/bold].", "boost": "For example 'salt water=3'."}
REPEATED: dict[str, str] = {
    "factors": "May be repeated.",
    "phrases": "May be repeated.",
    "words": "Separate them with commas, or repeat the option.",
}
COMPLETE: dict[str, Callable[[], list[str]]] = {
    "language": _languages,
    "method": METHODS.names,
    "redundancy": lambda: list(REDUNDANCY),
    "style": _styles,
}
TYPES: dict[str, Any] = {"count": int, "flag": bool, "number": float} | dict.fromkeys(REPEATED, list[str])


def typed(known: Container[str] = OPTIONS) -> Signature:
    """Return the options of an extraction that are `known` as parameters of a command."""
    return Signature([each for name, one in OPTIONS.items() if name in known for each in _typed(name, one)])


def _typed(name: str, one: Declared) -> Iterator[Parameter]:
    """Yield an option; one for phrases can be typed, read from a file, or both."""

    def parameter(name: str, default: object, kind: Any, *said: Any) -> Parameter:
        declared = Option(*said, least=one.least, complete=COMPLETE.get(name))
        of: Any = kind if default is not None else kind | None
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[of, declared])

    option, kind, help = spelled(name), TYPES.get(one.kind, str), f"{one.help} {MORE.get(name, '')}".strip()
    if one.kind not in REPEATED:
        yield parameter(name, one.default, kind, f"{option} {one.typed}".strip(), help, one.panel)
        return
    from_file = f"{one.help} One phrase per line."
    if one.typed:
        yield parameter(name, None, kind, f"{option} {one.typed}", f"{help} {REPEATED[one.kind]}", one.panel)
        from_file = f"Also read such {one.kind.replace('factors', 'phrases')} from this file, one per line."
    yield parameter(f"{name}_file", None, str, f"{option}-file FILE", from_file, one.panel)


def spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


class ExtractArguments:
    """The options of an extraction, before they are read."""

    __signature__: ClassVar[Signature] = typed()

    def __init__(self, **given: Any) -> None:
        self._given = given

    def read(self, known: Container[str] = OPTIONS) -> dict[str, Any]:
        """Return the options that were given, as the library takes them; all must be `known`."""
        values = {name: self._value(name, one.kind) for name, one in OPTIONS.items()}
        given = {name: value for name, value in values.items() if value not in (None, OPTIONS[name].default)}
        for name in given:
            if (needed := OPTIONS[name].needs) and needed not in given:
                raise ConfigError(f"`{spelled(name)}` requires `{spelled(needed)} {OPTIONS[needed].typed}`")
        if wrong := [spelled(name) for name in given if name not in known]:
            are = "is" if len(wrong) == 1 else "are"
            raise ConfigError(f"{', '.join(wrong)} {are} for single documents; leave out --set")
        return given

    def _value(self, name: str, kind: str) -> Any:
        value: Any = self._given.get(name)
        if kind in REPEATED:
            return self._phrases(name, kind, value)
        if kind != "top" or value.lower() in (ALL, AUTO):
            return value.lower() if kind == "top" else value
        try:
            return float(value) if "." in value else int(value)
        except ValueError:
            raise ConfigError(f"--top must be a count, a fraction such as 0.2, auto or all; got {value!r}") from None

    def _phrases(self, name: str, kind: str, typed: list[str] | None) -> Any:
        file = self._given.get(f"{name}_file")
        if typed is None and not file:
            return None
        parts = typed or []
        if kind == "words":
            parts = [part for one in parts for part in one.split(",") if part.strip()]
        phrases = [*parts, *(lines_of(file) if file else [])]
        return dict(map(_boosted, phrases)) if kind == "factors" else phrases


class RunArguments(ExtractArguments):
    """The same for a run, whose results have no place for reasons."""

    __signature__ = typed(OPTIONS.keys() - {"explain"})


def _boosted(text: str) -> tuple[str, float]:
    """Split `salt water=3` into the phrase and its factor; `salt water` has the default factor."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    try:
        return found["phrase"], float(found["factor"])
    except ValueError:
        raise ConfigError(f"the boost in {text!r} must be a number; got {found['factor']!r}") from None
