"""Latency and memory of the server while it receives hostile bodies.

    python lab/benchmarks/service_hostile.py
    python lab/benchmarks/service_hostile.py --clients 8

Starts `phrasemill serve` with one worker. For each kind of body, several clients send it at the same time, and another
requests /healthz in a loop: its longest wait shows how long the event loop was blocked. Clients run in this process, on
the same cores as the server.
"""

import http.client
import json
import re
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from phrasemill_lab.bench.scripts import parser
from service_load import started

SIZE = (16 << 20) - 200
UPLOAD = (64 << 20) - 400
PATIENCE = 300.0
PART = b'--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
END = b"\r\n--b--\r\n"


def listed(item: bytes) -> bytes:
    return b'{"documents":[' + b",".join([item] * (SIZE // (len(item) + 1))) + b"]}"


def text(words: str) -> bytes:
    body = json.dumps({"documents": [{"text": words * (SIZE // len(words.encode()))}]}, ensure_ascii=False)
    return body.encode()


def bodies() -> dict[str, tuple[str, bytes]]:
    """Return the body of each kind, with the path that it is sent to."""
    keys = b",".join(b'"%d":0' % number for number in range(SIZE // 12))
    phrases = b",".join([b'"x"'] * (SIZE // 4))
    return {
        "empty objects": ("/v1/extract", listed(b"{}")),
        "empty lists": ("/v1/extract", listed(b"[]")),
        "numbers": ("/v1/extract", listed(b"1")),
        "empty strings": ("/v1/extract", listed(b'""')),
        "keys": ("/v1/extract", b'{"documents":[{"text":"a",' + keys + b"}]}"),
        "brackets": ("/v1/extract", b"[" * SIZE),
        "escapes": ("/v1/extract", b'{"documents":[{"text":"' + rb"\u0041" * (SIZE // 6 - 10) + b'"}]}'),
        "one text": ("/v1/extract", text("salt water ")),
        "one text, beyond the basic plane": ("/v1/extract", text("salt water 💧 ")),
        "phrases to score": ("/v1/evaluate", b'{"predictions":[{"answers":{"a":[' + phrases + b"]}}]}"),
        "upload": ("/v1/files", PART + b"salt water " * (UPLOAD // 11) + END),
        "upload of almost boundaries": ("/v1/files", PART + b"\r\n--" * (UPLOAD // 4) + END),
        "upload of many parts": ("/v1/files", (PART + b"\r\n") * (UPLOAD // (len(PART) + 2)) + END),
    }


class Probe:
    """A thread that requests /healthz as often as it can, and keeps the longest wait."""

    def __init__(self, port: int) -> None:
        self._port, self.longest, self.on = port, 0.0, True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self.on:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
            began = time.perf_counter()
            try:
                while self.on:
                    began = time.perf_counter()
                    connection.request("GET", "/healthz")
                    connection.getresponse().read()
                    self.longest = max(self.longest, time.perf_counter() - began)
                    time.sleep(0.002)
            except (OSError, http.client.HTTPException):
                self.longest = max(self.longest, time.perf_counter() - began)
            finally:
                connection.close()


def sent(port: int, path: str, body: bytes) -> int:
    kind = "multipart/form-data; boundary=b" if path == "/v1/files" else "application/json"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("POST", path, body, {"content-type": kind})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
    return answer.status


def peak(process: int) -> int:
    """Return the most memory that a process had since the last call, in MB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    Path(f"/proc/{process}/clear_refs").write_text("5")
    return int(found[1]) >> 10 if found else 0


def main() -> int:
    options = parser(__doc__, data=False, measures=False)
    options.add_argument("--clients", type=int, default=4)
    given = options.parse_args()
    with tempfile.TemporaryFile("w") as log:
        server, port = started(1, log, "--quiet")
    sent(port, "/v1/extract", text("wells ")[:100])
    worst = 0.0
    for name, (path, body) in bodies().items():
        peak(server.pid)
        probe = Probe(port)
        began = time.perf_counter()
        with ThreadPoolExecutor(given.clients) as clients:
            statuses = sorted(clients.map(lambda _, path=path, body=body: sent(port, path, body), range(given.clients)))
        seconds = time.perf_counter() - began
        probe.on = False
        worst = max(worst, probe.longest)
        print(
            f"{name:32} {given.clients} × {len(body) >> 20} MB in {seconds:5.1f} s: {statuses}, "
            f"/healthz waited {1000 * probe.longest:4.0f} ms at most, {peak(server.pid):4} MB",
            flush=True,
        )
    server.terminate()
    print(f"longest wait {1000 * worst:.0f} ms; exit {server.wait(timeout=PATIENCE)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
