"""How many abstracts a second a method that writes keyphrases gets through on one core, by the size of its batches.

    python benchmarks/generation_speed.py --method catseqd --data DIR --pattern 'kp20k_small_valid*'

Without --data the shipped example is read again and again. Texts are cut to --words. The first batch is not counted.
"""

from time import perf_counter

from corpus import arguments, texts
from phrasemill.methods.writing import Writing
from phrasemill.registry import METHODS
from phrasemill.text.segments import masked_words, segmented

SIZES = (1, 2, 4, 8, 16, 32, 64)


def main() -> None:
    parser = arguments(__doc__, "kp20k_small_valid.jsonl*")
    parser.add_argument("--method", default="catseqd", help="a spec (default: %(default)s)")
    parser.add_argument("--words", type=int, default=200, help="words of a text (default: %(default)s)")
    parser.set_defaults(documents=64)
    options = parser.parse_args()
    method: Writing = METHODS.build(options.method)
    sources = [masked_words(segmented(text, options.words)[0]) for text in texts(options.data, options.pattern, 5000)]
    if options.data is not None:
        sources = [words for words in sources if len(words) == options.words]
    sources = sources[: options.documents]
    method.written(sources[:1])
    print(f"{len(sources)} texts of {len(sources[0])} words, {options.method}\n")
    print("| batch | documents/s | milliseconds a document |\n|---|---|---|")
    for size in SIZES:
        began = perf_counter()
        for first in range(0, len(sources), size):
            method.written(sources[first : first + size])
        seconds = (perf_counter() - began) / len(sources)
        print(f"| {size} | {1 / seconds:.1f} | {1000 * seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
