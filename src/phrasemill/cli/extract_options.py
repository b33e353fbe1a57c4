"""The options that `extract` and `run` share: those of `phrasemill.extract`, as they are typed on a command line."""

import re
from dataclasses import dataclass
from typing import Annotated

from phrasemill.cli.options import KNOWN, SELECTION, Language, number, option
from phrasemill.cli.reading import lines_of
from phrasemill.errors import ConfigError
from phrasemill.methods.styles import STYLES
from phrasemill.options import DEFAULT_METHOD, HELP, ExtractOptions
from phrasemill.registry import METHODS, Spec, parse
from phrasemill.selection import REDUNDANCY
from phrasemill.types import Top

STYLED = ("consensus", "encoder", "generator", "learned")
BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>.*\S)\s*=\s*(?P<factor>[^=\s]+)\s*")


@dataclass(frozen=True, slots=True)
class ExtractArguments:
    """The options of an extraction, before they are read."""

    method: Annotated[
        str,
        option(
            "--method",
            "-m",
            metavar="SPEC",
            help=f"{HELP['method']} See [bold]phrasemill methods[/bold].",
            panel=SELECTION,
            complete=METHODS.names,
        ),
    ] = DEFAULT_METHOD
    style: Annotated[
        str | None,
        option(
            metavar="STYLE",
            help="Whose choice to follow: general, indexer, author, reader or news; for learned, encoder, generator "
            "and consensus.",
            panel=SELECTION,
            complete=lambda: list(STYLES),
        ),
    ] = None
    top: Annotated[str, option("--top", "-n", metavar="N", help=HELP["top"], panel=SELECTION)] = "10"
    threshold: Annotated[str | None, option(metavar="SCORE", help=HELP["threshold"], panel=SELECTION)] = None
    exclude: Annotated[
        list[str] | None, option(metavar="PHRASE", help=f"{HELP['exclude']} May be repeated.", panel=SELECTION)
    ] = None
    exclude_file: Annotated[
        str | None, option(metavar="FILE", help="Leave out the phrases of this file, one per line.", panel=SELECTION)
    ] = None
    redundancy: Annotated[
        str | None,
        option(metavar="RULE", help=HELP["redundancy"], panel=SELECTION, complete=lambda: list(REDUNDANCY)),
    ] = None
    vocabulary: Annotated[str | None, option(metavar="FILE", help=HELP["vocabulary"], panel=KNOWN)] = None
    new_terms: Annotated[bool, option("--new-terms", help=HELP["new_terms"], panel=KNOWN)] = False
    candidates_file: Annotated[
        str | None,
        option(metavar="FILE", help="Return no other phrases than those of this file, one per line.", panel=KNOWN),
    ] = None
    boost: Annotated[
        list[str] | None,
        option(metavar="PHRASE", help=f"{HELP['boost']} Such as 'salt water=3'; may be repeated.", panel=KNOWN),
    ] = None
    boost_file: Annotated[
        str | None, option(metavar="FILE", help="Boost the phrases of this file, one per line.", panel=KNOWN)
    ] = None
    language: Language = None

    def read(self, *, explain: bool = False) -> ExtractOptions:
        """Return the options as the library takes them."""
        if self.new_terms and not self.vocabulary:
            raise ConfigError("`--new-terms` requires `--vocabulary FILE`")
        boosted = [*(self.boost or []), *(lines_of(self.boost_file) if self.boost_file else [])]
        return ExtractOptions(
            method=styled(self.method, self.style),
            top=self.read_top(),
            threshold=self.read_threshold(),
            exclude=self.excluded(),
            redundancy=self.redundancy,
            language=self.language,
            candidates=lines_of(self.candidates_file) if self.candidates_file else None,
            vocabulary=self.vocabulary,
            new_terms=self.new_terms,
            boost=dict(map(_boosted, boosted)) if boosted else (),
            explain=explain,
        )

    def read_top(self) -> Top:
        complaint = "--top must be a count, a fraction such as 0.2, auto or all"
        if self.top.lower() in ("all", "auto"):
            return None if self.top.lower() == "all" else "auto"
        return number(self.top, float, complaint) if "." in self.top else number(self.top, int, complaint)

    def read_threshold(self) -> float | None:
        return None if self.threshold is None else number(self.threshold, float, "--threshold must be a number")

    def excluded(self) -> list[str]:
        return [*(self.exclude or []), *(lines_of(self.exclude_file) if self.exclude_file else [])]


def styled(method: str, style: str | None) -> str:
    """Return the spec of the method with its style."""
    if style is None:
        return method
    spec = parse(method)
    if spec.name not in STYLED:
        raise ConfigError(f"--style is for the methods {', '.join(STYLED)}, not for {spec.name}")
    if any(key == "style" for key, _ in spec.options) or spec.values:
        raise ConfigError(f"--style and {method} both name a style; leave one out")
    return str(Spec(spec.name, (), (("style", style), *spec.options)))


def _boosted(text: str) -> tuple[str, float]:
    """Split `salt water=3` into the phrase and its factor; `salt water` has the default factor."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    return found["phrase"], number(found["factor"], float, f"the boost in {text!r} must be a number")
