"""The options of an extraction, each declared once.

An option is one line of the class for the places where it can be used. Its name and type there are what type checkers
read; `Option` says the rest. Signatures, the command, HTTP requests, the client and the integrations follow from it.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypedDict, TypeVar, get_args

from phrasemill.catalogue import styles
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.specs import Spec, parse
from phrasemill.text.language_codes import language_or_auto
from phrasemill.types import Top

if TYPE_CHECKING:
    from pathlib import Path

    from phrasemill.vocabulary import Vocabulary

DEFAULT_METHOD = "learned"
ALL = "all"  # of `top`; the same as None
INPUT, SELECTION, KNOWN, OUTPUT = "Input", "Which phrases", "Phrases you know", "Output"

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = Literal["count", "factors", "file", "flag", "language", "number", "phrases", "spec", "text", "top", "words"]


class Option(NamedTuple):
    """What an option is besides its name and type.

    `kind` is how its values are read and checked, and `typed` what stands after its name on a command line: its short
    form and a placeholder. `panel` is the group in which help shows it, and `needs` another option without which this
    one has no effect. `help` is the text behind it.
    """

    kind: Kind
    default: Any
    typed: str = ""
    panel: str = SELECTION
    least: float | None = None
    most: float | None = None
    needs: str = ""
    help: str = ""

    @property
    def plain(self) -> Any:
        """The type of its values in JSON, where nothing else bounds them."""
        return PLAIN[self.kind] if self.default is not None else PLAIN[self.kind] | None


PLAIN: dict[Kind, Any] = dict.fromkeys(get_args(Kind), str) | {
    "count": int,
    "factors": list[str] | dict[str, float],
    "flag": bool,
    "number": float,
    "phrases": list[str],
    "top": int | float | str | None,
    "words": list[str],
}
# The method is a parameter of each function by itself: its type and its default are not the same everywhere.
METHOD = Option(
    "spec",
    DEFAULT_METHOD,
    "-m SPEC",
    help="The method: a name, or a name with parameters such as textrank(window=5).",
)


class SetOptions(TypedDict, total=False):
    """The options that sets of documents take, too."""

    style: Annotated[
        str | None,
        Option("text", None, "STYLE"),
        "Whose choices to imitate: author, everyday, general, indexer, news, reader or tags; for sets of documents "
        "general or news. Only for learned, encoder, generator and consensus, each of which has some of them.",
    ]
    top: Annotated[
        Top,
        Option("top", 10, "-n N"),
        "How many keyphrases to return: a count, a fraction of the candidates such as 0.2, `auto` or `all`.",
    ]
    threshold: Annotated[
        float | None, Option("number", None, "SCORE"), "Leave out keyphrases with a lower score than this."
    ]
    exclude: Annotated[
        Iterable[str],
        Option("phrases", (), "PHRASE"),
        "Leave out these phrases. Longer phrases that contain them are kept.",
    ]
    longest: Annotated[
        int | None, Option("count", None, "WORDS", least=1), "Leave out phrases with more words than this."
    ]
    shortest: Annotated[int, Option("count", 1, "WORDS", least=1), "Leave out phrases with fewer words than this."]
    stopwords: Annotated[
        Iterable[str],
        Option("words", (), "WORDS"),
        "Leave out phrases that begin or end with these words or with a stopword of the language.",
    ]
    language: Annotated[
        str | None,
        Option("language", None, "-l LANGUAGE", INPUT),
        "The language, by code or name: en, deu, French, pt-BR; `auto` detects it. The default is the language that "
        "the document names, or else `auto`.",
    ]


class RemoteOptions(SetOptions, total=False):
    """All options but those that only this computer takes, whose files a client of a service cannot name."""

    replace_stopwords: Annotated[
        bool, Option("flag", False), "Use `stopwords` instead of the language's own list, not in addition to it."
    ]
    redundancy: Annotated[
        str | None,
        Option("text", None, "RULE"),
        "The rule that drops near-duplicates: none, variants, nested, inclusion, similarity(0.8), or meaning(0.8), "
        "which compares embeddings. The default depends on the method.",
    ]
    diversity: Annotated[
        float,
        Option("number", 0.0, "WEIGHT", least=0, most=1),
        "How strongly to prefer phrases with new words, from 0 (only the score counts) to 1 (phrases that share a word "
        "with an earlier one come last).",
    ]
    candidates: Annotated[
        Iterable[str] | None, Option("phrases", None, panel=KNOWN), "Return only phrases from this list."
    ]
    boost: Annotated[
        Iterable[str] | Mapping[str, float],
        Option("factors", (), "PHRASE", KNOWN),
        "Raise the score of these phrases, by a factor of 2 or the one that you give.",
    ]
    explain: Annotated[bool, Option("flag", False, panel=OUTPUT), "Also return the reasons for each keyphrase."]


class Options(RemoteOptions, total=False):
    """All options."""

    vocabulary: Annotated[
        "Vocabulary | str | Path | None",
        Option("file", None, "FILE", KNOWN),
        "Map phrases to the concepts of this vocabulary: a list, a CSV file with synonyms, or SKOS (.rdf, .ttl …).",
    ]
    new_terms: Annotated[
        bool,
        Option("flag", False, panel=KNOWN, needs="vocabulary"),
        "With a vocabulary: also return phrases that are not in it.",
    ]
    label_language: Annotated[
        str | None,
        Option("text", None, "LANGUAGE", KNOWN, needs="vocabulary"),
        "With a vocabulary: show labels in this language. The default is the language of the text, then English, then "
        "any other.",
    ]
    roll_up: Annotated[
        int,
        Option("count", 0, "LEVELS", KNOWN, least=0, needs="vocabulary"),
        "With a vocabulary: report broader concepts, this many levels up.",
    ]


def parameters_of(options: Mapping[str, Option]) -> list[Parameter]:
    """Return the options as parameters of a function that is given what JSON can hold."""
    kind = Parameter.KEYWORD_ONLY
    return [Parameter(name, kind, default=one.default, annotation=one.plain) for name, one in options.items()]


def options_of(declared: Any) -> dict[str, Option]:
    """Return the options that a class declares, by name, the method first."""
    said = {name: one.__metadata__ for name, one in declared.__annotations__.items()}
    return {"method": METHOD} | {name: option._replace(help=help) for name, (option, help) in said.items()}


OPTIONS = options_of(Options)
DEFAULTS = {name: one.default for name, one in OPTIONS.items()}


class UnknownOption(UnknownName, TypeError):  # noqa: N818
    """An option that does not exist, or that cannot be used there."""


def checked(given: Mapping[str, Any], known: Container[str] = OPTIONS) -> dict[str, Any]:
    """Return all options, ready to be used more than once and to be sent to other processes.

    Raise `UnknownOption` for names that are not `known`. `style` becomes a parameter of the method, and `top="all"`
    None. What depends on the method, or on other options, is checked where an `Extractor` is made.
    """
    for name in given:
        if name not in OPTIONS or name not in known:
            raise UnknownOption("option", name, [one for one in OPTIONS if one in known])
    found = DEFAULTS | {name: _read(name, value) for name, value in given.items()}
    for name, value in found.items():
        if (needed := OPTIONS[name].needs) and value != DEFAULTS[name] and found[needed] == DEFAULTS[needed]:
            raise ConfigError(f"`{name}` requires a `{needed}`")
    found["method"], found["style"] = styled(found["method"], found["style"]), None
    return found


def changed(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not left at their default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def _read(name: str, value: Any) -> Any:
    kind, default = OPTIONS[name].kind, OPTIONS[name].default
    if value is default:
        return value
    if kind in ("phrases", "words", "factors"):
        return _phrases(name, kind, value)
    if kind == "language":
        return language_or_auto(value)
    if kind == "flag" and not isinstance(value, bool):
        raise ConfigError(f"{name} must be True or False, got {value!r}")
    return None if kind == "top" and value == ALL else value


def _phrases(name: str, kind: Kind, value: Any) -> Any:
    what, example = ("words", "['study', 'paper']") if kind == "words" else ("phrases", "['new york']")
    if isinstance(value, str) or not isinstance(value, Iterable):
        said = "one string" if isinstance(value, str) else repr(value)
        raise ConfigError(f"{name} takes a list of {what}, not {said}: {name}={example}")
    # Other iterables can be read only once, or not be sent to other processes.
    kept = dict(value) if kind == "factors" and isinstance(value, Mapping) else tuple(value)
    for phrase in kept:
        if not isinstance(phrase, str) or not phrase.strip():
            raise ConfigError(f"{name} takes {what}, got {phrase!r}")
        if kind == "words" and len(phrase.split()) > 1:
            raise ConfigError(f"{name} takes single words, got {phrase!r}; exclude leaves out whole phrases")
    return tuple(word.strip().lower() for word in kept) if kind == "words" else kept


def styled(method: Any, style: str | None) -> Any:
    """Return `method`, as a spec with this style where one is given."""
    if style is None:
        return method
    if not isinstance(method, str):
        raise ConfigError(
            "style works only with a method given by name, not with an object; set the style in the object itself"
        )
    spec = parse(method)
    if spec.name not in styles():
        raise ConfigError(f"{spec.name} has no style; styles are for {', '.join(styles())}")
    if spec.values or any(key == "style" for key, _ in spec.options):
        raise ConfigError(f"the style {style!r} and {method} both name a style; leave one out")
    return str(Spec(spec.name, (), (("style", style), *spec.options)))


def takes_options(function: Function) -> Function:
    """Give a function that ends in `**options: Unpack[...]` a signature and a docstring with each option."""
    *own, options = signature(function).parameters.values()
    (declared,) = get_args(options.annotation)
    named = []
    for name, one in declared.__annotations__.items():
        kind = getattr(one.__origin__, "__forward_arg__", one.__origin__)
        named.append(Parameter(name, Parameter.KEYWORD_ONLY, default=one.__metadata__[0].default, annotation=kind))
    function.__signature__ = signature(function).replace(parameters=[*own, *named])  # type: ignore[attr-defined]
    if function.__doc__:
        listed = "\n    ".join(f"- `{name}`: {one.help}" for name, one in options_of(declared).items())
        function.__doc__ = f"{function.__doc__.rstrip()}\n\n    Options:\n\n    {listed}\n    "
    return function
