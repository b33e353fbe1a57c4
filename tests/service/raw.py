"""A connection on which a test says what it likes."""

import socket
from typing import Any

from served import PATIENCE, Served

HEAD = "POST /v1/extract HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


class Raw:
    """A connection to a server, without a library in between."""

    def __init__(self, server: Served) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: Any) -> None:
        self.socket.close()

    def say(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def begin(self, length: int = 1000) -> None:
        """Send the head of a request whose body is still to come, and one byte of that."""
        self.say(f"{HEAD}content-length: {length}\r\n\r\n{{")

    def ask(self, body: str) -> None:
        """Send a whole request."""
        self.say(f"{HEAD}content-length: {len(body.encode())}\r\n\r\n{body}")

    def heard(self) -> str:
        """Everything until the server hangs up."""
        found = b""
        try:
            while data := self.socket.recv(65536):
                found += data
        except ConnectionResetError:
            pass
        return found.decode()
