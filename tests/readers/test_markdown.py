"""Markdown: markup turns into spaces, words stay where they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.readers import read_bytes
from phrasemill.readers.markdown import blank

PAGE = """---
title: hidden
tags: [secret]
---
# Graph *Theory* notes ##

Some **bold words** and `inline code` with a [link text](http://example.org/a_(b) "a title").
An ![image](picture.png), snake_case, a <b>tag</b>, <https://example.org/> and a [label][ref].
[![badge](badge.svg)](http://example.org)
2 * 3 is \\*six\\*, and ``a ` tick`` too.

[ref]: http://example.org "Title"

* first item
* second item

    still the item

Setext heading
==============

> quoted *text*
> goes on

```python
fenced = "code"
```

| method | score |
|--------|------:|
| textrank | 31 |

<!-- a comment
over two lines -->
Before code.

    indented = "code"

~~~
more code
~~~
The __end__.
"""
GONE = (
    "hidden secret title example.org http picture.png image badge svg fenced indented comment more ref --- === ``` ~~~"
    " ** __ # > <"
).split()
KEPT = (
    "Graph Theory notes bold inline code link text snake_case tag label six tick first second still item Setext quoted"
    " goes method score textrank 31 Before end"
).split()


def test_words_stay_at_their_places() -> None:
    result = blank(PAGE)
    assert len(result) == len(PAGE)
    for word in re.finditer(r"\S+", result):
        assert PAGE[word.start() : word.end()] == word[0]
    assert [i for i, c in enumerate(result) if c == "\n"] == [i for i, c in enumerate(PAGE) if c == "\n"]


@pytest.mark.parametrize("gone", GONE)
def test_markup_is_gone(gone: str) -> None:
    assert gone not in blank(PAGE)


@pytest.mark.parametrize("kept", KEPT)
def test_text_is_kept(kept: str) -> None:
    assert kept in blank(PAGE)


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("a [b](c) d", "a  b     d"),
        ("[a [b](c) d](e)", " a  b     d    "),
        ("[1] stays", "[1] stays"),
        ("![alt](y) z", "          z"),
        ("x*y*z", "x y z"),
        ("5 * 4", "5 * 4"),
        ("a_b_c _d_", "a_b_c  d "),
        ("`a*b*c`", " a*b*c "),
        ("a ` b", "a ` b"),
        ("~~old~~ new", "  old   new"),
        ("# C# ", "  C# "),
        ("# C #", "  C  "),
        ("#tag", "#tag"),
        ("a < b > c", "a < b > c"),
        ("- item", "- item"),
        ("| a | b |", "  a | b  "),
        ("> > deep", "    deep"),
    ],
)
def test_small_cases(source: str, result: str) -> None:
    assert blank(source) == result


def test_lists_are_not_code_and_code_is_not_a_list() -> None:
    assert "continued" in blank("- item\n\n    continued\n")
    assert blank("text\n\n    code()\n").strip() == "text"
    assert "lazy" in blank("text\n    lazy line\n")


def test_windows_line_ends() -> None:
    source = "# Head\r\n\r\n```\r\ncode\r\n```\r\n*text*\r\n"
    assert blank(source) == "  Head\r\n\r\n   \r\n    \r\n   \r\n text \r\n"


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert "text" in blank("---\n\ntext without end\n")


@pytest.mark.parametrize(
    "unit", ["[", "*", "`", "](", "<a ", "<!--", "![", "`a``b```c", "[a](", '](x "', "> ", "~~~\n"]
)
def test_hostile_repetition_is_no_trap(unit: str) -> None:
    source = unit * 200_000
    assert len(blank(source)) == len(source)


@given(st.text(alphabet="ab \n\r\t[]()*_`#>-|!<~\\\"'=:", max_size=200))
def test_any_input_keeps_its_length_and_words(source: str) -> None:
    result = blank(source)
    assert len(result) == len(source)
    assert all(after in (before, " ") for before, after in zip(source, result, strict=True))


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# Salt in *wells* #\n\nPumps draw.", "Salt in wells"),
        ("Intro.\n\nSalt in wells\n===\n\nPumps draw.", "Salt in wells"),
        ('---\ntitle: "Salt in wells"\n---\n# Pumps\n', "Salt in wells"),
        ("## Pumps\n\nThey draw.", None),
        ("", None),
    ],
)
def test_the_title_is_metadata_and_moves_no_offsets(source: str, title: str | None) -> None:
    document = read_bytes(source.encode(), name="a.md")
    assert document.metadata.get("title") == title
    assert len(document.content) == len(source)


def test_a_line_that_begins_with_inline_code_opens_no_fence() -> None:
    document = read_bytes(b"```pump --fast``` starts the pump.\n\nSalt water moves inland.\n", name="a.md")
    assert document.text.split() == "pump --fast starts the pump. Salt water moves inland.".split()
