"""Scores worked out by hand, or printed in a paper. Every value says where it is from."""

from math import log2
from typing import Any

import pytest

from phrasemill.evaluation import evaluate
from phrasemill.evaluation.similarity import SIMILARITIES
from phrasemill.types import Document, Keyphrase

PHRASE = "effective grid computing"


@pytest.mark.parametrize(
    ("measure", "one", "other", "value"),
    [
        # Kim, Baldwin and Kan (2010), section 3.3: "AB and BC from ABC would be scored as 5/11 and 9/11".
        ("modified-r-precision", "A B", "A B C", 5 / 11),
        ("modified-r-precision", "B C", "A B C", 9 / 11),
        # PubMedAKE, equation 1: "cancer" for "cancer therapy" shares one of 1 + 2 words: 2 · 1 / 3.
        ("partial", "cancer", "cancer therapy", 2 / 3),
        ("partial", "cancer therapy", "cancer therapy", 1),
        # Both precisions are 1, the brevity penalty is exp(1 - 3/2).
        ("bleu", "grid computing", PHRASE, 0.6065306597),
        # P = 1, R = 2/3, F = 10PR / (R + 9P) = 20/29; one chunk of two matches: penalty 0.5 · (1/2)^3.
        ("meteor", "grid computing", PHRASE, 20 / 29 * (1 - 0.5 * 0.125)),
        ("nist", PHRASE, PHRASE, 1),
        ("nist", "tree", "tree", 1),
        ("nist", "tree", PHRASE, 0),
        # Unigrams: 2 of 2 and 2 of 3, F = 0.8. In another order the longest common subsequence has one word: F = 0.4.
        ("rouge-1", "grid computing", PHRASE, 0.8),
        ("rouge-l", "grid computing", PHRASE, 0.8),
        ("rouge-1", "computing grid", PHRASE, 0.8),
        ("rouge-l", "computing grid", PHRASE, 0.4),
        ("rouge-1", "paléolithique", "paléolithique", 1),  # letters beyond ASCII are words
    ],
)
def test_similarities_by_hand(measure: str, one: str, other: str, value: float) -> None:
    assert SIMILARITIES[measure](one.split(), other.split()) == pytest.approx(value)


def test_modified_r_precision_orders_the_papers_candidates() -> None:
    """The same section: computing algorithm > grid computing > effective grid; R-precision ties them."""
    keyphrase = "effective grid computing algorithm".split()
    candidates = [one.split() for one in ("computing algorithm", "grid computing", "effective grid")]
    first, second, third = (SIMILARITIES["modified-r-precision"](one, keyphrase) for one in candidates)
    assert first > second > third
    assert {SIMILARITIES["r-precision"](one, keyphrase) for one in candidates} == {0.5}
    assert 0 < SIMILARITIES["nist"](["grid", "computing"], PHRASE.split()) < 1


# Four predictions, the first and the third of which are among three gold keyphrases.
PREDICTED = ["neural networks", "apples", "Graph theories", "pears"]
GOLD = ["neural network", "graph theory", "trees"]
TWELVE = [f"phrase{i}" for i in range(12)]
CLUSTERS = [("Ben Johnson", "sprinter Johnson"), "world record", ("drug use", "illegal steroid use")]
WORDINGS = ["sprinter Johnson", "Ben Johnson", "world records", "medal"]
TREES = ["tree", "trees", "red tree", "very red tree", "very red tree"]
TEXTS = [Document("d1", "apples and pears", references=("apple", "pears")), Document("d2", "plums")]
LEAVES = ["tree", "trees", "leaf"]
BAG = ["ben medal", "world cup", "Ben medals"]
GRIDS = ["grid", "grid computing", "node"]
SEMEVAL = {
    "C-1": ["service quality", "qualities of services", "grids computing", "apples", "pears"],
    "H-1": ["plums", "information retrieval", "cherries", "figs"],
}
OFFICIAL = {
    "C-1": ["grids", "uddi", "apples", "pears", "plums"],
    "H-1": ["information retrieval", "cherries", "figs", "dates"],
}


