"""Makes the tables of text/word_frequencies.py from the word lists of the package wordfreq.

pip install wordfreq
python -m phrasemill_lab.models.word_frequencies --output src/phrasemill/data
"""

import argparse
import math
from array import array
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from phrasemill.kernels import hashing
from phrasemill.text.lexicon import normalise
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.text.word_frequencies import SCALE, WordFrequencies

# Our codes, and those of wordfreq where they differ.
LANGUAGES = {code: code for code in "ar cs da de en es fi fr it ja ko nl pl pt ru sv tr vi zh".split()} | {"no": "nb"}
MOST = 40_000  # stems per language: the most frequent


def table(frequencies: Mapping[str, float], language: str) -> WordFrequencies:
    """Return the table of the most frequent stems, given the share of each word form."""
    stem = stemmer(default_stemmer(language))
    shares: defaultdict[str, float] = defaultdict(float)
    for word, share in frequencies.items():
        shares[stem(normalise(word).lower())] += share
    best = sorted(shares, key=lambda one: (-shares[one], one))[:MOST]
    rarity = array("B", [min(255, round(-math.log(min(shares[one], 1.0)) * SCALE)) for one in best])
    return WordFrequencies.of(hashing.stem_hashes(best), rarity)


def main() -> None:
    from wordfreq import get_frequency_dict

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for language, theirs in LANGUAGES.items():
        path = folder / f"words_{language}.safetensors"
        table(get_frequency_dict(theirs, "best"), language).save(path, language)
        print(f"{path.name}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
