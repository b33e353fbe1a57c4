"""Why a phrase was chosen, in words: its features in groups, and how much each group moved the score."""

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from phrasemill.kernels.shapes import ADJECTIVE, AND, CARDINAL, FOREIGN, ING, NAME, NOUN, NOUNS, OF, OWNER, PARTICIPLE
from phrasemill.methods.learned.background import FEATURES
from phrasemill.methods.learned.trees import Rows, StyledTrees
from phrasemill.methods.styles import AUTHOR, ENCODER_KINDS, EVERYDAY, INDEXER, NEWS, READER, TAGS
from phrasemill.types import Evidence

Values: TypeAlias = Mapping[str, float]
Groups: TypeAlias = dict[str, tuple[Callable[[Values], str], tuple[str, ...]]]
CLASS_NAMES = {
    NOUN: "a noun",
    NOUNS: "a plural noun",
    NAME: "a name",
    ADJECTIVE: "an adjective",
    FOREIGN: "a foreign word",
    ING: "an -ing form",
    PARTICIPLE: "a participle",
    OF: "of",
    AND: "a conjunction",
    CARDINAL: "a number",
    OWNER: "'s",
}
NAMED = 0.1  # the share from which a style is named
# Styles in words, as a text of that kind reads.
READS_LIKE = {
    AUTHOR: "a scientific abstract with its authors' keywords",
    EVERYDAY: "everyday prose",
    INDEXER: "an abstract indexed by a librarian",
    NEWS: "news",
    READER: "a full paper",
    TAGS: "one that people tag",
}


def _counted(logarithm: float) -> int:
    return round(math.exp(logarithm) - 1)


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number:,} times"


def _frequency(v: Values) -> str:
    return f"occurs {_times(_counted(v['count']))} in this text"


def _position(v: Values) -> str:
    return f"first appears in sentence {round(v['first_sentence']) + 1:,}"


def _title(v: Values) -> str:
    if v["in_title"]:
        return "is in the title"
    return f"{v['title_overlap']:.0%} of its words are in the title" if v["title_overlap"] else "is not in the title"


def _headings(v: Values) -> str:
    number = _counted(v["in_headings"])
    return f"is in {number:,} heading{'s' if number > 1 else ''}" if number else "is in no heading"


def _form(v: Values) -> str:
    words = round(v["words"])
    if words == 1:
        return f"is one word, {CLASS_NAMES.get(round(v['last_class']), 'not a noun')}"
    first, last = (CLASS_NAMES.get(round(v[name]), "another word") for name in ("first_class", "last_class"))
    return f"has {words} words, the first {first}, the last {last}"


def _surroundings(v: Values) -> str:
    if v["whole"] >= 1:
        return "always stands on its own, never inside a longer noun phrase"
    return f"stands on its own, not inside a longer noun phrase, in {v['whole']:.0%} of its places"


def _containment(v: Values) -> str:
    kinds = _counted(v["longer_kinds"])
    if not kinds:
        return "does not occur inside a longer phrase"
    if kinds == 1:
        return f"occurs inside a longer phrase, which is {v['longer_share']:.0%} as frequent"
    return f"occurs inside {kinds} longer phrases; the most frequent is {v['longer_share']:.0%} as frequent"


def _rarity(v: Values) -> str:
    one_in = math.exp(v["idf"])
    return f"about 1 in {one_in:,.0f} other texts contains it" if one_in >= 2 else "most other texts contain it"


def _choice(v: Values) -> str:
    number = _counted(v["chosen"])
    if not number:
        return "no other text uses it as a keyphrase"
    return f"{number:,} other text{'s use' if number > 1 else ' uses'} it as a keyphrase"


def _writing(v: Values) -> str:
    if v["defined"]:
        return "is followed by its abbreviation"
    if v["bracketed"]:
        return "is in brackets"
    if v["upper"]:
        return "is written in capitals"
    return "is written with a capital" if v["capitals"] else "is written in lower case"


def _everyday(v: Values) -> str:
    if not v["listed"]:
        return "no list of everyday words for this language"
    times = math.exp(min(v["keyness"], 20))
    return f"its words are {times:,.{0 if times >= 10 else 1}f} times as frequent here as in everyday language"


