"""Texts of very many different words: a bound on memory, and the same results as from texts that are read in one go."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from phrasemill.kernels.words import Lexicon, Strings

import made_texts
import phrasemill as pm
from phrasemill.text import analyse as analysing
from phrasemill.text.analyse import Analyser

# The most memory that the process has had, in MB. The system's `ru_maxrss` would count that of the parent, too.
MEASURED = """
import re
from functools import partial
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


@pytest.mark.filterwarnings("ignore:read as:phrasemill.PhrasemillWarning")  # the text is English
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_a_text_read_in_parts_has_the_same_analysis_and_keyphrases(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = made_texts.text(2, sentences=300)
    text = text.replace(". ", ".\n").replace("The ", 'Dr. Who said "no." (see [3]) The ') + "Ω naïve 地下水位下降 \n\n"
    text += " ".join(f"Well{i} in town{i}." if i % 7 else f"w{i}" for i in range(3000))
    whole, expected = Analyser(language).analyse(text), list(pm.extract(text, language=language, top=None))
    assert isinstance(whole.words, list)
    monkeypatch.setattr(analysing, "Lexicon", partial(Lexicon, most=300, least=1100))
    parts = Analyser(language).analyse(text)
    assert isinstance(parts.words, Strings), "one lexicon was enough"
    assert list(parts.tokens) == list(whole.tokens)
    assert (parts.sentences, parts.word, parts.stem) == (whole.sentences, whole.word, whole.stem)
    assert (list(parts.words), list(parts.stems)) == (whole.words, whole.stems)
    analysing._analyser.cache_clear()
    try:
        assert list(pm.extract(text, language=language, top=None)) == expected
        assert list(pm.extract(parts, top=None)) == expected
        pm.extract(text, language=language, explain=True, method="topicrank" if language == "en" else "tfidf")
    finally:
        analysing._analyser.cache_clear()


def test_strings_are_a_sequence() -> None:
    given = ["wells", "", "naïve", "地下水", "\ud800", "𝒙", *[f"w{i}" for i in range(2000)]]
    found = Strings(given)
    assert found.numbers(["wells", "new", "𝒙"]).tolist() == [0, len(given), 5]
    found.close()
    given.append("new")
    assert isinstance(found, Sequence) and list(found) == given and len(found) == len(given)
    assert (found[-1], found[3], found.index("naïve")) == ("new", "地下水", 2)
    assert "w1999" in found and "w2000" not in found and 3 not in found
    assert list(pickle.loads(pickle.dumps(found))) == given
    with pytest.raises(IndexError):
        found[len(given)]
    with pytest.raises(ValueError, match="not there"):
        found.index("sea")
