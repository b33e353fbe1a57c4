"""Small plots as SVG text: no script, no file beside them, readable in black and white by their labels."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "currentColor")
# Beyond the last colour they are used again, dashed and paler.
DASHES = ("", "6 3", "2 2")
OPACITIES = (1, 0.6, 0.35)
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
LEGEND_ROW = 20
# For a picture in a file of its own; in a page its style sheet says this. It follows the page that shows it into the
# dark, where colours are lighter.
STYLE = """<style>
svg { --paper: #fff; color: #24292f; font: 12px system-ui, sans-serif; }
text { fill: currentColor; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #1e2129; color: #e2e4e9; }
  [stroke^="#"], [fill^="#"] { filter: brightness(1.4); }
}
</style>"""


class Series(NamedTuple):
    """One line or group of bars: its name, and a value for each position on the axis."""

    name: str
    values: Sequence[float]


class Bar(NamedTuple):
    """One bar with the ends of its interval; equal ends draw no whisker."""

    value: float
    low: float
    high: float


class Margins(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float


MARGINS = Margins(56, 16, 16, 48)


def svg(title: str, parts: Iterable[str], *, width: float, height: float) -> str:
    """Return the parts as a picture with a title."""
    name = escape(title)
    return (
        f'<svg role="img" aria-label="{name}" viewBox="0 0 {width:g} {height:g}" xmlns="http://www.w3.org/2000/svg">\n'
        f"<title>{name}</title>\n" + "\n".join(parts) + "\n</svg>"
    )


def standalone(picture: str) -> str:
    """Return a picture as the content of a file of its own."""
    return picture.replace("</title>", f"</title>\n{STYLE}", 1) + "\n"


def text(x: float, y: float, words: str, *, anchor: str = "middle", extra: str = "", tip: str = "") -> str:
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<text x="{x:.5g}" y="{y:.5g}" text-anchor="{anchor}"{extra and " "}{extra}>{escape(words)}{title}</text>'


def rule(x1: float, x2: float, y1: float, y2: float, attributes: str = 'stroke="#888" stroke-opacity="0.4"') -> str:
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" {attributes}/>'


def polyline(points: Iterable[tuple[float, float]], attributes: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" {attributes}/>'


def dot(x: float, y: float, attributes: str, *, radius: float = 3, tip: str = "") -> str:
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {attributes}>{title}</circle>'


class Plot:
    """Axes with horizontal grid lines from `low` to `high`, one every `step`, and what is added between them."""

    def __init__(
        self,
        low: float,
        high: float,
        step: float,
        *,
        width: float = 640,
        height: float = 320,
        margins: Margins = MARGINS,
        label: Callable[[float], str] = lambda value: f"{100 * value:g}",
    ) -> None:
        self.low, self.high, self.width, self.height, self.margins = low, high, width, height, margins
        self.parts: list[str] = []
        self.below = 0.0  # the height of the legend
        for i in range(round((high - low) / step) + 1):
            y = self.y(low + i * step)
            self.parts.append(rule(margins.left, width - margins.right, y, y))
            self.parts.append(text(margins.left - 6, y + 4, label(low + i * step), anchor="end"))

    @property
    def floor(self) -> float:
        """The lower end of the vertical axis."""
        return self.height - self.margins.bottom

    def x(self, share: float) -> float:
        """Return the position of a share of the horizontal axis."""
        return self.margins.left + share * (self.width - self.margins.left - self.margins.right)

    def y(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.floor - share * (self.floor - self.margins.top)

    def labels(self, positions: Sequence[tuple[float, str]]) -> None:
        """Put labels under the axis: a metric's options below its name, both cut to fit."""
        room = (self.width - self.margins.left - self.margins.right) / max(1, len(positions))
        for x, label in positions:
            name, _, options = label.removesuffix(")").partition("(")
            for line, y, size in ((name, 16, 12), (options, 30, 10)):
                if line:
                    shown = _cut(line, int(room / (0.55 * size)))
                    self.parts.append(text(x, self.floor + y, shown, extra=f'font-size="{size}"', tip=label))

    def name_axes(self, across: str, up: str = "") -> None:
        self.parts.append(text(self.x(0.5), self.height - 8, across))
        if up:
            middle = self.height / 2
            self.parts.append(text(16, middle, up, extra=f'transform="rotate(-90 16 {middle:g})"'))

    def legend(self, names: Sequence[str], *, lines: bool) -> None:
        """Name the series below the plot, if there are several."""
        left = self.margins.left
        for i, name in enumerate(names if len(names) > 1 else ()):
            y = self.height + 14 + i * LEGEND_ROW
            mark = f'<rect x="{left + 6}" y="{y - 10}" width="12" height="12" {_fill(i)}/>'
            self.parts.append(rule(left, left + 24, y - 4, y - 4, _stroke(i)) if lines else mark)
            self.parts.append(text(left + 30, y, name, anchor="start"))
            self.below = 8 + (i + 1) * LEGEND_ROW

    def svg(self, title: str) -> str:
        return svg(title, self.parts, width=self.width, height=self.height + self.below)


def lines(series: Sequence[Series], labels: Sequence[str], *, title: str, axis: str) -> str:
    """Plot values from 0 to 1 against labelled positions."""
    plot = _from_zero(max((max(one.values, default=0) for one in series), default=0))
    positions = [plot.x((i + 0.5) / len(labels)) for i in range(len(labels))]
    for i, one in enumerate(series):
        points = [(x, plot.y(value)) for x, value in zip(positions, one.values, strict=True)]
        plot.parts.append(polyline(points, _stroke(i)))
        for (x, y), label, value in zip(points, labels, one.values, strict=True):
            tip = f"{one.name}, {axis} {label}: {100 * value:.2f}"
            plot.parts.append(dot(x, y, f'fill="{colour(i)}"', tip=tip))
    every = max(1, len(labels) // 10)
    plot.labels([(x, label) for i, (x, label) in enumerate(zip(positions, labels, strict=True)) if i % every == 0])
    plot.name_axes(axis)
    plot.legend([one.name for one in series], lines=True)
    return plot.svg(title)


Points = Sequence[tuple[float, float]]


def curves(
    series: Mapping[str, Points],
    *,
    title: str,
    across: str,
    up: str,
    label: Callable[[float], str] = lambda value: f"{100 * value:g}",
    logarithmic: bool = False,
    diagonal: bool = False,
) -> str:
    """Plot points against a linear or a logarithmic axis, joined by lines; with `diagonal` the line where both are
    equal, from 0 to 1."""
    points = [point for one in series.values() for point in one]
    step = round_step(1.0 if diagonal else max([y for _, y in points], default=0), STEPS)
    plot = _from_zero(1.0 if diagonal else max([y for _, y in points], default=0), label=label, step=step)
    scale = math.log10 if logarithmic else float
    marks = sorted({x for x, _ in points}) if not diagonal else [i / 5 for i in range(6)]
    first, last = scale(marks[0]), scale(marks[-1])

    def place(x: float) -> float:
        return plot.x(0.03 + 0.94 * (scale(x) - first) / ((last - first) or 1.0))

    if diagonal:
        plot.parts.append(rule(place(0), place(1), plot.y(0), plot.y(1), 'stroke="#888" stroke-dasharray="4 4"'))
    taken = -math.inf
    for x in marks:
        if place(x) > taken:
            plot.parts.append(text(place(x), plot.floor + 16, f"{x:,g}"))
            taken = place(x) + 7 * len(f"{x:,g}") + 6
    for i, (name, one) in enumerate(series.items()):
        plot.parts.append(polyline([(place(x), plot.y(y)) for x, y in one], _stroke(i)))
        for x, y in one:
            plot.parts.append(dot(place(x), plot.y(y), f'fill="{colour(i)}"', tip=f"{name}, {x:,g}: {label(y)}"))
    plot.name_axes(across, up)
    plot.legend(list(series), lines=True)
    return plot.svg(title)


def bars(groups: Sequence[str], names: Sequence[str], values: Sequence[Sequence[Bar]], *, title: str) -> str:
    """Plot for each group (a metric) a bar of each name (a system): `values[name][group]`, with whiskers."""
    plot = _from_zero(max((bar.high for row in values for bar in row), default=0))
    room = 1 / max(1, len(groups))
    thick = 0.8 * room / max(1, len(names))
    for i, (name, row) in enumerate(zip(names, values, strict=True)):
        for j, (group, bar) in enumerate(zip(groups, row, strict=True)):
            left = plot.x(j * room + 0.1 * room + i * thick)
            right = plot.x(j * room + 0.1 * room + (i + 1) * thick)
            top = plot.y(bar.value)
            box = f'x="{left:.1f}" y="{top:.1f}" width="{max(1, right - left - 2):.1f}" height="{plot.floor - top:.1f}"'
            tip = escape(f"{name}, {group}: {100 * bar.value:.2f}")
            plot.parts.append(f"<rect {box} {_fill(i)}><title>{tip}</title></rect>")
            if bar.high > bar.low:
                middle = (left + right - 2) / 2
                ends = plot.y(bar.low), plot.y(bar.high)
                plot.parts.append(rule(middle, middle, *ends, 'stroke="currentColor" stroke-width="1.5"'))
    plot.labels([(plot.x((j + 0.5) * room), group) for j, group in enumerate(groups)])
    plot.legend(names, lines=False)
    return plot.svg(title)


def histogram(series: Sequence[Series], *, title: str, axis: str, bins: int = 10) -> str:
    """Plot how many documents have a value in each of `bins` equal parts of 0 to 1, as shares of the documents."""
    shares = []
    for one in series:
        counts = [0] * bins
        for value in one.values:
            counts[min(int(value * bins), bins - 1)] += 1
        found = [count / max(1, len(one.values)) for count in counts]
        shares.append([Bar(share, share, share) for share in found])
    labels = [f"{100 * i // bins}–{100 * (i + 1) // bins}" for i in range(bins)]
    return bars(labels, [one.name for one in series], shares, title=f"{title} ({axis})")


def colour(i: int) -> str:
    return COLOURS[i % len(COLOURS)]


def round_step(range_: float, steps: Sequence[float] = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)) -> float:
    """Return a round distance between grid lines, at most eight of them."""
    return next((step for step in steps if range_ <= 8 * step), 0.2 if range_ <= 2 else range_ / 5)


def _from_zero(
    highest: float, *, label: Callable[[float], str] = lambda value: f"{100 * value:g}", step: float = 0
) -> Plot:
    step = step or round_step(highest)
    return Plot(0, max(step, step * -(-highest // step)), step, label=label)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: max(1, most - 1)] + "…"


def _stroke(i: int) -> str:
    dash = DASHES[i // len(COLOURS) % len(DASHES)]
    return f'stroke="{colour(i)}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _fill(i: int) -> str:
    return f'fill="{colour(i)}" fill-opacity="{OPACITIES[i // len(COLOURS) % len(OPACITIES)]}"'
