"""The client, as far as it needs no server of ours; tests/service uses it against one."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from phrasemill import Document
from phrasemill.client import Client, ServiceError
from phrasemill.errors import InputError, MissingExtra


class Echo(BaseHTTPRequestHandler):
    """Remembers what is sent to it. Its answer is a document that carries the method and the path."""

    bodies: ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        asked = {"id": f"{self.command} {self.path}", "keyphrases": []}
        answer = json.dumps({"documents": [asked]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    server = HTTPServer(("127.0.0.1", 0), Echo)
    Thread(target=server.serve_forever, daemon=True).start()
    with Client(f"http://127.0.0.1:{server.server_port}") as one:
        yield one
    server.shutdown()
    server.server_close()


def test_a_folder_gives_its_files_under_its_own_name(client: Client, tmp_path: Path) -> None:
    (tmp_path / "papers" / "deep").mkdir(parents=True)
    for name in ("b.txt", "deep/a.pdf", ".hidden"):
        (tmp_path / "papers" / name).write_text(f"in {name}")
    client.extract_files([tmp_path / "papers", ("c.txt", b"text")], top=None, threshold=None, exclude=("a", "b"))
    sent = Echo.bodies[-1].decode()
    for name, content in (("papers/b.txt", "in b.txt"), ("papers/deep/a.pdf", "in deep/a.pdf"), ("c.txt", "text")):
        assert f'name="files"; filename="{name}"' in sent
        assert f"\r\n\r\n{content}\r\n" in sent
    assert 'name="top"\r\n\r\nall\r\n' in sent
    assert 'name="exclude"\r\n\r\na\nb\r\n' in sent
    assert "hidden" not in sent
    assert "threshold" not in sent


@pytest.mark.parametrize(
    ("files", "message"),
    [(["none.txt"], "none.txt: there is no such file"), ([], "there are no files to send"), ("a.txt", "got one")],
)
def test_files_that_are_not_there(client: Client, files: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        client.create_job(files)


def test_documents_are_sent_with_what_they_have(client: Client) -> None:
    (answer,) = client.extract(["text", Document("d", "text", language="de")], top=3, longest=None, boost=iter(["a"]))
    assert answer.id == "POST /v1/extract"
    documents = [{"text": "text"}, {"id": "d", "text": "text", "language": "de"}]
    assert json.loads(Echo.bodies[-1]) == {"documents": documents, "top": 3, "boost": ["a"]}
    with pytest.raises(InputError, match="got one text"):
        client.extract("text")


def test_tags_are_asked_for_and_corrected(client: Client) -> None:
    assert client.suggest_tags(["text"], limit=3)[0]["id"] == "POST /v1/tags/suggest"
    assert json.loads(Echo.bodies[-1]) == {"documents": [{"text": "text"}], "limit": 3}
    client.tag_feedback("text", accept={"a"})
    assert json.loads(Echo.bodies[-1]) == {"document": {"text": "text"}, "accept": ["a"]}


def test_a_server_that_is_not_there_is_one_line() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(InputError, match="cannot be reached"):
        client.listing("methods")


def test_a_problem_has_its_stable_name() -> None:
    problem = {"type": "urn:phrasemill:problem:busy", "title": "Busy", "status": 503, "detail": "", "request": "r"}
    error = ServiceError(problem)
    assert (str(error), error.kind, error.status, error.request) == ("Busy", "busy", 503, "r")


def test_without_httpx_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"phrasemill\[client\]"):
        Client("http://127.0.0.1:8000")
