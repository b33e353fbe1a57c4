"""Scores worked out by hand, or printed in a paper. Every value says where it is from."""

from math import log2

import pytest

from phrasemill.evaluation import evaluate
from phrasemill.evaluation.similarity import (
    bleu,
    meteor,
    modified_r_precision,
    nist,
    partial,
    r_precision,
    rouge_1,
    rouge_l,
)
from phrasemill.types import Document, Keyphrase


def one(predicted: list[str], gold: list[object], *metrics: str, **choices: object) -> list[float]:
    """The scores of a single document."""
    scores = evaluate({"d": predicted}, {"d": gold}, metrics=metrics, policy=choices)  # type: ignore[dict-item]
    return [score.value for score in scores]


def test_modified_r_precision_has_the_papers_values() -> None:
    """Kim, Baldwin and Kan (2010), section 3.3: "AB and BC from ABC would be scored as 5/11 and 9/11"."""
    assert modified_r_precision(["A", "B"], ["A", "B", "C"]) == pytest.approx(5 / 11)
    assert modified_r_precision(["B", "C"], ["A", "B", "C"]) == pytest.approx(9 / 11)


def test_modified_r_precision_orders_the_papers_candidates() -> None:
    """The same section: computing algorithm > grid computing > effective grid; R-precision ties them."""
    keyphrase = "effective grid computing algorithm".split()
    candidates = ["computing algorithm", "grid computing", "effective grid"]
    values = [modified_r_precision(c.split(), keyphrase) for c in candidates]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 3
    assert {r_precision(c.split(), keyphrase) for c in candidates} == {0.5}


def test_partial_match_is_equation_1_of_pubmedake() -> None:
    """ "cancer" for "cancer therapy" shares one of 1 + 2 words: 2 · 1 / 3."""
    assert partial(["cancer"], ["cancer", "therapy"]) == pytest.approx(2 / 3)
    assert partial(["cancer", "therapy"], ["cancer", "therapy"]) == 1
    assert one(["cancer", "gene"], ["cancer therapy"], "P@2", "R@2", match="partial") == pytest.approx([1 / 3, 2 / 3])


def test_bleu_by_hand() -> None:
    """`grid computing` against `effective grid computing`: both precisions 1, brevity penalty exp(1 - 3/2)."""
    assert bleu(["grid", "computing"], ["effective", "grid", "computing"]) == pytest.approx(0.6065306597)


def test_meteor_by_hand() -> None:
    """P = 1, R = 2/3, F = 10PR / (R + 9P) = 20/29; one chunk of two matches: penalty 0.5 · (1/2)^3."""
    assert meteor(["grid", "computing"], ["effective", "grid", "computing"]) == pytest.approx(
        20 / 29 * (1 - 0.5 * 0.125)
    )


def test_nist_of_a_phrase_with_itself_is_one() -> None:
    phrase = "effective grid computing".split()
    assert nist(phrase, phrase) == pytest.approx(1)
    assert 0 < nist(["grid", "computing"], phrase) < 1
    assert nist(["tree"], ["tree"]) == 1
    assert nist(["tree"], phrase) == 0


def test_rouge_by_hand() -> None:
    """Unigrams: 2 of 2 and 2 of 3, F = 0.8. In another order the longest common subsequence has one word: F = 0.4."""
    phrase = "effective grid computing".split()
    assert rouge_1(["grid", "computing"], phrase) == pytest.approx(0.8)
    assert rouge_l(["grid", "computing"], phrase) == pytest.approx(0.8)
    assert rouge_1(["computing", "grid"], phrase) == pytest.approx(0.8)
    assert rouge_l(["computing", "grid"], phrase) == pytest.approx(0.4)


def test_letters_beyond_ascii_are_words_for_rouge() -> None:
    assert rouge_1(["paléolithique"], ["paléolithique"]) == 1


# Four predictions, the first and the third of which are among three gold keyphrases.
PREDICTED = ["neural networks", "apples", "Graph theories", "pears"]
GOLD = ["neural network", "graph theory", "trees"]


