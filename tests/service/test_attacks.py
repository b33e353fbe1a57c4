"""What people send who mean harm: every answer is one of ours, and the server goes on."""

import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from phrasemill.service import models
from phrasemill.service.problems import MEDIA_TYPE
from raw import HEAD, Raw
from served import Served, served, until

JSON = {"content-type": "application/json"}
ONE: dict[str, Any] = {"documents": [{"text": "Salt water moves inland when wells pump."}]}
SCORED: dict[str, Any] = {"predictions": [{"answers": {"a": ["salt water"]}}], "gold": {"answers": {"a": ["wells"]}}}
MIB = 1 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("attacks") / "logs", limits={"documents": 20, "step": 20.0}) as one:
        yield one


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as one:
        yield one
        assert one.get("/readyz").status_code == 200
    assert '"event": "error"' not in server.logs.read_text()


def sound(answer: httpx.Response, *expected: int) -> None:
    assert answer.status_code in expected, answer.text[:500]
    if answer.status_code != 200:
        assert answer.headers["content-type"] == MEDIA_TYPE
        assert len(answer.content) < 10_000
    json.loads(answer.content)


def with_(**changes: Any) -> bytes:
    return json.dumps({**ONE, **changes}).encode()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"null", 422),
        (b'"x"', 422),
        (b"\x00" * 100, 400),
        (b"[" * 9_000 + b"]" * 9_000, 400),
        (b'{"a":' * 9_000, 400),
        (b'{"documents":[{"text":' + b"[" * 900 + b"]" * 900 + b"}]}", 422),
        (b'{"documents":[' + b"{}," * 100_000 + b"{}]}", 413),
        (b'{"documents":[{"text":"a"}],"threshold":1e999999}', 422),
        (b'{"documents":[{"text":"a"}],"threshold":NaN}', 422),
        (b'{"documents":[{"text":"a"}],"top":Infinity}', 422),
        (b'{"documents":[{"text":"a"}],"top":' + b"9" * 100_000 + b"}", 400),
        (b'{"documents":[{"text":"a"}],"threshold":' + b"9" * 4_000 + b"}", 422),
        (b'{"documents":[{"text":"a"}],"documents":[{"text":"b"}]}', 200),
        (b'{"documents":[{"text":"salt \\ud800 water"}]}', 200),
        (b'{"documents":[{"text":"a"}],"method":"\\ud800"}', 422),
        (b'{"documents":[{"text":"a"}],"boost":{"\\ud800":1}}', 422),
        (b'{"documents":[{"text":"a"}],"\\ud800":1}', 422),
        (b"\xef\xbb\xbf" + with_(), 200),
        (with_().decode().encode("utf-16"), 400),
        (with_(method="learned\0"), 422),
        (with_(method="x(" * 400), 422),
        (with_(method="textrank(window=9**9**9)"), 422),
        (with_(method="textrank(" + "window=2," * 100 + ")"), 422),
        (with_(redundancy="meaning(meaning(meaning))"), 422),
        (with_(language="../../etc"), 422),
        (with_(language="😀" * 101), 422),
        (with_(exclude=["x"] * 1_001), 422),
        (with_(documents=[{"text": "salt\0water " * 100}]), 200),
        *[
            (with_(documents=[{"text": one * 100_000}]), 200)
            for one in ("a", "A. ", "(", "-", "1", "\u0301", "😀", "\u202e")
        ],
    ],
)
def test_strange_bodies(client: httpx.Client, body: bytes, status: int) -> None:
    sound(client.post("/v1/extract", content=body, headers=JSON), status)


@pytest.mark.parametrize(
    "changes",
    [
        {"predictions": [{"text": "[" * 100_000}]},
        {"predictions": [{"text": '{"a":' + "9" * 100_000 + "}"}]},
        {"predictions": [{"answers": [{"id": {}, "keyphrases": []}]}]},
        {"predictions": [{"answers": {"a": [["x", ["y"]]]}}]},
        {"predictions": [{"name": "x", "text": "?"}, {"name": "x", "text": "?"}]},
        {"metrics": ["F1@5"] * 51},
        {"metrics": ["F1(at=99999999999)"]},
        {"policy": {"stemmer": "../../etc"}},
        {"policy": {f"k{i}": 1 for i in range(1_000)}},
        {"resamples": 10**9},
        {"seed": -1},
    ],
)
def test_strange_scores(client: httpx.Client, changes: dict[str, Any]) -> None:
    sound(client.post("/v1/evaluate", json={**SCORED, **changes}), 422)