@pytest.mark.parametrize(
    ("predictions", "gold", "preset", "expected"),
    [
        (PREDICTED, GOLD, "", {"P@1": 1, "R@1": 1 / 3, "F1@1": 1 / 2, "P@3": 2 / 3, "R@3": 2 / 3, "F1@3": 2 / 3}),
        (PREDICTED, GOLD, "", {"P@10": 1 / 2, "R@10": 2 / 3, "F1@10": 4 / 7}),
        # At 10 there are four predictions: 2/4 by what came, 2/10 by k; F1 = 2 · 0.2 · (2/3) / (0.2 + 2/3).
        (PREDICTED, GOLD, "", {"P@10(denominator='k')": 0.2, "F1@10(denominator='k')": 4 / 13}),
        # Yuan et al. (2020), section 4: O cuts at three, the number of gold keyphrases, M takes all four.
        (PREDICTED, GOLD, "", {"F1@O": 2 / 3, "F1@M": 4 / 7, "P@M": 1 / 2}),
        # The same section: "the maximum F1 score of 1.0 if and only if it predicts the exact same phrases".
        (TWELVE, TWELVE, "", {"F1@O": 1, "F1@M": 1, "F1@5": 2 * (5 / 12) / (1 + 5 / 12)}),
        (PREDICTED, GOLD, "", {"P@4": 0.5, "P@4(match='exact')": 0, "P@4(stemmer='none')": 0}),
        # d1: 1 of 1 right, 1 of 4 found: P 1, R 1/4, F 2/5. d2: 1 of 3 right, 1 of 1 found: P 1/3, R 1, F 1/2.
        # Micro: P 2/4, R 2/5, F 4/9. Means: P 2/3, R 5/8, F 2 · (2/3) · (5/8) / (2/3 + 5/8) = 20/31.
        (
            {"d1": ["a"], "d2": ["b", "x", "y"]},
            {"d1": ["a", "b", "c", "d"], "d2": ["b"]},
            "",
            {"F1@5": (2 / 5 + 1 / 2) / 2, "F1@5(average='micro')": 4 / 9, "F1@5(average='means')": 20 / 31},
        ),
        # d1 scores 1; d2 has no gold and one prediction, d3 neither.
        (
            {"d1": ["a"], "d2": ["b"], "d3": []},
            {"d1": ["a"], "d2": [], "d3": []},
            "",
            {"F1@5": 1, "F1@5(empty_gold='zero')": 1 / 3, "F1@5(empty_gold='one')": 2 / 3},
        ),
        # Cut at two. stem: tree, leaf remain. exact and match: trees finds nothing more. none: both earn, P 2/2, but
        # still one of two gold keyphrases is found.
        *(
            (LEAVES, ["tree", "root"], "", {f"P@2(dedupe='{how}')": p, f"R@2(dedupe='{how}')": 1 / 2})
            for how, p in (("stem", 1 / 2), ("exact", 1 / 2), ("match", 1 / 2), ("none", 1))
        ),
        (LEAVES, ["tree", "root"], "", {"P@3": 1 / 2, "P@3(dedupe='match')": 1 / 3}),
        # Shapira et al. (2021), appendix A: a cluster is matched once, a second wording of it counts as wrong.
        (WORDINGS, CLUSTERS, "", {"P@4": 2 / 4, "R@4": 2 / 3}),
        (WORDINGS, CLUSTERS, "", {"P@4(wordings='first')": 2 / 4, "R@4(wordings='first')": 2 / 3}),
        (WORDINGS[:1], CLUSTERS, "", {"P@4(wordings='first')": 0}),
        (WORDINGS, CLUSTERS, "", {"P@4(wordings='separate')": 3 / 4, "R@4(wordings='separate')": 3 / 5}),
        # Three of four predictions meet a cluster, two of them the same one.
        (WORDINGS, CLUSTERS, "", {"synonymous@20(dedupe='match')": 2 / 3}),
        # Gold words: ben johnson sprinter, world record, drug use illegal steroid: nine. Predicted: four, two of them
        # gold. The repeated phrase gives no words again, but stays in the denominator where repeats stay: 2/6.
        (
            BAG,
            CLUSTERS,
            "",
            {
                f"unigram-{name}@5(dedupe='match')": value
                for name, value in (("P", 2 / 6), ("R", 2 / 9), ("F1", 4 / 15))
            },
        ),
        (BAG, CLUSTERS, "", {"unigram-P@5": 2 / 4, "unigram-R@5": 2 / 9, "unigram-F1@5": 4 / 13}),
        # Hits at ranks 2 and 4 of five, three gold keyphrases: AP = (1/2 + 2/4) / 3.
        (["x", "a", "y", "b", "z"], ["a", "b", "c"], "", {"MAP@5": 1 / 3, "MRR@5": 1 / 2, "MAP@2": 1 / 4}),
        (
            ["x", "a", "y", "b", "z"],
            ["a", "b", "c"],
            "",
            {"nDCG@5": (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / 2)},
        ),
        # Two of three words alike on both sides earn 0.8; its precision, 0.8 / 1, counts 0.8 times.
        (["heat pump", "x"], ["heat pump system"], "", {"P@1(match='partial')": 0.8, "MAP@1(match='partial')": 0.64}),
        (["cancer", "gene"], ["cancer therapy"], "", {"P@2(match='partial')": 1 / 3, "R@2(match='partial')": 2 / 3}),
        # Five phrases of 1, 1, 2, 3 and 3 words, two of them repeats.
        (TREES, ["x"], "", {"phrases": 5, "unique": 3, "duplication": 2 / 5, "phrase-length": 2}),
        # Two bins: scores 0.9 and 0.7, one right, gap |1.6 - 1| = 0.6; score 0.2, wrong, gap 0.2.
        ([Keyphrase("a", 0.9), Keyphrase("x", 0.7), Keyphrase("y", 0.2)], ["a"], "", {"ECE(bins=2)": 0.8 / 3}),
        (["windows 95"], ["windows <digit>"], "", {"P@1(digits='mask')": 1, "P@1(digits='keep')": 0}),
        # NLTK stems `skies` to `sky`, Porter's own algorithm to `ski`.
        (["skies"], ["sky"], "", {"P@1(stemmer='nltk')": 1, "P@1(stemmer='porter')": 0}),
        # The official protocol: Porter stems, `+` alternations, micro-averages, divided by k. Of C-1 `service quality`
        # and `grid computing` match, and the other wording does not count again; of H-1 one of four is right. At 5:
        # 3 right of 2 · 5 = 10, 3 found of 4, F = 3/7. At 10 and 15 nothing more is found: P 3/20 and 3/30.
        (
            SEMEVAL,
            {"C-1": [("quality of service", "service quality"), "grid computing", "uddi"], "H-1": [SEMEVAL["H-1"][1]]},
            "semeval2010",
            {"P@5": 0.3, "R@5": 3 / 4, "F1@5": 3 / 7, "P@10": 3 / 20, "R@10": 3 / 4, "P@15": 0.1, "F1@15": 0.15 / 0.85},
        ),
        # Its own program: an answer that the key repeats counts twice; a list shorter than k earns nothing at k; F is
        # of rounded P and R. C-1: `grid` meets two answers and `uddi` one, 3 hits. H-1: four candidates, too few for 5.
        # At 5: P 3/10, R 3/7 is 42.86 %, F = 2 · 30 · 42.86 / 72.86 = 35.2951 % (35.2941 % from the fractions).
        (
            OFFICIAL,
            {"C-1": ["grid", "grid", "uddi", "node", "cost", "time"], "H-1": ["information retrieval"]},
            "semeval2010-official",
            {"P@5": 0.3, "R@5": 0.4286, "F1@5": 2 * 0.3 * 0.4286 / 0.7286, "P@10": 0, "F1@15": 0},
        ),
        # Each keyphrase earns its best prediction, as the published tables do: 1 + 0. By eq. 1 each prediction earns
        # its best: `grid` is like `grid computing` by 2 · 1 / 3, `grid computing` by 1, and `node` like none.
        (
            GRIDS,
            ["grid computing", "salt water"],
            "pubmedake",
            {"P@5": 1 / 3, "R@5": 1 / 2},
        ),
        (
            GRIDS,
            ["grid computing", "salt water"],
            "pubmedake",
            {f"{name}@5(credit='prediction', dedupe='none')": value for name, value in (("P", 5 / 9), ("R", 5 / 6))},
        ),
        # Padded to five, all documents count, F1 of means: P (2/5 + 0) / 2 = 1/5, R (2/2 + 0) / 2 = 1/2, F = 2/7.
        ({"d1": ["apples", "pear"], "d2": ["plum"]}, TEXTS, "chan2019", {"F1@5(present='present')": 2 / 7}),
        # Documents without present gold are left out. Of d1 `berries` is not present: P 2/5 by k, 2/2 by what came.
        (
            {"d1": ["apples", "pear", "berries"], "d2": ["plum"]},
            TEXTS,
            "yuan2020",
            {"F1@5(present='present')": 4 / 7, "F1@5(denominator='predicted', present='present')": 1},
        ),
        # The oracle of section 1, whose printed F1@5 and F1@10 (0.858, 0.626 on KP20k) only come out by dividing by
        # k: with three and with six keyphrases at 5 F1 2 · 3 / (3 + 5) = 3/4 and 2 · 5 / (5 + 6) = 10/11.
        (
            {"d1": TWELVE[:3], "d2": TWELVE[:6]},
            {"d1": TWELVE[:3], "d2": TWELVE[:6]},
            "yuan2020",
            {"F1@5": (3 / 4 + 10 / 11) / 2, "F1@10": (6 / 13 + 12 / 16) / 2},
        ),
    ],
)
def test_scores_by_hand(predictions: Any, gold: Any, preset: str, expected: dict[str, float]) -> None:
    if isinstance(predictions, list):
        predictions, gold = {"d": predictions}, {"d": gold}
    scores = evaluate(predictions, gold, metrics=list(expected), preset=preset or "default")
    assert [score.value for score in scores] == pytest.approx(list(expected.values()), abs=1e-9)


