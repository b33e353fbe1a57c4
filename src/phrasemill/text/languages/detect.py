"""The language of a text, found from the text: its script, and where several languages share one, its words.

Up to 480 characters are looked at, in pieces spread over the text, so that a title in English, a table or a list of
references does not decide. In scripts that several languages share, a linear model adds up the weights of the parts of
words (`kernels/language.py`); `phrasemill make language_detector` trains it.
"""

import unicodedata
from array import array
from functools import cache
from math import exp, inf
from pathlib import Path
from typing import NamedTuple

from phrasemill.kernels import language as kernel
from phrasemill.models import Tensors, reading, shipped
from phrasemill.text.language_codes import AUTO, CODES, language_or_auto
from phrasemill.text.languages.scripts import NUMBER, PAGES, SCRIPTS
from phrasemill.types import Document

MODEL = shipped("language_detector.safetensors")
KIND = "language detector"
DEFAULT = "en"
SAMPLE = 480  # characters that are looked at …
PIECES = 4  # … in so many pieces of a longer text
ENOUGH = 200  # characters of a text that decide without its title
# A text in Latin letters is taken for English unless it has so many different words, and the log-odds of another
# language against English are so high: 3 is twenty to one.
FEWEST_WORDS = 4
LEAST_EVIDENCE = 3.0
LATIN, KANA, HAN, GREEK = NUMBER["Latin"], NUMBER["Kana"], NUMBER["Han"], NUMBER["Greek"]
LEAST_KANA = 0.05  # of the characters of a Japanese text; names in Chinese texts are fewer


class Detected(NamedTuple):
    """A language by its code, and how likely it is, from 0 to 1."""

    language: str
    confidence: float


class Model(NamedTuple):
    """The languages of one script, and the weights of the parts of words."""

    languages: tuple[str, ...]
    weights: memoryview  # one row per hash, one column per language
    bias: "array[int]"
    default: int  # the number of English, where it is among the languages
    bits: int
    scale: float


def detect(text: str) -> Detected:
    """Return the language of `text`, and how likely it is.

    English, with a confidence of 0, where the text has too few words to tell (`FEWEST_WORDS`) or where no other
    language is clearly more likely (`LEAST_EVIDENCE`); `und` for languages that have neither stopwords nor a
    stemmer here.
    """
    found = sample(text)
    script = LATIN
    share = 1.0
    if not found.isascii():
        found = unicodedata.normalize("NFKC", found)
        script, share = _script(found)
    languages = SCRIPTS[script].languages
    if languages:
        return Detected(languages[0], share)
    return _by_words(found, script)


def detected_languages() -> frozenset[str]:
    """Return the codes of the languages that are found from the text."""
    by_words = {code for model in models().values() for code in model.languages}
    return frozenset(by_words | {code for script in SCRIPTS for code in script.languages[:1]}) & CODES


def language_of(text: str, language: str = AUTO) -> str:
    """Return the code of `language`, given by a code or a name; found from the text where it is `auto` or empty."""
    code = AUTO if language == "" else language_or_auto(language)
    return detect(text).language if code == AUTO else code


def document_language(document: Document, language: str | None = None) -> str:
    """Return the code of a document's language: `language`, else the one that it names, else found from the text.

    A title is looked at only where the text is short: those in English stand over texts in many languages.
    """
    text = document.text if len(document.text) >= ENOUGH else document.content
    return text_language(text, document.language if language is None else language)


def text_language(text: str, language: str | None = None) -> str:
    """Return the code of `language`; found from the text where it is None, `auto` or empty."""
    if type(language) is str and language in CODES:  # this saves a call
        return language
    return language_of(text, "" if language is None else language)


def sample(text: str) -> str:
    """Return what is looked at, in lower case: the text, or pieces of a long one from its beginning to its end."""
    size = len(text)
    if size <= SAMPLE:
        return text.lower()
    length = SAMPLE // PIECES
    step = (size - length) // (PIECES - 1)
    return " ".join([text[at : at + length] for at in range(0, step * PIECES, step)]).lower()


def _script(text: str) -> tuple[int, float]:
    """Return the number of the script that most of the text is in, and its share."""
    counts = kernel.letters(text, PAGES, len(SCRIPTS))
    kana, han = counts[KANA], counts[HAN]
    if kana + han:
        japanese = kana >= LEAST_KANA * (kana + han)
        counts[KANA], counts[HAN] = (kana + han, 0) if japanese else (0, kana + han)
    weighted = [count * script.weight for count, script in zip(counts, SCRIPTS, strict=True)]
    best = max(weighted)
    return (weighted.index(best), best / sum(weighted)) if best else (LATIN, 0.0)


def _by_words(text: str, script: int) -> Detected:
    model = models()[script]
    weights = (model.bits, model.weights, model.bias, model.default)
    best, ahead, ahead_of_default, words = kernel.recognised(text, PAGES, script, *weights)
    doubtful = words < FEWEST_WORDS or ahead_of_default < LEAST_EVIDENCE * model.scale
    if doubtful and script == LATIN and best != model.default:
        return Detected(DEFAULT, 0.0)
    return Detected(model.languages[best], 1.0 / (1.0 + exp(-ahead / model.scale)))


@cache
def models() -> dict[int, Model]:
    """Return the models by the number of their script."""
    return load(MODEL)


def load(path: Path) -> dict[int, Model]:
    """Return the models in the file at `path`; raise a `ModelError` that says what is wrong with a damaged one."""
    with reading(path, KIND) as file:
        return {NUMBER[script]: _model(file, script) for script in file.metadata["scripts"].split()}


def _model(file: Tensors, script: str) -> Model:
    languages = tuple(file.metadata[f"{script} languages"].split())
    weights, bias, bits = file[f"{script} weights"], array("i", file[f"{script} bias"]), file.number(f"{script} bits")
    scale = float(file.metadata["scale"])
    if not (len(bias) == len(languages) and weights.format == "b" and len(weights) == len(languages) << min(bits, 31)):
        raise ValueError("its tables do not fit together")
    if not 0 < scale < inf:
        raise ValueError(f"a scale of {scale}")
    return Model(languages, weights, bias, languages.index(DEFAULT) if DEFAULT in languages else 0, bits, scale)
