"""Trains the taggers of other languages on treebanks of Universal Dependencies (docs/reference/tagger.md).

The files are `<language>_<treebank>_<part>.jsonl.xz` with one sentence per line: {"text", "tokens": [[id, form, UPOS,
lemma, no_space_after], …]}, where ids such as `5-6` are surface tokens of several words. Our tokeniser reads the text.
A token gets the tag of the word that it overlaps; one that covers several words, the tag of the first content word
(Spanish `dámelo` is a VERB), else of the first word (`del`, German `im` are ADP).
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.kernels.text import LONGEST
from phrasemill.kernels.words import normalise

from phrasemill.errors import DataError
from phrasemill.text.languages import UPOS, profile
from phrasemill_lab.models import tagger
from phrasemill_lab.models.make import Row
from phrasemill_lab.models.sources import Record, read_records
from phrasemill_lab.models.tagger import TaggerRecipe
from phrasemill_lab.models.tagger_data import TaggedSentence, augmented
from phrasemill_lab.models.word_lists import NO_LEXICON, PackedLexicon, pack, word_list

RECIPE = TaggerRecipe(tags=UPOS, epochs=12, near_count=3, ambiguous_count=10, bits=12, orders=5, largest=600_000)
MANY_TOKENS = 150_000  # to train on; rare features are left out then
CONTENT = frozenset({"ADJ", "ADV", "AUX", "NOUN", "NUM", "PROPN", "VERB", "X"})
HELD_OUT = 20  # percent of the sentences of a treebank that comes in one part
LEFT_OUT = frozenset({"ko_gsd", "tr_kenet"})  # treebanks that do not agree with the other one of their language

Word = tuple[int, int, str]  # start, end, tag


def read(folder: Path, language: str) -> list[TaggedSentence]:
    """Return the sentences of the treebanks of `language`; parts are `train` (all but test) and `test`."""
    files = sorted(folder.glob(f"{language}_*.jsonl.xz"))
    if not files:
        raise DataError(f"{folder}: no {language}_*.jsonl.xz files")
    parts: dict[str, list[str]] = {}
    for path in files:
        treebank, part = path.name.removesuffix(".jsonl.xz").rsplit("_", 1)
        if treebank not in LEFT_OUT:
            parts.setdefault(treebank, []).append(part)
    return [sentence for treebank in parts for sentence in _treebank(folder, treebank, parts[treebank], language)]


def _treebank(folder: Path, treebank: str, parts: Sequence[str], language: str) -> Iterator[TaggedSentence]:
    for part in parts:
        for record in map(_with_text, read_records(folder / f"{treebank}_{part}.jsonl.xz")):
            held_out = part == "test" if len(parts) > 1 else zlib.crc32(record["text"].encode()) % 100 < HELD_OUT
            words, tags = tagged(record, language)
            if words:
                yield TaggedSentence("test" if held_out else "train", words, tags)


def _with_text(record: Record) -> Record:
    """Return the record with its text, which some files leave out: the surface tokens, spaced."""
    if record["text"]:
        return record
    text, last = "", 0
    for identifier, form, _, _, glued in record["tokens"]:
        if "." not in identifier and ("-" in identifier or int(identifier) > last):
            text += form + ("" if glued else " ")
            last = int(identifier.split("-")[-1])
    return record | {"text": text.rstrip()}


def tagged(record: Record, language: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return our tokens of a sentence, as the tagger sees them, and their tags."""
    own, text = profile(language), record["text"]
    start, end, _ = own.rules().tokenise(text)
    words = _words(record)
    forms, tags = [], []
    first = 0
    for begin, stop in zip(start, end, strict=True):
        while first < len(words) and words[first][1] <= begin:
            first += 1
        tag = _tag([tag for left, right, tag in words[first : first + 12] if left < stop and right > begin])
        if tag:
            forms.append(normalise(text[begin:stop])[:LONGEST])
            tags.append(tag)
    return tuple(forms), tuple(tags)


def _words(record: Record) -> list[Word]:
    """Return the words of a sentence with their places; those of one surface token share its place."""
    found: list[Word] = []
    text, position = record["text"], 0
    shared, last = (0, 0), 0  # the place of the surface token of several words, and the number of its last word
    for identifier, form, tag, *_ in record["tokens"]:
        if "." in identifier:  # an empty node
            continue
        if "-" in identifier or int(identifier) > last:
            at = text.find(form, position)
            if at < 0:
                return found
            position = at + len(form)
            shared = (at, position)
            last = int(identifier.split("-")[1]) if "-" in identifier else int(identifier)
        if "-" not in identifier:
            found.append((*shared, tag))
    return found


def _tag(tags: Sequence[str]) -> str:
    known = [tag for tag in tags if tag in UPOS]
    return next((tag for tag in known if tag in CONTENT), known[0] if known else "")


def fit(
    path: Path,
    sentences: Iterable[TaggedSentence],
    recipe: TaggerRecipe = RECIPE,
    lexicon: PackedLexicon = NO_LEXICON,
) -> None:
    """Train a tagger on the sentences, and write it to `path`."""
    data = tagger.corpus(augmented(sentences), recipe, lexicon)
    many = len(data.types) > MANY_TOKENS
    tagger.fit(path, data, replace(recipe, here_count=3, near_count=8) if many else recipe, lexicon)


def make(data: Path, output: Path, row: Row) -> None:
    recipe = replace(RECIPE, seed=row["seed"], **row.get("settings", {}))
    fit(output, read(data / "ud_multi", row["each"]), recipe, pack(word_list(row["each"])))
