"""Values of fields, of any type, as text."""

import json
from datetime import date, datetime, time
from decimal import Decimal
from math import isnan

from phrasemill.text.language_codes import UNDETERMINED, known_language
from phrasemill.text.tokenise import sound

LONGEST_SHOWN = 40  # characters of a name


def as_text(value: object) -> str:
    """Return `value` as text: numbers, dates and the like as they are written; empty for null, NaN and blanks.

    A list of one value is that value, any other list or record its JSON.
    """
    if isinstance(value, str):
        return without_nul(value) if value.strip() else ""
    if is_nothing(value):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | Decimal):
        return str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return _decoded(value)
    if isinstance(value, list | tuple) and len(value) < 2:
        return as_text(value[0]) if value else ""
    if isinstance(value, list | tuple | dict):
        return _json(value) if value else ""
    return str(value)


def is_nothing(value: object) -> bool:
    """Return whether `value` is null or not a number."""
    return value is None or (isinstance(value, float | Decimal) and isnan(value)) or type(value).__name__ == "NaTType"


def _json(value: object) -> str:
    try:
        return without_nul(json.dumps(value, ensure_ascii=False, default=as_text))
    except (TypeError, ValueError, RecursionError):  # keys of odd types; lists in lists in lists
        return ""


def _decoded(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()
    return text if text.isprintable() else value.hex()


def as_language(value: object) -> str:
    """Return the code of a record's language: empty where it has none, undetermined where it is not known."""
    text = as_text(value)
    return (known_language(text) or UNDETERMINED) if text else ""


def shown(name: str) -> str:
    """Return the name of a field as an error can show it: short, and without control characters."""
    short = name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…"
    return "".join(character if character.isprintable() else "�" for character in short)


def without_nul(text: str) -> str:
    """Replace NULs, and lone surrogates, which JSON can spell; the length stays the same."""
    return sound(text.replace("\0", " "))
