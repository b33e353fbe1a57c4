"""Repair of text out of PDFs: words, pages, and the way back to the original."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import written
from phrasemill.text.repair import Repaired, repair
from phrasemill.types import Span

BODY = (
    "the survey counted the fish that live around each turbine and found\n"
    "that the number of cod had grown in every year since the first pile\n"
    "was driven into the sand of the sea floor, while the nets outside of\n"
    "the farm came up with fewer and fewer of them every single season\n"
)
CASES = written.read("broken_words")


def check_mapping(original: str, repaired: Repaired) -> None:
    """Every character of the result is the character that it maps to, in the same order."""
    places = [repaired.original(Span(i, i + 1)) for i in range(len(repaired.text))]
    assert "".join([original[start:end] for start, end in places]) == repaired.text
    assert all(end == start + 1 for start, end in places)
    assert all(a.start < b.start for a, b in pairwise(places))


@pytest.mark.parametrize(("broken", "whole"), CASES["broken"])
def test_broken_words(broken: str, whole: str) -> None:
    repaired = repair(broken)
    assert repaired.text == whole
    check_mapping(broken, repaired)


@pytest.mark.parametrize("text", [*CASES["whole"], BODY * 5])
def test_other_text_stays_as_it_is(text: str) -> None:
    repaired = repair(text)
    assert repaired.text == text
    assert repaired.original(Span(0, len(text))) == Span(0, len(text))


def test_spans_cover_the_original_word() -> None:
    text = "An algo-\nrithm sorts."
    repaired = repair(text)
    start = repaired.text.index("algorithm")
    span = repaired.original(Span(start, start + len("algorithm")))
    assert text[span.start : span.end] == "algo-\nrithm"
    assert repaired.original(Span(0, 0)) == Span(0, 0)


TOPICS = "mussels anemones porpoises boulders currents trawlers".split()


def pages(count: int, *, header: str = "", footer: str = "", separator: str = "\f") -> str:
    """Pages whose text breaks off in the middle of a sentence."""
    made = [
        f"{header.format(i)}and so on, of {topic}\n{BODY * 4}and now we turn to {topic}\n{footer.format(i)}"
        for i, topic in enumerate(TOPICS[:count], start=1)
    ]
    return separator.join(made)


@pytest.mark.parametrize(
    ("header", "footer"),
    [
        ("Journal of Fish, Vol. 12\n", ""),
        ("", "{}\n"),
        ("", "Page {} of 12\n"),
        ("", "- {} -\n"),
        ("Fish and Turbines\n\n", "\n{}\n\n"),
        ("Smith et al.\nFish and Turbines\n", "© 2026 The Authors. All rights reserved.\n{}\n"),
    ],
)
@pytest.mark.parametrize("separator", ["\f", ""])
def test_headers_and_footers_are_dropped(header: str, footer: str, separator: str) -> None:
    text = pages(5, header=header, footer=footer, separator=separator)
    repaired = repair(text)
    left = [line for line in repaired.text.replace("\f", "\n").split("\n") if line]
    assert left == [line for line in pages(5, separator="\n").split("\n") if line]
    check_mapping(text, repaired)
    assert repair(repaired.text).text == repaired.text


def test_alternating_headers() -> None:
    made = [f"{i}  {'Smith and Jones' if i % 2 else 'Fish and Turbines'}\n{BODY}" for i in range(1, 9)]
    assert repair("\f".join(made)).text == "\f".join([BODY] * 8)


@pytest.mark.parametrize(
    "text",
    [
        pages(2, header="Journal of Fish\n", footer="{}\n"),  # two repetitions are not enough
        "\f".join(["We measured the same thing again.\n" + BODY] * 6),  # sentences
        "\f".join(f"{BODY}{figure}\n" for figure in (37, 12, 90, 41)),  # figures of a table
        f"BACKGROUND\n{BODY * 2}It grew.\nMETHODS\n{BODY * 2}It was counted.\n" * 6,  # headings
    ],
)
def test_what_recurs_and_is_no_header_stays(text: str) -> None:
    assert repair(text).text == text


@pytest.mark.parametrize("separator", ["\f", ""])
def test_a_word_goes_on_after_the_page_break(separator: str) -> None:
    halves = [("tur", "bine"), ("foun", "dation"), ("anem", "one"), ("por", "poise"), ("boul", "der")]
    made = []
    for i, (first, _) in enumerate(halves):
        second = halves[i - 1][1]
        made.append(f"Journal of Fish\n\n{second} is a word\n{BODY * 4}and another is {first}-\n\n{i + 1}\n")
    text = separator.join(made)
    repaired = repair(text)
    for first, second in halves[:-1]:
        assert f"and another is {first}{second} is a word\n" in repaired.text
    check_mapping(text, repaired)


@given(st.text(alphabet="aB1 -\u00ad\u2010\n\f.", max_size=300))
def test_the_mapping_holds_for_any_text(text: str) -> None:
    check_mapping(text, repair(text))


@given(
    st.lists(
        st.sampled_from(["algo-\nrithm", "soft\u00adware", "Title\n", "\n7\n", "\f", "a word ", "end.\n"]), max_size=60
    )
)
def test_a_second_repair_finds_little(pieces: list[str]) -> None:
    once = repair("".join(pieces)).text
    twice = repair(once).text
    assert len(twice) <= len(once)
    assert "\u00ad" not in once
    assert "algo-\nrithm" not in once


@pytest.mark.parametrize("unit", ["a-\n", "-\n", "\f", "\u00ad", "1\n", "Title\n\f", "a-" + " " * 50, "x" * 50 + "-\n"])
def test_hostile_repetition_is_no_trap(unit: str) -> None:
    repair(unit * 50_000)
