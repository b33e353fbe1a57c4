"""The curves of a training run as a picture: losses above, scores on validation sets below, over the updates."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from phrasemill.evaluation.plots import COLOURS

NOT_CURVES = frozenset({"update", "epoch", "time"})
LOSSES = frozenset({"loss", "nll", "orthogonal", "coverage", "sequence", "phrases", "ranking", "chunking"})
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 700, 240, 48, 210, 24, 32
SMOOTHED = 5  # neighbouring losses that are averaged, because each is of one batch

Point = Mapping[str, float]
Curve = list[tuple[float, float]]


def read_curves(path: Path) -> list[Point]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def picture(points: Sequence[Point], title: str) -> str:
    """SVG with a panel of losses and one of scores."""
    curves: dict[str, Curve] = {}
    for point in points:
        for name, value in point.items():
            if name not in NOT_CURVES:
                curves.setdefault(name, []).append((point["update"], value))
    losses = {name: _smooth(curve) for name, curve in curves.items() if name in LOSSES}
    scores = {name: curve for name, curve in curves.items() if name not in LOSSES}
    end = max([point["update"] for point in points], default=1)
    panels = [panel for panel in ((losses, "loss"), (scores, "F1@O")) if panel[0]]
    body = [_panel(curves, axis, end, number * HEIGHT) for number, (curves, axis) in enumerate(panels)]
    height = HEIGHT * len(panels)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="11" role="img" aria-label="{escape(title)}">'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>{"".join(body)}</svg>\n'
    )


def _panel(curves: Mapping[str, Curve], axis: str, end: float, top: float) -> str:
    values = [value for curve in curves.values() for _, value in curve]
    low, high = min(values), max(values)
    room = (high - low) or 1.0
    parts = []

    def x(update: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * update / end

    def y(value: float) -> float:
        return top + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / room

    for share in (0, 0.25, 0.5, 0.75, 1):
        value, update = low + share * room, share * end
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>')
        parts.append(
            f'<text x="{x(update):.1f}" y="{top + HEIGHT - BOTTOM + 16}" text-anchor="middle">{update:.0f}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{top + 14}" font-weight="bold">{axis}</text>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = " ".join([f"{x(update):.1f},{y(value):.1f}" for update, value in curve])
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        if len(curve) < 20:
            parts += [f'<circle cx="{x(u):.1f}" cy="{y(v):.1f}" r="3" fill="{colour}"/>' for u, v in curve]
        last = f"{name} {curve[-1][1]:.3g}"
        at = top + TOP + 16 * number
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{at + 10}" fill="{colour}">{escape(last)}</text>')
    return "".join(parts)


def _smooth(curve: Curve) -> Curve:
    values = [value for _, value in curve]
    return [
        (update, sum(near := values[max(0, i - SMOOTHED + 1) : i + 1]) / len(near))
        for i, (update, _) in enumerate(curve)
    ]
