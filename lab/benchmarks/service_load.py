"""The service under load: many clients at once on the loopback, every answer checked, and then SIGTERM.

    python lab/benchmarks/service_load.py
    python lab/benchmarks/service_load.py --clients 200 --seconds 30 --workers 2

Starts `phrasemill serve`, prints how long the first answer takes, and lets each client request the keyphrases of one
text after the other on a connection of its own. At the end the server is stopped while all of them are sending: the
answers in its log must be those that clients received. Texts are sentences of the built-in example, in
different orders. Clients run in this process, beside the server, and share its cores.
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
from collections import Counter
from dataclasses import dataclass, field
from typing import IO

import phrasemill
from phrasemill_lab.bench.corpora import EXAMPLE
from phrasemill_lab.bench.scripts import parser, seconds_of, write_figures

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
    wrong: "Counter[str]" = field(default_factory=Counter)
    cut_short: int = 0
    counting: bool = True


def texts() -> list[str]:
    """Return texts of some sentences of the example, in random orders."""
    example = EXAMPLE.read_text(encoding="utf-8")
    sentences = re.split(r"(?<=[.!?”]) +(?=[A-Z“])", " ".join(example.split()))
    draw = random.Random(1)
    return [" ".join(draw.sample(sentences, min(SENTENCES, len(sentences)))) for _ in range(TEXTS)]


def request(text: str) -> bytes:
    body = json.dumps({"documents": [{"text": text}]}).encode()
    return HEAD.format(len(body)).encode() + body


def answer(text: str) -> object:
    return json.loads(json.dumps([keyphrase.to_dict() for keyphrase in phrasemill.extract(text)]))


async def client(number: int, port: int, tally: Tally) -> None:
    """Send requests until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    turn = number
    try:
        while True:
            turn = (turn + 1) % len(tally.requests)
            began = time.perf_counter()
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
                tally.times.append(time.perf_counter() - began)
            tally.answered += 1
            status = head[9:12].decode()
            if status != "200" or json.loads(body)["documents"][0]["keyphrases"] != tally.expected[turn]:
                tally.wrong[status] += 1
    finally:
        writer.close()


async def load(port: int, clients: int, seconds: float, server: "subprocess.Popen[str]", tally: Tally) -> None:
    tasks = [asyncio.create_task(client(i, port, tally)) for i in range(clients)]
    await asyncio.sleep(seconds)
    tally.counting = False
    server.send_signal(signal.SIGTERM)
    await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)


def started(workers: int, log: IO[str], *more: str) -> tuple["subprocess.Popen[str]", int]:
    """Start a server; return its process and its port."""
    options = ["--port", "0", "--no-open", "--workers", str(workers), *more]
    command = [sys.executable, "-m", "phrasemill", "serve", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert server.stdout is not None
    port = re.search(r":(\d+)/", server.stdout.readline())
    assert port is not None, "the server did not start"
    return server, int(port[1])


def first_answer(port: int, text: str) -> float:
    body = json.dumps({"documents": [{"text": text}]}).encode()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/v1/extract", body, {"content-type": "application/json"})
    return seconds_of(lambda: urllib.request.urlopen(asked, timeout=PATIENCE).read())


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def main() -> int:
    options = parser(__doc__, data=False)
    options.add_argument("--clients", type=int, default=200)
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--workers", type=int, default=2)
    given = options.parse_args()
    made = texts()
    tally = Tally([request(text) for text in made], [answer(text) for text in made])
    with tempfile.NamedTemporaryFile("w+") as log:
        began = time.perf_counter()
        server, port = started(given.workers, log)
        listening = time.perf_counter() - began
        first = first_answer(port, made[0])
        print(f"start: listening after {listening:.2f} s, first answer {first:.2f} s after the first request")
        following = first_answer(port, made[1])
        print(f"next answer: {1000 * following:.1f} ms")
        asyncio.run(load(port, given.clients, given.seconds, server, tally))
        code = server.wait(timeout=PATIENCE)
        log.seek(0)
        lines = [json.loads(line) for line in log]
    logged = sum(line.get("path") == "/v1/extract" and line["status"] == 200 for line in lines) - 2
    p50, p99 = (1000 * percentile(tally.times, share) for share in (0.5, 0.99))
    rate = len(tally.times) / given.seconds
    print(f"{given.clients} clients, {given.workers} workers, {given.seconds:.0f} s: {len(tally.times):,} answers")
    print(f"{rate:,.0f} requests per second; p50 {p50:.0f} ms, p99 {p99:.0f} ms; wrong: {dict(tally.wrong) or 'none'}")
    received = f"{tally.answered:,} received, {tally.cut_short} cut short"
    print(f"SIGTERM: {logged:,} answered by its log, {received}; exit {code}")
    write_figures(
        given.figures,
        requests_per_second=round(rate),
        p50_ms=round(p50),
        p99_ms=round(p99),
        answers=logged,
        listening_s=round(listening, 2),
        first_answer_s=round(listening + first, 2),
        next_answer_ms=round(1000 * following),
    )
    return int(bool(tally.wrong) or logged != tally.answered or tally.cut_short > 0 or code != 0)


if __name__ == "__main__":
    raise SystemExit(main())
