"""Merge (Shapira et al., "Multi-Document Keyphrase Extraction: Dataset, Baselines and Review", 2021, sections 3 and 4).

An extractor runs on each document, and the lists are merged and reranked. A word scores the share of the set's
documents that it occurs in (averaged with its share of the reference summaries, where there are any), a phrase the mean
over its words. Lists of phrases become one list without duplicates and without phrases that no document holds, best
first. Of two phrases of which one holds all words of the other, in any order, the longer stays; of two with the same
words, the one that is earlier in the list.

Words are stems throughout. The paper leaves open which of several
wordings of one form stays (here the first, in the order of the documents), how ties are broken (here by order of
arrival), and how many phrases of each document enter (the authors' published lists for single documents have 20). With
those lists these rules give about 90 % of the phrases in the lists that the authors publish for sets; theirs sometimes
keep a phrase beside a longer one.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from phrasemill.methods.parameters import at_least
from phrasemill.options import DEFAULT_METHOD
from phrasemill.ranker import build
from phrasemill.sets.forms import Form, Word
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import Bounds, ReadDocument
from phrasemill.types import Method

KEPT = 20
Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Merge(SetMethod):
    """Run a method on each document; rank all phrases by the document frequency of their words.

    - `method`: the method for single documents.
    - `keep`: how many phrases of each document are merged.
    """

    name: ClassVar[str] = "merge"
    paper: ClassVar[str] = "Shapira et al., 2021"

    method: Method | str = DEFAULT_METHOD
    keep: int = KEPT

    def __post_init__(self) -> None:
        at_least(1, keep=self.keep)
        object.__setattr__(self, "method", build(self.method))

    def extractor(self, language: str) -> Method:
        return build(self.method)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, bounds: Bounds) -> list[ChosenPhrase]:
        return merged(readings)


def merged(readings: Sequence[ReadDocument]) -> list[ChosenPhrase]:
    """Return the merged and reranked list of what was found in each document."""
    wordings = found_wordings(readings)
    ranked = rerank(wordings, document_frequencies(reading.words for reading in readings))
    return [ChosenPhrase(wordings[form], score, (form,)) for form, score in ranked]


def found_wordings(readings: Iterable[ReadDocument]) -> dict[Form, str]:
    """Return the forms that were found in any document, with the wording that came first."""
    return first_wordings((found.form, found.text) for reading in readings for found in reading.found)


def document_frequencies(documents: Iterable[AbstractSet[Item]]) -> dict[Item, float]:
    """Return for each word the share of `documents`, each a set of words, that hold it."""
    counts: dict[Item, int] = {}
    total = 0
    for words in documents:
        total += 1
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return {word: count / total for word, count in counts.items()}


def phrase_score(form: Form, scores: Mapping[Word, float]) -> float:
    """Return the mean score of the words of `form`; words that no document holds count 0."""
    words = form.words
    return sum([scores.get(word, 0.0) for word in words]) / len(words) if words else 0.0


def first_wordings(phrases: Iterable[tuple[Form, str]]) -> dict[Form, str]:
    """Return the distinct forms of `phrases`, pairs of form and wording, each with the wording that came first."""
    wordings: dict[Form, str] = {}
    for form, wording in phrases:
        if form.stems:
            wordings.setdefault(form, wording)
    return wordings


def drop_contained(forms: Sequence[Form]) -> list[Form]:
    """Return `forms` without those whose words another has all of: the longer stays, of equals the earlier."""
    bags = [frozenset(form.words) for form in forms]
    lengths = [len(form.stems) for form in forms]
    numbers = holders(dict(enumerate(bags)))
    return [form for i, form in enumerate(forms) if not _held(i, bags, lengths, numbers)]


def holders(bags: Mapping[Key, AbstractSet[Word]]) -> dict[Word, list[Key]]:
    """Return for each word the keys of the sets of words that hold it."""
    found: dict[Word, list[Key]] = {}
    for key, bag in bags.items():
        for word in bag:
            found.setdefault(word, []).append(key)
    return found


def _held(i: int, bags: list[frozenset[Word]], lengths: list[int], numbers: dict[Word, list[int]]) -> bool:
    bag, length = bags[i], lengths[i]
    rarest = min((numbers[word] for word in bag), key=len, default=[])
    return any(j != i and bag <= bags[j] and (lengths[j] > length or (lengths[j] == length and j < i)) for j in rarest)


def rerank(forms: Iterable[Form], scores: Mapping[Word, float]) -> list[tuple[Form, float]]:
    """Return distinct `forms` by score, best first, without those contained in others."""
    scored = {form: phrase_score(form, scores) for form in forms}
    ranked = sorted(scored, key=lambda form: -scored[form])
    return [(form, scored[form]) for form in drop_contained(ranked)]
