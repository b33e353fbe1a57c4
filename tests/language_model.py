"""A local endpoint like OpenAI's chat completions, with answers that tests choose."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TEXT = re.compile(r"<text>\n(.*)\n</text>", re.DOTALL)
Reply = tuple[int, dict[str, str], bytes]


def completion(content: object) -> Reply:
    """An answer as endpoints send it."""
    return 200, {}, json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


def first_words(body: dict[str, Any]) -> Reply:
    """What a dull model answers: the first long words of the text as quotes, and one topic."""
    found = TEXT.search(body["messages"][-1]["content"])
    words = dict.fromkeys(re.findall(r"[A-Za-z]{4,}", found[1] if found else ""))
    return completion(json.dumps({"quoted": list(words)[:8], "topics": ["applied hydrology"]}))


@dataclass
class Endpoint:
    """A running server: what it was asked, and how it answers."""

    url: str = ""
    reply: Callable[[dict[str, Any]], Reply] = first_words
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """A server on a free port of this machine."""
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.bodies.append(body)
            state.headers.append(dict(self.headers))
            status, headers, content = state.reply(body)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(ConnectionError):  # who asked did not wait
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
