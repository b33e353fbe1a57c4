"""How many of our functions an extraction passes: few, so that it is fast and can be read in one sitting."""

import sys
from pathlib import Path
from types import FrameType

import pytest

import phrasemill as pm
from written import TEXTS

MOST = 15
SOURCE = str(Path(pm.__file__).parent)


def passed(text: str) -> list[str]:
    """Return the named functions of ours, above the kernels, that `extract` calls once everything is loaded."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<"):
            found[f"{Path(code.co_filename).relative_to(SOURCE)}:{code.co_qualname}"] = None

    for _ in range(2):
        pm.extract(text)
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        pm.extract(text)
    finally:
        sys.setprofile(before)
    return list(found)


# Full names and quotes of news, and labels such as `Methods:`, are looked at by functions of their own.
MORE = {"everyday prose": 1, "news": 10}
LABELS = 5


@pytest.mark.parametrize("kind", TEXTS)
def test_an_extraction_is_a_short_walk(kind: str) -> None:
    for text in TEXTS[kind]:
        found = passed(text)
        assert len(found) <= MOST + MORE.get(kind, 0) + LABELS * (": " in text), "\n".join(found)
