"""The service under load: many clients at once on the loopback, every answer checked, and then SIGTERM.

Starts `phrasemill serve`, measures the first answer, and lets each client request the keyphrases of one text after the
other on a connection of its own. At the end the server is stopped while all of them are sending: the answers in its log
must be those that clients received. Texts are sentences of the built-in example, in different orders. Clients run in
this process, beside the server, and share its cores.
"""

import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO

import phrasemill
from phrasemill.errors import PhrasemillError
from phrasemill_lab.measure import Report, Row, table
from phrasemill_lab.measure.fresh import EXAMPLE, environment, numbers

TEXTS = 200
SENTENCES = 8  # of a text: an abstract's length
PATIENCE = 60.0
HEAD = "POST /v1/extract HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n"


@dataclass(slots=True)
class Tally:
    """What clients received."""

    requests: list[bytes]
    expected: list[object]
    times: list[float] = field(default_factory=list)
    answered: int = 0
    wrong: int = 0
    cut_short: int = 0
    counting: bool = True


def measure(clients: int, seconds: float, workers: str) -> Report:
    """Measure with each number of workers."""
    example = " ".join(EXAMPLE.read_text(encoding="utf-8").split())
    sentences = re.split(r"(?<=[.!?”]) +(?=[A-Z“])", example)
    draw = random.Random(1)
    texts = [" ".join(draw.sample(sentences, min(SENTENCES, len(sentences)))) for _ in range(TEXTS)]
    expected = [json.loads(json.dumps([one.to_dict() for one in phrasemill.extract(text)])) for text in texts]
    rows = [_measured(texts, expected, clients, seconds, count) for count in numbers(workers, "--jobs")]
    lost = any(row["wrong"] or row["cut_short"] or row["exit_code"] or row["logged"] != row["answers"] for row in rows)
    return Report("service", rows, [table(f"The service, {seconds:g} s", rows)], failed=lost)


def _measured(texts: list[str], expected: list[object], clients: int, seconds: float, workers: int) -> Row:
    bodies = [json.dumps({"documents": [{"text": text}]}).encode() for text in texts]
    tally = Tally([HEAD.format(len(body)).encode() + body for body in bodies], expected)
    with tempfile.NamedTemporaryFile("w+") as log:
        begun = time.perf_counter()
        server, port = _started(workers, log)
        try:
            listening = time.perf_counter() - begun
            first, following = (_answer_time(port, body) for body in bodies[:2])
            with ThreadPoolExecutor(1) as thread:  # of its own, since an event loop may run in this one
                thread.submit(asyncio.run, _load(port, clients, seconds, server, tally)).result()
            code = server.wait(timeout=PATIENCE)
        finally:
            server.kill()
            server.communicate()
        log.seek(0)
        lines = [json.loads(line) for line in log]
    logged = sum(line.get("path") == "/v1/extract" and line["status"] == 200 for line in lines) - 2
    times = sorted(tally.times) or [0.0]
    p50, p99 = (1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
    row: Row = {"workers": workers, "clients": clients, "per_s": len(tally.times) / max(seconds, 1e-9)}
    row |= {"p50_ms": p50, "p99_ms": p99, "listening_s": listening, "first_answer_s": listening + first}
    row |= {"next_answer_ms": 1000 * following, "answers": tally.answered, "logged": logged, "wrong": tally.wrong}
    return row | {"cut_short": tally.cut_short, "exit_code": code}


def _started(workers: int, log: IO[str]) -> tuple["subprocess.Popen[str]", int]:
    """Start a server; return its process and its port."""
    options = ["--port", "0", "--no-open", "--workers", str(workers)]
    command = [sys.executable, "-m", "phrasemill", "serve", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment())
    assert server.stdout is not None
    port = re.search(r":(\d+)/", server.stdout.readline())
    if port is None:
        server.kill()
        log.seek(0)
        raise PhrasemillError(f"the server did not start: {log.read().strip()[-200:]}")
    return server, int(port[1])


def _answer_time(port: int, body: bytes) -> float:
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/v1/extract", body, {"content-type": "application/json"})
    begun = time.perf_counter()
    urllib.request.urlopen(asked, timeout=PATIENCE).read()
    return time.perf_counter() - begun


async def _load(port: int, clients: int, seconds: float, server: "subprocess.Popen[str]", tally: Tally) -> None:
    tasks = [asyncio.create_task(_client(i, port, tally)) for i in range(clients)]
    await asyncio.sleep(seconds)
    tally.counting = False
    server.send_signal(signal.SIGTERM)
    await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)


async def _client(turn: int, port: int, tally: Tally) -> None:
    """Send requests until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while True:
            turn = (turn + 1) % len(tally.requests)
            begun = time.perf_counter()
            try:
                writer.write(tally.requests[turn])
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as error:
                tally.cut_short += bool(error.partial)
                return
            except OSError:
                return
            length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
            try:
                body = await reader.readexactly(length)
            except (asyncio.IncompleteReadError, OSError):
                tally.cut_short += 1
                return
            if tally.counting:
                tally.times.append(time.perf_counter() - begun)
            tally.answered += 1
            right = head[9:12] == b"200" and json.loads(body)["documents"][0]["keyphrases"] == tally.expected[turn]
            tally.wrong += not right
    finally:
        writer.close()
