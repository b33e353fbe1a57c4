"""How JointKPE learns (`neural/jointkpe.py`): documents to passages, passages to batches, and a recipe carried out.

As published, the beginning of a document is read, as much as fits one window; its keyphrases are the runs of words that
have the words of a reference, in lower case; documents in which none occurs are left out. Candidates are those among
which the method chooses: up to five words, no stopword at either end, nothing across punctuation.

OUT/model.json        what it is: kind, settings, recipe, scores
OUT/best.safetensors  the weights with the best F1@O on the first validation set
OUT/encoder/          the encoder's settings and tokeniser
OUT/curves.jsonl, curves.svg, checkpoint.safetensors   as for generators (`training/generators.py`)
"""

import json
import time
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
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.evaluation import evaluate
from phrasemill.lab.training import curves
from phrasemill.lab.training.generation import CURVES, Run, Say
from phrasemill.lab.training.generators import check_device
from phrasemill.lab.training.recipes import Recipe, read_documents
from phrasemill.methods.bertkpe import files as files
from phrasemill.methods.bertkpe.network import LONGEST, WIDTH, JointKPE, Lesson, Window, offsets
from phrasemill.methods.bertkpe.reader import USUAL_WINDOW, Part, Reader, best, scores
from phrasemill.registry import Registry, Spec
from phrasemill.selection import Selection, select
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document