def test_precision_recall_and_f1_by_hand() -> None:
    metrics = ["P@1", "R@1", "F1@1", "P@3", "R@3", "F1@3", "P@10", "R@10", "F1@10"]
    expected = [1, 1 / 3, 1 / 2, 2 / 3, 2 / 3, 2 / 3, 1 / 2, 2 / 3, 4 / 7]
    assert one(PREDICTED, GOLD, *metrics) == pytest.approx(expected)


def test_dividing_by_k_by_hand() -> None:
    """At 10 there are four predictions: 2/4 by what came, 2/10 by k; F1 = 2 · 0.2 · (2/3) / (0.2 + 2/3)."""
    expected = [0.2, 2 / 3, 4 / 13]
    assert one(PREDICTED, GOLD, "P@10", "R@10", "F1@10", denominator="k") == pytest.approx(expected)


def test_f1_at_o_and_m_by_hand() -> None:
    """Yuan et al. (2020), section 4: O cuts at three, the number of gold keyphrases, M takes all four."""
    assert one(PREDICTED, GOLD, "F1@O", "F1@M", "P@M") == pytest.approx([2 / 3, 4 / 7, 1 / 2])


def test_the_oracle_has_f1_at_o_and_m_of_one() -> None:
    """The same section: "the maximum F1 score of 1.0 if and only if it predicts the exact same phrases"."""
    gold = [f"phrase{i}" for i in range(12)]
    assert one(gold, gold, "F1@O", "F1@M", "F1@5") == pytest.approx([1, 1, 2 * (5 / 12) / (1 + 5 / 12)])


def test_exact_matching_knows_no_stems() -> None:
    assert one(PREDICTED, GOLD, "P@4", "P@4(match='exact')", "P@4(stemmer='none')") == [0.5, 0, 0]


def test_the_three_averages_by_hand() -> None:
    """d1: 1 of 1 right, 1 of 4 found: P 1, R 1/4, F 2/5. d2: 1 of 3 right, 1 of 1 found: P 1/3, R 1, F 1/2.

    Macro: (2/5 + 1/2) / 2. Micro: P 2/4, R 2/5, F 4/9. Means: P 2/3, R 5/8, F 2 · (2/3) · (5/8) / (2/3 + 5/8) = 20/31.
    """
    predictions = {"d1": ["a"], "d2": ["b", "x", "y"]}
    gold = {"d1": ["a", "b", "c", "d"], "d2": ["b"]}
    metrics = ["F1@5(average='macro')", "F1@5(average='micro')", "F1@5(average='means')"]
    values = [score.value for score in evaluate(predictions, gold, metrics=metrics)]
    assert values == pytest.approx([9 / 20, 4 / 9, 20 / 31])


def test_documents_without_gold() -> None:
    """d1 scores 1; d2 has no gold and one prediction, d3 neither."""
    predictions = {"d1": ["a"], "d2": ["b"], "d3": []}
    gold: dict[str, list[str]] = {"d1": ["a"], "d2": [], "d3": []}
    metrics = [f"F1@5(empty_gold={how!r})" for how in ("skip", "zero", "one")]
    assert [score.value for score in evaluate(predictions, gold, metrics=metrics)] == pytest.approx([1, 1 / 3, 2 / 3])


def test_repeats_by_hand() -> None:
    """`tree`, `trees`, `leaf` against `tree`, `root`, cut at two.

    stem: tree, leaf remain: 1/2. exact: tree, trees remain, and trees finds nothing more: 1/2. match: the same list,
    the same 1/2. none: both earn: P 2/2, but still one of two gold keyphrases is found.
    """
    predicted, gold = ["tree", "trees", "leaf"], ["tree", "root"]
    for dedupe, precision in (("stem", 1 / 2), ("exact", 1 / 2), ("match", 1 / 2), ("none", 1)):
        assert one(predicted, gold, "P@2", "R@2", dedupe=dedupe) == [precision, 1 / 2], dedupe
    assert one(predicted, gold, "P@3", dedupe="stem") == [1 / 2]
    assert one(predicted, gold, "P@3", dedupe="match") == [pytest.approx(1 / 3)]


