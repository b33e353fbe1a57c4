"""The part-of-speech tagger: sentences of our own, a toy model, damaged files."""

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from phrasemill.errors import DataError, ModelError
from phrasemill.text.tag import MODEL, TAGS, load_tagger
from phrasemill_lab.models import tagger as training
from phrasemill_lab.models import tagger_data
from phrasemill_lab.models.tagger import TaggerRecipe
from phrasemill_lab.models.tagger_data import TaggedSentence

SENTENCES = [
    "The/DT small/JJ boats/NNS crossed/VBD the/DT river/NN slowly/RB ./.",
    "We/PRP propose/VBP a/DT new/JJ method/NN for/IN keyphrase/NN extraction/NN ./.",
    "She/PRP does/VBZ n't/RB know/VB whether/IN Paris/NNP is/VBZ larger/JJR than/IN London/NNP ./.",
    "Two/CD hundred/CD patients/NNS were/VBD treated/VBN with/IN aspirin/NN (/-LRB- 75/CD mg/NN )/-RRB- ./.",
    "The/DT company/NN 's/POS profits/NNS rose/VBD to/TO $5/CD million/CD ,/, he/PRP said/VBD ./.",
    "He/PRP said/VBD ,/, \"/`` We/PRP will/MD win/VB ./. \"/''",
    "support/NN vector/NN machines/NNS for/IN text/NN classification/NN",
    "the/DT best/JJS results/NNS are/VBP shown/VBN in/IN bold/JJ",
]
TOY = TaggerRecipe(epochs=8, prune=1)


def pairs(text: str) -> list[tuple[str, str]]:
    return [tuple(token.rsplit("/", 1)) for token in text.split()]  # type: ignore[misc]


