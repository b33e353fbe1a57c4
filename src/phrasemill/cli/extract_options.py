"""The options that `extract` and `run` share: those of `phrasemill.extract`, as they are typed on a command line, and
those of all commands that read documents."""

import re
from dataclasses import dataclass
from typing import Annotated

from phrasemill.catalogue import METHODS
from phrasemill.cli.options import INPUT, KNOWN, SELECTION, Option
from phrasemill.cli.reading import Inputs, lines_of
from phrasemill.errors import ConfigError
from phrasemill.methods.styles import STYLES
from phrasemill.options import ALL, DEFAULT_METHOD, HELP, ExtractOptions
from phrasemill.select import AUTO, REDUNDANCY
from phrasemill.types import Top

BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>.*\S)\s*=\s*(?P<factor>[^=\s]+)\s*")
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)

METHOD_HELP = f"{HELP['method']} See [bold]phrasemill methods[/bold]."
FORMAT_HELP = "The format of the files, if neither name nor content shows it: plain, html, pdf, csv …"
COLUMNS_HELP = (
    "The fields of JSON lines, CSV and Parquet, as text=NAME,title=NAME,id=NAME. To join several texts, write a+b."
)


def _languages() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


def _input_formats() -> list[str]:
    from phrasemill.readers.sniffing import FORMATS

    return list(FORMATS)


Language = Annotated[str | None, Option("--language -l LANGUAGE", HELP["language"], INPUT, complete=_languages)]


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


@dataclass(frozen=True, slots=True)
class ExtractArguments:
    """The options of an extraction, before they are read."""

    method: Annotated[str, Option("--method -m SPEC", METHOD_HELP, SELECTION, complete=METHODS.names)] = DEFAULT_METHOD
    style: Annotated[str | None, Option("--style STYLE", HELP["style"], SELECTION, complete=lambda: list(STYLES))] = (
        None
    )
    top: Annotated[str, Option("--top -n N", HELP["top"], SELECTION)] = "10"
    threshold: Annotated[float | None, Option("--threshold SCORE", HELP["threshold"], SELECTION)] = None
    exclude: Annotated[
        list[str] | None, Option("--exclude PHRASE", f"{HELP['exclude']} May be repeated.", SELECTION)
    ] = None
    exclude_file: Annotated[
        str | None, Option("--exclude-file FILE", "Leave out the phrases in this file, one per line.", SELECTION)
    ] = None
    longest: Annotated[int | None, Option("--longest WORDS", HELP["longest"], SELECTION)] = None
    shortest: Annotated[int, Option("--shortest WORDS", HELP["shortest"], SELECTION)] = 1
    stopwords: Annotated[
        list[str] | None,
        Option("--stopwords WORDS", f"{HELP['stopwords']} Separate them with commas, or repeat the option.", SELECTION),
    ] = None
    stopwords_file: Annotated[
        str | None, Option("--stopwords-file FILE", "Also read stopwords from this file, one per line.", SELECTION)
    ] = None
    replace_stopwords: Annotated[bool, Option("--replace-stopwords", HELP["replace_stopwords"], SELECTION)] = False
    redundancy: Annotated[
        str | None,
        Option("--redundancy RULE", HELP["redundancy"], SELECTION, complete=lambda: list(REDUNDANCY)),
    ] = None
    diversity: Annotated[float, Option("--diversity WEIGHT", HELP["diversity"], SELECTION)] = 0.0
    vocabulary: Annotated[str | None, Option("--vocabulary FILE", HELP["vocabulary"], KNOWN)] = None
    new_terms: Annotated[bool, Option("--new-terms", HELP["new_terms"], KNOWN)] = False
    label_language: Annotated[str | None, Option("--label-language LANGUAGE", HELP["label_language"], KNOWN)] = None
    roll_up: Annotated[int, Option("--roll-up LEVELS", HELP["roll_up"], KNOWN, least=0)] = 0
    candidates_file: Annotated[
        str | None,
        Option("--candidates-file FILE", "Return only phrases from this file, one per line.", KNOWN),
    ] = None
    boost: Annotated[
        list[str] | None,
        Option("--boost PHRASE", f"{HELP['boost']} For example 'salt water=3'. May be repeated.", KNOWN),
    ] = None
    boost_file: Annotated[
        str | None, Option("--boost-file FILE", "Boost the phrases in this file, one per line.", KNOWN)
    ] = None
    language: Language = None

    def read(self, *, explain: bool = False) -> ExtractOptions:
        """Return the options as the library takes them."""
        for name, given in (
            ("--new-terms", self.new_terms),
            ("--label-language", self.label_language),
            ("--roll-up", self.roll_up),
        ):
            if given and not self.vocabulary:
                raise ConfigError(f"`{name}` requires `--vocabulary FILE`")
        boosted = _phrases(self.boost, self.boost_file)
        return ExtractOptions(
            method=self.method,
            style=self.style,
            top=self.read_top(),
            threshold=self.threshold,
            exclude=self.excluded(),
            longest=self.longest,
            shortest=self.shortest,
            stopwords=self.listed_stopwords(),
            replace_stopwords=self.replace_stopwords,
            redundancy=self.redundancy,
            diversity=self.diversity,
            language=self.language,
            candidates=lines_of(self.candidates_file) if self.candidates_file else None,
            vocabulary=self.vocabulary,
            new_terms=self.new_terms,
            label_language=self.label_language,
            roll_up=self.roll_up,
            boost=dict(map(_boosted, boosted)) if boosted else (),
            explain=explain,
        )

    def read_top(self) -> Top:
        if self.top.lower() in (ALL, AUTO):
            return None if self.top.lower() == ALL else AUTO
        try:
            return float(self.top) if "." in self.top else int(self.top)
        except ValueError:
            raise ConfigError(f"--top must be a count, a fraction such as 0.2, auto or all; got {self.top!r}") from None

    def excluded(self) -> list[str]:
        return _phrases(self.exclude, self.exclude_file)

    def listed_stopwords(self) -> list[str]:
        words = (word for one in self.stopwords or () for word in one.split(","))
        return _phrases([word for word in words if word.strip()], self.stopwords_file)


def _phrases(given: list[str] | None, file: str | None) -> list[str]:
    return [*(given or []), *(lines_of(file) if file else [])]


def _boosted(text: str) -> tuple[str, float]:
    """Split `salt water=3` into the phrase and its factor; `salt water` has the default factor."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    try:
        return found["phrase"], float(found["factor"])
    except ValueError:
        raise ConfigError(f"the boost in {text!r} must be a number; got {found['factor']!r}") from None