CLUSTERS = [("Ben Johnson", "sprinter Johnson"), "world record", ("drug use", "illegal steroid use")]


def test_clusters_by_hand() -> None:
    """Shapira et al. (2021), appendix A: a cluster is matched once, a second wording of it counts as wrong."""
    predicted = ["sprinter Johnson", "Ben Johnson", "world records", "medal"]
    assert one(predicted, CLUSTERS, "P@4", "R@4", wordings="any") == pytest.approx([2 / 4, 2 / 3])
    assert one(predicted, CLUSTERS, "P@4", "R@4", wordings="first") == pytest.approx([2 / 4, 2 / 3])
    assert one(predicted[:1], CLUSTERS, "P@4", wordings="first") == [0]
    assert one(predicted, CLUSTERS, "P@4", "R@4", wordings="separate") == pytest.approx([3 / 4, 3 / 5])


def test_unigrams_by_hand() -> None:
    """Gold words: ben johnson sprinter, world record, drug use illegal steroid: nine. Predicted: four, two of them
    gold.

    The repeated phrase gives no words again, but stays in the denominator where repeats stay: 2/6.
    """
    predicted = ["ben medal", "world cup", "Ben medals"]
    metrics = ["unigram-P@5", "unigram-R@5", "unigram-F1@5"]
    assert one(predicted, CLUSTERS, *metrics, dedupe="match") == pytest.approx([2 / 6, 2 / 9, 4 / 15])
    assert one(predicted, CLUSTERS, *metrics, dedupe="stem") == pytest.approx([2 / 4, 2 / 9, 4 / 13])


def test_synonymous_by_hand() -> None:
    """Three of four predictions meet a cluster, two of them the same one."""
    predicted = ["sprinter Johnson", "Ben Johnson", "world records", "medal"]
    assert one(predicted, CLUSTERS, "synonymous@20", dedupe="match") == pytest.approx([2 / 3])


def test_ranking_metrics_by_hand() -> None:
    """Hits at ranks 2 and 4 of five, three gold keyphrases.

    AP = (1/2 + 2/4) / 3. RR = 1/2. nDCG@5 = (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3) + 1/2).
    """
    predicted = ["x", "a", "y", "b", "z"]
    ideal = 1 + 1 / log2(3) + 1 / 2
    expected = [1 / 3, 1 / 2, (1 / log2(3) + 1 / log2(5)) / ideal, 1 / 4]
    assert one(predicted, ["a", "b", "c"], "MAP@5", "MRR@5", "nDCG@5", "MAP@2") == pytest.approx(expected)


def test_average_precision_weighs_a_partial_hit_by_its_credit() -> None:
    """Two of three words alike on both sides earn 0.8; its precision, 0.8 / 1, counts 0.8 times."""
    assert one(["heat pump", "x"], ["heat pump system"], "P@1", "MAP@1", match="partial") == pytest.approx([0.8, 0.64])


def test_descriptions_by_hand() -> None:
    """Five phrases of 1, 1, 2, 3 and 3 words, two of them repeats."""
    predicted = ["tree", "trees", "red tree", "very red tree", "very red tree"]
    metrics = ["phrases", "unique", "duplication", "phrase-length"]
    assert one(predicted, ["x"], *metrics) == pytest.approx([5, 3, 2 / 5, 2])


def test_calibration_by_hand() -> None:
    """Two bins: scores 0.9 and 0.7, one right, gap |1.6 - 1| = 0.6; score 0.2, wrong, gap 0.2. ECE = 0.8 / 3."""
    predictions = {"d": [Keyphrase("a", 0.9), Keyphrase("x", 0.7), Keyphrase("y", 0.2)]}
    scores = evaluate(predictions, {"d": ["a"]}, metrics=["ECE(bins=2)"])
    assert scores["ECE@M(bins=2)"] == pytest.approx(0.8 / 3)