def tag_words(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the tags of sentences that are lists of words already."""
    tagger = load_tagger()
    index: dict[str, int] = {}
    types, ends = array("i"), array("i")
    for sentence in sentences:
        for word in sentence:
            types.append(index.setdefault(word, len(index)))
        ends.append(len(types))
    tagger.add_all(list(index))
    out = array("B", bytes(len(types)))
    tagger.tag(types, ends, out)
    tags = iter(out)
    return [[TAGS[next(tags)] for _ in sentence] for sentence in sentences]


@pytest.mark.parametrize("text", SENTENCES)
def test_tags_of_plain_sentences(text: str) -> None:
    words, tags = zip(*pairs(text), strict=True)
    assert tag_words([words]) == [list(tags)]


HEADING = "practical extraction of useful knowledge from large text collections".split()


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_nouns_and_adjectives_survive_letter_case(change: Callable[[str], str]) -> None:
    (tags,) = tag_words([[change(word) for word in HEADING]])
    assert [tag[:2] for tag in tags] == ["JJ", "NN", "IN", "JJ", "NN", "IN", "JJ", "NN", "NN"]


def test_title_case_may_turn_adjectives_into_names_but_not_into_verbs() -> None:
    (tags,) = tag_words([[word.capitalize() for word in HEADING]])
    assert [tag[:2] in ("JJ", "NN") for tag in tags] == [tag != "IN" for tag in tags]
    assert tags.count("IN") == 2


def test_code_zero_is_no_tag_and_is_never_given() -> None:
    assert TAGS[0] == ""
    assert len(set(TAGS)) == len(TAGS) == 46
    assert all(tag for sentence in tag_words([["", "\0", "\ud800", "𝔘𝔫𝔦", "x" * 500], []]) for tag in sentence)


def test_sentences_do_not_see_each_other() -> None:
    words = [[word for word, _ in pairs(text)] for text in SENTENCES]
    assert tag_words(words) == [tag_words([sentence])[0] for sentence in words]


def test_fresh_tagger_counts_from_zero_again() -> None:
    tagger = load_tagger()
    tagger.add_all(["The", "graphs"])
    tags = array("B", bytes(1))
    with pytest.raises(IndexError):
        tagger.fresh().tag(array("i", [0]), array("i", [1]), tags)
    tagger.tag(array("i", [1]), array("i", [1]), tags)
    assert TAGS[tags[0]] == "NNS"


@pytest.mark.parametrize(
    ("types", "ends", "room"), [([1], [1], 1), ([-1], [1], 1), ([0], [2], 2), ([0, 0], [2, 1], 2), ([0], [1], 0)]
)
def test_columns_out_of_range_are_refused(types: list[int], ends: list[int], room: int) -> None:
    tagger = load_tagger()
    tagger.add_all(["word"])
    with pytest.raises(IndexError):
        tagger.tag(array("i", types), array("i", ends), array("B", bytes(room)))


def toy() -> list[TaggedSentence]:
    texts = [*SENTENCES, "Birds/NNS sing/VBP ./.", "They/PRP sing/VBP songs/NNS ./.", "Sing/VB !/."]
    return [TaggedSentence("train", *zip(*pairs(text), strict=True)) for text in texts]


@pytest.fixture
def toy_model(tmp_path: Path) -> Path:
    path = tmp_path / "toy.safetensors"
    training.fit(path, training.corpus(toy() * 3), TOY)
    return path


def test_toy_training_learns_its_corpus_and_is_deterministic(toy_model: Path, tmp_path: Path) -> None:
    from phrasemill_lab.models.accuracy import tags_right

    assert tags_right(load_tagger(toy_model), toy()) == (83, 100)
    training.fit(tmp_path / "again", training.corpus(toy() * 3), TOY)
    assert (tmp_path / "again").read_bytes() == toy_model.read_bytes()


@pytest.mark.parametrize("keep", [0, 7, 100, 5000, -1])
def test_cut_off_model_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.safetensors"
    path.write_bytes(MODEL.read_bytes()[:keep])
    with pytest.raises(ModelError):
        load_tagger(path)


@pytest.mark.parametrize("place", [0.2, 0.5, 0.9])
def test_model_with_a_changed_byte_is_refused(tmp_path: Path, place: float) -> None:
    data = bytearray(MODEL.read_bytes())
    data[int(place * len(data))] ^= 0x40
    path = tmp_path / "changed.safetensors"
    path.write_bytes(data)
    with pytest.raises(ModelError, match="checksum"):
        load_tagger(path)


@pytest.mark.parametrize("name", ["buckets", "offsets", "counts", "tags", "transitions"])
def test_tables_that_do_not_fit_together_are_refused(toy_model: Path, name: str) -> None:
    from phrasemill import models

    sound = models.load(toy_model, kind="tagger")
    buffers = {key: array(view.format, view.tobytes()) for key, view in sound.buffers.items()}
    if name == "transitions":
        buffers[name].pop()
    else:
        buffers[name][len(buffers[name]) // 2] = 200
    training.save(toy_model, buffers)
    with pytest.raises(ModelError):
        load_tagger(toy_model)


def test_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        load_tagger(tmp_path / "nowhere")


def test_words_come_as_text_has_them_and_tags_as_penn_has_them() -> None:
    tokens = [
        ["-LRB-", "-LRB-"],
        ["``", "``"],
        ["and\\/or", "CC"],
        ["-", "HYPH"],
        ["to", "IN"],
        ["x@y.org", "ADD"],
        [")", "FW"],
    ]
    made = [tagger_data._pair(word, tag, False) for word, tag in tokens]
    assert made == [
        ("(", "-LRB-"),
        ('"', "``"),
        ("and/or", "CC"),
        ("-", ":"),
        ("to", "TO"),
        ("x@y.org", "NN"),
        (")", "-RRB-"),
    ]
    amount = [("$", "$"), ("5", "CD"), ("or", "CC"), ("20", "CD"), ("%", "NN")]
    assert tagger_data._merged(amount) == [("$5", "CD"), ("or", "CC"), ("20%", "CD")]


def test_a_document_is_in_one_part_only_and_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    parts = [tagger_data.split(f"source/{number}") for number in range(2000)]
    assert parts == [tagger_data.split(f"source/{number}") for number in range(2000)]
    assert 150 < parts.count("test") < 250
    assert 70 < parts.count("dev") < 130
    with pytest.raises(DataError):
        next(tagger_data.read(tmp_path))
