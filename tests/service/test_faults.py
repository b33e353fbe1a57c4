"""What goes wrong outside: clients that are slow, large or broken, documents that do harm, and the end."""

import os
import re
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from phrasemill.service.problems import PREFIX
from raw import Raw
from served import PATIENCE, Served, served, until

MIB = 1 << 20


def post(server: Served, documents: list[str], method: str = "faulty") -> httpx.Response:
    with server.client() as client:
        body = {"documents": [{"text": text} for text in documents], "method": method}
        return client.post("/v1/extract", json=body)


def kind(answer: httpx.Response) -> str:
    return str(answer.json()["type"]).removeprefix(PREFIX)


def test_a_document_that_hangs_is_cut_off_and_the_others_are_not(narrow: Served) -> None:
    answer = post(narrow, ["one text", "HANG", "two texts"])
    assert answer.status_code == 200
    first, hung, last = answer.json()["documents"]
    assert (first["keyphrases"][0]["text"], last["keyphrases"][0]["text"]) == ("one", "two")
    assert hung["problem"]["type"] == PREFIX + "time-limit"
    alone = post(narrow, ["HANG"])
    assert (alone.status_code, kind(alone)) == (422, "time-limit")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("CRASH", "crashed"),
        ("EXIT", "crashed"),
        ("MEMORY", "memory-limit"),
        ("ERROR", "internal-error"),
        ("QUIT", "internal-error"),
    ],
)
def test_a_document_that_does_harm_hurts_no_other(narrow: Served, text: str, problem: str) -> None:
    answer = post(narrow, [text, "fine words"])
    bad, good = answer.json()["documents"]
    assert bad["problem"]["type"] == PREFIX + problem
    assert good["keyphrases"][0]["text"] == "fine"
    assert "the text says" not in answer.text


def test_a_body_that_is_too_large(narrow: Served) -> None:
    with narrow.client() as client:
        large = {"documents": [{"text": "x" * 60_000}]}
        assert kind(client.post("/v1/extract", json=large)) == "body-too-large"
        pieces = (b"x" * 10_000 for _ in range(20))
        headers = {"content-type": "application/json"}
        assert kind(client.post("/v1/extract", content=pieces, headers=headers)) == "body-too-large"
        assert client.post("/v1/files", files={"files": b"x" * 200_000}).status_code == 413
        assert client.post("/v1/extract", json={"documents": [{"text": "fine"}]}).status_code == 200


def test_multipart_that_is_broken(narrow: Served) -> None:
    with narrow.client() as client:
        for body, boundary in (
            (b"--b\r\nnonsense", "b"),
            (b"--b\r\nContent-Disposition: form-data; name=files; filename=a\r\n\r\ntext", "b"),
            (b"", "b"),
            (b"text", ""),
        ):
            kind_ = f"multipart/form-data; boundary={boundary}" if boundary else "multipart/form-data"
            answer = client.post("/v1/files", content=body, headers={"content-type": kind_})
            assert answer.status_code in (400, 422), answer.text
            assert answer.headers["content-type"] == "application/problem+json"


def test_clients_that_are_slow_are_not_waited_for(narrow: Served) -> None:
    with Raw(narrow) as slow, Raw(narrow) as silent, Raw(narrow) as stuttering:
        slow.begin()
        stuttering.say("POST /v1/extract HT")
        assert slow.heard().startswith("HTTP/1.1 408 ")
        assert silent.heard() == ""
        assert stuttering.heard() == ""


def form(text: str) -> str:
    """A request for the text of a file."""
    part = f'--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n{text}'
    body = f'{part}\r\n--b\r\ncontent-disposition: form-data; name="extract"\r\n\r\nfalse\r\n--b--\r\n'
    head = "POST /v1/files HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n{body}"


def test_a_client_that_does_not_read_its_answer_is_left(tmp_path: Path) -> None:
    limits = {"pause": 1.0, "head": 1.0}
    with served(tmp_path / "logs", limits=limits) as server, server.client() as client, Raw(server) as deaf:
        deaf.say(form("salt water " * 1_500_000))
        until(lambda: '"/v1/files"' in server.logs.read_text())  # it has been given up
        assert "phrasemill_requests_under_way 0.0" in client.get("/metrics").text
        assert not deaf.heard().endswith("}")