TEXT = "A neural network learns graph-theories. The party ended in 1984."
DOCUMENT = Document("d", TEXT, references=("neural networks", "graph theory", "deep learning", "art", "1984"))


@pytest.mark.parametrize(
    ("presence", "present"),
    [("stem", {"neural networks", "graph theory", "1984"}), ("exact", {"1984"}), ("substring", {"art", "1984"})],
)
def test_presence_by_hand(presence: str, present: set[str]) -> None:
    """By stems plural and hyphen do not matter; by exact words they do; by characters `art` is in `party`."""
    metrics = ["R@M(present='present')", "R@M(present='absent')"]
    for predicted, expected in ((sorted(present), [1, 0]), (list(map(str, DOCUMENT.references)), [1, 1])):
        scores = evaluate({"d": predicted}, [DOCUMENT], metrics=metrics, policy={"presence": presence})
        assert [score.value for score in scores] == expected


def test_the_signature() -> None:
    """The format of issue 4, with the number of documents and a checksum of the gold (SHA-256 of `d␞a⏎`)."""
    scores = evaluate({"d": ["a"]}, {"d": ["a"]}, metrics=["F1@5(denominator='k')"], policy={"stemmer": "nltk"})
    assert str(scores) == (
        "F1@5|match:stem(nltk)|avg:macro|empty:skip|den:k|dedupe:stem|docs:1|gold:20396fce|v:0.1.0 = 33.33"
    )