MOST = 50  # phrases that validation looks at; few documents have more keyphrases
METRIC = "F1@O(present='present')"
MODELS = Registry("model", {files.NAME: "phrasemill.lab.training.jointkpe:Settings"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a recipe may say of the network; `encoder` is a Transformers folder."""

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
class Passage:
    """A document to learn from: its runs of words, which phrase each is, and which phrases are keyphrases."""

    analysis: Analysis
    start: "npt.NDArray[np.int32]"
    end: "npt.NDArray[np.int32]"
    phrase: "npt.NDArray[np.int32]"
    gold: "npt.NDArray[np.bool_]"


@dataclass(frozen=True, slots=True)
class Encoded:
    """The beginning of a passage in pieces, and the runs in it."""

    part: Part
    start: "npt.NDArray[np.uint16]"
    size: "npt.NDArray[np.uint8]"
    phrase: "npt.NDArray[np.uint16]"
    gold: "npt.NDArray[np.bool_]"


def passage(document: Document) -> Passage | None:
    """The document as a passage; None if its text has no keyphrase, or nothing else."""
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
    return Passage(analysis, np.array(found.start), np.array(found.end), np.array(phrase, np.int32), gold)


def _words(analysis: Analysis) -> list[str]:
    """The words of a text in lower case."""
    return [analysis.words[word] for word in analysis.word]


def _wordings(document: Document) -> Iterator[str]:
    return chain.from_iterable([one] if isinstance(one, str) else one for one in document.references)


class JointLearner:
    """What the training loop drives."""

    def __init__(self, module: JointKPE, reader: Reader) -> None:
        self.module, self.reader = module, reader

    @classmethod
    def create(cls, settings: Settings, *, seed: int = 0) -> "JointLearner":
        """The encoder with its own weights, and fresh heads."""
        if not settings.encoder:
            raise ConfigError("bertkpe begins from an encoder: a Transformers folder as `encoder` under [network]")
        folder = Path(settings.encoder)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = JointKPE(files.pretrained(folder), width=settings.width, dropout=settings.dropout)
        reader = Reader(files.tokenizer(folder), module.encoder, longest=module.longest, window=settings.window)
        return cls(module, reader)

    def encode(self, example: Passage) -> Encoded:
        part = next(self.reader.windows(self.reader.pieces(example.analysis)))
        read = example.end <= part.end
        start, end = example.start[read], example.end[read]
        kept, phrase = np.unique(example.phrase[read], return_inverse=True)
        size = (end - start).astype(np.uint8)
        return Encoded(part, start.astype(np.uint16), size, phrase.astype(np.uint16), example.gold[kept])

    def size(self, encoded: Encoded) -> int:
        return len(encoded.part.pieces)

    def collate(self, batch: Sequence[Encoded], rng: np.random.Generator) -> dict[str, Tensor]:
        """The fields of a `Window` and of a `Lesson`."""
        window = self.reader.batch([one.part for one in batch])
        begins = np.array(offsets(window.first.shape[1], self.module.longest))
        before = np.cumsum([0, *(len(one.gold) for one in batch)])  # phrases of earlier documents
        arrays = {
            "place": [row * begins[-1] + begins[one.size - 1] + one.start for row, one in enumerate(batch)],
            "phrase": [one.phrase.astype(np.int64) + before[row] for row, one in enumerate(batch)],
            "document": [np.full(len(one.gold), row) for row, one in enumerate(batch)],
        }
        joined = {name: torch.from_numpy(np.concatenate(parts).astype(np.int64)) for name, parts in arrays.items()}
        gold = torch.from_numpy(np.concatenate([one.gold for one in batch]))
        return window._asdict() | joined | {"gold": gold}

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        window = Window(*(batch[name] for name in Window._fields))
        return self.module.loss(window, Lesson(*(batch[name] for name in Lesson._fields)))

    def phrases(self, document: Document) -> list[str]:
        """The best phrases of a document, as the method finds them."""
        analysis = analyse(document.content, language=document.language, tag=False)
        found = ngrams(analysis, longest=self.module.longest)
        if not len(found):
            return []
        values = best(scores(self.module, self.reader, analysis), found)
        return [one.text for one in select(found, values, Selection(top=MOST))]


def score(learner: JointLearner, documents: Sequence[Document]) -> float:
    """F1@O of keyphrases that occur in the text, as generators are scored."""
    numbered = [replace(one, id=str(number)) for number, one in enumerate(documents)]
    found = {one.id: learner.phrases(one) for one in numbered}
    return evaluate(found, numbered, metrics=[METRIC], preset="yuan2020")[METRIC]


def check(recipe: Recipe, device: str) -> None:
    """Find out what is wrong before the work begins."""
    if recipe.model != files.NAME:
        raise UnknownName("model", recipe.model, [files.NAME])
    settings(recipe)
    check_device(device)


def settings(recipe: Recipe) -> Settings:
    """What the recipe says of the network, checked as the parameters of a method are."""
    found: Settings = MODELS.build(Spec(recipe.model, (), tuple(recipe.network.items())))
    return found


def train(
    recipe: Recipe, data: Path, folder: Path, *, device: str = "cpu", resume: bool = False, say: Say = print
) -> dict[str, Any]:
    """Train JointKPE on the recipe's documents in the folder `data`; what `model.json` says of it."""
    if (folder / files.MODEL).exists() and not resume:
        raise InputError(f"{folder}: a model was trained here already; choose another folder, or resume")
    began = time.time()
    network = settings(recipe)
    learner = JointLearner.create(network, seed=recipe.seed)
    lessons = [(corpus.repeat, _passages(found)) for corpus, found in read_documents(recipe, data, "train")]
    valid = {
        f"{Path(corpus.files).name.split('.')[0]}:{number}": list(found)
        for number, (corpus, found) in enumerate(read_documents(recipe, data, "valid"))
    }
    folder.mkdir(parents=True, exist_ok=True)
    files.save_encoder(folder, learner.module.encoder, learner.reader.tokenizer)
    run = Run(learner, recipe, lessons, valid, folder, device=device, say=say, scored_by=score)
    count = sum(p.numel() for p in learner.module.parameters())
    say(f"{recipe.model}: {count / 1e6:.1f} M parameters, {len(run.encoded):,} documents")
    if resume:
        run.resume()
    progress = run.fit()
    summary = {
        "model": recipe.model,
        "network": asdict(network),
        "recipe": asdict(recipe),
        "parameters": count,
        "updates": progress.update,
        "best F1@O": round(progress.best, 2),
        "seconds": round(time.time() - began),
        "device": torch.cuda.get_device_name() if device.startswith("cuda") else device,
    }
    (folder / files.MODEL).write_text(json.dumps(summary, indent=1, default=str), encoding="utf-8")
    picture = curves.picture(curves.read_curves(folder / CURVES), f"Training of {recipe.model}")
    (folder / "curves.svg").write_text(picture, encoding="utf-8")
    return summary


def _passages(documents: Iterable[Document]) -> Iterator[Passage]:
    return (made for document in documents if (made := passage(document)) is not None)