TEXT = "A neural network learns graph-theories. The party ended in 1984."
DOCUMENT = Document("d", TEXT, references=("neural networks", "graph theory", "deep learning", "art", "1984"))


@pytest.mark.parametrize(
    ("presence", "present"),
    [("stem", {"neural networks", "graph theory", "1984"}), ("exact", {"1984"}), ("substring", {"art", "1984"})],
)
def test_presence_by_hand(presence: str, present: set[str]) -> None:
    """By stems plural and hyphen do not matter; by exact words they do; by characters `art` is in `party`."""
    references = [str(reference) for reference in DOCUMENT.references]
    metrics = ["R@M(present='present')", "R@M(present='absent')"]
    policy = {"presence": presence}
    scores = evaluate({"d": sorted(present)}, [DOCUMENT], metrics=metrics, policy=policy)
    assert [score.value for score in scores] == [1, 0]
    counts = [evaluate({"d": references}, [DOCUMENT], metrics=[m], policy=policy) for m in metrics]
    assert [score.value for scores in counts for score in scores] == [1, 1]


def test_semeval_by_hand() -> None:
    """The official protocol on two papers: Porter stems, `+` alternations, micro-averages, divided by k.

    C-1: gold `quality of service` (or `service quality`), `grid computing`, `uddi`; of five candidates `service
    quality` and `grid computing` match, and `qualities of services`, the other wording, does not count again. H-1:
    gold `information retrieval`; four candidates, one right. At 5: 3 right of 2 · 5 = 10, 3 found of 4, F = 3/7. At
    10 and 15 nothing more is found: P 3/20 and 3/30.
    """
    predictions = {
        "C-1": ["service quality", "qualities of services", "grids computing", "apples", "pears"],
        "H-1": ["plums", "information retrieval", "cherries", "figs"],
    }
    gold = {
        "C-1": [("quality of service", "service quality"), "grid computing", "uddi"],
        "H-1": ["information retrieval"],
    }
    scores = evaluate(predictions, gold, preset="semeval2010")
    expected = {"P@5": 3 / 10, "R@5": 3 / 4, "F1@5": 3 / 7, "P@10": 3 / 20, "R@10": 3 / 4, "P@15": 3 / 30}
    assert {name: scores[name] for name in expected} == pytest.approx(expected)
    assert scores["F1@15"] == pytest.approx(2 * 0.1 * 0.75 / 0.85)


def test_semeval_by_its_own_program_by_hand() -> None:
    """An answer that the key repeats counts twice; a list shorter than k earns nothing at k; F is of rounded P and R.

    C-1: `grid` meets two answers and `uddi` one, 3 hits. H-1: four candidates, too few for 5. At 5: P 3/10, R 3/7 is
    42.86 %, F = 2 · 30 · 42.86 / 72.86 = 35.2951 % (35.2941 % from the fractions). At 10 no list is long enough.
    """
    predictions = {
        "C-1": ["grids", "uddi", "apples", "pears", "plums"],
        "H-1": ["information retrieval", "cherries", "figs", "dates"],
    }
    gold = {"C-1": ["grid", "grid", "uddi", "node", "cost", "time"], "H-1": ["information retrieval"]}
    scores = evaluate(predictions, gold, preset="semeval2010-official")
    expected = {"P@5": 0.3, "R@5": 0.4286, "F1@5": 0.352951, "P@10": 0, "F1@15": 0}
    assert {name: scores[name] for name in expected} == pytest.approx(expected, abs=1e-6)


