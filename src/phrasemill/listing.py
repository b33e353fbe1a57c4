"""What can be named: the methods with their figures, best first, and the languages."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.extras import EXTRAS
from phrasemill.facts import Facts, facts_of
from phrasemill.registry import METHODS, SET_METHODS, Entry, Registry
from phrasemill.shipped import SEPARATE, how_to_install, shipped
from phrasemill.text.language_codes import choices
from phrasemill.text.languages import tagged_languages
from phrasemill.text.languages.detect import detected_languages
from phrasemill.text.stem import SNOWBALL
from phrasemill.text.stopwords import languages as stopword_languages

EXTRA = re.compile(r"^(?!.*for a model).*\bextra (\w+)")
OWN_WEIGHTS = {one.method: name for name, one in SEPARATE.items()}  # in a package beside this one


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """One method: what it does, its figures, and whether it can run here.

    `missing` are the modules that it lacks, and `install` is the command that installs them.
    """

    name: str
    summary: str
    paper: str
    needs: str
    for_sets: bool
    facts: Facts
    missing: tuple[str, ...] = ()
    install: str = ""

    @property
    def installed(self) -> bool:
        return not self.missing


def methods() -> list[MethodInfo]:
    """Return all methods, best first. Methods without figures follow by name, and methods for sets come last."""
    single = [_info(entry, for_sets=False) for entry in METHODS.describe()]
    return sorted(single, key=_order) + [_info(entry, for_sets=True) for entry in SET_METHODS.describe()]


class LanguageInfo(NamedTuple):
    """One language: its code and English name, and what there is for it."""

    code: str
    name: str
    detected: bool
    tagger: bool
    stemmer: bool
    stopwords: bool


def languages() -> list[LanguageInfo]:
    """Return the languages with stopwords or a stemmer, by name."""
    found, tagged, listed = detected_languages(), tagged_languages(), stopword_languages()
    return [
        LanguageInfo(*one, one.code in found, one.code in tagged, one.code in SNOWBALL, one.code in listed)
        for one in choices()
    ]


def extra_of(name: str, registry: Registry) -> str:
    """Return the extra that a method needs, or ""."""
    found = EXTRA.search(getattr(registry.get(name), "needs", ""))
    return found[1] if found else ""


def _order(info: MethodInfo) -> tuple[float, str]:
    return -(info.facts.quality or 0.0), info.name


def _info(entry: Entry, *, for_sets: bool) -> MethodInfo:
    extra = EXTRAS.get(extra_of(entry.name, SET_METHODS if for_sets else METHODS))
    missing, install = (extra.missing, extra.command) if extra else ((), "")
    file = OWN_WEIGHTS.get(entry.name)
    if file and not shipped(file).exists():
        missing, install = (*missing, "its weights"), f"{install}, then {how_to_install(file)}"
    facts = facts_of(entry.name)
    return MethodInfo(entry.name, entry.summary, entry.paper, entry.needs, for_sets, facts, missing, install)