def _theme(v: Values) -> str:
    return f"its words fit the theme of the text: {v['theme']:.2f} of 1"


def _text(v: Values) -> str:
    return f"{_counted(v['document_candidates']):,} phrases of this text were considered"


# Each group with the function that describes it, and its features.
GROUPS: Groups = {
    "frequency": (_frequency, ("count", "rate", "tfidf", "tfidf_share", "word_count", "word_count_sum", "head_count")),
    "position": (
        _position,
        (
            "first",
            "first_share",
            "last_share",
            "spread",
            "first_sentence",
            "in_opening",
            "early_weight",
            "starts_sentence",
        ),
    ),
    "title": (_title, ("in_title", "title_overlap", "document_title")),
    "headings": (_headings, ("in_headings",)),
    "form": (_form, ("words", "characters", "shape", "first_class", "last_class", "digits", "hyphens")),
    "surroundings": (
        _surroundings,
        (
            "whole",
            "extended_left",
            "extended_right",
            "class_before",
            "class_after",
            "determined",
            "closed",
            "before_verb",
            "after_preposition",
        ),
    ),
    "containment": (
        _containment,
        ("longer_share", "longer_kinds", "longer_chosen", "parts_chosen", "parts_share", "head_share"),
    ),
    "rarity": (
        _rarity,
        ("idf", "word_idf_least", "word_idf_most", "word_idf_mean", "head_idf", "cohesion"),
    ),
    "choice": (
        _choice,
        ("chosen", "chosen_rate", "head_rate", "first_rate", "word_rate", "word_rate_least"),
    ),
    "writing": (_writing, ("capitals", "upper", "named", "bracketed", "defined")),
    "everyday": (
        _everyday,
        ("rare_least", "rare_most", "rare_mean", "rare_head", "keyness", "keyness_least", "listed"),
    ),
    "theme": (_theme, ("theme", "theme_least")),
    "text": (
        _text,
        (
            "document_words",
            "document_candidates",
            "document_names",
            "document_verbs",
            "document_numbers",
            "document_sentences",
            "tables",
        ),
    ),
}


def _reading(v: Values) -> str:
    return f"a network that reads the whole text ranks it number {_counted(v['encoder_rank']) + 1:,}"


def _kind(v: Values) -> str:
    share, kind = max((v[f"kind_{name}"], name) for name in ENCODER_KINDS)
    return f"the text reads like {READS_LIKE[kind]} ({share:.0%})"


# What a network that reads the text adds: the columns of `encoder/scorer.py`, in their order.
READING: Groups = {
    "reading": (_reading, ("encoder_best", "encoder_mean", "encoder_first", "encoder_gap", "encoder_rank")),
    "kind": (_kind, tuple([f"kind_{name}" for name in ENCODER_KINDS])),
}


def evidence(
    trees: StyledTrees, rows: Rows, mixture: Mapping[str, float], more: Groups | None = None
) -> Callable[[int], tuple[Evidence, ...]]:
    """Return what moved the score of the row with a number, the strongest first; weights are log-odds.

    Styles contribute by their shares in `mixture`. The columns of the groups in `more` follow the features.
    """
    groups = GROUPS | (more or {})
    features = [*FEATURES, *[name for _, names in (more or {}).values() for name in names]]
    kind = [f"{READS_LIKE.get(style, style)} ({share:.0%})" for style, share in mixture.items() if share >= NAMED]
    known = () if "kind" in groups else (Evidence("kind", f"the text reads like {', '.join(kind)}", 0.0),)

    def of(number: int) -> tuple[Evidence, ...]:
        row = rows.some(number, number + 1)
        weights = dict.fromkeys(features, 0.0)
        for style, share in mixture.items():
            slope, _ = trees.calibration[style]
            for name, one in zip(features, trees.styles[style].contributions(row)[1], strict=True):
                weights[name] += share * slope * one
        values = dict(zip(features, row, strict=True))
        found = [
            Evidence(group, say(values), round(sum(weights[name] for name in names), 3))
            for group, (say, names) in groups.items()
        ]
        return (*sorted(found, key=lambda one: -abs(one.weight)), *known)

    return of
