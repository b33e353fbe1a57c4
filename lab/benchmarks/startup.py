"""Time from process start to the first keyphrase of a one-page text: fresh processes, side by side, taking turns.

python lab/benchmarks/startup.py [--peers .peers/bin/python]
"""

import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

from phrasemill.options import DEFAULT_METHOD
from phrasemill_lab.bench.corpora import EXAMPLE
from phrasemill_lab.bench.scripts import MarkdownRows, parser, seconds_of, write_figures

READ = "import sys; text = open(sys.argv[1], encoding='utf-8').read(); "
OURS = READ + "import phrasemill; print(phrasemill.extract(text, method={!r})[0].text)"
YAKE = READ + "import yake; print(yake.KeywordExtractor().extract_keywords(text)[0][0])"


def contestants(peers: Path | None) -> dict[str, list[str]]:
    here = sys.executable
    found = {
        "python, nothing else": [here, "-c", "pass"],
        "phrasemill, default method": [here, "-c", OURS.format(DEFAULT_METHOD), str(EXAMPLE)],
        "phrasemill, textrank": [here, "-c", OURS.format("textrank"), str(EXAMPLE)],
        "phrasemill extract --format json": [here, "-m", "phrasemill", "extract", str(EXAMPLE), "--format", "json"],
        "phrasemill extract": [here, "-m", "phrasemill", "extract", str(EXAMPLE)],
    }
    if peers:
        found["yake"] = [str(peers), "-c", YAKE, str(EXAMPLE)]
    return found


def main() -> None:
    options = parser(__doc__, data=False)
    options.add_argument("--peers", type=Path, help="a Python that has yake")
    options.add_argument("--rounds", type=int, default=15)
    given = options.parse_args()
    commands = contestants(given.peers)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(given.rounds + 1):
        for name, command in commands.items():
            times[name].append(seconds_of(partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)))
    medians = {name: statistics.median(taken[1:]) for name, taken in times.items()}  # the first warms the disk cache
    reference = medians.get("yake", medians["phrasemill, default method"])
    print(f"median of {given.rounds} fresh processes\n")
    rows = MarkdownRows("what", "ms", "ratio", name="startup")
    for name, median in medians.items():
        rows.add(name, f"{median * 1000:.0f}", f"{median / reference:.2f}")
    write_figures(given.figures)


if __name__ == "__main__":
    main()