@pytest.mark.parametrize(
    "name", ["a.csv", "a.tsv", "a.jsonl", "a.csv.gz", "a.jsonl.zst", "a.pdf", "a.docx", "a.parquet"]
)
def test_empty_files_are_a_problem_of_their_own(client: httpx.Client, name: str) -> None:
    files = [("files", (name, b"")), ("files", ("b.txt", b"Salt water."))]
    answer = client.post("/v1/files", files=files)
    sound(answer, 200)
    empty, read = answer.json()["documents"]
    assert (empty["id"], empty["file"], empty["keyphrases"]) == (name, name, [])
    assert empty["problem"]["type"].endswith("unreadable-input")
    assert empty["problem"]["request"] == answer.headers["x-request-id"]
    assert read["keyphrases"]


def test_a_broken_file_is_one_failed_row_as_in_a_job(client: httpx.Client) -> None:
    files = {"files": ("broken.pdf", b"%PDF-1.4 nothing")}
    (row,) = client.post("/v1/files", files=files).json()["documents"]
    assert (row["id"], row["file"], row["keyphrases"]) == ("broken.pdf", "broken.pdf", [])
    job = client.post("/v1/jobs", files=files).json()["id"]
    until(lambda: client.get(f"/v1/jobs/{job}").json()["status"] == "done")
    (listed,) = client.get(f"/v1/jobs/{job}/documents").json()["documents"]
    assert row["problem"] | {"request": ""} == listed["problem"] | {"request": ""}


NAMES = [name for name, one in vars(models).items() if isinstance(one, type)]


@pytest.mark.parametrize("value", ["x", 3, [3], None, {}, {"text": 3, "answers": 3}, [[{}]]])
def test_no_error_names_a_class(client: httpx.Client, value: Any) -> None:
    for path, body in (
        *[("extract", {"documents": [one]}) for one in (value, {"text": value}, {"text": "a", "id": value})],
        *[("extract", {**ONE, name: value}) for name in ("documents", "boost", "top", "candidates", "language")],
        *[("sets", {**ONE, name: value}) for name in ("documents", "against", "top")],
        *[("evaluate", {**SCORED, name: value}) for name in ("predictions", "gold", "policy", "metrics")],
        ("evaluate", {**SCORED, "predictions": [value]}),
        ("extract", value),
        ("evaluate", value),
    ):
        answer = client.post(f"/v1/{path}", content=json.dumps(body), headers=JSON)
        sound(answer, 200, 422)
        assert [one for one in NAMES if re.search(rf"\b{one}\b", answer.text)] == []


def test_files_of_records_without_any(client: httpx.Client) -> None:
    for name, content in (("a.csv", b"id,text\n"), ("a.jsonl", b"\n\n \n"), ("a.csv.gz", gzip.compress(b""))):
        answer = client.post("/v1/files", files={"files": (name, content)})
        sound(answer, 200)
        (failed,) = answer.json()["documents"]
        assert failed["problem"]["type"].endswith("unreadable-input")


def test_records_that_cannot_be_read_are_problems_among_others(client: httpx.Client) -> None:
    lines = b'{"id": "x", "text": "salt water"}\nnothing\n{"text": 3}\n'
    answer = client.post("/v1/files", files={"files": ("a.jsonl", lines)})
    sound(answer, 200)
    found = [(one["id"], one.get("problem", {}).get("detail", "")) for one in answer.json()["documents"]]
    assert [id_ for id_, _ in found] == ["x", "a.jsonl", "a.jsonl (2)"]
    many = client.post("/v1/files", files={"files": ("a.jsonl", b"nothing\n" * 1_000_000)})
    assert many.json()["type"].endswith("too-many-documents")
    assert "line 2" in found[1][1]
    assert "line 3" in found[2][1]


def bomb(size: int, name: str = "word/document.xml") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(name, b"<w:document>" + b" " * size)
    return held.getvalue()


