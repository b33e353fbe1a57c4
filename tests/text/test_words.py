"""What a lexicon knows of words is what code finds that remembers nothing."""

import pickle
import re
import subprocess
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from phrasemill.kernels.words import Lexicon, Reading, Strings, first_places, grouped, normalise

from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD

STOPWORDS = frozenset({"the", "it", "us", "a", "a-b", ".", "www.x"})
WORDS = st.one_of(
    st.text("abGT-.1²_é中ªⅣ\0", min_size=1, max_size=8),
    st.text(min_size=1, max_size=4),
    st.sampled_from(
        "The THE IT It us Who A-B a-B A-b the- -the x@y.z a@b @x #x ://a www.x Www.x a/b.c /usr/x.py 1st 42 3.14 U.S."
        " ﬁeld naı̈ve ’s ǅungla ½ _ … i̇ ſ".split()
    ),
    st.just(""),
    st.integers(23, 26).map(lambda size: "é" * size),
    st.integers(63, 66).map(lambda size: "G" * size),
)


def kind(seen: str, word: str) -> int:
    stopword = STOPWORD if word in STOPWORDS and seen not in ("IT", "US", "WHO") else 0
    address = re.search(r"\w@\w+\.\w|^[@#]\w|://|^www\.|/[\w.-]+\.[a-z]{1,4}$", seen)
    if len(seen) > 64 or not re.search(r"\w", seen) or address:
        return stopword
    letters = [c for c in seen if c.isalpha()]
    if not letters:
        return stopword | NUMBER
    upper = len(letters) > 1 and not any(c.islower() for c in letters) and seen != word
    return stopword | WORD | CAPITAL * seen[0].isupper() | UPPER * upper


@given(st.lists(WORDS, max_size=40), st.lists(WORDS, max_size=9))
@settings(deadline=None)
@example(["a", "a\0", "\0"], [])
@example([f"w{i % 30_000}" for i in range(60_000)], [])  # more than are kept at hand
def test_words_of_a_text(words: list[str], before: list[str]) -> None:
    lexicon = Lexicon(lambda found: [word[1:3] for word in found], STOPWORDS, frozenset(), None)
    lexicon.read(reading(before))
    text = reading(words)
    lexicon.read(text)
    kinds, _, word, stem, _, known_words, known_stems, _ = text.columns(())
    normal = [normalise(one) for one in words]
    expected = [one.lower() for one in normal]
    stems = [(one & WORD and low[1:3]) or low for low, one in zip(expected, kinds, strict=True)]
    assert list(kinds) == list(map(kind, normal, expected))
    assert ([known_words[one] for one in word], known_words) == (expected, list(dict.fromkeys(expected)))
    assert ([known_stems[one] for one in stem], known_stems) == (stems, list(dict.fromkeys(stems)))


def reading(words: list[str]) -> Reading:
    """Return a text of these words, each followed by a space."""
    end = array("i", [stop - 1 for stop in accumulate(len(word) + 1 for word in words)])
    start = array("i", [stop - len(word) for stop, word in zip(end, words, strict=True)])
    return Reading(" ".join([*words, ""]), start, end, array("B", [1] * len(words)))


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 5))
def test_places_of_numbers_in_a_column(column: list[int], most: int) -> None:
    places = [[i for i, one in enumerate(column) if one == number] for number in range(5)]
    assert first_places(array("i", column), 1, most) == places[1][:most]
    first, found = grouped(array("i", column), 5)
    assert [found[first[number] : first[number + 1]].tolist() for number in range(5)] == places


def test_many_strings_in_little_memory() -> None:
    given = ["wells", "", "naïve", "地下水", "\ud800", "𝒙", *[f"w{i}" for i in range(2000)]]
    found = Strings(given)
    assert found.numbers(["wells", "new", "𝒙"]).tolist() == [0, len(given), 5]
    found.close()
    given.append("new")
    assert isinstance(found, Sequence) and list(found) == given and len(found) == len(given)
    assert (found[-1], found[3], found.index("naïve")) == ("new", "地下水", 2)
    assert "w1999" in found and "w2000" not in found and 3 not in found
    assert list(pickle.loads(pickle.dumps(found))) == given
    for missing in (lambda: found[len(given)], lambda: found[-len(given) - 1], lambda: found.index("sea")):
        with pytest.raises((IndexError, ValueError)):
            missing()


# The most memory that the process has had, in MB. The system's `ru_maxrss` would count that of the parent, too.
MEASURED = """
import re
from pathlib import Path
import phrasemill as pm
found = pm.extract(" ".join(f"w{i}" for i in range(200_000)))
assert len(found) == 10
print(int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how much memory was taken")
def test_memory_has_a_bound_for_each_different_word() -> None:
    """A row of 74 numbers for each of five candidates of a word, and the tagger's sums, took 3.2 KB: 640 MB here."""
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 220
