"""Windows over a text, against slow and simple ways of making them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.candidates import ngrams
from phrasemill.errors import ModelError
from phrasemill.methods.encoder.scorer import NEVER, columns, pool
from phrasemill.methods.encoder.windows import OVERLAP, TITLE, WINDOW, BertPieces, occurrences, windows
from phrasemill.text.analyse import analyse

LETTERS = [*"abcdefghijklmnopqrstuvwxyz-.,"]
PIECES = BertPieces(
    ["[PAD]", "[UNK]", "[SEP]", "[unused0]", "ground", "##water", *LETTERS, *[f"##{c}" for c in LETTERS]]
)
LONG = "Groundwater levels\n" + " ".join(f"The {a}{b} well was dry." for a in "bcdfghjklmn" for b in "aeiouy" * 3)


def naive(word: str) -> list[int]:
    """The longest pieces from the left, parts at punctuation apart."""
    found, part = [], ""
    for character in [*word, None]:
        if character is not None and character.isalnum():
            part += character
            continue
        begin = 0
        while begin < len(part):
            sizes = range(len(part), begin, -1)
            piece = next(p for end in sizes if (p := "##" * (begin > 0) + part[begin:end]) in PIECES.ids)
            found.append(PIECES.ids[piece])
            begin += len(piece.removeprefix("##"))
        part = ""
        found += [PIECES.ids[character]] if character is not None else []
    return found


def test_words_are_parted_at_punctuation_and_cut_into_the_longest_pieces() -> None:
    for word in ("groundwater", "ground-water", "a.b", "water"):
        assert list(PIECES.of(word)) == naive(word)
    assert PIECES.of("grüne") == PIECES.of("grune")
    assert PIECES.of("字") == (PIECES.unknown,)
    assert len(PIECES.of("-".join("a" * 500))) == 24


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 400), st.integers(0, 60))
def test_windows_cover_the_text_and_no_more(tokens: int, title: int) -> None:
    analysis = analyse(LONG)
    body, title = min(tokens, len(analysis)), min(title, tokens)
    found = windows(analysis, PIECES, title=title, body=body)
    cut = [naive(analysis.words[word]) for word in analysis.word[:body]]
    assert (found[0].first, found[-1].last) == (0, body) if body else not found
    head = [piece for one in cut[:title] for piece in one][:TITLE]
    for number, window in enumerate(found):
        assert len(window.pieces) <= WINDOW
        before = [*head, PIECES.end] if number and head else []
        assert window.pieces[: len(before)].tolist() == before
        for t in range(window.first, window.last):
            begin, end = window.starts[t - window.first : t - window.first + 2]
            assert window.pieces[begin:end].tolist() == cut[t]
        if number:
            shared = [piece for one in cut[window.first : found[number - 1].last] for piece in one]
            assert OVERLAP - 24 <= len(shared) <= OVERLAP


def test_occurrences_are_the_candidates_that_lie_within_a_window() -> None:
    candidates = ngrams(analyse(LONG), longest=3)
    for window in windows(candidates.analysis, PIECES, title=2, body=len(candidates.analysis)):
        found = occurrences(candidates, window)
        rows = list(
            zip(*[column.tolist() for column in (found.first, found.last, found.words, found.candidate)], strict=True)
        )
        wanted = [
            (int(window.starts[a - window.first]), int(window.starts[b - window.first]) - 1, b - a, c)
            for c in range(len(candidates))
            for o in range(candidates.first[c], candidates.first[c + 1])
            for a, b in [(candidates.start[o], candidates.end[o])]
            if a >= window.first and b <= window.last
        ]
        assert rows == wanted


def test_scores_are_pooled_over_all_places() -> None:
    kinds = np.array([[0.5, 0.5, 0, 0, 0], [0.5, 0, 0, 0, 0.5]])
    found = pool(np.array([0, 2, 0, 2]), np.array([1.0, -3.0, 4.0, -1.0], np.float32), 3, kinds)
    assert found.best.tolist() == [4, NEVER, -1]
    assert found.mean.tolist() == [2.5, NEVER, -2]
    assert found.first.tolist() == [1, NEVER, -3]
    rows = columns(found)
    assert rows[:, 3].tolist() == [0, NEVER - 4, -5]
    assert np.expm1(rows[:, 4]).round().tolist() == [0, 2, 1]
    assert rows[:, 5:].tolist() == [[0.5, 0.25, 0, 0, 0.25]] * 3


def test_a_vocabulary_of_something_else_is_refused() -> None:
    with pytest.raises(ModelError, match="not BERT's"):
        BertPieces(["a", "b"])
