"""Bayatmakou et al. (2017) as Shapira et al. (2021) run it, by hand: RAKE's scores, averaged over documents."""

import phrasemill as pm

# RAKE scores a word by degree over frequency: alone 1, in a run of two 2, in a run of three 3.
ONE = "Oil spill. Sea water pump."  # oil 2, spill 2: 4; sea, water, pump 3 each: 9
TWO = "An oil spill, an oil tanker."  # oil 4/2 = 2, spill 2, tanker 2: 4 and 4
THREE = "Oil spill cleanup crew works. The sea water pump."  # five words, left out; 9 again


def test_identical_phrases_have_the_mean_of_their_scores() -> None:
    found = pm.extract_set([ONE, TWO, THREE], method="bayatmakou", top=None)
    assert [(phrase.text.lower(), phrase.score) for phrase in found] == [
        ("sea water pump", 9),
        ("oil spill", 4),
        ("oil tanker", 4),
    ]


def test_the_longest_phrase_is_a_parameter() -> None:
    found = pm.extract_set([ONE, THREE], method="bayatmakou(longest=5)", top=1)
    assert found[0].text == "Oil spill cleanup crew works" and found[0].score == 25


def test_spellings_of_the_same_stems_come_once() -> None:
    found = pm.extract_set(["An oil spill.", "The big oil spills."], method="bayatmakou", top=None)
    assert [phrase.text for phrase in found] == ["big oil spills", "oil spill"]
    found = pm.extract_set(["An oil spill.", "Oil spills."], method="bayatmakou", top=None)
    assert len(found) == 1
