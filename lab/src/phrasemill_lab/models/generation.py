"""What models share that write keyphrases: their examples, a source as words with its keyphrases, and their score.

Examples follow Yuan et al. (2020), appendix E: words apart and in lower case, presence by stems, present phrases by
first occurrence.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from phrasemill.evaluation import evaluate
from phrasemill.evaluation.phrases import stemmer
from phrasemill.methods.generator.hypotheses import FloatArray, IntArray
from phrasemill.methods.generator.search import ROWS_AT_ONCE, Marks, generate
from phrasemill.methods.writing import Phrases, Search, Words
from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.types import Document
from phrasemill_lab.models.loop import train
from phrasemill_lab.models.recipes import Recipe

LONGEST_PHRASE = 8  # in words; longer ones are sentences, or lists that were not split
MOST_PHRASES = 20
SOURCE_WORDS = 300  # as in appendix C
BRACKETS = re.compile(r"\([^()]*\)")
METRIC = "F1@O(present='present')"
ROWS_ON_GPU = 1200
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
    at = [i for i, word in enumerate(source) if _counts(word)]
    stems = _form(source)
    occurrences: dict[str, list[int]] = {}
    for i, stem in enumerate(stems):
        occurrences.setdefault(stem, []).append(i)
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
        size = len(form)  # stems that follow each other, whatever punctuation is between
        starts = [i for i in occurrences.get(form[0], ()) if stems[i : i + size] == form]
        if places := tuple([(at[i], at[i + size - 1] + 1) for i in starts]):
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


class GenerationLearner(ABC):
    """A learner whose network writes keyphrases: it has `begin(sources)` and `step(state, tokens)`."""

    module: Any
    vocabulary: Any
    marks: Marks

    @abstractmethod
    def numbered(self, sources: Sequence[Sequence[str]], style: str) -> IntArray: ...

    def stepper(self, style: str) -> "TorchStepper":
        device = next(self.module.parameters()).device
        return TorchStepper(self.module, lambda sources: self.numbered(sources, style), device)

    def generate(self, sources: Sequence[Words], search: Search, *, style: str = "author") -> list[Phrases]:
        """Return the unique phrases of each source, best first."""
        stepper = self.stepper(style)
        rows = ROWS_ON_GPU if stepper.device.type == "cuda" else ROWS_AT_ONCE
        return generate(stepper, sources, self.vocabulary, self.marks, search, rows_at_once=rows)


class TorchStepper:
    """A network in evaluation mode, as the search takes its steps; states stay on its device."""

    def __init__(
        self, network: Any, numbered: Callable[[Sequence[Sequence[str]]], IntArray], device: torch.device
    ) -> None:
        self.network, self.numbered, self.device = network, numbered, device

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[str]]) -> Any:
        return self.network.begin(torch.from_numpy(self.numbered(sources)).to(self.device))

    @torch.inference_mode()
    def step(self, state: Any, tokens: IntArray, k: int) -> tuple[Any, FloatArray, IntArray]:
        state, probabilities = self.network.step(state, torch.from_numpy(tokens).to(self.device))
        likely, numbers = probabilities.topk(min(k, probabilities.shape[1]))
        return state, likely.log().double().cpu().numpy(), numbers.cpu().numpy()

    @torch.inference_mode()
    def select(self, state: Any, rows: IntArray) -> Any:
        return state.rows(torch.from_numpy(rows).to(self.device))


def examples(recipe: Recipe, data: Path, part: str, *, masked: bool) -> list[tuple[int, list[GenerationExample]]]:
    """Return the examples of each source of `train` or `valid`, with how often an epoch has them; `masked` ones have
    `<digit>` for every number."""
    found = []
    for source, documents in recipe.documents(data, part):
        made = [example_of(one, style=source.style) for one in documents]
        found.append((source.repeat, [one.masked() if masked else one for one in made if one is not None]))
    return found


def fit(
    learner: Any,  # a `GenerationLearner` that is also a `Learner`
    recipe: Recipe,
    train_on: list[tuple[int, list[GenerationExample]]],
    data: Path,
    weights: Path,
    search: Search,
    *,
    masked: bool,
) -> dict[str, Any]:
    """Train on examples; the weights with the best score on the recipe's first validation set are kept."""
    valid = {
        f"F1@O on {source.stem}": some
        for source, (_, some) in zip(
            recipe.sources["valid"], examples(recipe, data, "valid", masked=masked), strict=True
        )
    }
    return train(
        learner,
        recipe.schedules["training"],
        [(repeat, [learner.encode(one) for one in some]) for repeat, some in train_on],
        valid,
        lambda _, some: score(learner, some, search),
        weights,
        seed=recipe.seed,
        device=recipe.device,
    )


def score(learner: GenerationLearner, some: Sequence[GenerationExample], search: Search) -> float:
    """Return the present phrases' F1@O, as Yuan et al. (2020) score."""
    lists = learner.generate([one.words for one in some], search, style=some[0].style)
    found = {one.id: [" ".join(words) for words, _ in phrases] for one, phrases in zip(some, lists, strict=True)}
    gold = [
        Document(
            one.id,
            " ".join(one.words),
            language="en",  # whose stemmer the preset has: nothing is to be detected
            references=tuple([" ".join(words) for words in chain(one.present, one.absent)]),
        )
        for one in some
    ]
    return evaluate(found, gold, metrics=[METRIC], preset="yuan2020")[METRIC]
