"""The options of an extraction: the one list from which `extract`, runs, the commands and the HTTP schema follow."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.specs import Spec, parse
from phrasemill.text.language_codes import language_or_auto
from phrasemill.types import Method, Top

if TYPE_CHECKING:
    from pathlib import Path

    from phrasemill.vocabulary import Vocabulary

DEFAULT_METHOD = "learned"
PHRASES = ("exclude", "stopwords", "candidates", "boost")
ALL = "all"  # of `top`; the same as None
STYLED = ("consensus", "encoder", "generator", "learned")  # methods with a parameter `style`


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What `extract` takes besides the text; each field's metadata has its help text.

    Two fields are stored in another form: `style` becomes a parameter of `method`, and `top="all"` becomes None.
    """

    method: str | Method = field(
        default=DEFAULT_METHOD,
        metadata={"help": "The method: a name, or a name with parameters such as textrank(window=5)."},
    )
    style: str | None = field(
        default=None,
        metadata={
            "help": "Whose choices to imitate: author, everyday, general, indexer, news, reader or tags; for sets of "
            "documents general or news. Only for learned, encoder, generator and consensus, each of which has some of "
            "them."
        },
    )
    top: Top = field(
        default=10,
        metadata={
            "help": "How many keyphrases to return: a count, a fraction of the candidates such as 0.2, `auto` or `all`."
        },
    )
    threshold: float | None = field(
        default=None,
        metadata={"help": "Leave out keyphrases with a lower score than this."},
    )
    exclude: Iterable[str] = field(
        default=(),
        metadata={"help": "Leave out these phrases. Longer phrases that contain them are kept."},
    )
    longest: int | None = field(
        default=None,
        metadata={"help": "Leave out phrases with more words than this."},
    )
    shortest: int = field(
        default=1,
        metadata={"help": "Leave out phrases with fewer words than this."},
    )
    stopwords: Iterable[str] = field(
        default=(),
        metadata={"help": "Leave out phrases that begin or end with these words or with a stopword of the language."},
    )
    replace_stopwords: bool = field(
        default=False,
        metadata={"help": "Use `stopwords` instead of the language's own list, not in addition to it."},
    )
    redundancy: str | None = field(
        default=None,
        metadata={
            "help": "The rule that drops near-duplicates: none, variants, nested, inclusion, similarity(0.8), or "
            "meaning(0.8), which compares embeddings. The default depends on the method."
        },
    )
    diversity: float = field(
        default=0.0,
        metadata={
            "help": "How strongly to prefer phrases with new words, from 0 (only the score counts) to 1 (phrases that "
            "share a word with an earlier one come last)."
        },
    )
    language: str | None = field(
        default=None,
        metadata={
            "help": "The language, by code or name: en, deu, French, pt-BR; `auto` detects it. The default is the "
            "language that the document names, or else `auto`."
        },
    )
    candidates: Iterable[str] | None = field(
        default=None,
        metadata={"help": "Return only phrases from this list."},
    )
    vocabulary: "Vocabulary | str | Path | None" = field(
        default=None,
        metadata={
            "help": (
                "Map phrases to the concepts of this vocabulary: a list, a CSV file with synonyms, or "
                "SKOS (.rdf, .ttl …)."
            )
        },
    )
    new_terms: bool = field(
        default=False,
        metadata={"help": "With a vocabulary: also return phrases that are not in it."},
    )
    label_language: str | None = field(
        default=None,
        metadata={
            "help": "With a vocabulary: show labels in this language. The default is the language of the text, then "
            "English, then any other."
        },
    )
    roll_up: int = field(
        default=0,
        metadata={"help": "With a vocabulary: report broader concepts, this many levels up."},
    )
    boost: Iterable[str] | Mapping[str, float] = field(
        default=(),
        metadata={"help": "Raise the score of these phrases, by a factor of 2 or the one that you give."},
    )
    explain: bool = field(
        default=False,
        metadata={"help": "Also return the reasons for each keyphrase."},
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", styled(self.method, self.style))
        object.__setattr__(self, "style", None)
        if self.top == ALL:
            object.__setattr__(self, "top", None)
        for name in PHRASES:  # other iterables can be read only once, or not be sent to other processes
            value = getattr(self, name)
            if value is not None and not isinstance(value, str | list | tuple | set | frozenset | Mapping):
                object.__setattr__(self, name, tuple(value))
        if self.language is not None:
            object.__setattr__(self, "language", language_or_auto(self.language))

    @classmethod
    def of(cls, given: Mapping[str, Any], *, without: Container[str] = ()) -> Self:
        """Return the options in `given`. Raise `UnknownName` for unknown ones and for those in `without`."""
        known = [one for one in HELP if one not in without]
        for name in given:
            if name not in known:
                raise UnknownName("option", name, known)
        return cls(**given)


def styled(method: Any, style: str | None) -> Any:
    """Return `method`, as a spec with this style where one is given."""
    if style is None:
        return method
    if not isinstance(method, str):
        raise ConfigError(
            "style works only with a method given by name, not with an object; set the style in the object itself"
        )
    spec = parse(method)
    if spec.name not in STYLED:
        raise ConfigError(f"{spec.name} has no style; styles are for {', '.join(STYLED)}")
    if spec.values or any(key == "style" for key, _ in spec.options):
        raise ConfigError(f"the style {style!r} and {method} both name a style; leave one out")
    return str(Spec(spec.name, (), (("style", style), *spec.options)))


HELP: dict[str, str] = {one.name: one.metadata["help"] for one in fields(ExtractOptions)}
