"""Quality against speed as SVG text: a logarithmic axis, a whisker and a label for every point, none over another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from phrasemill import plots
from phrasemill.plots import COLOURS, Margins, Plot

WIDTH, HEIGHT = 860, 520
MARGINS = Margins(60, 24, 20, 52)
STEPS = (0.005, 0.01, 0.02, 0.05, 0.1)
LETTER, BOLD, LINE = 6.6, 7.4, 14  # the width of a letter, of a bold one, and the height of a line of text
MARGIN = 1.6  # the axis extends by this factor beyond the slowest and the fastest
POINT = 4.5
# Where a label may be put, from its point: beside it, then farther and farther away.
DISTANCES = (8, 16, 26, 38, 54, 72, 96)
DIRECTIONS = [(1, 0), (-1, 0), (1, -0.8), (1, 0.8), (-1, -0.8), (-1, 0.8), (0, -1), (0, 1)]

# A rim in the colour of the paper, so that lines do not run through letters.
HALO = 'style="paint-order: stroke; stroke: var(--paper, Canvas); stroke-width: 3px"'

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Dot:
    """One method: its rate, its score from 0 to 1 with the interval, and the text that is shown on hovering."""

    label: str
    rate: float
    value: float
    low: float
    high: float
    tip: str


def scatter(dots: Sequence[Dot], *, title: str, across: str, up: str) -> str:
    """Points in the upper right are good and fast; those that nothing beats in both stand out, joined by a line."""
    plane = _Plane(dots)
    best = frontier(dots)
    plane.name_axes(across, up)
    steps = [plane.place(dot) for dot in sorted(best, key=lambda dot: dot.rate)]
    plane.parts.append(plots.polyline(steps, f'stroke="{COLOURS[0]}" stroke-dasharray="5 4" opacity="0.7"'))
    for dot in dots:
        x, y = plane.place(dot)
        colour = COLOURS[0] if dot in best else COLOURS[1]
        whisker = f'stroke="{colour}" stroke-opacity="0.45" stroke-width="1.5"'
        style = f'fill="{colour if dot in best else "none"}" stroke="{colour}" stroke-width="2"'
        plane.parts.append(plots.rule(x, x, plane.y(dot.low), plane.y(dot.high), whisker))
        plane.parts.append(plots.dot(x, y, style, radius=POINT, tip=dot.tip))
    plane.parts += _labels(plane, dots, best)
    return plane.svg(title)


def frontier(dots: Sequence[Dot]) -> list[Dot]:
    """Return those than which no other is both faster and better."""
    return [
        dot
        for dot in dots
        if not any(
            other.rate >= dot.rate and other.value >= dot.value and (other.rate, other.value) != (dot.rate, dot.value)
            for other in dots
        )
    ]


class _Plane(Plot):
    """Scores upwards, rates across on a logarithmic axis."""

    def __init__(self, dots: Sequence[Dot]) -> None:
        rates = [dot.rate for dot in dots]
        self.first, self.last = math.log10(min(rates) / MARGIN), math.log10(max(rates) * MARGIN)
        low, high = min(dot.low for dot in dots), max(dot.high for dot in dots)
        step = plots.round_step(high - low, STEPS)
        ends = math.floor(low / step) * step, math.ceil(high / step + 1e-9) * step
        super().__init__(*ends, step, width=WIDTH, height=HEIGHT, margins=MARGINS)
        powers = range(math.floor(self.first), math.ceil(self.last))
        for mark in (k * 10.0**power for power in powers for k in range(1, 10)):
            if 10**self.first <= mark <= 10**self.last:
                self._mark(mark)

    def _mark(self, rate: float) -> None:
        """Draw a vertical grid line; those at 1, 2 and 5 have a label."""
        x, labelled = self._across(rate), f"{rate:.0e}"[0] in "125"
        opacity = 0.35 if labelled else 0.12
        style = f'stroke="#888" stroke-opacity="{opacity}"'
        self.parts.append(plots.rule(x, x, self.margins.top, self.floor, style))
        if labelled:
            self.parts.append(plots.text(x, self.floor + 18, f"{rate:,.0f}" if rate >= 1 else f"{rate:g}"))

    def _across(self, rate: float) -> float:
        return self.x((math.log10(rate) - self.first) / (self.last - self.first))

    def place(self, dot: Dot) -> tuple[float, float]:
        return self._across(dot.rate), self.y(dot.value)


def _labels(plane: _Plane, dots: Sequence[Dot], best: Sequence[Dot]) -> list[str]:
    """Put each label at the nearest place where it covers no point and no other label; a thin line leads far ones."""
    places = {dot: plane.place(dot) for dot in dots}
    points = list(places.values())
    taken: list[Box] = [(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    parts = []
    for dot in sorted(dots, key=lambda one: (places[one][1], places[one][0])):
        x, y = places[dot]
        width = (BOLD if dot in best else LETTER) * len(dot.label) + 4
        box, distance = _place(x, y, width, taken, points)
        taken.append(box)
        left, top, right, bottom = box
        if distance > DISTANCES[1]:
            end = (min(max(x, left), right), min(max(y, top), bottom))
            parts.append(plots.rule(x, end[0], y, end[1], 'stroke="#888" stroke-opacity="0.7"'))
        style = f'font-weight="bold" {HALO}' if dot in best else HALO
        edge, anchor = (right - 2, "end") if right <= x else (left + 2, "start")
        parts.append(plots.text(edge, bottom - 3, dot.label, anchor=anchor, extra=style, tip=dot.tip))
    return parts


def _place(
    x: float, y: float, width: float, taken: Sequence[Box], points: Sequence[tuple[float, float]]
) -> tuple[Box, float]:
    tried = [
        (_box(x + dx * distance, y + dy * distance, width, dx), distance)
        for distance in DISTANCES
        for dx, dy in DIRECTIONS
    ]
    inside = [(box, distance) for box, distance in tried if _fits(box)]
    free = [one for one in inside if not any(_overlap(one[0], other) for other in taken)]
    for box, distance in free:
        # A label nearer to another point would be read as that point's.
        if all(_away(box, x, y) <= _away(box, *point) for point in points):
            return box, distance
    if free:
        return free[0]
    return min(inside or tried, key=lambda one: sum(_overlap(one[0], other) for other in taken))


def _away(box: Box, x: float, y: float) -> float:
    """Return how far a point is from a box."""
    return math.hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))


def _box(x: float, y: float, width: float, side: float) -> Box:
    left = x if side > 0 else x - width if side < 0 else x - width / 2
    return left, y - LINE / 2, left + width, y + LINE / 2


def _fits(box: Box) -> bool:
    return box[0] >= MARGINS.left and box[2] <= WIDTH and box[1] >= 0 and box[3] <= HEIGHT - MARGINS.bottom


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
