"""How the generator's keyphrases are found: as a sequence that ends by itself, or by a search for many of each kind."""

from collections.abc import Sequence

from phrasemill.errors import UnknownName
from phrasemill.methods.generator import pieces as p
from phrasemill.methods.generator.decode import Hypothesis, Stepper, beam, greedy, phrases
from phrasemill.methods.generator.pieces import Pieces

SEARCHES = ("greedy", "top", "beam")
Found = list[tuple[tuple[str, ...], float]]


def generated(
    stepper: Stepper,
    sources: Sequence[Sequence[str]],
    pieces: Pieces,
    *,
    search: str = "greedy",
    width: int = 50,
    length: int = 96,
    phrase_length: int = 16,
    no_repeat_ngram: int = 0,
    no_repeat_phrase: bool = False,
    patience: int = 0,
) -> list[Found]:
    """Unique phrases as words, best first, with their probabilities, for each source.

    `greedy` and `top` (the best of a beam) decode the sequence of all keyphrases, which ends by itself; what it repeats
    counts once, and `greedy` gives up after `patience` phrases in a row that it has said before (0: never). `beam` is
    exhaustive: single phrases, `width` that the text should have and `width` that it should not.
    """
    if search not in SEARCHES:
        raise UnknownName("search", search, SEARCHES)
    if search == "beam":
        kinds = [p.PRESENT, p.ABSENT]
        # Both kinds in one search, so that the batch is full.
        twice = [source for source in sources for _ in kinds]
        found = beam(stepper, twice, begin=kinds * len(sources), end=p.EOS, width=width, length=phrase_length)
        lists = [phrases(one, pieces.words, order="best") for one in found]
        return [_merged(lists[2 * i], lists[2 * i + 1]) for i in range(len(sources))]
    best: list[Hypothesis]
    if search == "greedy":
        best = greedy(
            stepper,
            sources,
            begin=p.SEQUENCE,
            end=p.EOS,
            length=length,
            separator=p.SEP,
            no_repeat_ngram=no_repeat_ngram,
            no_repeat_phrase=no_repeat_phrase,
            patience=patience,
        )
    else:
        beams = beam(
            stepper,
            sources,
            begin=p.SEQUENCE,
            end=p.EOS,
            width=width,
            length=length,
            normalise=1.0,
            separator=p.SEP,
            no_repeat_ngram=no_repeat_ngram,
            no_repeat_phrase=no_repeat_phrase,
        )
        best = [one[0] for one in beams]
    return [phrases([one], pieces.words, separator=p.SEP) for one in best]


def _merged(one: Found, other: Found) -> Found:
    scores = dict(one)
    for words, score in other:
        scores[words] = max(scores.get(words, 0.0), score)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
