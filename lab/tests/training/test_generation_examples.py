"""Documents as examples: what is present, where, and in whose words."""

from pathlib import Path

from phrasemill.types import Document
from phrasemill_lab.models.generation_examples import GenerationExample, example_of, read_examples, write_examples

DOCUMENT = Document(
    "d",
    "Neural networks read 20 texts; a neural network (NN) writes.",
    "Reading networks",
    references=(
        "neural network",
        "Reading-networks",
        "deep learning (DL)",
        ("text", "document"),
        "neural networks",
        "20 texts",
    ),
)


def test_present_phrases_come_in_the_words_and_the_order_of_the_text() -> None:
    example = example_of(DOCUMENT, style="indexer")
    assert example is not None
    assert example.present == (("reading", "networks"), ("neural", "networks"), ("20", "texts"), ("texts",))
    assert example.absent == (("deep", "learning"),)
    assert example.places[1] == ((2, 4), (8, 10))
    assert example.style == "indexer"


def test_masked_numbers() -> None:
    example = example_of(DOCUMENT)
    assert example is not None
    assert ("<digit>", "texts") in example.masked().present and "<digit>" in example.masked().words


def test_what_lies_beyond_the_limit_is_absent() -> None:
    example = example_of(DOCUMENT, words=2)
    assert example is not None
    assert example.present == (("reading", "networks"),)
    assert ("neural", "network") in example.absent


def test_nothing_to_learn_from() -> None:
    assert example_of(Document("d", "text without gold")) is None
    assert example_of(Document("d", "", references=("a",))) is None


def test_lines_come_back(tmp_path: Path) -> None:
    example = example_of(DOCUMENT)
    assert isinstance(example, GenerationExample)
    write_examples(tmp_path / "x.gz", [example, example])
    assert list(read_examples(tmp_path / "x.gz")) == [example, example]
