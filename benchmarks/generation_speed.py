"""How many abstracts per second a method that writes keyphrases gets through on one core.

    python benchmarks/generation_speed.py --method catseqd --data DIR --pattern 'kp20k_small_valid*'

Without --data the shipped example is read again and again. Texts are cut to --words. The first text is not counted.
"""

from time import perf_counter

from corpus import arguments, texts
from phrasemill.methods.writing import GenerativeMethod
from phrasemill.registry import METHODS
from phrasemill.text.segments import masked_words, segmented


def main() -> None:
    parser = arguments(__doc__, "kp20k_small_valid.jsonl*")
    parser.add_argument("--method", default="catseqd", help="a spec (default: %(default)s)")
    parser.add_argument("--words", type=int, default=200, help="words of a text (default: %(default)s)")
    parser.set_defaults(documents=64)
    options = parser.parse_args()
    method: GenerativeMethod = METHODS.build(options.method)
    sources = [masked_words(segmented(text, options.words)[0]) for text in texts(options.data, options.pattern, 5000)]
    if options.data is not None:
        sources = [words for words in sources if len(words) == options.words]
    sources = sources[: options.documents]
    method.written(sources[0])
    began = perf_counter()
    for source in sources:
        method.written(source)
    seconds = (perf_counter() - began) / len(sources)
    print(f"{options.method}: {len(sources)} texts of {len(sources[0])} words, {1 / seconds:.1f} per second")


if __name__ == "__main__":
    main()
