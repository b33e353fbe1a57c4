"""The curves of a training run as a picture: losses above, scores on validation sets below, over the updates."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from phrasemill import plots
from phrasemill.plots import Margins, Plot

NOT_CURVES = frozenset({"update", "epoch", "time"})
LOSSES = frozenset({"loss", "nll", "orthogonal", "coverage", "sequence", "phrases", "ranking", "chunking"})
WIDTH, HEIGHT, MARGINS = 700, 240, Margins(48, 210, 24, 32)
SMOOTHED = 5  # neighbouring losses that are averaged, because each is of one batch
FEW = 20  # points that are drawn as dots

Point = Mapping[str, float]
Curve = list[tuple[float, float]]


def read_curves(path: Path) -> list[Point]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def picture(points: Sequence[Point], title: str) -> str:
    """Return SVG with a panel of losses and one of scores."""
    curves: dict[str, Curve] = {}
    for point in points:
        for name, value in point.items():
            if name not in NOT_CURVES:
                curves.setdefault(name, []).append((point["update"], value))
    losses = {name: _smooth(curve) for name, curve in curves.items() if name in LOSSES}
    scores = {name: curve for name, curve in curves.items() if name not in LOSSES}
    end = max([point["update"] for point in points], default=1)
    panels = [_panel(curves, axis, end) for curves, axis in ((losses, "loss"), (scores, "F1@O")) if curves]
    parts = [f'<g transform="translate(0 {i * HEIGHT})">{"".join(parts)}</g>' for i, parts in enumerate(panels)]
    return plots.standalone(plots.svg(title, parts, width=WIDTH, height=HEIGHT * len(panels)))


def _panel(curves: Mapping[str, Curve], axis: str, end: float) -> list[str]:
    values = [value for curve in curves.values() for _, value in curve]
    low, high = min(values), max(values)
    high = high if high > low else low + 1
    plot = Plot(low, high, (high - low) / 4, width=WIDTH, height=HEIGHT, margins=MARGINS, label=lambda v: f"{v:.3g}")
    for share in (0, 0.25, 0.5, 0.75, 1):
        plot.parts.append(plots.text(plot.x(share), plot.floor + 16, f"{share * end:.0f}"))
    plot.parts.append(plots.text(MARGINS.left, 14, axis, anchor="start", extra='font-weight="bold"'))
    for number, (name, curve) in enumerate(curves.items()):
        colour = plots.colour(number)
        points = [(plot.x(update / end), plot.y(value)) for update, value in curve]
        plot.parts.append(plots.polyline(points, f'stroke="{colour}" stroke-width="1.5"'))
        if len(curve) < FEW:
            plot.parts += [plots.dot(x, y, f'fill="{colour}"') for x, y in points]
        last = f"{name} {curve[-1][1]:.3g}"
        at = WIDTH - MARGINS.right + 10, MARGINS.top + 16 * number + 10
        plot.parts.append(plots.text(*at, last, anchor="start", extra=f'fill="{colour}"'))
    return plot.parts


def _smooth(curve: Curve) -> Curve:
    values = [value for _, value in curve]
    return [
        (update, sum(near := values[max(0, i - SMOOTHED + 1) : i + 1]) / len(near))
        for i, (update, _) in enumerate(curve)
    ]
