"""A topic model and its file: for each word one byte per topic."""

import math
from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill import models
from phrasemill.models import kept, reading, shipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED = shipped("topics_en.safetensors")
KIND = "topic model"
LEVELS = 256  # a byte holds the logarithm of a probability, from LOWEST to 1
LOWEST = 1e-7


@dataclass(frozen=True, slots=True)
class TopicModel:
    """P(word | topic) for the stems of a vocabulary."""

    topics: int
    index: dict[str, int]
    levels: memoryview

    @classmethod
    def load(cls, path: Path) -> "TopicModel":
        with reading(path, KIND, {"words": "B", "levels": "B"}) as file:
            topics = file.number("topics")
            words = bytes(file["words"]).decode().split("\n")
            if not topics or len(file["levels"]) != topics * len(words):
                raise ValueError("its tables do not fit together")
            return cls(topics, {word: i for i, word in enumerate(words)}, file["levels"])


# What the levels stand for.
PROBABILITY = array("d", [math.exp((1 - level / (LEVELS - 1)) * math.log(LOWEST)) for level in range(LEVELS)])


def load_topics(path: str | None = None) -> TopicModel:
    """Return the model at `path`, read once per process unless it changes, by default the shipped one."""
    return _shipped() if path is None else kept(Path(path), TopicModel.load)


@cache
def _shipped() -> TopicModel:
    return TopicModel.load(SHIPPED)


def save(path: Path, vocabulary: list[str], probability: "NDArray[Any]", topics: int) -> None:
    """Write the model: for each word in turn one byte per topic, the logarithm of its probability there."""
    import numpy as np

    scaled = 1 - np.log(np.maximum(probability, LOWEST)) / np.log(LOWEST)
    levels = array("B", np.rint(scaled.T * (LEVELS - 1)).astype("uint8").tobytes())
    buffers = {"words": array("B", "\n".join(vocabulary).encode()), "levels": levels}
    models.save(path, buffers, {"kind": KIND, "language": "en", "topics": str(topics)})
