"""Time from process start to the first keyphrase of a one-page text: fresh processes, side by side, taking turns.

python benchmarks/startup.py [--peers .peers/bin/python]
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from corpus import EXAMPLE

READ = "import sys; text = open(sys.argv[1], encoding='utf-8').read(); "
OURS = READ + "import phrasemill; print(phrasemill.extract(text, method={!r})[0].text)"
YAKE = READ + "import yake; print(yake.KeywordExtractor().extract_keywords(text)[0][0])"


def contestants(peers: Path | None) -> dict[str, list[str]]:
    here = sys.executable
    found = {
        "python, nothing else": [here, "-c", "pass"],
        "phrasemill, default method": [here, "-c", OURS.format("tfidf(candidates='auto')"), str(EXAMPLE)],
        "phrasemill, textrank": [here, "-c", OURS.format("textrank"), str(EXAMPLE)],
        "phrasemill extract --format json": [here, "-m", "phrasemill", "extract", str(EXAMPLE), "--format", "json"],
        "phrasemill extract": [here, "-m", "phrasemill", "extract", str(EXAMPLE)],
    }
    if peers:
        found["yake"] = [str(peers), "-c", YAKE, str(EXAMPLE)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, help="a Python that has yake")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    commands = contestants(options.peers)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(options.rounds + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(taken[1:]) for name, taken in times.items()}  # the first warms the disk cache
    reference = medians.get("yake", medians["phrasemill, default method"])
    print(f"median of {options.rounds} fresh processes\n\n| what | ms | ratio |\n|---|---|---|")
    for name, median in medians.items():
        print(f"| {name} | {median * 1000:.0f} | {median / reference:.2f} |")


if __name__ == "__main__":
    main()
