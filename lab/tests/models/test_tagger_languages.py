"""Taggers of other languages: treebanks as our tokens, lexicons, a toy model."""

from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.tagger import LISTED, Word, placed

from made_records import write
from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.text.languages import UPOS
from phrasemill.text.tag import load_tagger
from phrasemill_lab.models import accuracy, tagger_languages
from phrasemill_lab.models.tagger import save
from phrasemill_lab.models.tagger_languages import tagged
from phrasemill_lab.models.word_lists import PackedLexicon, lemma_class, pack

Rows = list[list[str | int]]


def record(text: str, *rows: str) -> dict[str, object]:
    """Return a sentence of a treebank, its words as `id form tag`."""
    tokens: Rows = [[*row.split(" "), "_", 0] for row in rows]
    return {"text": text, "tokens": tokens}


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("de", record("im Haus", "1-2 im _", "1 in ADP", "2 dem DET", "3 Haus NOUN"), "im/ADP Haus/NOUN"),
        ("es", record("¡Dámelo!", "1 ¡ PUNCT", "2-4 Dámelo _", "2 Da VERB", "3 me PRON", "4 lo PRON", "5 ! PUNCT"),
         "¡/PUNCT Dámelo/VERB !/PUNCT"),
        ("fr", record("l'eau", "1 l' DET", "2 eau NOUN"), "l'/DET eau/NOUN"),
        ("fr", record("dit-il", "1 dit VERB", "2 -il PRON"), "dit-il/VERB"),
        ("it", record("della Roma", "1-2 della _", "1 di ADP", "2 la DET", "3 Roma PROPN"), "della/ADP Roma/PROPN"),
        ("ar", record("لسلطة", "1 ل ADP", "2 سلطة NOUN"), "لسلطة/NOUN"),
    ],
)  # fmt: skip
def test_our_tokens_get_the_tags_of_the_words_that_they_cover(
    language: str, sentence: dict[str, object], expected: str
) -> None:
    words, tags = tagged(sentence, language)
    assert " ".join(f"{word}/{tag}" for word, tag in zip(words, tags, strict=True)) == expected


def test_a_word_with_spaces_gives_its_tag_to_every_syllable() -> None:
    tokens: Rows = [["1", "trả lời", "VERB", "_", 0]]
    assert tagged({"text": "trả lời", "tokens": tokens}, "vi") == (("trả", "lời"), ("VERB", "VERB"))


NOUNS = "Zug Haus Baum Stein Fluss Berg Wald Turm Schiff Brief".split()


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """A treebank of one part, some of which is held out."""
    sentences = [
        record(f"Der {noun} {verb}.", "1 Der DET", f"2 {noun} NOUN", f"3 {verb} VERB", "4 . PUNCT")
        for noun in NOUNS
        for verb in "steht liegt wartet bleibt".split()
    ]
    write(tmp_path / "de_toy_test.jsonl.xz", sentences)
    return tmp_path


def test_a_toy_tagger_learns_with_a_lexicon(treebank: Path, tmp_path: Path) -> None:
    lexicon = pack({noun.lower(): ("noun",) for noun in [*NOUNS, "Auto"]})
    sentences = tagger_languages.read(treebank, "de")
    path = tmp_path / "toy.safetensors"
    tagger_languages.fit(path, [one for one in sentences if one.part == "train"], lexicon=lexicon)
    held_out = [one for one in sentences if one.part == "test"]
    assert accuracy.tags_right(load_tagger(path), held_out) == (4 * len(held_out), 100)


@pytest.mark.parametrize("name", ["lexicon_buckets", "lexicon_classes"])
def test_a_lexicon_that_does_not_fit_is_refused(treebank: Path, tmp_path: Path, name: str) -> None:
    path, lexicon = tmp_path / "toy.safetensors", pack({noun.lower(): ("noun",) for noun in NOUNS})
    tagger_languages.fit(path, tagger_languages.read(treebank, "de"), lexicon=lexicon)
    model = models.load(path, kind="tagger")
    buffers = {key: array(view.format, view.tobytes()) for key, view in model.buffers.items()}
    buffers[name].pop()
    save(path, buffers, UPOS, PackedLexicon(columns=1))
    with pytest.raises(ModelError, match="lexicon"):
        load_tagger(path)


@given(st.dictionaries(st.text(min_size=1, max_size=6), st.tuples(st.sampled_from("ab"), st.sampled_from(["", "c"]))))
def test_a_lexicon_gives_back_what_was_packed(entries: dict[str, tuple[str, str]]) -> None:
    # A word is known by its bucket and fingerprint: words that differ in digits only are one, as `0` and `1` are.
    keys = {word: placed(Word(word).name, LISTED) for word in entries}
    distinct = {(key >> 28, key & 0xFFFF): word for word, key in keys.items()}
    entries = {word.lower(): entries[word] for word in distinct.values()}
    packed = pack(entries, bits=4)
    found = {classes: packed.classes_of(word) for word, classes in entries.items()}
    assert all(codes[0] and bool(codes[1]) == bool(classes[1]) for classes, codes in found.items())
    assert len(set(found.values())) == len(found)


def test_words_that_differ_in_digits_only_share_a_class() -> None:
    packed = pack({"0": ("a", ""), "1": ("a", "c")})
    assert packed.classes_of("1") == packed.classes_of("0") == packed.classes_of("7") == bytes([1, 0])


def test_lemma_classes() -> None:
    lemmas = {"gehst": "gehen", "gehen": "gehen", "Zug": "Zug", "züge": "Zug"}
    assert lemma_class("gehst", lemmas, capitals=False) == "hen"
    assert lemma_class("gehen", lemmas, capitals=False) == "=hen"
    assert lemma_class("zug", lemmas, capitals=True) == "N"
    assert lemma_class("fremd", lemmas, capitals=True) == ""
