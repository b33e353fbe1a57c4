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

from phrasemill.kernels.language import Parts, letters_by_script
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
LATIN, KANA, HAN = NUMBER["Latin"], NUMBER["Kana"], NUMBER["Han"]
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


def language_of(source: str | Document, language: str | None = None) -> str:
    """Return the code of `language`, given by a code or a name; of the one that a document names, where it is None; and
    of the one that is found from the text, where that is empty or `auto`.

    A document's title is looked at only where the text is short: those in English stand over texts in many languages.
    """
    if language is None:
        language = "" if isinstance(source, str) else source.language
    if type(language) is str and language in CODES:  # as nearly always, where there is one; this saves calls
        return language
    code = AUTO if language == "" else language_or_auto(language)
    if code != AUTO:
        return code
    if isinstance(source, str):
        return detect(source).language
    return detect(source.text if len(source.text) >= ENOUGH else source.content).language


def detect(text: str) -> Detected:
    """Return the language of `text`, and how likely it is.

    English, with a confidence of 0, where the text has too few words to tell (`FEWEST_WORDS`) or where no other
    language is clearly more likely (`LEAST_EVIDENCE`); `und` for languages that have neither stopwords nor a
    stemmer here.
    """
    if len(text) > SAMPLE:
        length = SAMPLE // PIECES
        step = (len(text) - length) // (PIECES - 1)
        text = " ".join([text[at : at + length] for at in range(0, step * PIECES, step)])
    text, script = text.lower(), LATIN
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        script, share = _script(text)
        if SCRIPTS[script].languages:
            return Detected(SCRIPTS[script].languages[0], share)
    model = models()[script]
    parts = Parts(text, PAGES, script, model.bits)
    best, ahead, ahead_of_default = parts.best(model.weights, model.bias, model.default)
    doubtful = parts.words < FEWEST_WORDS or ahead_of_default < LEAST_EVIDENCE * model.scale
    if doubtful and script == LATIN and best != model.default:
        return Detected(DEFAULT, 0.0)
    return Detected(model.languages[best], 1.0 / (1.0 + exp(-ahead / model.scale)))


def _script(text: str) -> tuple[int, float]:
    """Return the number of the script that most of the text is in, and its share."""
    counts = letters_by_script(text, PAGES, len(SCRIPTS))
    kana, han = counts[KANA], counts[HAN]
    if kana + han:
        japanese = kana >= LEAST_KANA * (kana + han)
        counts[KANA], counts[HAN] = (kana + han, 0) if japanese else (0, kana + han)
    weighted = [count * script.weight for count, script in zip(counts, SCRIPTS, strict=True)]
    best = max(weighted)
    return (weighted.index(best), best / sum(weighted)) if best else (LATIN, 0.0)


def detected_languages() -> frozenset[str]:
    """Return the codes of the languages that are found from the text."""
    by_words = {code for model in models().values() for code in model.languages}
    return frozenset(by_words | {code for script in SCRIPTS for code in script.languages[:1]}) & CODES


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
