"""Small plots as SVG text: no script, no file beside them, readable in black and white by their labels."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "currentColor")
# Beyond the last colour they come again, in dashes and paler.
DASHES = ("", "6 3", "2 2")
OPACITIES = (1, 0.6, 0.35)
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 16, 48
LEGEND_ROW = 20


class Series(NamedTuple):
    """One line or group of bars: its name, and a value for each place on the axis."""

    name: str
    values: Sequence[float]


class Bar(NamedTuple):
    """One bar with the ends of its interval; equal ends draw no whisker."""

    value: float
    low: float
    high: float


def lines(series: Sequence[Series], labels: Sequence[str], *, title: str, axis: str) -> str:
    """Values from 0 to 1 against labelled places."""
    highest = max((max(one.values, default=0) for one in series), default=0)
    frame = _Frame(highest, title=title, legend=len(series), lines=True)
    places = [frame.x((i + 0.5) / len(labels)) for i in range(len(labels))]
    for i, one in enumerate(series):
        colour = _colour(i)
        points = [(x, frame.y(value)) for x, value in zip(places, one.values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        frame.add(f'<polyline points="{path}" fill="none" {_stroke(i)}/>')
        for (x, y), label, value in zip(points, labels, one.values, strict=True):
            tip = f"{one.name}, {axis} {label}: {100 * value:.2f}"
            frame.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{escape(tip)}</title></circle>')
    every = max(1, len(labels) // 10)
    frame.labels([(x, label) for i, (x, label) in enumerate(zip(places, labels, strict=True)) if i % every == 0])
    frame.name_axis(axis)
    frame.legend([one.name for one in series])
    return frame.svg()


def bars(groups: Sequence[str], names: Sequence[str], values: Sequence[Sequence[Bar]], *, title: str) -> str:
    """For each group (a metric) a bar of each name (a system): `values[name][group]`, with whiskers."""
    highest = max((bar.high for row in values for bar in row), default=0)
    frame = _Frame(highest, title=title, legend=len(names))
    room = 1 / max(1, len(groups))
    thick = 0.8 * room / max(1, len(names))
    for i, (name, row) in enumerate(zip(names, values, strict=True)):
        for j, (group, bar) in enumerate(zip(groups, row, strict=True)):
            left = frame.x(j * room + 0.1 * room + i * thick)
            right = frame.x(j * room + 0.1 * room + (i + 1) * thick)
            top, bottom = frame.y(bar.value), frame.y(0)
            tip = escape(f"{name}, {group}: {100 * bar.value:.2f}")
            frame.add(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(1, right - left - 2):.1f}" '
                f'height="{bottom - top:.1f}" {_fill(i)}><title>{tip}</title></rect>'
            )
            if bar.high > bar.low:
                middle = (left + right - 2) / 2
                frame.add(
                    f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="{frame.y(bar.low):.1f}" '
                    f'y2="{frame.y(bar.high):.1f}" stroke="currentColor" stroke-width="1.5"/>'
                )
    frame.labels([(frame.x((j + 0.5) * room), group) for j, group in enumerate(groups)])
    frame.legend(names)
    return frame.svg()


def histogram(series: Sequence[Series], *, title: str, axis: str, bins: int = 10) -> str:
    """How many documents have a value in each of `bins` equal parts of 0 to 1, as shares of the documents."""
    shares = []
    for one in series:
        counts = [0] * bins
        for value in one.values:
            counts[min(int(value * bins), bins - 1)] += 1
        shares.append([Bar(count / max(1, len(one.values)), 0, 0) for count in counts])
    labels = [f"{100 * i // bins}–{100 * (i + 1) // bins}" for i in range(bins)]
    with_tops = [[Bar(bar.value, bar.value, bar.value) for bar in row] for row in shares]
    return bars(labels, [one.name for one in series], with_tops, title=f"{title} ({axis})")


class _Frame:
    """Axes with round numbers, and room for what is drawn between them."""

    def __init__(self, highest: float, *, title: str, legend: int, lines: bool = False) -> None:
        self.step = _step(highest)
        self.top = max(self.step, self.step * -(-highest // self.step))
        self.title, self.lines = title, lines
        self.rows = legend if legend > 1 else 0
        self.parts: list[str] = []
        self._grid()

    def x(self, share: float) -> float:
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)

    def add(self, part: str) -> None:
        self.parts.append(part)

    def _grid(self) -> None:
        for i in range(round(self.top / self.step) + 1):
            y = self.y(i * self.step)
            self.add(
                f'<line stroke="#888" stroke-opacity="0.4" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            self.add(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * i * self.step:g}</text>')

    def labels(self, places: Sequence[tuple[float, str]]) -> None:
        """Labels under the axis: a metric's options below its name, both cut to the room there is."""
        room = (WIDTH - LEFT - RIGHT) / max(1, len(places))
        for x, label in places:
            name, _, options = label.removesuffix(")").partition("(")
            tip = f"<title>{escape(label)}</title>"
            for line, y, size in ((name, 16, 12), (options, 30, 10)):
                if line:
                    shown = escape(_cut(line, int(room / (0.55 * size))))
                    place = f'x="{x:.1f}" y="{HEIGHT - BOTTOM + y}" font-size="{size}" text-anchor="middle"'
                    self.add(f"<text {place}>{shown}{tip}</text>")

    def name_axis(self, name: str) -> None:
        self.add(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(name)}</text>')

    def legend(self, names: Sequence[str]) -> None:
        for i, name in enumerate(names if self.rows else ()):
            y = HEIGHT + 14 + i * LEGEND_ROW
            if self.lines:
                self.add(f'<line x1="{LEFT}" x2="{LEFT + 24}" y1="{y - 4}" y2="{y - 4}" {_stroke(i)}/>')
            else:
                self.add(f'<rect x="{LEFT + 6}" y="{y - 10}" width="12" height="12" {_fill(i)}/>')
            self.add(f'<text x="{LEFT + 30}" y="{y}">{escape(name)}</text>')

    def svg(self) -> str:
        height = HEIGHT + self.rows * LEGEND_ROW + (8 if self.rows else 0)
        title = escape(self.title)
        return (
            f'<svg role="img" aria-label="{title}" viewBox="0 0 {WIDTH} {height}" '
            f'xmlns="http://www.w3.org/2000/svg">\n<title>{title}</title>\n' + "\n".join(self.parts) + "\n</svg>"
        )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"


def _colour(i: int) -> str:
    return COLOURS[i % len(COLOURS)]


def _stroke(i: int) -> str:
    dash = DASHES[i // len(COLOURS) % len(DASHES)]
    return f'stroke="{_colour(i)}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _fill(i: int) -> str:
    return f'fill="{_colour(i)}" fill-opacity="{OPACITIES[i // len(COLOURS) % len(OPACITIES)]}"'


def _step(highest: float) -> float:
    """A round distance between four to ten grid lines."""
    for step in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        if highest <= 8 * step:
            return step
    return 0.2 if highest <= 2 else highest / 5
