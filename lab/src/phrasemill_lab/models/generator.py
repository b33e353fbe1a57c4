"""`generator_en`: its vocabulary of pieces, what a batch consists of, and where its first weights come from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from phrasemill.methods.generator import pieces as p
from phrasemill.methods.generator.pieces import PieceVocabulary
from phrasemill.methods.pieces import CONTINUED, padded, without_accents
from phrasemill.methods.writing import Search, Words
from phrasemill_lab.models.generation import GenerationExample, GenerationLearner, examples, fit
from phrasemill_lab.models.pretrained import start_from_minilm
from phrasemill_lab.models.recipes import load, settings, weights_beside
from phrasemill_lab.networks import transformer_export
from phrasemill_lab.networks.transformer import GeneratorNetwork, Targets, TransformerSizes

VOCABULARY_FROM = 100_000  # examples; more change few pieces
IntArray = np.ndarray[Any, np.dtype[Any]]
SEQUENCE_PIECES, PHRASE_PIECES = 96, 24
START = "\u2581"


@dataclass(frozen=True, slots=True)
class Augmentation:
    """How examples are varied, differently in every epoch."""

    source_pieces: int = 384
    masked: float = 0.5  # the share of documents whose numbers become <digit>
    dropped_from: float = 0.4  # the share of documents that lose keyphrases (KPDrop; Ray Chowdhury et al., 2022) …
    dropped: float = 0.7  # … and the chance of each to be removed from the text, so that it is absent
    single_pieces: int = 128  # the most pieces per document for phrases on their own
    pretrained: str = "minilm"  # or "none"


class PhrasePieces(NamedTuple):
    plain: IntArray
    masked: IntArray
    places: tuple[tuple[int, int], ...]


class GeneratorInput(NamedTuple):
    pieces: IntArray  # (P,)
    word: IntArray  # (P,) the word that each piece belongs to
    number: IntArray  # (W,) which words are numbers
    style: int
    present: tuple[PhrasePieces, ...]
    absent: tuple[PhrasePieces, ...]


class TransformerLearner(GenerationLearner):
    """The generator, as the training loop needs it."""

    module: GeneratorNetwork
    vocabulary: PieceVocabulary
    marks = p.GENERATOR_MARKS

    def __init__(self, module: GeneratorNetwork, pieces: PieceVocabulary, augmentation: Augmentation) -> None:
        self.module, self.vocabulary, self.augmentation = module, pieces, augmentation

    @classmethod
    def create(cls, network: Mapping[str, Any], pieces: PieceVocabulary) -> Self:
        """Return a network over these pieces; `network` has settings of `TransformerSizes` and of `Augmentation`."""
        sizes, augmentation = settings_of(network)
        module = GeneratorNetwork(replace(sizes, vocabulary=len(pieces)))
        if augmentation.pretrained != "none":
            start_from_minilm(module, pieces)
        return cls(module, pieces, augmentation)

    def encode(self, example: GenerationExample) -> GeneratorInput:
        cut = [self.vocabulary.of(word) for word in example.words]
        number = np.array([word.isdecimal() for word in example.words], dtype=bool)
        return GeneratorInput(
            np.array([piece for word in cut for piece in word], dtype=np.uint16),
            np.repeat(np.arange(len(cut), dtype=np.uint16), [len(word) for word in cut]),
            number,
            p.style_id(example.style),
            tuple([self._phrase(*both) for both in zip(example.present, example.places, strict=True)]),
            tuple([self._phrase(phrase, ()) for phrase in example.absent]),
        )

    def _phrase(self, words: Words, places: tuple[tuple[int, int], ...]) -> PhrasePieces:
        plain = [piece for word in words for piece in self.vocabulary.of(word)]
        masked = [piece for word in words for piece in ((p.NUMBER,) if word.isdecimal() else self.vocabulary.of(word))]
        short = [np.array(ids[:PHRASE_PIECES], dtype=np.uint16) for ids in (plain, masked)]
        return PhrasePieces(short[0], short[1], places)

    def size(self, encoded: GeneratorInput) -> int:
        return len(encoded.pieces)

    def collate(self, batch: Sequence[GeneratorInput], rng: np.random.Generator) -> dict[str, Tensor]:
        rows = [self._varied(one, rng) for one in batch]
        columns = zip(*[(source, *targets) for source, targets in rows], strict=True)
        names = ("source", "inputs", "outputs", "position", "segment")
        tensors = {name: torch.from_numpy(padded(column)) for name, column in zip(names, columns, strict=True)}
        return tensors | {"taught": tensors["outputs"].flatten().nonzero()[:, 0]}

    def _varied(self, one: GeneratorInput, rng: np.random.Generator) -> tuple[IntArray, tuple[IntArray, ...]]:
        augmentation = self.augmentation
        masked = rng.random() < augmentation.masked
        lost = np.zeros(len(one.number) + 1, dtype=bool)  # words that are removed
        if rng.random() < augmentation.dropped_from:
            for phrase in one.present:
                if rng.random() < augmentation.dropped:
                    for first, end in phrase.places:
                        lost[first:end] = True
        still = [any(not lost[first:end].any() for first, end in phrase.places) for phrase in one.present]
        hidden = [phrase for phrase, found in zip(one.present, still, strict=True) if not found]
        present = [phrase for phrase, found in zip(one.present, still, strict=True) if found]
        absent = [*one.absent, *hidden]
        if hidden:
            absent = [absent[i] for i in rng.permutation(len(absent))]
        source = self._source(one, lost, masked)
        here, elsewhere = ([one.masked if masked else one.plain for one in part] for part in (present, absent))
        return source, self._targets(here, elsewhere, rng)

    def _source(self, one: GeneratorInput, lost: IntArray, masked: bool) -> IntArray:
        ids, kept = one.pieces.astype(np.int64), ~lost[one.word]
        if masked:
            number = one.number[one.word]
            first = np.diff(one.word.astype(np.int64), prepend=-1) > 0
            ids[number & first] = p.NUMBER
            kept &= ~number | first
        body = ids[kept][: self.augmentation.source_pieces - 2]
        return np.concatenate([[one.style], body, [p.END]])

    def _targets(
        self, present: list[IntArray], absent: list[IntArray], rng: np.random.Generator
    ) -> tuple[IntArray, ...]:
        """Return the sequence of all phrases, then phrases on their own, as columns of one row."""
        sequence: list[int] = []
        for phrase in [*present, *absent]:
            sequence += [*phrase.tolist(), p.SEP]
        targets = [(p.SEQUENCE, [*sequence[:-1], p.EOS][:SEQUENCE_PIECES])]
        alone = [(p.PRESENT, phrase) for phrase in present] + [(p.ABSENT, phrase) for phrase in absent]
        left = self.augmentation.single_pieces
        for i in rng.permutation(len(alone)):
            kind, phrase = alone[i]
            left -= len(phrase) + 1
            if left < 0:
                break
            targets.append((kind, [*phrase.tolist(), p.EOS]))
        inputs = [token for kind, tokens in targets for token in (kind, *tokens[:-1])]
        outputs = [token for _, tokens in targets for token in tokens]
        position = [i for _, tokens in targets for i in range(len(tokens))]
        segment = [number for number, (_, tokens) in enumerate(targets) for _ in tokens]
        return tuple([np.array(column, dtype=np.int64) for column in (inputs, outputs, position, segment)])

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        losses, segment = self.module.loss(batch["source"], self.targets(batch))
        sequence = (segment == 0).float()
        known, alone = losses.detach(), 1 - sequence
        parts = {
            "sequence": (known * sequence).sum() / sequence.sum(),
            "phrases": (known * alone).sum() / alone.sum(),
        }
        return losses.mean(), parts

    def targets(self, batch: dict[str, Tensor]) -> Targets:
        return Targets(*[batch[name] for name in Targets._fields])

    def numbered(self, sources: Sequence[Sequence[str]], style: str) -> IntArray:
        return self.vocabulary.numbered(sources, style)


def learn_pieces(examples: Iterable[GenerationExample], size: int) -> PieceVocabulary:
    """Return the pieces that write these examples in the fewest tokens, `size` with the special ones."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    counts: Counter[str] = Counter()
    for example in examples:
        for words in (example.words, *example.present, *example.absent):
            counts.update(map(without_accents, words))
    # The trainer takes texts, not counts; each word as often as the square root of its count keeps the ranks.
    # The beginnings of words are marked, not their continuations: only so does the trainer always give the same pieces.
    texts = [" ".join([START + word] * round(count**0.5)) for word, count in sorted(counts.items()) if word.isalnum()]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    most = size - len(p.SPECIALS) + 1  # START itself is not a piece
    trainer = trainers.BpeTrainer(vocab_size=most, min_frequency=2, limit_alphabet=200, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    found = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    rest = [one[1:] if one.startswith(START) else CONTINUED + one for one in found if one != START]
    letters = [one[len(CONTINUED) :] for one in rest if one.startswith(CONTINUED) and len(one) == len(CONTINUED) + 1]
    first = [*".,()%'<>", *letters]  # any word that consists of them can be written
    return PieceVocabulary([*p.SPECIALS, *dict.fromkeys([*first, *rest])][:size])


def settings_of(network: Mapping[str, Any]) -> tuple[TransformerSizes, Augmentation]:
    names = {one.name for one in fields(Augmentation)}
    sizes = {name: value for name, value in network.items() if name not in names}
    varied = {name: value for name, value in network.items() if name in names}
    return settings(TransformerSizes, sizes), settings(Augmentation, varied)


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Train the generator of the row's recipe, and write the file that its method reads."""
    recipe = load(row, "generator")
    sizes, augmentation = settings_of(recipe.network)
    train_on = examples(recipe, data, "train", masked=False)
    every = list(chain.from_iterable(some for _, some in train_on))
    pieces = learn_pieces(islice(every, 0, None, max(1, len(every) // VOCABULARY_FROM)), sizes.vocabulary)
    torch.manual_seed(recipe.seed)
    learner = TransformerLearner.create(recipe.network, pieces)
    search = Search(recipe.schedules["training"].search, length=min(SEQUENCE_PIECES, sizes.target_positions))
    fit(learner, recipe, train_on, data, weights_beside(output), search, masked=False)
    transformer_export.export(learner.module.cpu(), pieces, output, source=augmentation.source_pieces)
