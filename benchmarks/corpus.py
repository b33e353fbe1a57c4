"""Texts to measure on: from a folder of JSON Lines, or the shipped example again and again."""

import argparse
import gzip
import json
from pathlib import Path

# Methods that run a neural network for each document or each candidate; the other scripts leave them out.
NEURAL = ("catseqd", "embedrank", "encoder", "generator", "mderank")
# Methods that need a model which one trains; phrasemill reproduce semeval2010-table3 measures some.
TRAINED = ("bertkpe", "catseq", "copyrnn", "kea", "maui", "maxent", "naivebayes")
EXAMPLE = Path(__file__).parents[1] / "src" / "phrasemill" / "data" / "example.txt"


def arguments(description: str | None, pattern: str) -> argparse.ArgumentParser:
    """A parser with the options that the scripts share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with JSON Lines of title and text")
    parser.add_argument("--pattern", default=pattern, help="which files there (default: %(default)s)")
    parser.add_argument("--documents", type=int, default=1000, help="how many at most (default: %(default)s)")
    return parser


def texts(data: Path | None, pattern: str, most: int) -> list[str]:
    """Title and text of up to `most` records."""
    if data is None:
        return [EXAMPLE.read_text(encoding="utf-8")] * min(most, 200)
    found: list[str] = []
    for path in sorted(data.glob(pattern)):
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for line in lines:
                if len(found) == most:
                    return found
                record = json.loads(line)
                found.append(f"{record.get('title', '')}\n{record['text']}".strip())
    if not found:
        raise SystemExit(f"no file in {data} fits {pattern}")
    return found
