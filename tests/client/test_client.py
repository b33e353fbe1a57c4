"""The client, as far as it needs no server; tests/service uses it against one."""

import sys
from pathlib import Path

import pytest

from phrasemill import Document
from phrasemill.client import AsyncClient, Client, ServiceError, calls
from phrasemill.client.late_files import LateFile
from phrasemill.errors import InputError, MissingExtra


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Client) == public(AsyncClient)


def test_a_folder_gives_its_files_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "papers" / "deep").mkdir(parents=True)
    for name in ("b.txt", "deep/a.pdf", ".hidden"):
        (tmp_path / "papers" / name).write_text(name)
    call = calls.create_job(
        [tmp_path / "papers", ("c.txt", b"text")], {"top": None, "threshold": None, "exclude": ("a", "b")}
    )
    assert sorted(name for name, _ in call.files) == ["c.txt", "papers/b.txt", "papers/deep/a.pdf"]
    assert call.form == {"top": "all", "exclude": "a\nb"}


@pytest.mark.parametrize(
    ("files", "message"),
    [(["none.txt"], "none.txt: there is no such file"), ([], "there are no files to send"), ("a.txt", "got one")],
)
def test_files_that_are_not_there(files: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        calls.create_job(files, {})


def test_documents_are_sent_with_what_they_have() -> None:
    assert calls.extract(["text"], {"top": None, "longest": None, "boost": iter(["a"])}).json == {
        "documents": [{"text": "text"}],
        "top": "all",
        "boost": ["a"],
    }
    call = calls.extract(["text", Document("d", "text", language="de")], {"top": 3})
    assert call.json == {"documents": [{"text": "text"}, {"id": "d", "text": "text", "language": "de"}], "top": 3}
    with pytest.raises(InputError, match="got one text"):
        calls.extract("text", {})


def test_a_late_file_reads_as_an_open_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"salt water")
    file = LateFile(path)
    assert file.seek(0, 2) == 10
    assert file.seek(0) == file.tell() == 0
    assert [file.read(4), file.read(4), file.read(4), file.read(4)] == [b"salt", b" wat", b"er", b""]
    assert file.seek(5) == 5
    assert file.read() == b"water"
    assert (file.seek(0), file.read(4), file.seek(0), file.read()) == (0, b"salt", 0, b"salt water")


def test_a_server_that_is_not_there_is_one_line() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(InputError, match="cannot be reached"):
        client.methods()


def test_a_problem_has_its_stable_name() -> None:
    problem = {"type": "urn:phrasemill:problem:busy", "title": "Busy", "status": 503, "detail": "", "request": "r"}
    error = ServiceError.of(problem)
    assert (str(error), error.kind, error.status, error.request) == ("Busy", "busy", 503, "r")


def test_without_httpx_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"phrasemill\[client\]"):
        Client("http://127.0.0.1:8000")
