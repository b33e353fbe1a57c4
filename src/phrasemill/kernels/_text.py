"""Characters of a string, as kernels read them; compiled ones have _text.pxd, which needs no GIL."""

Letters = str


def letters(text: str) -> Letters:
    """Return what `at` reads."""
    return text


def at(text: Letters, i: int) -> str:
    """Return the character at `i`, which must be within the text."""
    return text[i]


def code_at(text: Letters, i: int) -> int:
    """Return the code point at `i`, which must be within the text."""
    return ord(text[i])


def is_upper_at(text: Letters, i: int) -> bool:
    """Return whether the character at `i` is a capital."""
    return text[i].isupper()
