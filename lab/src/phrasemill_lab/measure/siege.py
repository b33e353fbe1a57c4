"""The service under siege: how soon it still answers /healthz, and how fast and large it is over many requests.

    python -m phrasemill_lab.measure.siege [--seconds 20] [--requests 20000] [PHRASEMILL]...

For each command (by default `phrasemill`), a server with two workers on the loopback. First the siege: 60 clients that
extract, 200 heads and 100 bodies that arrive slowly, 100 clients that do not read their answers, and a worker killed
every 4 seconds, while another process asks for /healthz. Then, on a new server, requests one after the other on 32
connections: their rate and times, and the memory of the server and its workers before and after.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CLIENTS, HEADS, BODIES, DEAF = 60, 200, 100, 100
KILL, PROBE = 4.0, 0.1  # seconds between two
CONNECTIONS = 32
PATIENCE = 120.0
TEXT = "When pumps draw too much groundwater, salt water moves inland and spoils the coastal wells. " * 8
BODY = json.dumps({"documents": [{"text": TEXT}]}).encode()
HEAD = "POST {} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n"
ASKED = HEAD.format("/v1/extract", "application/json", len(BODY)).encode() + BODY
PART = '--b\r\ncontent-disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
FORM = (
    PART.format("files", '; filename="a.txt"', "salt water " * 400_000) + PART.format("extract", "", "false") + "--b--"
)
UNREAD = (HEAD.format("/v1/files", "multipart/form-data; boundary=b", len(FORM)) + FORM).encode()


@contextmanager
def served(command: str) -> "Iterator[tuple[subprocess.Popen[str], int]]":
    """A server, ready for work, and its port."""
    options = ["serve", "--port", "0", "--no-open", "--workers", "2", "--quiet"]
    server = subprocess.Popen([command, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found is not None, "the server did not start"
        end = time.monotonic() + PATIENCE
        while asyncio.run(_status(int(found[1]), "/readyz")) != 200:
            assert time.monotonic() < end, "the server is not ready"
            time.sleep(0.2)
        yield server, int(found[1])
    finally:
        server.kill()
        server.wait()


async def _status(port: int, path: str) -> int:
    """Return the status of an answer on a connection of its own; 0 if there is none."""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        return int(head[9:12])
    return 0


def besieged(command: str, seconds: float) -> dict[str, Any]:
    """Return how soon /healthz was answered during the siege, and what the clients were answered."""
    statuses: Counter[str] = Counter()
    with served(command) as (server, port):
        probe = subprocess.Popen(
            [sys.executable, __file__, "--probe", str(port), "--seconds", str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
        )
        asyncio.run(_siege(port, server.pid, seconds, statuses))
        times = sorted(json.loads(probe.communicate(timeout=PATIENCE)[0]))
        memory = _memory(server.pid)
    found = {"healthz": len(times), "p50 ms": _at(times, 0.5), "p99 ms": _at(times, 0.99), "most ms": _at(times, 1.0)}
    return found | {"server MB": memory, "answers": dict(sorted(statuses.items()))}


async def _siege(port: int, server: int, seconds: float, statuses: "Counter[str]") -> None:
    crowd = [_again(port, _extract, statuses) for _ in range(CLIENTS)] + [_killing(server, statuses)]
    for count, attack in ((HEADS, _slow_head), (BODIES, _slow_body), (DEAF, _deaf)):
        crowd += [_again(port, attack, statuses) for _ in range(count)]
    tasks = [asyncio.ensure_future(one) for one in crowd]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


Attack = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[str]]


async def _again(port: int, attack: Attack, statuses: "Counter[str]") -> None:
    """Attack, on a new connection each time."""
    await asyncio.sleep(random.random())
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        try:
            statuses[f"{attack.__name__.strip('_')} {await attack(reader, writer)}"] += 1
        except (OSError, asyncio.IncompleteReadError):
            statuses[f"{attack.__name__.strip('_')} hung up on"] += 1
        finally:
            writer.close()


async def _extract(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    writer.write(ASKED)
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    await reader.readexactly(int(length[1]) if length else 0)
    return head[9:12].decode()


async def _slow_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    for one in "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n":
        writer.write(one.encode())
        await writer.drain()
        with suppress(TimeoutError):
            return "ended" if not await asyncio.wait_for(reader.read(1), 1.0) else "answered"
    return "sent"


async def _slow_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    writer.write(ASKED[: -len(BODY)])
    for one in BODY:
        writer.write(bytes((one,)))
        await writer.drain()
        with suppress(TimeoutError):
            return (await asyncio.wait_for(reader.read(12), 2.0))[9:12].decode() or "ended"
    return "sent"


async def _deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(UNREAD)
    await writer.drain()
    await asyncio.sleep(15.0)
    return "left"


async def _killing(server: int, statuses: "Counter[str]") -> None:
    while True:
        await asyncio.sleep(KILL)
        with suppress(OSError, IndexError):
            os.kill(random.choice(_workers(server)), signal.SIGKILL)
            statuses["workers killed"] += 1


def loaded(command: str, requests: int) -> dict[str, Any]:
    """Return the rate and times of requests, and the memory before and after."""
    with served(command) as (server, port):
        asyncio.run(_requests(port, 200))
        before = _memory(server.pid), sum(map(_memory, _workers(server.pid)))
        begun = time.perf_counter()
        times = sorted(asyncio.run(_requests(port, requests)))
        seconds = time.perf_counter() - begun
        after = _memory(server.pid), sum(map(_memory, _workers(server.pid)))
    found = {"requests": len(times), "per s": round(len(times) / seconds), "p50 ms": _at(times, 0.5)}
    return found | {"p99 ms": _at(times, 0.99), "server MB": [before[0], after[0]], "workers MB": [before[1], after[1]]}


async def _requests(port: int, count: int) -> list[float]:
    times: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while len(times) < count:
            begun = time.perf_counter()
            if await _extract(reader, writer) != "200":
                raise AssertionError("a request failed")
            times.append(time.perf_counter() - begun)
        writer.close()

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return times


def _workers(server: int) -> list[int]:
    """The processes of the workers."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if f"\nPPid:\t{server}\n" in status.read_text():
                found.append(int(status.parent.name))
    return found


def _memory(process: int) -> int:
    """The megabytes that a process has in memory."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) // 1024 if found else 0


def _at(times: list[float], share: float) -> float:
    return round(1000 * times[int(share * (len(times) - 1))], 1) if times else 0.0


def _probed(port: int, seconds: float) -> list[float]:
    """Ask for /healthz again and again; return how long each answer took."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        assert asyncio.run(_status(port, "/healthz")) == 200
        times.append(time.perf_counter() - begun)
        time.sleep(PROBE)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", default=["phrasemill"], metavar="PHRASEMILL")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--probe", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.probe:
        print(json.dumps(_probed(given.probe, given.seconds)))
        return
    for command in given.commands:
        if given.seconds:
            print(command, "under siege:", json.dumps(besieged(command, given.seconds)), flush=True)
        if given.requests:
            print(command, "under load:", json.dumps(loaded(command, given.requests)), flush=True)


if __name__ == "__main__":
    main()
