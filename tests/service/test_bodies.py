"""Values are counted in the bytes of a body, before any of them exists."""

import json

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.service.guard import has_at_most

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(alphabet='a"\\,[{}]\n😀\ud800'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='a"\\,[{'), inner),
    max_leaves=20,
)


def count(value: object) -> int:
    """The values in `value` besides itself."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else max(1, len(inner)) + sum(map(count, inner))


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_values_are_counted_in_the_bytes(value: object, ascii_: bool, indent: int | None) -> None:
    body = json.dumps(value, ensure_ascii=ascii_, indent=indent).encode("utf-8", "surrogatepass")
    many = count(value)
    assert has_at_most(body, many)
    assert not has_at_most(body, many - 1)
