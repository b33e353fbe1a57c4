"""Print what an encoder of one's own adds to `learned`, for several weights of its similarity.

    python lab/benchmarks/encoder_folder.py MODEL --data DIR

MODEL is a folder in the layout of Transformers. Only splits that may be tuned on are read; a language model annotated
the everyday texts. An English network is a stand-in where no multilingual one is at hand: its row in German shows what
it costs to bring a network that does not read the language.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from phrasemill.embeddings import load_encoder
from phrasemill.methods.encoder import folder
from phrasemill.methods.learned import Learned
from phrasemill.types import Candidates
from phrasemill_lab.bench.scripts import MarkdownRows, f1_cell, parser, write_figures
from phrasemill_lab.models.sources import Source

SETS = {
    "everyday, English (dev)": Source("everyday/en_dev.jsonl.gz"),
    "abstracts, Inspec (dev)": Source("inspec_dev.jsonl.gz"),
    "author keywords (valid)": Source("keywords/valid.jsonl.xz"),
    "everyday, German (train)": Source("everyday/de_train.jsonl.gz"),
}
WEIGHTS = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True, repr=False)
class Weighted(Learned):
    """`learned`, moved by a network's similarity."""

    name: ClassVar[str] = "weighted"

    network: str = ""
    weight: float = 0.0

    def scored(
        self, candidates: Candidates, classes: "array[int] | None" = None
    ) -> "tuple[array[float], dict[str, float]]":
        scores, styles = Learned.scored(self, candidates, classes)
        return folder.moved(candidates, scores, self.network, self.weight), styles


class Remembering:
    """A sentence encoder that embeds a text once, whatever the number of weights."""

    def __init__(self, model: str) -> None:
        self.model = load_encoder(model)
        self.known: dict[str, NDArray[np.float32]] = {}

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known.update(zip(new, self.model.encode(new) if new else (), strict=True))
        return np.array([self.known[text] for text in texts])


def main() -> None:
    options = parser(__doc__, documents=80)
    options.add_argument("model", metavar="MODEL")
    given = options.parse_args()
    remembering = Remembering(given.model)
    vars(folder)["load_encoder"] = lambda model: remembering
    table = MarkdownRows("texts", "documents", "`learned`", *[f"weight {one:g}" for one in WEIGHTS], name="weights")
    for title, source in SETS.items():
        documents = list(islice(source.documents(given.data), given.documents))
        methods = [Learned(), *[Weighted(network=given.model, weight=weight) for weight in WEIGHTS]]
        table.add(title, len(documents), *[f1_cell(documents, method) for method in methods])
    write_figures(given.figures)


if __name__ == "__main__":
    main()
