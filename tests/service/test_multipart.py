"""Forms are split into parts, however they arrive."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.service import multipart
from phrasemill.service.problems import Refusal

BOUNDARY = "frontier"
TYPE = f"multipart/form-data; boundary={BOUNDARY}"
PIECES = [b"--", b"\r\n", b"--frontier", b"\r\n--front", b"salt", b"\0"]
CONTENT = st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join)
SOUND = CONTENT.filter(lambda content: b"\r\n--frontier" not in b"\r\n" + content)


def form(parts: list[tuple[str, bytes]]) -> bytes:
    """A form with files of these names and contents."""
    made = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
        + content
        + b"\r\n"
        for name, content in parts
    )
    return made + f"--{BOUNDARY}--\r\n".encode()


@given(
    st.lists(SOUND, min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_files_are_whole_however_the_body_is_cut(contents: list[bytes], length: int) -> None:
    body = form([(f"folder/{i}.txt", content) for i, content in enumerate(contents)])
    pieces = [body[at : at + length] for at in range(0, len(body), length)]
    ended: list[object] = []
    found = multipart.parts(pieces, TYPE, files=10, ended=ended.append)
    assert [(part.name, part.file.getvalue()) for part in found.files] == [
        (f"folder/{i}.txt", content) for i, content in enumerate(contents)
    ]
    assert ended == [part.file for part in found.files]


@pytest.mark.parametrize("cut", [1, 10, 30, -5])
def test_a_form_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(Refusal) as refused:
        multipart.parts([form([("a.txt", b"salt")])[:cut]], TYPE, files=1)
    assert refused.value.kind == "malformed-request"


def test_too_many_files_are_refused_before_they_are_opened() -> None:
    opened: list[int] = []

    def sink(number: int) -> BytesIO:
        opened.append(number)
        return BytesIO()

    with pytest.raises(Refusal) as refused:
        multipart.parts([form([("a.txt", b""), ("b.txt", b""), ("c.txt", b"")])], TYPE, files=2, opened=sink)
    assert refused.value.kind == "too-many-documents"
    assert opened == [0, 1]
