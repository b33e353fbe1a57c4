"""How many abstracts per second a method that writes keyphrases gets through on one core.

    python benchmarks/generation_speed.py --method catseqd --data DIR --pattern 'kp20k_small_valid*'

Without --data the shipped example is read again and again. Texts are cut to --words. The first text is not counted.
"""

from phrasemill.lab.bench.corpora import texts
from phrasemill.lab.bench.scripts import parser, seconds_of
from phrasemill.methods.writing import GenerativeMethod
from phrasemill.registry import METHODS
from phrasemill.text.segments import masked_words, segmented


def main() -> None:
    options = parser(__doc__, data=False, pattern="kp20k_small_valid.jsonl*", documents=64, measures=False)
    options.add_argument("--method", default="catseqd", help="a spec (default: %(default)s)")
    options.add_argument("--words", type=int, default=200, help="words of a text (default: %(default)s)")
    given = options.parse_args()
    method: GenerativeMethod = METHODS.build(given.method)
    sources = [masked_words(segmented(text, given.words)[0]) for text in texts(given.data, given.pattern, 5000)]
    if given.data is not None:
        sources = [words for words in sources if len(words) == given.words]
    sources = sources[: given.documents]
    method.written(sources[0])
    seconds = seconds_of(lambda: [method.written(source) for source in sources]) / len(sources)
    print(f"{given.method}: {len(sources)} texts of {len(sources[0])} words, {1 / seconds:.1f} per second")


if __name__ == "__main__":
    main()
