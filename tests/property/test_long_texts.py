"""Kernels release the GIL in long texts, with the same results as in short ones."""

import re
import sys
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.tokens import Rules

import made_texts
from phrasemill.kernels import mending, paratext, spans
from phrasemill.text.hyphens import WORD
from phrasemill.text.paratext_patterns import ALONE, CLOSINGS, PREFIXES, compiled
from phrasemill.text.tokenise import ABBREVIATIONS, TABLE, classify

WITH_STOPS = "Fig. 2 and the Ph.D. of Dr. Who, no. 5,\n"
LONG = made_texts.text(1, sentences=400).replace(". ", ".\n").replace("The ", WITH_STOPS)
RULES = Rules(TABLE, classify, ABBREVIATIONS)
TOKENS = len(RULES.tokenise(LONG)[0])


def kinds() -> "array[int]":
    return array("B", [(1, 1, 3, 4, 0)[i % 5] for i in range(TOKENS)])


def words() -> "array[int]":
    return array("i", [i * i % 97 for i in range(TOKENS)])


def ends() -> "array[int]":
    return array("i", [*range(20, TOKENS, 20), TOKENS])


def grouped() -> tuple["array[int]", ...]:
    return spans.ngrams(kinds(), ends(), 3, True, True)


CALLS: dict[str, Callable[[str], object]] = {
    "tokens": RULES.tokenise,
    "mending": lambda text: mending.count_words(text.lower(), ["measured", "of", "never"]),
}


def test_long_texts_have_the_candidates_of_a_dictionary() -> None:
    start, end = grouped()
    assert TOKENS > 2000
    column, found = words(), {}
    for place in zip(start, end, strict=True):
        found.setdefault(tuple(column[slice(*place)]), []).append(place)
    first, *places = spans.group(column, start, end)
    listed = list(zip(*places, strict=True))
    assert [listed[a:b] for a, b in pairwise(first)] == list(found.values())


def test_long_texts_have_the_counts_of_an_expression() -> None:
    every = Counter(re.findall(WORD, LONG.lower()))
    assert CALLS["mending"](LONG) == {word: every[word] for word in ("measured", "of", "never")}


@pytest.fixture
def no_switches() -> Iterator[None]:
    """The interpreter takes the GIL from no thread."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("no_switches")
@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run_while_a_kernel_works_on_a_long_text(name: str) -> None:
    ran, start = [], threading.Lock()
    with start:
        worker = threading.Thread(target=lambda: start.acquire() and ran.append(True))
        worker.start()
    for _ in range(3000):  # one call is enough unless the machine is busy
        CALLS[name](LONG)
        if ran:
            break
    assert ran
    worker.join()


PARATEXT = (
    "Dear all,|Good morning,|Hello Anna!|hey,|Hi!|Hi Tom,|Cher Paul,|Chère Anne,|Estimados,|Lieber Max,|"
    "Sehr geehrte Frau M,|(Additional Reporting by Jane Doe)|Medically reviewed by Jane Doe|Compiled by Jane Doe|"
    "(Editing by Jane Doe)|Photos by Jane Doe|(Photo by Jane Doe)|Reporting by Jane Doe|(Text by Jane Doe)|"
    "(Writing by Jane Doe)|(Compiled by Jane Doe)|(Reviewed by Jane Doe)|(Medically reviewed by Jane Doe)|"
    "Members present: Ann|Also present: Ann|Present: Ann|Absent: Ann|In attendance: Ann|Attendance: Ann|"
    "Attendees: Ann|Apologies: Ann|Regrets: Ann|Sent from my phone|Get Outlook for iOS|Envoyé de mon iPhone|"
    "Enviado desde mi|Inviato da me|Von meinem Telefon gesendet|On Monday, Jane wrote:|-- Original Message --|"
    "--Forwarded message--|--- Original Message ---|Received 1 May 2001|Revised 1 May 2001|Accepted 2001|"
    "Available online 2001|Published online 2001|Page last updated 2001|Last edited 2001|Follow us on Twitter|"
    "Find us on Facebook|Join us on Reddit|Like us on Facebook|Share on WhatsApp|Tweet on Twitter|"
    "Facebook / Twitter|Instagram, Reddit|LinkedIn/Pinterest|Pinterest Print|Reddit Share|TikTok YouTube|"
    "Twitter / Email|WhatsApp · Reddit|YouTube Facebook|Add to cart|Read more:|Related posts:"
).split("|")
CASES = (str, str.upper, str.lower, str.title)


@given(st.sampled_from([*PARATEXT, *CLOSINGS, "--,", "--!"]), st.sampled_from(CASES))
def test_lines_that_stand_alone_are_looked_at(line: str, case: Callable[[str], str]) -> None:
    line = case(line)
    if compiled(ALONE).match(line) or line.lower().rstrip(",.!") in CLOSINGS:
        assert paratext.lines(f"\n {line}", PREFIXES)[2] == [0]


def test_the_lines_of_the_test_above_stand_alone() -> None:
    assert [line for line in PARATEXT if not compiled(ALONE).match(line)] == []


def test_most_lines_of_prose_are_not_looked_at() -> None:
    lines, _, special = paratext.lines(LONG, PREFIXES)
    assert len(special) < len(lines) / 3
