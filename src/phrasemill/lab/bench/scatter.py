"""Quality against speed as SVG text: a logarithmic axis, a whisker and a label for every point, none over another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from phrasemill.evaluation.plots import COLOURS

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 60, 24, 20, 52
LETTER, BOLD, LINE = 6.6, 7.4, 14  # the room of a letter, of a bold one, and of a line of text
MARGIN = 1.6  # the axis goes on by this factor beyond the slowest and the fastest
POINT = 4.5
# Where a label may stand, seen from its point: beside it, then farther and farther away.
DISTANCES = (8, 16, 26, 38, 54, 72, 96)
DIRECTIONS = [(1, 0), (-1, 0), (1, -0.8), (1, 0.8), (-1, -0.8), (-1, 0.8), (0, -1), (0, 1)]

# A rim in the colour of the paper, so that lines do not run through letters.
HALO = 'style="paint-order: stroke; stroke: Canvas; stroke-width: 3px"'

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Dot:
    """One method: its rate, its score from 0 to 1 with the interval, and what is said when one points at it."""

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
    parts = plane.grid(across, up)
    steps = sorted(best, key=lambda dot: dot.rate)
    line = " ".join(f"{plane.x(dot.rate):.1f},{plane.y(dot.value):.1f}" for dot in steps)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[0]}" stroke-dasharray="5 4" opacity="0.7"/>')
    parts += [part for dot in dots for part in _drawn(plane, dot, dot in best)]
    parts += _labels(plane, dots, best)
    name = escape(title)
    return (
        f'<svg role="img" aria-label="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">\n'
        f"<title>{name}</title>\n" + "\n".join(parts) + "\n</svg>"
    )


def frontier(dots: Sequence[Dot]) -> list[Dot]:
    """Those than which no other is both faster and better."""
    return [
        dot
        for dot in dots
        if not any(
            other.rate >= dot.rate and other.value >= dot.value and (other.rate, other.value) != (dot.rate, dot.value)
            for other in dots
        )
    ]


class _Plane:
    """From rates and scores to places in the picture."""

    def __init__(self, dots: Sequence[Dot]) -> None:
        rates = [dot.rate for dot in dots]
        self.first, self.last = math.log10(min(rates) / MARGIN), math.log10(max(rates) * MARGIN)
        low, high = min(dot.low for dot in dots), max(dot.high for dot in dots)
        self.step = _step(high - low)
        self.lowest, self.highest = math.floor(low / self.step), math.ceil(high / self.step + 1e-9)

    def x(self, rate: float) -> float:
        share = (math.log10(rate) - self.first) / (self.last - self.first)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value / self.step - self.lowest) / (self.highest - self.lowest)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def grid(self, across: str, up: str) -> list[str]:
        parts = []
        powers = range(math.floor(self.first), math.ceil(self.last))
        for mark in (k * 10.0**power for power in powers for k in range(1, 10)):
            if not 10**self.first <= mark <= 10**self.last:
                continue
            x, labelled = self.x(mark), f"{mark:.0e}"[0] in "125"
            parts.append(_rule(x, x, TOP, HEIGHT - BOTTOM, 0.35 if labelled else 0.12))
            if labelled:
                label = f"{mark:,.0f}" if mark >= 1 else f"{mark:g}"
                parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label}</text>')
        for i in range(self.lowest, self.highest + 1):
            y = self.y(i * self.step)
            parts.append(_rule(LEFT, WIDTH - RIGHT, y, y, 0.35))
            parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * i * self.step:g}</text>')
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>')
        turned = f'transform="rotate(-90 16 {HEIGHT / 2})"'
        parts.append(f'<text x="16" y="{HEIGHT / 2}" text-anchor="middle" {turned}>{escape(up)}</text>')
        return parts


def _rule(x1: float, x2: float, y1: float, y2: float, opacity: float) -> str:
    return f'<line stroke="#888" stroke-opacity="{opacity}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>'


def _drawn(plane: _Plane, dot: Dot, best: bool) -> list[str]:
    x, y = plane.x(dot.rate), plane.y(dot.value)
    colour = COLOURS[0] if best else COLOURS[1]
    fill = colour if best else "none"
    return [
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{plane.y(dot.low):.1f}" y2="{plane.y(dot.high):.1f}" '
        f'stroke="{colour}" stroke-opacity="0.45" stroke-width="1.5"/>',
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{POINT}" fill="{fill}" stroke="{colour}" stroke-width="2">'
        f"<title>{escape(dot.tip)}</title></circle>",
    ]


def _labels(plane: _Plane, dots: Sequence[Dot], best: Sequence[Dot]) -> list[str]:
    """Each label at the nearest place where it covers no point and no other label; a thin line where that is far."""
    places = {dot: (plane.x(dot.rate), plane.y(dot.value)) for dot in dots}
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
            parts.append(_rule(x, end[0], y, end[1], 0.7))
        weight = ' font-weight="bold"' if dot in best else ""
        edge, anchor = (right - 2, "end") if right <= x else (left + 2, "start")
        at = f'x="{edge:.1f}" y="{bottom - 3:.1f}" text-anchor="{anchor}"'
        parts.append(f"<text {at}{weight} {HALO}>{escape(dot.label)}<title>{escape(dot.tip)}</title></text>")
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
        # A label that is nearer to another point would be taken for its.
        if all(_away(box, x, y) <= _away(box, *point) for point in points):
            return box, distance
    if free:
        return free[0]
    return min(inside or tried, key=lambda one: sum(_overlap(one[0], other) for other in taken))


def _away(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    return math.hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))


def _box(x: float, y: float, width: float, side: float) -> Box:
    left = x if side > 0 else x - width if side < 0 else x - width / 2
    return left, y - LINE / 2, left + width, y + LINE / 2


def _fits(box: Box) -> bool:
    return box[0] >= LEFT and box[2] <= WIDTH and box[1] >= 0 and box[3] <= HEIGHT - BOTTOM


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _step(range_: float) -> float:
    """A round distance between grid lines."""
    return next((step for step in (0.005, 0.01, 0.02, 0.05, 0.1) if range_ <= 8 * step), 0.2)
