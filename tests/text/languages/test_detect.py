"""Language detection: the script decides, or the words; too little evidence means English."""

import re
from array import array

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from phrasemill.kernels.language import Parts

import written
from phrasemill.text.languages.detect import detect, language_of
from phrasemill.text.languages.scripts import PAGES
from phrasemill.types import Document

CASES = written.read("languages")
SENTENCES: dict[str, str] = CASES["sentences"]


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language: str) -> None:
    found = detect(SENTENCES[language])
    assert found.language == language
    assert 0.5 < found.confidence <= 1


def test_case_does_not_matter() -> None:
    assert detect(SENTENCES["de"].upper()).language == "de"


def test_decomposed_accents_do_not_matter() -> None:
    import unicodedata

    assert detect(unicodedata.normalize("NFD", SENTENCES["vi"])) == detect(SENTENCES["vi"])


@pytest.mark.parametrize("text", CASES["short"])
def test_too_little_to_tell_is_english(text: str) -> None:
    assert detect(text).language == "en"


def test_an_english_title_does_not_decide() -> None:
    assert detect("A Study of Urban Bus Networks\n" + SENTENCES["es"]).language == "es"
    assert detect("Kubernetes Release Notes\n" + SENTENCES["zh"]).language == "zh"


def test_the_title_of_a_document_counts_where_its_text_is_short() -> None:
    title = " ".join(9 * [SENTENCES["en"]])
    assert language_of(Document("1", " ".join(3 * [SENTENCES["es"]]), title)) == "es"
    assert language_of(Document("1", "Hotel.", SENTENCES["es"])) == "es"
    assert language_of(Document("1", SENTENCES["es"], title, "fr")) == "fr"
    assert language_of(Document("1", SENTENCES["es"], title, "fr"), "auto") == "en"


def test_names_in_another_script_do_not_decide() -> None:
    assert detect(f"{SENTENCES['en']} The plan is called 公交网络 in Chinese.").language == "en"
    assert detect(f"{SENTENCES['ru']} Docker, Kubernetes, Linux.").language == "ru"


def test_the_larger_part_of_a_mixed_text_decides() -> None:
    assert detect(" ".join([SENTENCES["en"]] + 3 * [SENTENCES["fr"]])).language == "fr"
    assert detect(" ".join([SENTENCES["fr"]] + 3 * [SENTENCES["en"]])).language == "en"


def test_languages_without_support_are_undetermined() -> None:
    georgian = "ქალაქი აუმჯობესებს ავტობუსების ქსელს, რათა ხალხი უფრო სწრაფად მივიდეს სამსახურში."
    icelandic = "Borgin bætir strætisvagnakerfið svo að fólk komist hraðar til vinnu án þess að nota eigin bíl."
    assert detect(georgian).language == "und"
    assert detect(icelandic).language == "und"


def test_a_long_text_is_sampled_from_beginning_to_end() -> None:
    spanish, french = (" ".join(20 * [SENTENCES[code]]) for code in ("es", "fr"))
    assert detect(spanish + french[: len(spanish) // 2]).language == "es"
    assert detect(spanish[: len(french) // 2] + french).language == "fr"


def test_half_of_a_character_pair_does_no_harm() -> None:
    assert detect("\ud800 " + SENTENCES["fr"]).language == "fr"


def row(kind: int, letters: str) -> int:
    """Return the row of three letters as it is defined: models have their weights in this order."""
    first, *others = map(ord, letters)
    terms = zip((first + kind, *others), (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9), strict=True)
    found = 0
    for letter, factor in terms:
        found ^= letter * factor % 2**64
    return (found ^ found >> 32) * 0xBF58476D1CE4E5B9 % 2**64 >> 58


@given(st.text("abcé-1 ", max_size=50) | st.integers(30, 34).map(lambda size: "a" * size))
def test_parts_of_words(text: str) -> None:
    expected, words = [], [word for word in re.findall("[a-zé]+", text) if len(word) <= 32]
    for word in words:
        whole = 0x1000000
        for letter in word:
            whole = (whole ^ ord(letter)) * 0xBF58476D1CE4E5B9 % 2**64
        expected += [row(0, f" {word} "[i : i + 3]) for i in range(len(word))]
        expected += [whole >> 58] * (len(word) > 1)
        if len(word) > 3:
            expected += [row(0x2000000, word[:3]), row(0x3000000, word[-3:])]
    parts = Parts(text, PAGES, 0, 6)
    assert list(parts.rows) == expected
    assert (parts.words > 0) == (len(words) > 0) and parts.words <= len(set(words))


@given(st.text() | st.text(st.characters(categories=["L", "M", "Zs"])), st.integers(0, 4), st.integers(1, 40))
@example("abcdefgh", 0, 600)  # sums that need more than 16 bits
def test_the_best_language_has_the_highest_sum_of_weights(text: str, script: int, times: int) -> None:
    parts = Parts(times * f"{text} ".lower(), PAGES, script, 6)
    assert all(0 <= row < 64 for row in parts.rows)
    weights = memoryview(array("b", [(31 * i) % 255 - 127 for i in range(64 * 5)]))
    bias = array("i", [3, -2, 0, 5, 1])
    sums = [bias[k] + sum(weights[5 * row + k] for row in parts.rows) for k in range(5)]
    ranked = sorted(sums, reverse=True)
    assert parts.best(weights, bias, 2) == (sums.index(ranked[0]), ranked[0] - ranked[1], ranked[0] - sums[2])
