"""Tables as CSV that spreadsheets show as they are.

A cell that begins with `=`, `+`, `-` or `@` is a formula to a spreadsheet, also where it comes out of somebody's
document, and formulas can call programs and send data away. An apostrophe before it makes it text, as OWASP recommends
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

from collections.abc import Iterable, Sequence

FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV. Texts that a spreadsheet would take for formulas begin with an apostrophe; numbers never."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    text = "" if value is None else as_text(value) if isinstance(value, str) else str(value)
    # Not by the module csv: before Python 3.13 it leaves a carriage return without quotes.
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


def as_text(cell: str) -> str:
    """Return a cell that is shown, not calculated."""
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