def test_pubmedake_by_hand() -> None:
    """Each keyphrase earns its best prediction, as the published tables do; by eq. 1 each prediction earns its best.

    `grid` is like `grid computing` by 2 · 1 / 3, `grid computing` by 1, and `node` like none: with two keyphrases the
    gold earns 1 + 0, P 1/3 and R 1/2; the predictions earn 2/3 + 1 + 0, P 5/9 and R 5/6.
    """
    predictions, gold = {"d": ["grid", "grid computing", "node"]}, {"d": ["grid computing", "salt water"]}
    published = evaluate(predictions, gold, metrics=["P@5", "R@5"], preset="pubmedake")
    assert [score.value for score in published] == pytest.approx([1 / 3, 1 / 2])
    formula = {"credit": "prediction", "dedupe": "none"}
    by_equation = evaluate(predictions, gold, metrics=["P@5", "R@5"], preset="pubmedake", policy=formula)
    assert [score.value for score in by_equation] == pytest.approx([5 / 9, 5 / 6])


def test_chan_by_hand() -> None:
    """Padded to five, all documents count, F1 of means: P (2/5 + 0) / 2 = 1/5, R (2/2 + 0) / 2 = 1/2, F = 2/7."""
    gold = [Document("d1", "apples and pears", references=("apple", "pears")), Document("d2", "plums")]
    predictions = {"d1": ["apples", "pear"], "d2": ["plum"]}
    scores = evaluate(predictions, gold, metrics=["F1@5(present='present')"], preset="chan2019")
    assert scores.scores[0].value == pytest.approx(2 / 7)


def test_yuan_by_hand() -> None:
    """Documents without present gold are left out. Of d1 `berries` is not present: P 2/5 by k, 2/2 by what came."""
    gold = [Document("d1", "apples and pears", references=("apple", "pears")), Document("d2", "plums")]
    predictions = {"d1": ["apples", "pear", "berries"], "d2": ["plum"]}
    metrics = ["F1@5(present='present')", "F1@5(denominator='predicted', present='present')"]
    scores = evaluate(predictions, gold, metrics=metrics, preset="yuan2020")
    assert [score.value for score in scores] == pytest.approx([4 / 7, 1])


def test_yuans_oracle_by_hand() -> None:
    """The oracle of section 1, whose printed F1@5 and F1@10 (0.858, 0.626 on KP20k) only come out by dividing by k.

    With three and with six keyphrases: at 5 F1 2 · 3 / (3 + 5) = 3/4 and 2 · 5 / (5 + 6) = 10/11, at 10 6/13 and 12/16.
    """
    gold = {"d1": ["a", "b", "c"], "d2": ["a", "b", "c", "d", "e", "f"]}
    scores = evaluate(gold, gold, metrics=["F1@5", "F1@10"], preset="yuan2020")
    assert [score.value for score in scores] == pytest.approx([(3 / 4 + 10 / 11) / 2, (6 / 13 + 12 / 16) / 2])


def test_digits_are_masked_by_hand() -> None:
    predictions, gold = {"d": ["windows 95"]}, {"d": ["windows <digit>"]}
    metrics = ["P@1(digits='mask')", "P@1(digits='keep')"]
    assert [score.value for score in evaluate(predictions, gold, metrics=metrics)] == [1, 0]


def test_the_two_porters_differ() -> None:
    """NLTK stems `skies` to `sky`, Porter's own algorithm to `ski`."""
    metrics = ["P@1(stemmer='nltk')", "P@1(stemmer='porter')"]
    assert [score.value for score in evaluate({"d": ["skies"]}, {"d": ["sky"]}, metrics=metrics)] == [1, 0]


def test_the_signature() -> None:
    """The format of issue 4, with the number of documents and a checksum of the gold (SHA-256 of `d␞a⏎`)."""
    scores = evaluate({"d": ["a"]}, {"d": ["a"]}, metrics=["F1@5(denominator='k')"], policy={"stemmer": "nltk"})
    score = scores.score("F1@5(denominator='k')")
    assert str(score) == (
        "F1@5|match:stem(nltk)|avg:macro|empty:skip|den:k|dedupe:stem|docs:1|gold:20396fce|v:0.1.0 = 33.33"
    )
