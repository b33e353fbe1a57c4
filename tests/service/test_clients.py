"""Clients that go away, speak strangely, or are many; and browsers that keep what they have."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from phrasemill.service.problems import PREFIX
from raw import HEAD, Raw
from served import Served, served, until

TEXT = {"documents": [{"text": "Salt water moves inland."}]}
LAST = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """A server with one worker, few connections, and a folder for what methods leave behind."""
    folder = tmp_path_factory.mktemp("clients")
    os.mkfifo(folder / "pipe")
    limits = {"requests": 4, "arriving": 4, "connections": 8, "head": 1.0}
    with served(folder / "logs", pipe=str(folder / "pipe"), marks=str(folder), limits=limits) as one:
        yield one, folder


def under_way(client: httpx.Client, count: int) -> None:
    until(lambda: f"phrasemill_requests_under_way {count}.0" in client.get("/metrics").text)


def test_a_client_that_goes_away_ends_its_work(crowded: tuple[Served, Path]) -> None:
    """What runs is cut off, or the only worker would never answer again; what waits is never begun."""
    server, folder = crowded
    patient = json.dumps({"documents": [{"text": "one"}, {"text": "two"}], "method": "patient"})
    marking = json.dumps({"documents": [{"id": "mark", "text": "STUMBLE"}], "method": "faulty"})
    with server.client() as client:
        with Raw(server) as running, Raw(server) as waiting:
            for raw, body in ((running, patient), (waiting, marking)):
                raw.ask(body)
            under_way(client, 2)
        under_way(client, 0)
        assert client.post("/v1/extract", json=TEXT).status_code == 200
    assert not (folder / "mark").exists()
    lines = [json.loads(line) for line in server.logs.read_text().splitlines()]
    assert sum(line.get("status") == 499 for line in lines) >= 2


def test_a_client_that_closes_its_half_has_gone_away(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    with server.client() as client, Raw(server) as half:
        half.ask(json.dumps({**TEXT, "method": "patient"}))
        under_way(client, 1)
        half.socket.shutdown(1)
        under_way(client, 0)


@pytest.mark.parametrize(
    "said",
    [
        f"{HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        f"{HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        f"{HEAD}content-length: +5\r\n\r\nhello",
        f"{HEAD}transfer-encoding: gzip\r\n\r\n",
        f"{HEAD}transfer-encoding: chunked\r\n\r\n" + "1\r\nx\r\n" * 2_000,
        f"{HEAD}transfer-encoding: chunked\r\n\r\n1;" + "a" * 40_000,
        "GET /healthz HTTP/1.1\r\nhost: x\r\n" + "a: b\r\n" * 10_000 + "\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\n" + "a: b\r\n" * 5_000 + "\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\n" + "a:b\r\n" * 4_500 + "\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\na: " + "b" * 20_000 + "\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\na: " + " " * 20_000 + "b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\na: " + "b" * 50_000 + "\r\n\r\n",
        "GET /" + "a" * 50_000 + " HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n",
        "\x16\x03\x01\x02\x00 hello",
    ],
)
def test_what_is_no_request_is_answered_once_and_hung_up_on(crowded: tuple[Served, Path], said: str) -> None:
    server, _ = crowded
    with Raw(server) as raw:
        raw.say(said + LAST)
        heard = raw.heard()
    # Of two lengths, a server may take the chunks if it hangs up then (RFC 9112, 6.1): nothing can hide behind them.
    ambiguous = "content-length: 0\r\ntransfer-encoding" in said
    assert heard.startswith(("HTTP/1.1 400 ", "HTTP/1.1 431 ", *(["HTTP/1.1 200 "] if ambiguous else [])))
    assert heard.count("HTTP/1.1 ") == 1
    head, _, body = heard.partition("\r\n\r\n")
    assert "connection: close" in head.lower()
    assert not body or ambiguous or json.loads(body)["type"] == f"{PREFIX}malformed-request"


def test_a_body_in_tiny_chunks_is_refused(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    body = "".join(f"1\r\n{one}\r\n" for one in json.dumps(TEXT) + " " * 2_000)
    with Raw(server) as raw:
        raw.say(f"{HEAD}transfer-encoding: chunked\r\n\r\n{body}0\r\n\r\n")
        assert "the chunks are too small" in raw.heard()


def test_a_head_of_16_kilobytes_is_read(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    start, end = "GET /healthz HTTP/1.1\r\nhost: x\r\na: ", "\r\n\r\n"
    with Raw(server) as raw:
        raw.say(start + "b" * (16_384 - len(start + end)) + end + LAST)
        assert raw.heard().count('{"status":"ok"}') == 2


def test_pipelined_requests_are_answered_in_order(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    bodies = [json.dumps({"documents": [{"id": str(i), "text": "word"}], "method": "faulty"}) for i in range(5)]
    with Raw(server) as raw:
        raw.say("".join(f"{HEAD}content-length: {len(body)}\r\n\r\n{body}" for body in bodies) + LAST)
        heard = raw.heard()
    assert re.findall(r'"id":"(\d)"', heard) == ["0", "1", "2", "3", "4"]
    assert heard.endswith('{"status":"ok"}')


def test_idle_connections_make_room_for_others(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    idle = [Raw(server) for _ in range(20)]
    idle[-1].say("GET /he")
    with server.client() as client:
        assert client.get("/healthz").status_code == 200
    for one in idle:
        assert one.heard() == ""
        one.socket.close()


def test_browsers_ask_once_for_what_does_not_change(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    with server.client() as client:
        for path in ("/", "/web/main.js", "/v1/methods", "/v1/languages"):
            found = client.get(path)
            assert found.headers["cache-control"] in ("no-cache", "private, no-cache")
            again = client.get(path, headers={"if-none-match": f'"other", {found.headers["etag"]}'})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == found.headers["etag"]
            assert client.get(path, headers={"if-none-match": '"other"'}).status_code == 200
        assert client.head("/web/main.js").headers["content-length"] == str(len(client.get("/web/main.js").content))
        assert client.post("/v1/extract", json=TEXT).headers["cache-control"] == "no-store"


def test_long_answers_are_compressed_for_those_who_accept_it(crowded: tuple[Served, Path]) -> None:
    server, _ = crowded
    with server.client() as client:
        body = {"documents": [{"text": f"Salt water moves inland past well {i}."} for i in range(20)]}
        plain = client.post("/v1/extract", json=body, headers={"accept-encoding": "identity"})
        for accepted in ("gzip", "br, gzip;q=0.5"):
            found = client.post("/v1/extract", json=body, headers={"accept-encoding": accepted})
            assert found.headers["content-encoding"] == "gzip"
            assert found.headers["vary"].lower() == "accept-encoding"
            assert found.content == plain.content
        for accepted in ("identity", "br"):
            assert (
                "content-encoding"
                not in client.post("/v1/extract", json=body, headers={"accept-encoding": accepted}).headers
            )
        for path in ("/", "/v1/methods", "/openapi.json"):
            assert client.get(path).headers["content-encoding"] == "gzip"
        assert "content-encoding" not in client.get("/healthz").headers, "too short"
