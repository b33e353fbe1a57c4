"""Files that are opened, and what is refused because it could block or never end."""

import os
import socket
import sys
from pathlib import Path

import pytest

from phrasemill.errors import InputError, PhrasemillError
from phrasemill.files.opening import is_shell_pipe, open_file, reason
from phrasemill.readers import read

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def test_a_file_and_a_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"salt")
    (tmp_path / "link.txt").symlink_to("a.txt")
    for name in ("a.txt", "link.txt"):
        with open_file(tmp_path / name) as file:
            assert file.read() == b"salt"


@posix
def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    os.mkfifo(path)
    with pytest.raises(InputError) as raised:
        read(path)
    assert str(raised.value) == f"{path}: is a named pipe, not a file; to read from it, pipe it in and name - instead"


@posix
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("a.txt")
        with pytest.raises(InputError, match=r"a\.txt: is a socket, not a file"):
            read("a.txt")


@posix
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/dev/urandom"])
def test_a_device_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"{name}: is a device, not a file"):
        read(name)


@posix
def test_a_link_to_itself_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.symlink_to(path)
    with pytest.raises(InputError, match=r"a\.txt: is a symbolic link that leads back to itself"):
        read(path)


@posix
def test_a_pipe_that_a_shell_hands_over_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"salt in wells")
    os.close(writing)
    try:
        assert read(f"/dev/fd/{reading}").text == "salt in wells"
    finally:
        os.close(reading)


def test_which_names_are_those_of_a_shell() -> None:
    for name in ("/dev/stdin", "/dev/fd/63", "/proc/self/fd/0"):
        assert is_shell_pipe(name)
    for name in ("/dev/zero", "/dev/fd/../zero", "/dev/fd/63/", "dev/stdin", "/dev/tty"):
        assert not is_shell_pipe(name)


def test_reasons_in_words() -> None:
    assert reason(FileNotFoundError(2, "No such file")) == "no such file"
    assert reason(OSError(5, "Input/output error")) == "Input/output error"
    assert reason(ValueError("two\nlines")) == "two lines"
    assert reason(OSError()) == "OSError"


@posix
def test_models_tables_and_vocabularies_are_files(tmp_path: Path) -> None:
    from phrasemill.evaluation import read_answers
    from phrasemill.statistics import DocumentFrequencies
    from phrasemill.vocabulary import read_vocabulary

    for name in ("pipe", "pipe.npz", "pipe.txt"):
        os.mkfifo(tmp_path / name)
    for load, name in (
        (DocumentFrequencies.load, "pipe"),
        (DocumentFrequencies.load, "pipe.npz"),
        (read_vocabulary, "pipe.txt"),
        (read_answers, "pipe.txt"),
    ):
        with pytest.raises(PhrasemillError, match=f"{name}: is a named pipe, not a file"):
            load(tmp_path / name)  # type: ignore[operator]
