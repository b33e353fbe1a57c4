"""Training a segmenter."""

from array import array
from itertools import chain, combinations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.segmenter import LABELS, TAGS, UNIT_KEYS, WORD_KEYS
from phrasemill_lab.kernels.segmentation_training import best_path

from phrasemill.text.languages import UPOS
from phrasemill.text.languages.segmentation import Segmenter
from phrasemill_lab.models.accuracy import words_right
from phrasemill_lab.models.segmenter import fit, save
from phrasemill_lab.models.segmenter_lattices import Lattices, Sentence

CLASSES = {"猫": "noun", "魚": "noun", "食べる": "verb", "見る": "verb", "は": "particle", "を": "particle"}
TAGS_OF = {"noun": "NOUN", "verb": "VERB", "particle": "ADP"}


def sentence(*words: str) -> Sentence:
    spans, place = [], 0
    for word in words:
        spans.append((place, place + len(word), TAGS_OF.get(CLASSES.get(word, ""), "PUNCT")))
        place += len(word)
    return Sentence("".join(words), tuple(spans))


SENTENCES = [
    sentence("猫", "は", "魚", "を", "食べる", "。"),
    sentence("魚", "は", "猫", "を", "見る", "。"),
    sentence("猫", "を", "見る", "。"),
]


def test_what_was_learnt_is_found_again_in_new_sentences_and_variants_of_characters(tmp_path: Path) -> None:
    path = tmp_path / "segmenter.safetensors"
    save(path, fit(Lattices(CLASSES, {"貓": "猫"}), SENTENCES, epochs=10, runs=1))
    made = Segmenter.load(path)
    assert words_right(made, SENTENCES) == (100, 100)
    start, _, _, tag = made.segment("貓は魚を見る。")
    assert list(start) == [0, 1, 2, 3, 4, 6]
    assert [UPOS[code] for code in tag] == ["NOUN", "ADP", "NOUN", "ADP", "VERB", "PUNCT"]


@given(data=st.data(), units=st.integers(1, 5))
def test_the_best_path_is_that_of_a_naive_search(data: st.DataObject, units: int) -> None:
    words = [pair for pair in combinations(range(units + 1), 2) if data.draw(st.booleans())]
    rows = data.draw(st.integers(1, 4))
    chance = data.draw(st.randoms(use_true_random=False))
    weights = array("i", [chance.randrange(-9, 10) for _ in range((rows + TAGS) * LABELS)])
    transitions = array("i", [chance.randrange(-9, 10) for _ in range((TAGS + 1) * TAGS)])
    of_units = [[chance.randrange(-1, rows) for _ in range(UNIT_KEYS)] for _ in range(units)]
    of_words = [[chance.randrange(-1, rows) for _ in range(WORD_KEYS)] for _ in words]
    blocks = [chance.choice([-1, rows]) for _ in range(units)]
    right = [w * TAGS for w in range(len(words)) if chance.random() < 0.2]

    def score(features: list[int], label: int) -> int:
        return sum(weights[row * LABELS + label] for row in features if row >= 0)

    # The best score of a path to before each unit, by the tag of its last word; and that path.
    best: list[dict[int, tuple[int, list[tuple[int, int]]]]] = [{TAGS: (0, [])}, *({} for _ in range(units))]
    for w, (i, j) in enumerate(words):
        for tag in range(TAGS):
            own = score(of_units[i], tag) + sum(score(of_units[k], TAGS + tag) for k in range(i + 1, j))
            own += score(of_words[w], tag) - 5 * (w * TAGS + tag in right)
            for before, (value, path) in best[i].items():
                value += own + transitions[before * TAGS + tag]
                value += weights[(blocks[i] + before) * LABELS + tag] if i and blocks[i] >= 0 else 0
                if tag not in best[j] or value > best[j][tag][0]:
                    best[j][tag] = (value, [*path, (w, tag)])
    found = best_path(
        *(array("i", chain(*rows)) for rows in (of_units, of_words)),
        *(array("i", [word[place] for word in words]) for place in (0, 1)),
        array("i", blocks), array("i", right), 5, weights, transitions,
    )  # fmt: skip
    expected = max(best[units].values(), default=(0, []), key=lambda one: one[0])
    assert list(zip(*found, strict=True)) == expected[1]
