"""Merge, Concat and Bayatmakou as Shapira et al. run them ("Multi-Document Keyphrase Extraction: Dataset, Baselines and
Review", 2021, sections 3 and 4).

Merge: an extractor runs on each document, and the lists are merged and reranked. A word scores the share of the set's
documents that it occurs in (averaged with its share of the reference summaries, where there are any), a phrase the mean
over its words. Lists of phrases become one list without duplicates and without phrases that no document holds, best
first. Of two phrases of which one holds all words of the other, in any order, the longer stays; of two with the same
words, the one that is earlier in the list.

Words are stems throughout. The paper leaves open which of several wordings of one form stays (here the first, in the
order of the documents), how ties are broken (here by order of arrival), and how many phrases of each document enter
(the authors' published lists for single documents have 20). With those lists these rules give about 90 % of the phrases
in the lists that the authors publish for sets; theirs sometimes keep a phrase beside a longer one.

Concat: all documents of the set as one text, in a random order that `seed` decides (None keeps the order given), for an
extractor of single documents. Titles stand before their texts; a blank line stands between documents. A set in several
languages is read in the language of most of its documents; a phrase counts in those of another where one of them writes
it letter by letter.

Bayatmakou, Ahmadi and Mohebi, "Automatic Query-based Keyword and Keyphrase Extraction" (2017): RAKE runs on each
document, phrases of more than `longest` words are left out, and a phrase that several documents have scores the mean of
its scores in them. The query, which a set does not have, plays no part. Phrases are the same if they are spelled the
same, in any case; of several spellings of the same stems the best stays.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeVar

from phrasemill.methods.parameters import at_least
from phrasemill.options import DEFAULT_METHOD
from phrasemill.ranker import build
from phrasemill.select import Selection
from phrasemill.sets.reading import DocumentPhrase, Form, ReadDocument, Word, form_of, read_document
from phrasemill.sets.results import ChosenPhrase, SetMethod
from phrasemill.specs import AtMost
from phrasemill.types import Document, Method

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
    keep: Annotated[int, AtMost(1_000)] = KEPT

    def __post_init__(self) -> None:
        at_least(1, keep=self.keep)
        object.__setattr__(self, "method", build(self.method))

    def extractor(self, language: str) -> Method:
        return build(self.method)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        return merged(readings)


@dataclass(frozen=True, slots=True, repr=False)
class Concat(SetMethod):
    """Run a method on all documents as one text.

    - `method`: the method for single documents.
    - `seed`: the seed of the random order of the documents; None keeps the given order.
    """

    name: ClassVar[str] = "concat"
    paper: ClassVar[str] = "Shapira et al., 2021"

    method: Method | str = DEFAULT_METHOD
    seed: Annotated[int | None, AtMost(2**31)] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", build(self.method))

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        if not readings:
            return []
        ordered = list(readings)
        if self.seed is not None:
            from random import Random

            Random(self.seed).shuffle(ordered)
        language, *others = [code for code, _ in Counter(one.language for one in ordered).most_common()]
        joined = Document("", "\n\n".join(one.text for one in ordered), language=language)
        whole = read_document(joined, build(self.method), pool={}, counting=counting)
        texts = {other: [one.text for one in ordered if one.language == other] for other in others}
        chosen = []
        for found in whole.found:
            written = [other for other in others if any(found.text in text for text in texts[other])]
            forms = (found.form, *(form_of(found.text, other) for other in written))
            chosen.append(ChosenPhrase(found.text, found.score, forms))
        return chosen


@dataclass(frozen=True, slots=True, repr=False)
class Bayatmakou(SetMethod):
    """RAKE on each document; phrases are ranked by their mean score.

    - `longest`: the most words in a phrase.
    """

    name: ClassVar[str] = "bayatmakou"
    paper: ClassVar[str] = "Bayatmakou et al., 2017"

    longest: Annotated[int, AtMost(50)] = 3

    def __post_init__(self) -> None:
        at_least(1, longest=self.longest)

    def extractor(self, language: str) -> Method:
        return build(f"rake(longest={self.longest})")

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        same: dict[tuple[str, str], list[DocumentPhrase]] = {}
        for reading in readings:
            for found in reading.found:
                same.setdefault((reading.language, found.text.lower()), []).append(found)
        means = [
            ChosenPhrase(first.text, sum([one.score for one in (first, *others)]) / (1 + len(others)), (first.form,))
            for first, *others in same.values()
        ]
        best: dict[Form, ChosenPhrase] = {}
        for phrase in sorted(means, key=lambda phrase: -phrase.score):
            best.setdefault(phrase.forms[0], phrase)
        return list(best.values())


def merged(readings: Sequence[ReadDocument]) -> list[ChosenPhrase]:
    """Return the merged and reranked list of what was found in each document."""
    wordings = first_wordings((found.form, found.text) for reading in readings for found in reading.found)
    ranked = rerank(wordings, document_frequencies(reading.words for reading in readings))
    return [ChosenPhrase(wordings[form], score, (form,)) for form, score in ranked]


def document_frequencies(documents: Iterable[AbstractSet[Item]]) -> dict[Item, float]:
    """Return for each word the share of `documents`, each a set of words, that hold it."""
    counts: Counter[Item] = Counter()
    total = 0
    for words in documents:
        total += 1
        counts.update(words)
    return {word: count / total for word, count in counts.items()}


def phrase_score(form: Form, scores: Mapping[Word, float]) -> float:
    """Return the mean score of the words of `form`; words that no document holds count 0."""
    return sum([scores.get(word, 0.0) for word in form]) / len(form)


def first_wordings(phrases: Iterable[tuple[Form, str]]) -> dict[Form, str]:
    """Return the distinct forms of `phrases`, pairs of form and wording, each with the wording that came first."""
    wordings: dict[Form, str] = {}
    for form, wording in phrases:
        if form:
            wordings.setdefault(form, wording)
    return wordings


def rerank(forms: Iterable[Form], scores: Mapping[Word, float]) -> list[tuple[Form, float]]:
    """Return distinct `forms` by score, best first, without those whose words another has all of: the longer stays, of
    equals the earlier."""
    scored = {form: phrase_score(form, scores) for form in forms}
    ranked = sorted(scored, key=lambda form: -scored[form])
    bags = [frozenset(form) for form in ranked]
    having = holders(dict(enumerate(bags)))

    def is_contained(i: int) -> bool:
        rarest = min((having[word] for word in bags[i]), key=len)
        return any(bags[i] <= bags[j] and (-len(ranked[j]), j) < (-len(ranked[i]), i) for j in rarest)

    return [(form, scored[form]) for i, form in enumerate(ranked) if not is_contained(i)]


def holders(bags: Mapping[Key, AbstractSet[Word]]) -> dict[Word, list[Key]]:
    """Return for each word the keys of the sets of words that hold it."""
    found: dict[Word, list[Key]] = {}
    for key, bag in bags.items():
        for word in bag:
            found.setdefault(word, []).append(key)
    return found
