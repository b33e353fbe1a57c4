"""What came out of a StackEx build: the columns of Tables 1 and 8 of Yuan et al. (2020), and why rows were rejected."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

DOCUMENTS = "#Doc"
COLUMNS = (DOCUMENTS, "#KP", "#PreDoc", "#PreKP", "#AbsDoc", "#AbsKP")


@dataclass(frozen=True, slots=True)
class Report:
    """A row a split; rejections by reason; and what the dump held besides questions."""

    rows: Mapping[str, Mapping[str, float]]
    reasons: Mapping[str, int]
    others: Mapping[str, int]

    @property
    def accepted(self) -> int:
        return int(sum(row[DOCUMENTS] for row in self.rows.values()))

    @property
    def rejected(self) -> int:
        return sum(self.reasons.values())

    def json(self) -> str:
        rounded = {name: {key: round(value, 3) for key, value in row.items()} for name, row in self.rows.items()}
        found = {"splits": rounded, "rejected": dict(self.reasons), "passed over": dict(self.others)}
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


class Counting:
    """Collects the splits as they are written."""

    def __init__(self) -> None:
        self._sums: dict[str, Counter[str]] = {}

    def add(self, split: str, keyphrases: int, present: int) -> None:
        absent = keyphrases - present
        found = (1, keyphrases, present > 0, present, absent > 0, absent)
        sums = self._sums.setdefault(split, Counter())
        sums.update(dict(zip(COLUMNS, map(int, found), strict=True)))
        sums["squares"] += keyphrases**2

    def report(self, reasons: Mapping[str, int], others: Mapping[str, int]) -> Report:
        return Report({name: _row(sums) for name, sums in self._sums.items()}, reasons, others)


def _row(sums: Counter[str]) -> dict[str, float]:
    """The variance is that of the population."""
    mean = sums["#KP"] / sums[DOCUMENTS]
    derived = {
        "Mean": mean,
        "Var": sums["squares"] / sums[DOCUMENTS] - mean**2,
        "%Pre": 100 * sums["#PreKP"] / sums["#KP"],
    }
    return {name: sums[name] for name in COLUMNS} | derived
