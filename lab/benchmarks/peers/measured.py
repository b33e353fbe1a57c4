"""What the bench measured, as tables: our methods, peers, how many times better ours are, and where theirs are."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from contests import METRIC, Figure
from environments import MODEL, OURSELVES, installed_megabytes, wheel_megabytes

from phrasemill.options import DEFAULT_METHOD
from phrasemill_lab.bench.scripts import MarkdownRows

# What is measured: its unit, whether more is better, and its decimals.
SPEED = {
    "start-up": ("ms", False, 0),
    "abstracts": ("per s", True, 1),
    "papers": ("per s", True, 1),
    "5 MB": ("s", False, 2),
    "memory": ("MB", False, 0),
}
UNITS = [f"{name}, {unit}" for name, (unit, _, _) in SPEED.items()]
NOTHING, NOBODY = "–", "nobody"
Figures = Mapping[str, Figure]


class Peer(NamedTuple):
    """One variant of a peer."""

    name: str
    variant: str
    label: str
    licence: str
    network: bool


def cell(figure: Figure, digits: int) -> str:
    if isinstance(figure, str):
        return figure or NOTHING
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.{digits}f}"


def ratio(theirs: Figure, ours: Figure, *, more: bool) -> float | None:
    """Return how many times better ours is."""
    if isinstance(theirs, str) or isinstance(ours, str) or not theirs or not ours:
        return None
    return ours / theirs if more else theirs / ours


class Tables:
    """Figures as they are measured; the tables at the end."""

    def __init__(self, sets: Sequence[str], cache: Path) -> None:
        self.sets, self.cache = sets, cache
        self.packages: dict[str, Path] = {}
        self.failures: list[tuple[str, str, str]] = []
        self.ours: dict[str, Figures] = {}
        self.theirs: list[tuple[Peer, str, Figures]] = []

    def failed(self, label: str, licence: str, why: str) -> None:
        print(f"{label}: {why}", file=sys.stderr, flush=True)
        self.failures.append((label, licence, why))

    def add(self, name: str, ours: Figures, theirs: Sequence[tuple[Peer, Figures]]) -> None:
        self.ours[name] = ours
        self.theirs += [(peer, name, found) for peer, found in theirs]

    def rate(self, name: str) -> int | str:
        """Return a method's abstracts per second, as the table has it."""
        found = self.ours[name]["abstracts"] if name in self.ours else NOTHING
        return found if isinstance(found, str) else round(found)

    def print(self) -> None:
        self.theirs.sort(key=lambda one: one[0].label)
        print("Ours.\n")
        rows = MarkdownRows("method", *UNITS, *self.sets, name="ours")
        for name, found in self.ours.items():
            rows.add(f"`{name}`", *self._speeds(found), *(cell(found[one], 1) for one in self.sets))
        print("\nHow many times better ours is: faster, or smaller.\n")
        rows = MarkdownRows("peer", "licence", "ours", *SPEED, name="ratios")
        for label, licence, why in self.failures:
            rows.add(label, licence, why, *[""] * len(SPEED))
        for peer, name, found in self.theirs:
            rows.add(peer.label, peer.licence, f"`{name}`", *self._ratios(name, found))
        print("\nTheirs.\n")
        rows = MarkdownRows("peer", *UNITS, name="measured")
        for peer, _, found in self.theirs:
            rows.add(peer.label, *self._speeds(found))
        self._print_sizes()
        if self.sets:
            print(f"\n{METRIC}.\n")
            header = [f"{one}, {whose}" for one in self.sets for whose in ("theirs", "ours")]
            rows = MarkdownRows("peer", "ours", *header, name="quality")
            for peer, name, found in self.theirs:
                both = [cell(side[one], 1) for one in self.sets for side in (found, self.ours[name])]
                rows.add(peer.label, f"`{name}`", *both)
        self._print_ahead()

    def _speeds(self, found: Figures) -> list[str]:
        return [cell(found[name], digits) for name, (_, _, digits) in SPEED.items()]

    def _ratios(self, name: str, found: Figures) -> list[str]:
        every = [ratio(found[one], self.ours[name][one], more=more) for one, (_, more, _) in SPEED.items()]
        return [NOTHING if one is None else f"{one:.2f}" for one in every]

    def _sizes(self) -> dict[str, tuple[Figure, Figure]]:
        found: dict[str, tuple[Figure, Figure]] = {}
        for label, environment in {"phrasemill": self.cache / OURSELVES, **self.packages}.items():
            found[label] = wheel_megabytes(environment) or "", installed_megabytes(environment) or ""
        return found

    def _print_sizes(self) -> None:
        print("\nSizes.\n")
        rows = MarkdownRows("package", "wheel, MB", "installed, MB", name="sizes")
        for label, (wheel, installed) in self._sizes().items():
            rows.add(label, cell(wheel, 1), cell(installed, 0))
        model = self.cache / MODEL
        if model.exists():
            size = sum(path.stat().st_size for path in model.rglob("*") if path.is_file()) / 1e6
            rows.add("the model of our `embedrank` and `mderank`", NOTHING, cell(size, 0))

    def _print_ahead(self) -> None:
        """Print who is ahead of our method of the same kind, and by F1 of our default."""
        print("\nWho is ahead.\n")
        rows = MarkdownRows("in", "ahead of our method of the same kind", "ahead of our default", name="ahead")
        best = {**{name: more for name, (_, more, _) in SPEED.items()}, **dict.fromkeys(self.sets, True)}
        for one, more in best.items():
            same = [peer.label for peer, name, found in self.theirs if self._ahead(found, name, one, more=more)]
            default = [
                peer.label for peer, _, found in self.theirs if self._ahead(found, DEFAULT_METHOD, one, more=more)
            ]
            rows.add(
                f"{METRIC}, {one}" if one in self.sets else one, "; ".join(same) or NOBODY, "; ".join(default) or NOBODY
            )

    def _ahead(self, found: Figures, name: str, one: str, *, more: bool) -> bool:
        times = ratio(found[one], self.ours[name][one], more=more) if name in self.ours else None
        return times is not None and times < 1
