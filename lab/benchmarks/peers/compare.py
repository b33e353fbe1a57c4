"""The bench: our methods, and other people's extractors beside them. The same texts, one core, in turns.

    python lab/benchmarks/peers/make.py
    python lab/benchmarks/peers/compare.py --data DIR [--only NAME …] [--figures docs/figures/speed.json]

Each method of ours takes turns with all peers that do the same, each in its own process: time from process start to the
first keyphrases (fastest of 5 processes), texts per second on abstracts and on papers (processor time, fastest round),
seconds for one text of 5 MB, and peak memory. F1@10 is on news and on biomedical abstracts whose keyphrases no model of
ours was trained on. Networks are timed on few texts, and not on the long one. Without `--data`, the text that ships
with the package takes the place of all these. What cannot run is a row, or a cell, that says why.

All speeds of the documentation come from here: `python -m phrasemill_lab.bench.facts` copies them for `phrasemill
methods`, and `python -m phrasemill_lab.docs.pages` into the pages.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from contests import Contest, Figure, example
from environments import cache, package, wanted, why_not
from measured import Peer, Tables
from ours import NETWORKS, peer_side, side, specs

import phrasemill as pm
from phrasemill.options import DEFAULT_METHOD
from phrasemill_lab.bench.corpora import all_records, texts
from phrasemill_lab.bench.scripts import parser, write_figures

ABSTRACTS, PAPERS = "inspec_dev.jsonl.gz", "krapivin_train.jsonl.gz"
QUALITY = {"DUC-2001": "duc2001.jsonl.gz", "PubMedAKE": "pubmedake_sample1000.jsonl.gz"}
LONG = 5_000_000
NOT_TRIED = "not tried"


class Corpora(NamedTuple):
    """The texts of the bench; `quality` has texts and their keyphrases, by name."""

    abstracts: list[str]
    papers: list[str]
    long: str
    quality: dict[str, tuple[list[str], list[list[str]]]]

    def first(self, most: int) -> "Corpora":
        """Return what networks are timed on: few texts, and no long one."""
        return self._replace(abstracts=self.abstracts[:most], papers=self.papers[: most // 10], long="")


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


def measure(contest: Contest, corpora: Corpora) -> list[dict[str, Figure]]:
    """Return for each side its figures, or why there are none, by name: those of `SPEED`, and of each test set."""
    none: list[Figure] = [NOT_TRIED] * len(contest.sides)
    found = {"start-up": [_scaled(one, 1000) for one in contest.start_up()]}
    for name, some in (("abstracts", corpora.abstracts), ("papers", corpora.papers)):
        found[name] = [_rate(one, len(some)) for one in contest.seconds(some)] if some else none
    found["5 MB"] = contest.long_text(corpora.long) if corpora.long else none
    found["memory"] = contest.megabytes(corpora.abstracts)
    for name, (some, gold) in corpora.quality.items():
        found[name] = contest.f1(some, gold)
    return [{name: figures[i] for name, figures in found.items()} for i in range(len(contest.sides))]


def _rate(seconds: Figure, count: int) -> Figure:
    return seconds if isinstance(seconds, str) else count / max(seconds, 1e-9)


def _scaled(figure: Figure, by: float) -> Figure:
    return figure if isinstance(figure, str) else by * figure


def runnable(only: Sequence[str], folder: Path, tables: Tables) -> dict[str, list[Peer]]:
    """Return the variants of the peers that can run by the method of ours that does the same; the others are rows."""
    found: dict[str, list[Peer]] = {}
    for name, module in wanted(list(only)).items():
        version = package(module).replace("==", " ")
        if reason := why_not(name, folder / name):
            tables.failed(version, module.LICENCE, reason)
            continue
        tables.packages[version] = folder / name
        for variant, ours in module.VARIANTS.items():
            label = f"{version}, {variant}" if len(module.VARIANTS) > 1 else version
            peer = Peer(name, variant, label, module.LICENCE, getattr(module, "NETWORK", False))
            found.setdefault(ours, []).append(peer)
    return found


def main() -> None:
    given = parser(__doc__, data=False)
    given.add_argument("--data", type=Path, metavar="DIR", help="folder with the data")
    given.add_argument("--documents", type=int, default=200, help="abstracts (default: %(default)s)")
    given.add_argument("--papers", type=int, default=10, help="(default: %(default)s)")
    given.add_argument("--only", nargs="+", default=[], metavar="NAME", help="which peers (default: all)")
    given.add_argument("--methods", nargs="+", metavar="NAME", help="which methods of ours (default: all)")
    given.add_argument("--cache", type=Path, default=cache(), help="where make.py put them (default: %(default)s)")
    given.add_argument("--rounds", type=int, default=5, help="how often each runs (default: %(default)s)")
    given.add_argument("--limit", type=float, default=30, help="seconds for an answer (default: %(default).0f)")
    given.add_argument("--neural", type=int, default=20, help="texts that time networks (default: %(default)s)")
    options = given.parse_args()
    corpora = read(options.data, options.documents, options.papers)
    tables = Tables(list(corpora.quality), options.cache)
    peers = runnable(options.only, options.cache, tables)
    with TemporaryDirectory() as folder:
        for name, spec in specs(options.data, Path(folder)).items():
            if options.methods and name not in options.methods:
                continue
            beside = peers.get(name, [])
            sides = [side(spec, options.cache), *(peer_side(one.name, one.variant, options.cache) for one in beside)]
            network = name in NETWORKS or any(one.network for one in beside)
            contest = Contest(sides, options.rounds, options.limit)
            found = measure(contest, corpora.first(options.neural) if network else corpora)
            print(f"{name}: {found}", file=sys.stderr, flush=True)
            tables.add(name, found[0], list(zip(beside, found[1:], strict=True)))
    print(f"{len(corpora.abstracts)} abstracts, {len(corpora.papers)} papers; Phrasemill {pm.__version__}\n")
    tables.print()
    counts = {"documents": options.documents, "papers": options.papers, "neural": options.neural}
    write_figures(options.figures, default=tables.rate(DEFAULT_METHOD), **counts)


if __name__ == "__main__":
    main()
