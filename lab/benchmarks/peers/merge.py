"""Complete a run of compare.py that measured only some methods and peers, with the rows of an earlier run.

    python lab/benchmarks/peers/merge.py EARLIER NOW -o docs/figures/speed.json [--cache DIR]

A whole run takes about an hour. After a change, measure again what it concerns (`--methods`, `--only`), and take
everything else from before. Ratios are of the newest figure of each side; the note says which rows are older.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contests import Figure
from environments import cache
from measured import SPEED, UNITS, Peer, Tables

from phrasemill.options import DEFAULT_METHOD
from phrasemill_lab.bench import figures
from phrasemill_lab.bench.scripts import MarkdownRows

FIRST = 1 + len(UNITS)  # column of the first test set among ours


def read_into(tables: Tables, run: figures.Figures) -> None:
    """Add the rows of a run to the tables, unless they have them."""
    for row in run.table("ours").rows:
        name = str(row[0]).strip("`")
        tables.ours.setdefault(name, named(tables, row[1:]))
    quality = {row[0]: row[2::2] for row in run.table("quality").rows}
    speeds = {row[0]: row[1:] for row in run.table("measured").rows}
    known = {peer.label for peer, _, _ in tables.theirs} | {label for label, _, _ in tables.failures}
    for label, licence, ours, *_ in run.table("ratios").rows:
        if label in known:
            continue
        if label not in speeds:
            tables.failures.append((str(label), str(licence), str(ours)))
            continue
        peer = Peer(str(label), "", str(label), str(licence), False)
        tables.theirs.append((peer, str(ours).strip("`"), named(tables, [*speeds[label], *quality[label]])))


def named(tables: Tables, cells: Sequence[figures.Cell]) -> dict[str, Figure]:
    """Return the cells of a row by what they measure: numbers, or why there is none."""
    plain = [one if isinstance(one, int | float) else str(one) for one in cells]
    return dict(zip([*SPEED, *tables.sets], plain, strict=True))


def older(now: figures.Figures, tables: Tables) -> list[str]:
    """Return the methods and the peers that only the earlier run measured."""
    names = {row[0] for row in now.table("ours").rows}
    labels = {row[0] for row in now.table("ratios").rows}
    methods = [f"`{name}`" for name in tables.ours if f"`{name}`" not in names]
    peers = {peer.label.split(",")[0] for peer, _, _ in tables.theirs if peer.label not in labels}
    return [*methods, *sorted(peers)]


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("earlier", type=Path)
    given.add_argument("now", type=Path)
    given.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    given.add_argument("--cache", type=Path, default=cache(), help="where make.py put the peers (default: %(default)s)")
    options = given.parse_args()
    earlier, now = figures.read(options.earlier), figures.read(options.now)
    counts = {name: now.value(name) for name in ("documents", "papers", "neural")}
    if any(earlier.value(name) != count for name, count in counts.items()):
        raise SystemExit("the two runs are of other numbers of texts")
    tables = Tables(now.table("ours").columns[FIRST:], options.cache)
    for run in (now, earlier):
        read_into(tables, run)
    tables.ours = {name: tables.ours[name] for name in sorted(tables.ours)}
    tables.failures.sort()
    rest = older(now, tables)
    tables.print()
    values = {name: rows.table for name, rows in MarkdownRows.printed.items()}
    values["sizes"] = earlier.table("sizes")
    options_then = earlier.command.rpartition("DIR ")[2]
    note = f"From an earlier run ({earlier.date}, {options_then}, busy machine): {', '.join(rest)}."
    default = tables.rate(DEFAULT_METHOD)
    figures.save(options.output, replace(now, values=values | {"default": default} | counts, note=note))


if __name__ == "__main__":
    main()
