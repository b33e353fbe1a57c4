"""The options of `extract` that say what is known about the phrases, and how their values are read."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from phrasemill.cli.options import FLAG, number
from phrasemill.errors import ConfigError

PANEL = "Phrases you know"
BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>.*\S)\s*=\s*(?P<factor>[^=\s]+)\s*")

VocabularyFile = Annotated[
    str | None,
    typer.Option(
        "--vocabulary",
        metavar="FILE",
        help="Map phrases to the concepts of a vocabulary: a list, CSV with synonyms, or SKOS (.rdf, .ttl, .jsonld …).",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
NewTerms = Annotated[
    bool,
    typer.Option(
        "--new-terms",
        metavar=FLAG,
        help="With --vocabulary: also phrases that it lacks.",
        rich_help_panel=PANEL,
    ),
]
CandidatesFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="A file of the only phrases that may be returned, one a line.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
Boost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PHRASE",
        help="A phrase that counts twice as much, or as you say: 'salt water=3'; may be given several times.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
BoostFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="A file of phrases that count more, one a line.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]


def wanted(
    vocabulary: str | None,
    new_terms: bool,
    candidates_file: str | None,
    boost: Sequence[str] | None,
    boost_file: str | None,
    *,
    lines: Callable[[str], list[str]],
) -> dict[str, object]:
    """What `phrasemill.extract` takes; nothing where nothing was said. `lines` are those of a file."""
    if new_terms and not vocabulary:
        raise ConfigError("--new-terms are those that a vocabulary lacks: give --vocabulary FILE, too")
    given: dict[str, object] = {}
    if vocabulary:
        from phrasemill.vocabulary import read_vocabulary

        given |= {"vocabulary": read_vocabulary(vocabulary), "new_terms": new_terms}
    if candidates_file:
        given["candidates"] = lines(candidates_file)
    boosted = [*(boost or []), *(lines(boost_file) if boost_file else [])]
    if boosted:
        given["boost"] = dict(map(_factor, boosted))
    return given


def _factor(text: str) -> tuple[str, float]:
    """`salt water` or `salt water=3`."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    return found["phrase"], number(found["factor"], float, f"the boost in {text!r} must be a number")
