"""What generators are trained on: a source as words, and its keyphrases, present and absent.

Preparation follows Yuan et al. (2020), appendix E: words apart and in lower case, presence by stems, present phrases by
first occurrence. Examples are kept as lines of JSON, to be reused and inspected.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from phrasemill.errors import InputError
from phrasemill.methods.writing import Words
from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.text.stem import stemmer
from phrasemill.training.trainer import Progress, quiet, tracked
from phrasemill.types import Document
from phrasemill_lab.datasets.writing import lines
from phrasemill_lab.training.recipes import SOURCE_SETTINGS, TrainingRecipe
from phrasemill_lab.training.sources import Source

LONGEST_PHRASE = 8  # in words; longer ones are sentences, or lists that were not split
MOST_PHRASES = 20
SOURCE_WORDS = 300
BRACKETS = re.compile(r"\([^()]*\)")
_stem = lru_cache(maxsize=500_000)(stemmer("nltk"))


@dataclass(frozen=True, slots=True)
class GenerationExample:
    """One document: present phrases in order of first occurrence, with the words of each occurrence in `places`."""

    id: str
    words: Words
    present: tuple[Words, ...]
    absent: tuple[Words, ...]
    places: tuple[tuple[tuple[int, int], ...], ...] = ()
    style: str = "author"

    def masked(self) -> "GenerationExample":
        """Return the example with every number replaced by `<digit>`."""
        phrases = [tuple(dict.fromkeys(map(masked_words, part))) for part in (self.present, self.absent)]
        kept = {masked_words(phrase): places for phrase, places in zip(self.present, self.places, strict=True)}
        return replace(
            self,
            words=masked_words(self.words),
            present=phrases[0],
            absent=phrases[1],
            places=tuple([kept[phrase] for phrase in phrases[0]]),
        )


def example_of(document: Document, *, style: str = "author", words: int = SOURCE_WORDS) -> GenerationExample | None:
    """Return the document as an example; None if it has no text or no keyphrase.

    A present phrase is written as the source first writes it, so that it can be copied. Of several wordings the first
    counts, and of `random walk (RW)` what is outside the brackets.
    """
    source, _ = segmented(document.content, words)
    stems = _Stems(source)
    present: dict[Words, tuple[tuple[int, int], ...]] = {}
    absent: dict[Words, None] = {}
    seen: set[Words] = set()
    for reference in document.references[:MOST_PHRASES]:
        wording = reference if isinstance(reference, str) else reference[0]
        phrase, _ = segmented(BRACKETS.sub(" ", wording))
        form = _form(phrase)
        if not form or len(form) > LONGEST_PHRASE or form in seen:
            continue
        seen.add(form)
        if places := stems.places(form):
            present[source[slice(*places[0])]] = places
        else:
            absent[phrase] = None
    if not source or not seen:
        return None
    order = sorted(present, key=lambda phrase: present[phrase][0])
    return GenerationExample(
        document.id, source, tuple(order), tuple(absent), tuple([present[phrase] for phrase in order]), style
    )


def _form(words: Sequence[str]) -> Words:
    """Return the stems, without punctuation."""
    return tuple([_stem(word) for word in masked_words(words) if _counts(word)])


def _counts(word: str) -> bool:
    return word[0].isalnum() or word == DIGIT


class _Stems:
    """Where stems follow each other in a source, whatever punctuation is between."""

    def __init__(self, words: Words) -> None:
        self.at = [i for i, word in enumerate(words) if _counts(word)]
        self.stems = [_stem(word) for word in masked_words([words[i] for i in self.at])]
        self.first: dict[str, list[int]] = {}
        for i, stem in enumerate(self.stems):
            self.first.setdefault(stem, []).append(i)

    def places(self, form: Words) -> tuple[tuple[int, int], ...]:
        size = len(form)
        return tuple(
            [
                (self.at[i], self.at[i + size - 1] + 1)
                for i in self.first.get(form[0], [])
                if tuple(self.stems[i : i + size]) == form
            ]
        )


def write_examples(path: Path, examples: Iterable[GenerationExample]) -> None:
    """Write the examples as lines of JSON, compressed; `path` ends in .gz."""
    records = (
        {
            "id": example.id,
            "style": example.style,
            "words": " ".join(example.words),
            "present": [" ".join(phrase) for phrase in example.present],
            "places": example.places,
            "absent": [" ".join(phrase) for phrase in example.absent],
        }
        for example in examples
    )
    lines((json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records), path)


def read_examples(path: Path) -> Iterator[GenerationExample]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield GenerationExample(
                id=record["id"],
                words=tuple(record["words"].split(" ")),
                present=tuple([tuple(phrase.split(" ")) for phrase in record["present"]]),
                absent=tuple([tuple(phrase.split(" ")) for phrase in record["absent"]]),
                places=tuple([tuple([(first, end) for first, end in places]) for places in record["places"]]),
                style=record["style"],
            )


def prepare(recipe: TrainingRecipe, data: Path, folder: Path, progress: Progress = quiet) -> None:
    """Write the recipe's examples, one file per source, for `read_prepared`; files that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "valid"):
        for source, documents in recipe.documents(data, part):
            path = _prepared_file(recipe, source, folder, part)
            if not path.exists():
                found = (example_of(one, style=source.style, words=recipe.source_words) for one in documents)
                examples = (one for one in found if one is not None)
                write_examples(path, tracked(examples, f"preparing {source.file}", progress))


def read_prepared(recipe: TrainingRecipe, folder: Path, part: str) -> Iterator[tuple[Source, list[GenerationExample]]]:
    """Yield the examples of each source of `train` or `valid`."""
    for source in recipe.train if part == "train" else recipe.valid:
        path = _prepared_file(recipe, source, folder, part)
        if not path.exists():
            raise InputError(f"{folder}: {path.name} is missing; prepare the recipe's data first: name --data DIR")
        examples = read_examples(path)
        yield source, [one.masked() for one in examples] if recipe.mask_numbers else list(examples)


def _prepared_file(recipe: TrainingRecipe, source: Source, folder: Path, part: str) -> Path:
    """Return a name made from everything that decides the content, so that recipes can share a folder."""
    settings = {name: value for name, value in asdict(source).items() if name in SOURCE_SETTINGS}
    settings |= {"files": source.file, "repeat": 1, "words": recipe.source_words}
    settings["left out"] = sorted(recipe.held_out) if part == "train" else []
    name = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
    return folder / f"{source.stem.strip('-*')}-{name}.jsonl.gz"
