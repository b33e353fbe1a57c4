"""Texts of made-up words, as many as a test wants: hardly any word occurs in two of them."""

import random

ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w z".split()
NUCLEI = "a ai e ea i o oa oo u".split()
CODAS = ["", "b", "ck", "d", "ft", "g", "l", "lm", "m", "n", "nd", "ng", "p", "r", "rn", "s", "st", "t", "x"]
ENDINGS = ["", "", "", "s", "ing", "ed", "ation", "ity", "ly", "al", "-based"]
FRAMES = [
    "The {0} of the {1} {2} depends on {3}.",
    "{0} {1} and {2} were measured near the {3} in {4}.",
    "We propose a {0} {1} for {2} with {3} ({4}).",
    "Unlike {0}, the {1} {2} does not {3} when {1} is present.",
]


def word(rng: random.Random) -> str:
    """Return a word of one to three syllables, one in eight with a capital."""
    stem = "".join(rng.choice(ONSETS) + rng.choice(NUCLEI) + rng.choice(CODAS) for _ in range(rng.randint(1, 3)))
    made = stem + rng.choice(ENDINGS)
    return made.capitalize() if rng.random() < 0.125 else made


def text(seed: int, sentences: int = 6) -> str:
    """Return a text of so many sentences; some of its phrases recur."""
    rng = random.Random(seed)
    words = [word(rng) for _ in range(4 * sentences)]
    return " ".join(rng.choice(FRAMES).format(*rng.choices(words, k=5)) for _ in range(sentences))
