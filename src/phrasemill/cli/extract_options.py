"""The options of an extraction as they are typed on a command line: those of `phrasemill.extract`, from one table."""

import re
from collections.abc import Callable, Container, Iterator
from inspect import Parameter, Signature
from typing import Annotated, Any, ClassVar

from phrasemill.catalogue import METHODS, styles
from phrasemill.cli.options import INPUT, Option
from phrasemill.cli.reading import lines_of
from phrasemill.errors import ConfigError
from phrasemill.options import ALL, OPTIONS
from phrasemill.options import Option as Declared
from phrasemill.select import AUTO, REDUNDANCY

BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>(?:.*\S)?)\s*=\s*(?P<factor>[^=\s]+)\s*")


def _languages() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


Language = Annotated[str | None, Option("--language -l LANGUAGE", OPTIONS["language"].help, INPUT, complete=_languages)]

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
    "style": lambda: sorted({style for some in styles().values() for style in some}),
}
TYPES: dict[str, Any] = {"count": int, "flag": bool, "number": float} | dict.fromkeys(REPEATED, list[str])


def _parameters(name: str, one: Declared) -> Iterator[Parameter]:
    """Yield the parameters of a command for an option; phrases can be typed, read from a file, or both."""

    def parameter(name: str, default: object, kind: Any, spelling: str, help: str) -> Parameter:
        declared = Option(spelling, help, one.panel, least=one.least, complete=COMPLETE.get(name))
        of: Any = kind if default is not None else kind | None
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[of, declared])

    option, help = f"--{name.replace('_', '-')}", f"{one.help} {MORE.get(name, '')}".strip()
    if one.kind not in REPEATED:
        yield parameter(name, one.default, TYPES.get(one.kind, str), f"{option} {one.typed}".strip(), help)
        return
    from_file = f"{one.help} One phrase per line."
    if one.typed:
        yield parameter(name, None, list[str], f"{option} {one.typed}", f"{help} {REPEATED[one.kind]}")
        from_file = f"Also read such {one.kind.replace('factors', 'phrases')} from this file, one per line."
    yield parameter(f"{name}_file", None, str, f"{option}-file FILE", from_file)


def _signature(known: Container[str] = OPTIONS) -> Signature:
    return Signature([each for name, one in OPTIONS.items() if name in known for each in _parameters(name, one)])


class ExtractArguments:
    """The options of an extraction, before they are read."""

    __signature__: ClassVar[Signature] = _signature()

    def __init__(self, **given: Any) -> None:
        self._given = given

    def read(self, known: Container[str] = OPTIONS) -> dict[str, Any]:
        """Return the options that were given, as the library takes them; all must be `known`."""
        values = {name: self._value(name, one.kind) for name, one in OPTIONS.items()}
        given = {name: value for name, value in values.items() if value not in (None, OPTIONS[name].default)}
        if wrong := [f"--{name.replace('_', '-')}" for name in given if name not in known]:
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
        phrases = typed or []
        if kind == "words":
            phrases = [word for one in phrases for word in _words(one)]
        phrases = [*phrases, *(lines_of(file) if file else [])]
        return dict(map(_boosted, phrases)) if kind == "factors" else phrases


class RunArguments(ExtractArguments):
    """The same for a run, whose results have no place for reasons."""

    __signature__ = _signature(OPTIONS.keys() - {"explain"})


def _words(text: str) -> list[str]:
    found = [word for word in text.split(",") if word.strip()]
    if not found:
        raise ConfigError(f"--stopwords takes words, separated by commas; got {text!r}")
    return found


def _boosted(text: str) -> tuple[str, float]:
    """Split `salt water=3` into the phrase and its factor; `salt water` has the default factor."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    try:
        return found["phrase"], float(found["factor"])
    except ValueError:
        raise ConfigError(f"the boost in {text!r} must be a number; got {found['factor']!r}") from None