def test_when_all_places_are_taken_others_are_told_to_come_back(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    options: dict[str, Any] = {"limits": {"requests": 2}, "pipe": str(pipe)}
    with served(tmp_path / "logs", **options) as server, server.client() as client, ThreadPoolExecutor(2) as threads:
        answers = [threads.submit(post, server, ["some text"], "patient") for _ in range(2)]
        until(lambda: "phrasemill_requests_under_way 2.0" in client.get("/metrics").text)
        answer = client.post("/v1/extract", json={"documents": [{"text": "fine"}]})
        assert (answer.status_code, kind(answer), answer.headers["retry-after"]) == (503, "busy", "1")
        assert client.get("/healthz").status_code == 200
        writer = os.open(pipe, os.O_RDWR)
        assert [answer.result().status_code for answer in answers] == [200, 200]
        os.close(writer)
        assert client.post("/v1/extract", json={"documents": [{"text": "fine"}]}).status_code == 200


def test_bodies_that_arrive_slowly_take_no_place_of_work(tmp_path: Path) -> None:
    limits = {"requests": 1, "arriving": 2, "pause": 120.0, "arrival": 240.0}
    with served(tmp_path / "logs", limits=limits) as server, server.client() as client:
        with Raw(server) as one, Raw(server) as two:
            one.begin()
            assert arriving(client, 1)
            assert client.post("/v1/extract", json={"documents": [{"text": "fine"}]}).status_code == 200
            two.begin()
            assert arriving(client, 2)
            assert client.post("/v1/extract", json={"documents": [{"text": "fine"}]}).status_code == 200
            assert one.heard().startswith("HTTP/1.1 408 "), "the slowest made room"
            assert arriving(client, 1)
        assert arriving(client, 0)


def arriving(client: httpx.Client, count: int) -> bool:
    until(lambda: f"phrasemill_requests_arriving {count}.0" in client.get("/metrics").text)
    return True


def test_one_client_cannot_take_all_places(tmp_path: Path) -> None:
    with served(tmp_path / "logs", limits={"per_client": 1}) as server, server.client() as client:
        with Raw(server) as one:
            one.begin()
            assert arriving(client, 1)
            answer = client.post("/v1/extract", json={"documents": [{"text": "fine"}]})
            assert (answer.status_code, kind(answer), answer.headers["retry-after"]) == (429, "too-many-requests", "1")
        assert arriving(client, 0)


def test_bodies_together_have_a_bound(tmp_path: Path) -> None:
    with served(tmp_path / "logs", limits={"job_disk": 1500}) as server, server.client() as client:
        with Raw(server) as one:
            one.begin(1200)
            one.say("x" * 1000)
            assert arriving(client, 1)
            answer = client.post("/v1/extract", json={"documents": [{"text": "x" * 600}]})
            assert (answer.status_code, kind(answer), answer.headers["retry-after"]) == (503, "busy", "1")
        assert arriving(client, 0)
        assert client.post("/v1/extract", json={"documents": [{"text": "x" * 600}]}).status_code == 200


def test_a_request_for_which_there_is_no_memory_is_refused_and_the_next_is_not(tmp_path: Path) -> None:
    with served(tmp_path / "logs") as one:
        used = re.search(r"VmData:\s+(\d+) kB", Path(f"/proc/{one.process.pid}/status").read_text())
    assert used is not None
    limits = {"server": int(used[1]) * 1024 + 96 * MIB, "upload": 100 * MIB}
    with served(tmp_path / "logs", limits=limits) as server, server.client() as client:
        large = client.post("/v1/files", files={"files": b"x" * (64 * MIB)})  # twice that, on its way to a worker
        assert (large.status_code, kind(large), large.headers["retry-after"]) == (503, "busy", "1")
        small = client.post("/v1/files", files={"files": b"salt water " * MIB}, data={"extract": "false"})
        assert small.status_code == 200
        assert client.get("/readyz").status_code == 200
    assert '"error": "MemoryError"' in (tmp_path / "logs").read_text()


def test_an_answer_that_is_read_slowly_takes_no_place_of_work(tmp_path: Path) -> None:
    with served(tmp_path / "logs", limits={"requests": 1}) as server, server.client() as client, Raw(server) as deaf:
        deaf.say(form("salt water " * MIB))
        assert deaf.socket.recv(1) == b"H"  # of the answer, of which it reads no more
        until(lambda: "phrasemill_requests_under_way 0.0" in client.get("/metrics").text)
        assert client.post("/v1/extract", json={"documents": [{"text": "fine"}]}).status_code == 200
        assert '"/v1/files"' not in server.logs.read_text(), "it is still being sent"


def test_told_to_stop_it_finishes_what_it_accepted(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with served(tmp_path / "logs", pipe=str(pipe), drain=600.0) as server, ThreadPoolExecutor(8) as threads:
        answers = [threads.submit(post, server, [f"word{i} here"], "patient") for i in range(6)]
        with server.client() as client:
            until(lambda: "phrasemill_requests_under_way 6.0" in client.get("/metrics").text)
            server.process.send_signal(signal.SIGTERM)
            until(lambda: client.get("/readyz").status_code == 503)
            answers.append(threads.submit(post, server, ["late word"], "patient"))  # still accepted while it drains
            until(lambda: "phrasemill_requests_under_way 7.0" in client.get("/metrics").text)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: not accepts(server))
        writer = os.open(pipe, os.O_RDWR)
        found = [answer.result(timeout=PATIENCE) for answer in answers]
        assert [answer.status_code for answer in found] == [200] * 7
        words = [answer.json()["documents"][0]["keyphrases"][0]["text"] for answer in found]
        assert words == [*(f"word{i}" for i in range(6)), "late"]
        assert server.process.wait(timeout=PATIENCE) == 0
        os.close(writer)


def accepts(server: Served) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE).close()
    except ConnectionError:
        return False
    return True
