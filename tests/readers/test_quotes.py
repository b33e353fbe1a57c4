"""Tables in which a quote is left open, and those that only look like it."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.errors import InputError
from phrasemill.readers import csv_rows, read_all_bytes
from phrasemill.types import Document


def read(table: str, *, largest: int = 64 << 20) -> tuple[list[Document], list[str]]:
    errors: list[InputError] = []
    found = list(read_all_bytes(table.encode(), name="a.csv", report=errors.append, largest=largest))
    return found, [str(error).removeprefix("a.csv, ") for error in errors]


def ids(table: str, **options: int) -> tuple[list[str], list[str]]:
    found, errors = read(table, **options)
    return [document.id for document in found], errors


OPEN = "the quote that opens here is never closed"


CELLS = st.text(alphabet='ab ,;"\n', max_size=12)


def rows(first: int, last: int, text: str = "salt in wells") -> str:
    return "".join(f"{i},{text}\n" for i in range(first, last + 1))


def numbers(*spans: tuple[int, int]) -> list[str]:
    return [str(i) for first, last in spans for i in range(first, last + 1)]


def test_a_quote_that_is_open_to_the_end_of_the_file_costs_its_row() -> None:
    table = "id,text\n" + rows(1, 9) + '10,"open\n' + rows(11, 58)
    assert ids(table) == (numbers((1, 9), (11, 58)), [f"line 11: {OPEN}"])


@pytest.mark.parametrize("text", ['"quoted, and sound"', '"over\ntwo lines"', '"with ""quotes"" in it"'])
def test_a_quote_that_is_open_to_the_next_one_costs_its_row(text: str) -> None:
    table = "id,text\n" + rows(1, 9) + '10,"open\n' + rows(11, 58) + rows(59, 62, text)
    assert ids(table) == (numbers((1, 9), (11, 62)), [f"line 11: {OPEN}"])


def test_every_cell_quoted_and_one_open() -> None:
    table = '"id","text"\n' + "".join(f'"{i}","salt{"" if i == 5 else chr(34)}\n' for i in range(1, 10))
    assert ids(table) == (numbers((1, 4), (6, 9)), [f"line 6: {OPEN}"])


def test_three_columns() -> None:
    table = "id,title,text\n" + rows(1, 3, "a,b") + '4,"open,b\n' + rows(5, 8, "a,b") + rows(9, 10, '"a, b",c')
    assert ids(table) == (numbers((1, 3), (5, 10)), [f"line 5: {OPEN}"])


def test_several_open_quotes() -> None:
    table = "id,text\n1,one\n" + '2,"open\n' + "3,three\n" + '4,"open\n' + "5,five\n"
    assert ids(table) == (["1", "3", "5"], [f"line 3: {OPEN}", f"line 5: {OPEN}"])


def test_cells_of_many_lines_are_cells() -> None:
    poem = "\n".join(f"line {i}, of a poem" for i in range(500))
    found, errors = read(f'id,text\n1,"{poem}"\n2,two\n3,"{poem}"\n')
    assert [document.text for document in found] == [poem, "two", poem]
    assert errors == []


@given(st.lists(st.tuples(CELLS, CELLS), max_size=12), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_whatever_a_program_writes_is_read_as_it_was(cells: list[tuple[str, str]], quoting: int) -> None:
    buffer = StringIO()
    writer = csv.writer(buffer, quoting=quoting, lineterminator="\n")
    writer.writerow(("id", "title", "text"))
    writer.writerows((i, title, f"x{text}") for i, (title, text) in enumerate(cells))
    found, errors = read(buffer.getvalue())
    expected = [(str(i), title if title.strip() else "", f"x{text}") for i, (title, text) in enumerate(cells)]
    assert [(one.id, one.title, one.text) for one in found] == [
        (id_, "" if text.startswith(f"{title}\n") else title, text) for id_, title, text in expected
    ]
    assert errors == []


def test_a_long_cell_that_breaks_off_is_one_failure_and_no_documents() -> None:
    prose = "\n".join("No comma here" if i % 3 else "but, here" for i in range(60))
    assert ids(f'id,text\n1,one\n2,"{prose}') == (["1"], [f"lines 3 to 62: {OPEN}"])


def test_quotes_within_a_cell_of_several_lines_are_read_as_most_programs_do() -> None:
    found, errors = read('id,text\n1,"first line\nsecond "line" of it\n2,two\n')
    assert [document.text for document in found] == ['first line\nsecond line" of it', "two"]
    assert errors == []


def test_quotes_within_a_cell_of_one_line() -> None:
    found, _ = read('id,text\n1,"a "quoted" word"\n2,a "quoted" word\n3,"space" after\n')
    assert [document.text for document in found] == ['a quoted" word"', 'a "quoted" word', "space after"]


def test_a_row_is_bounded() -> None:
    table = "id,text\n" + '1,"open\n' + rows(2, 200)
    assert ids(table, largest=500) == (numbers((2, 200)), [f"line 2: {OPEN}"])
    prose = "no comma at all\n" * 100
    found, errors = ids(f'id,text\n1,"{prose}"\n2,two\n', largest=500)
    assert found == ["2"]
    assert errors[0].startswith("lines 2 to 32: larger than 500 bytes, the largest document that is read")


@pytest.mark.parametrize("line", ['1,"open', 'a",x"b,"', ',",', '1,"""open', '"', '","', 'a,"b,"c'])
def test_quotes_on_every_line_are_read_in_linear_time(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = 0

    class Counting(csv_rows.Rows):
        def __next__(self) -> str:
            nonlocal given
            given += 1
            return super().__next__()

    monkeypatch.setattr("phrasemill.readers.csv.Rows", Counting)
    monkeypatch.setattr(csv_rows, "READ_AGAIN_FREELY", 1000)
    lines = 3_000
    read("id,text\n" + f"{line}\n" * lines)
    assert given < 12 * lines


def test_a_header_of_two_lines() -> None:
    found, errors = read('id,"text\nof it",body\n1,x,one\n')
    assert found == [Document("1", "one")]
    assert errors == []
    with pytest.raises(InputError, match=f"line 1: {OPEN}"):
        read('id,"text\n1,one\n')


def test_a_line_that_is_too_long_costs_its_row() -> None:
    table = "id,text\n1,one\n2," + "a" * 200 + "\n3,three\n"
    found, errors = ids(table, largest=100)
    assert found == ["1", "3"]
    assert errors[0].startswith("line 3: larger than 100 bytes")
    found, errors = ids('id,text\n1,one\n2,"open\n' + "a" * 200 + '"\n3,three\n', largest=100)
    assert found == ["1", "3"]
    assert errors[0] == f"line 3: {OPEN}"