def entities() -> str:
    declared = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(9))
    return f"<!DOCTYPE x [{declared}]><article>&a9;</article>"


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.txt.gz", lambda: gzip.compress(b"\0" * (100 * MIB)), "unreadable-input"),
        ("a.jsonl.gz", lambda: gzip.compress(b'{"text": "salt"}\n' * MIB), "too-many-documents"),
        ("a.docx", lambda: bomb(100 * MIB), "unreadable-input"),
        ("a.docx", lambda: bomb(10, "word/nothing.xml"), "unreadable-input"),
        ("a.xml", lambda: entities().encode(), "unreadable-input"),
        ("a.xml", lambda: b"<article>" + b"<sec>" * 100_000, "unreadable-input"),
        ("a.html", lambda: b"<div>" * 50_000, "unreadable-input"),
        ("a.pdf", lambda: b"%PDF-1.4\n1 0 obj<</Type/Pages/Kids[1 0 R]/Count 99999>>endobj\n", "unreadable-input"),
        ("../../etc/passwd", lambda: b"salt water", ""),
        ("a\0b.txt", lambda: b"salt water", ""),
        ("x" * 5_000, lambda: b"salt water", "malformed-request"),
    ],
)
def test_bombs_and_odd_names(client: httpx.Client, name: str, content: Any, kind: str) -> None:
    answer = client.post("/v1/files", files={"files": (name, content())}, data={"extract": "false"})
    sound(answer, 200, 400, 413)
    (problem,) = [one.get("problem", {}) for one in answer.json().get("documents", [{"problem": answer.json()}])]
    assert problem.get("type", "").endswith(kind)
    assert ("type" in problem) == (kind != "")
    assert "etc" not in answer.text


def test_more_text_than_fits(tmp_path_factory: pytest.TempPathFactory) -> None:
    logs = tmp_path_factory.mktemp("text") / "logs"
    with served(logs, limits={"upload": 1_000, "answer": 2_000}) as one, one.client() as client:
        zipped = gzip.compress(b"salt water " * 300)
        (failed,) = client.post("/v1/files", files={"files": ("a.txt.gz", zipped)}).json()["documents"]
        assert failed["problem"]["type"].endswith("too-much-text")
        large = client.post("/v1/extract", json={"documents": [{"text": "salt wells " * 1_000}]})
        assert large.json()["type"].endswith("answer-too-large")


PART = b'--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nsalt\r\n'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--b",
        PART,
        PART[:-3],
        PART * 200 + b"--b--\r\n",
        b'--b\r\ncontent-disposition: form-data; name="top"\r\n\r\n5\r\n' * 100 + b"--b--\r\n",
        b'--b\r\ncontent-disposition: form-data; name="top"\r\n\r\n' + b"5" * 100_000 + b"\r\n--b--\r\n",
        b"--b\r\n" + b"x: y\r\n" * 50_000 + b"\r\n--b--\r\n",
        b"--b\r\ncontent-disposition: form-data\r\n\r\n\r\n--b--\r\n",
        b"\r\n" * 100_000,
    ],
)
def test_forms_that_are_broken(client: httpx.Client, body: bytes) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b; charset=zip"}
    sound(client.post("/v1/files", content=body, headers=headers), 400, 413, 422)


ODD = (b"", b'"', b"\\", b"{", b"]", b"\\ud800", b"1e999", b"\0", b"\r\n")


def mutated(draw: random.Random, data: bytes) -> bytes:
    """Return `data` with some bytes changed, left out, doubled or moved."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 5)):
        at, length = draw.randrange(len(found) + 1), draw.randint(0, 6)
        piece = found[at : at + length]
        odd = draw.choice(
            [b"", bytes([draw.randrange(256)]), piece * 3, b'"', b"\\", b"{", b"]", b"\\ud800", b"1e999", b"\0"]
        )
        found[at : at + length] = odd
    return bytes(found) or b"x"


def test_bodies_with_mistakes(client: httpx.Client, effort: int) -> None:
    draw = random.Random(effort)
    boosted = {**ONE, "boost": {"wells": 2}, "top": "all", "explain": True}
    for _ in range(40 * effort):
        for path, value in (("extract", boosted), ("sets", {**ONE, "against": ONE["documents"]}), ("evaluate", SCORED)):
            body = mutated(draw, json.dumps(value).encode())
            sound(client.post(f"/v1/{path}", content=body, headers=JSON), 200, 400, 413, 422)
        form = {"content-type": "multipart/form-data; boundary=b"}
        sound(client.post("/v1/files", content=mutated(draw, PART + b"--b--\r\n"), headers=form), 200, 400, 422)


def test_heads_with_mistakes(server: Served, client: httpx.Client, effort: int) -> None:
    draw = random.Random(effort)
    body = json.dumps(ONE)
    request = f"{HEAD}connection: close\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
    for _ in range(40 * effort):
        with Raw(server) as raw:
            raw.socket.sendall(mutated(draw, request))
            raw.socket.shutdown(1)
            answer = raw.heard()
        assert answer == "" or answer.startswith("HTTP/1.1 ")
        assert " 500 " not in answer[:20]
    until(lambda: "phrasemill_requests_under_way 0.0" in client.get("/metrics").text)
