"""Trees for several styles over rows of any width, as columns of a file that other parts of a model share."""

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phrasemill.kernels import trees as kernel
from phrasemill.methods.learned.model import WORDS
from phrasemill.methods.learned.trees import COLUMNS, Trees

PREFIX = "trees."


@dataclass(frozen=True, slots=True, eq=False)
class StyledTrees:
    """For each style its trees, and the line that makes log-odds of their sums."""

    styles: Mapping[str, Trees]
    calibration: Mapping[str, tuple[float, float]]
    width: int

    def probabilities(self, rows: "array[float]", style: str) -> "array[float]":
        """How likely each candidate is to be chosen as a keyphrase by people of that style."""
        slope, offset = self.calibration[style]
        sums = self.styles[style].predict(rows, self.width)
        return kernel.probabilities(sums, rows, self.width, WORDS, slope, offset)

    def columns(self) -> dict[str, "array[Any]"]:
        some = next(iter(self.styles.values()))
        shared = {PREFIX + name: array(letter, list(getattr(some, name))) for name, letter in COLUMNS.items()}
        return shared | {f"{PREFIX}of.{style}": array("i", list(trees.numbers)) for style, trees in self.styles.items()}

    def metadata(self) -> dict[str, str]:
        some = next(iter(self.styles.values()))
        least = {style: trees.least for style, trees in self.styles.items()}
        told = {"width": self.width, "early": some.early, "least": least, "calibration": dict(self.calibration)}
        return {"trees": json.dumps(told, sort_keys=True)}

    @classmethod
    def read(cls, columns: Mapping[str, Any], metadata: Mapping[str, str]) -> "StyledTrees":
        """What `columns` and `metadata` gave; a ValueError or KeyError where they do not fit together.

        Columns may be NumPy arrays. Trees get memoryviews of them, whose items are Python numbers: NumPy's numbers
        would end up in evidence, and JSON cannot encode them.
        """
        told = json.loads(metadata["trees"])
        shared = {name: memoryview(columns[PREFIX + name]) for name in COLUMNS}
        styles = {
            style: Trees(columns[f"{PREFIX}of.{style}"], **shared, early=int(told["early"]), least=float(least))
            for style, least in told["least"].items()
        }
        width = int(told["width"])
        if not styles or not all(trees.sound(width) for trees in styles.values()):
            raise ValueError("its trees do not fit together")
        lines = {style: (float(slope), float(offset)) for style, (slope, offset) in told["calibration"].items()}
        return cls(styles, {style: lines[style] for style in styles}, width)
