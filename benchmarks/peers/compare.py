"""The bench: other people's extractors beside ours, in one table of ratios. The same texts, one core, in turns.

    python benchmarks/peers/make.py
    python benchmarks/peers/compare.py --data DIR [--only NAME …] [--figures docs/figures/speed.json]

For each peer, our method that does the same runs beside it, each in its own process: time from process start to the
first keyphrases (fastest of 5 processes), texts per second on abstracts and on papers (processor time, fastest round),
seconds for one text of 5 MB, peak memory, and the size of the wheel and of everything installed with it. F1@10 is on
news and on biomedical abstracts whose keyphrases no model of ours was trained on. Without `--data`, the text that ships
with the package takes the place of all these. What cannot run is a row, or a cell, that says why.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from contests import METRIC, Contest, Figure, Side, example
from environments import FAILED, OURSELVES, cache, installed_megabytes, python_of, wanted, wheel_megabytes

import phrasemill as pm
from phrasemill.lab.bench.corpora import all_records, texts
from phrasemill.lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill.options import DEFAULT_METHOD

ABSTRACTS, PAPERS = "inspec_dev.jsonl.gz", "krapivin_train.jsonl.gz"
QUALITY = {"DUC-2001": "duc2001.jsonl.gz", "PubMedAKE": "pubmedake_sample1000.jsonl.gz"}
LONG = 5_000_000
# What is measured: its unit, whether more is better, and its decimals.
SPEED = {
    "start-up": ("ms", False, 0),
    "abstracts": ("per s", True, 1),
    "papers": ("per s", True, 1),
    "5 MB": ("s", False, 2),
    "memory": ("MB", False, 0),
    "wheel": ("MB", False, 1),
    "installed": ("MB", False, 0),
}
NOTHING = "–"


class Corpora(NamedTuple):
    """The texts of the bench; `quality` has texts and their keyphrases, by name."""

    abstracts: list[str]
    papers: list[str]
    long: str
    quality: dict[str, tuple[list[str], list[list[str]]]]

    def first(self, most: int) -> "Corpora":
        """Return what networks are given: few texts, and no long one."""
        quality = {name: (found[:most], gold[:most]) for name, (found, gold) in self.quality.items()}
        return Corpora(self.abstracts[:most], self.papers[: most // 10], "", quality)


def read(data: Path | None, documents: int, papers: int) -> Corpora:
    if data is None:
        found = texts(None, "", documents)
        return Corpora(found, found[:papers], "\n\n".join([example()] * 20), {})
    every = texts(data, PAPERS, 1000)
    quality = {}
    for name, file in QUALITY.items():
        records = list(all_records(data, file, documents))
        quality[name] = (texts(data, file, documents), [record["keyphrases"] for record in records])
    return Corpora(texts(data, ABSTRACTS, documents), every[:papers], "\n\n".join(every)[:LONG], quality)


def why_not(name: str, environment: Path) -> str:
    """Return why a peer cannot run, or nothing."""
    if (environment / FAILED).exists():
        return f"could not be installed: {(environment / FAILED).read_text(encoding='utf-8')}"
    return "" if python_of(environment).exists() else f"not installed: python benchmarks/peers/make.py {name}"


def measured(contest: Contest, corpora: Corpora, environments: Sequence[Path]) -> dict[str, list[Figure]]:
    """Return what `SPEED` and `quality` name, for each side; an empty text where nothing was measured."""
    none: list[Figure] = [""] * len(contest.sides)
    found = {"start-up": _scaled(contest.start_up(), 1000)}
    for name, some in (("abstracts", corpora.abstracts), ("papers", corpora.papers)):
        found[name] = [_rate(one, len(some)) for one in contest.seconds(some)] if some else none
    found["5 MB"] = contest.long_text(corpora.long) if corpora.long else none
    found["memory"] = contest.megabytes(corpora.abstracts)
    for name, size in (("wheel", wheel_megabytes), ("installed", installed_megabytes)):
        found[name] = [size(environment) or "" for environment in environments]
    for name, (some, gold) in corpora.quality.items():
        found[name] = contest.f1(some, gold)
    return found


def _rate(seconds: Figure, count: int) -> Figure:
    return seconds if isinstance(seconds, str) else count / max(seconds, 1e-9)


def _scaled(figures: Sequence[Figure], by: float) -> list[Figure]:
    return [one if isinstance(one, str) else by * one for one in figures]


def cell(figure: Figure, digits: int) -> str:
    if isinstance(figure, str):
        return figure or NOTHING
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.{digits}f}"


def pair(figures: Sequence[Figure], digits: int) -> str:
    """Return theirs and ours."""
    return " / ".join(cell(one, digits) for one in figures)


def ratio(figures: Sequence[Figure], more: bool) -> str:
    """Return how many times better ours is."""
    theirs, ours = figures
    if isinstance(theirs, str) or isinstance(ours, str) or not theirs or not ours:
        return NOTHING
    return f"{ours / theirs if more else theirs / ours:.2f}"


class Tables:
    """Rows as they are measured, on standard error; the tables at the end."""

    def __init__(self, quality: Sequence[str]) -> None:
        self.quality = quality
        self.rows: dict[str, list[list[str]]] = {"ratios": [], "measured": [], "quality": []}

    def failed(self, label: str, licence: str, why: str) -> None:
        print(f"{label}: {why}", file=sys.stderr, flush=True)
        self.rows["ratios"].append([label, licence, why, *[""] * len(SPEED)])

    def add(self, label: str, licence: str, ours: str, found: dict[str, list[Figure]]) -> None:
        print(f"{label}, {ours}: {found}", file=sys.stderr, flush=True)
        alone = len(next(iter(found.values()))) == 1
        figures = [pair(found[name], digits) for name, (_, _, digits) in SPEED.items()]
        self.rows["measured"].append([label, ours, *figures])
        if not alone:
            ratios = [ratio(found[name], more) for name, (_, more, _) in SPEED.items()]
            self.rows["ratios"].append([label, licence, ours, *ratios])
        self.rows["quality"].append([label, ours, *[pair(found[name], 1) for name in self.quality]])

    def print(self, of: str) -> None:
        print("How many times better ours is: faster, or smaller.\n")
        rows = MarkdownRows("peer", "licence", "ours", *SPEED, name="ratios", keys=1)
        for row in self.rows["ratios"]:
            rows.add(*row)
        print("\nTheirs / ours.\n")
        units = [f"{name}, {unit}" for name, (unit, _, _) in SPEED.items()]
        rows = MarkdownRows("peer", "ours", *units, name="measured", keys=2)
        for row in self.rows["measured"]:
            rows.add(*row)
        if self.quality:
            print(f"\n{METRIC} {of}, theirs / ours.\n")
            rows = MarkdownRows("peer", "ours", *self.quality, name="quality", keys=2)
            for row in self.rows["quality"]:
                rows.add(*row)


def main() -> None:
    given = parser(__doc__, data=False)
    given.add_argument("--data", type=Path, metavar="DIR", help="folder with the data")
    given.add_argument("--documents", type=int, default=500, help="abstracts (default: %(default)s)")
    given.add_argument("--papers", type=int, default=20, help="(default: %(default)s)")
    given.add_argument("--only", nargs="+", default=[], metavar="NAME", help="which peers (default: all)")
    given.add_argument("--cache", type=Path, default=cache(), help="where make.py put them (default: %(default)s)")
    given.add_argument("--rounds", type=int, default=5, help="how often each runs (default: %(default)s)")
    given.add_argument("--limit", type=float, default=120, help="seconds for an answer (default: %(default).0f)")
    given.add_argument("--neural", type=int, default=50, help="documents for networks (default: %(default)s)")
    options = given.parse_args()
    corpora = read(options.data, options.documents, options.papers)
    tables = Tables(list(corpora.quality))

    def run(ours: str, *theirs: Side, network: bool = False) -> dict[str, list[Figure]]:
        sides = [*theirs, Side(Path(sys.executable), OURSELVES, ours)]
        contest = Contest(sides, options.rounds, options.limit)
        some = corpora.first(options.neural) if network else corpora
        return measured(contest, some, [options.cache / side.adapter for side in sides])

    for name, peer in wanted(options.only).items():
        environment = options.cache / name
        version = peer.REQUIREMENTS[0].replace("==", " ")
        if reason := why_not(name, environment):
            tables.failed(version, peer.LICENCE, reason)
            continue
        for variant, ours in peer.VARIANTS.items():
            label = f"{version}, {variant}" if len(peer.VARIANTS) > 1 else version
            theirs = Side(python_of(environment), name, variant)
            found = run(ours, theirs, network=getattr(peer, "NETWORK", False))
            tables.add(label, peer.LICENCE, f"`{ours}`", found)
    found = run(DEFAULT_METHOD)
    tables.add("none", "", f"`{DEFAULT_METHOD}`, our default", found)
    print(f"{len(corpora.abstracts)} abstracts, {len(corpora.papers)} papers; Phrasemill {pm.__version__}\n")
    tables.print(f"on up to {options.documents} texts")
    [default] = found["abstracts"]
    note = "default: abstracts per second of the default method, one process, one core"
    write_figures(options.figures, note=note, default=default if isinstance(default, str) else round(default))


if __name__ == "__main__":
    main()
