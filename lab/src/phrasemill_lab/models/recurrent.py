"""`catseqd_en`, and CopyRNN and CatSeq: examples to numbers, numbers to batches, batches to losses."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from phrasemill.methods.generator.words import BEGIN, END, PAD, SEPARATOR, SPECIALS, UNKNOWN, WordVocabulary, marks_of
from phrasemill.methods.pieces import padded
from phrasemill.methods.writing import Search
from phrasemill_lab.models.generation import GenerationExample, GenerationLearner, examples, fit
from phrasemill_lab.models.recipes import load, settings, weights_beside
from phrasemill_lab.networks import recurrent_export
from phrasemill_lab.networks.recurrent import MODELS, RecurrentConfig, RecurrentNetwork


@dataclass(frozen=True, slots=True)
class RecurrentInput:
    """An example in numbers: the source, and its targets (one, or one per phrase) one after another."""

    source: npt.NDArray[np.int32]
    targets: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int16]


class RecurrentLearner(GenerationLearner):
    """CopyRNN, CatSeq or CatSeqD, as the training loop needs it."""

    module: RecurrentNetwork
    vocabulary: WordVocabulary

    def __init__(self, module: RecurrentNetwork, vocabulary: WordVocabulary) -> None:
        self.module, self.vocabulary = module, vocabulary
        self.marks = marks_of(module.config.paradigm)

    @classmethod
    def create(
        cls, examples: Iterable[GenerationExample], config: RecurrentConfig, *, seed: int = 0
    ) -> "RecurrentLearner":
        """Return an untrained network, and the vocabulary of these examples."""
        texts = (text for example in examples for text in (example.words, *example.present, *example.absent))
        vocabulary = counted(texts, size=config.vocabulary)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = RecurrentNetwork(replace(config, vocabulary=len(vocabulary)))
        return cls(module, vocabulary)

    def encode(self, example: GenerationExample) -> RecurrentInput:
        numbers, unknown = self.vocabulary.source(example.words)
        phrases = [target(self.vocabulary, phrase, unknown) for phrase in (*example.present, *example.absent)]
        limit = self.module.config.target
        if self.module.config.paradigm == "one2one":
            targets = [[*phrase, END] for phrase in phrases if len(phrase) < limit]
        else:
            targets = [joined(phrases, limit)]
        return RecurrentInput(
            np.array(numbers or [UNKNOWN], np.int32),
            np.fromiter(chain.from_iterable(targets), np.int32),
            np.array([len(target) for target in targets], np.int16),
        )

    def size(self, encoded: RecurrentInput) -> int:
        return len(encoded.source)

    def collate(self, batch: Sequence[RecurrentInput], rng: np.random.Generator) -> dict[str, Tensor]:
        """source (D, T), lengths (D,), inputs and targets (R, L), rows (R,): each row's document, negatives (D, N)."""
        targets = [target for item in batch for target in np.split(item.targets, np.cumsum(item.lengths)[:-1])]
        if self.module.config.paradigm == "one2one":
            targets = [target for target in targets if len(target)]
        goal = padded(targets, fill=PAD, width=1)
        before = np.concatenate((np.full((len(goal), 1), BEGIN), goal[:, :-1]), axis=1)
        before[before == END] = PAD
        before[before >= len(self.vocabulary)] = UNKNOWN
        arrays = {
            "source": padded([item.source for item in batch], fill=PAD),
            "lengths": np.array([len(item.source) for item in batch]),
            "inputs": before,
            "targets": goal,
            "rows": np.repeat(np.arange(len(batch)), [len(item.lengths) for item in batch]),
            "negatives": others(len(batch), self.module.config.negatives, rng),
        }
        return {name: torch.from_numpy(values.astype(np.int64)) for name, values in arrays.items()}

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss of eq. 4, and its parts."""
        parts, config = self.module.losses(batch), self.module.config
        weights = {"nll": 1.0, "orthogonal": config.orthogonal, "coverage": config.coverage}
        return torch.stack([weights[name] * part for name, part in parts.items()]).sum(), parts

    def numbered(self, sources: Sequence[Sequence[str]], style: str) -> npt.NDArray[np.int64]:
        return self.vocabulary.numbered(sources)


def joined(phrases: Sequence[Sequence[int]], limit: int) -> list[int]:
    """Return `a b <sep> c <eos>`: the phrases in order, without those that no longer fit into `limit` tokens."""
    target: list[int] = []
    for phrase in phrases:
        if len(target) + len(phrase) + 1 <= limit:
            target += [*phrase, SEPARATOR]
    return [*target[:-1], END]


def counted(texts: Iterable[Sequence[str]], *, size: int = 50_000) -> WordVocabulary:
    """Return the most frequent words of sources and targets, `size` with the marks; of equals the first by alphabet."""
    counts = Counter(word for text in texts for word in text)
    for mark in SPECIALS:
        counts.pop(mark, None)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return WordVocabulary(SPECIALS + tuple(word for word, _ in ranked[: size - len(SPECIALS)]))


def target(vocabulary: WordVocabulary, words: Sequence[str], unknown: Sequence[str]) -> list[int]:
    """Return the numbers of a phrase's words, given the unknown words of its source."""
    copied = {word: len(vocabulary) + place for place, word in enumerate(unknown)}
    return [vocabulary.numbers.get(word, copied.get(word, UNKNOWN)) for word in words]


def others(count: int, wanted: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return for each of `count` documents `wanted` other ones at random, or all others where there are fewer."""
    noise = rng.random((count, count))
    np.fill_diagonal(noise, 2.0)
    return np.argsort(noise, axis=1)[:, : min(wanted, count - 1)]


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Train the network of the row's recipe, and write the file that its method reads."""
    recipe = load(row, *MODELS)
    config = settings(RecurrentConfig, recipe.network, **asdict(MODELS[recipe.model]))
    train_on = examples(recipe, data, "train", masked=True)
    learner = RecurrentLearner.create(chain.from_iterable(some for _, some in train_on), config, seed=recipe.seed)
    search = Search(recipe.schedules["training"].search)
    fit(learner, recipe, train_on, data, weights_beside(output), search, masked=True)
    recurrent_export.export(learner.module.cpu(), learner.vocabulary, output, name=recipe.model)
