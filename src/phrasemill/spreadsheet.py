"""Tables as CSV without formulas.

Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula, even if it was copied from a document, and
formulas can run programs and send data elsewhere. A leading apostrophe makes the cell text, as OWASP recommends
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

from collections.abc import Iterable, Sequence

FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Format rows as CSV. Texts that look like formulas get a leading apostrophe; numbers never do."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    text = "" if value is None else as_text(value) if isinstance(value, str) else str(value)
    # The csv module of Python before 3.13 does not quote carriage returns.
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


def as_text(cell: str) -> str:
    """Return the cell with a leading apostrophe if a spreadsheet would take it for a formula."""
    start = cell.lstrip(" ")
    if start[:1] not in FORMULA or len(start) == 1 or _is_number(start):
        return cell
    return f"'{cell}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
