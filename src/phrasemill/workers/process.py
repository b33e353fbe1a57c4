"""One worker process as its parent sees it: start it, exchange messages, watch it and end it.

Nothing here waits without a limit. A process may be killed at any moment, stopped (SIGSTOP), or stuck; the pipe may
fill up. Whatever happens, the parent finds out, ends the process and reports why.
"""

import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, Pipe
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, cast

from phrasemill.errors import PhrasemillError
from phrasemill.workers.worker import ALARMED, MEMORY, READY

START = "import sys; sys.path[:] = {path!r}; from phrasemill.workers.worker import {how}"
# Whether a process can inherit one end of a pipe by its number. Elsewhere (Windows) it connects to an address.
INHERITS = hasattr(signal, "SIGALRM")
EXIT_GRACE = 5.0  # seconds between the end of a worker's pipe and that of its process
POLL = 1.0  # seconds between two checks of a worker that is silent
LONGEST_START = 300.0  # seconds for a worker to load what it needs
LONGEST_TRANSFER = 30.0  # seconds for some bytes of a message to pass through the pipe
LONGEST_STOP = 5.0  # seconds that a worker may be stopped; a terminal stops and continues all processes at once
TIMED_OUT = "took longer than the time limit"
OUT_OF_MEMORY = "ran out of memory"
STOPPED = "its process was stopped and did not continue"
SILENT = "its process did not start in time"

Message = tuple[str, Any, Exception | None]


@dataclass(slots=True)
class WorkPiece:
    """A piece of work that a worker has; `sent` counts the workers that died before they began it."""

    key: Any
    work: Any
    sent: int = 0


class Worker:
    """A process with its pieces, in the order in which it answers them."""

    def __init__(self, task: bytes) -> None:
        self.pieces: deque[WorkPiece] = deque()
        self.begun = False  # whether it works on the first of them
        self._silent = self._stopped = 0.0  # seconds
        self._process, self.connection = _inheriting() if INHERITS else _connecting()
        self.send(task)

    def failure_to_start(self) -> str:
        """Wait until it is ready; return why it never will be, or "". Raise what the task raised."""
        while True:
            began = time.monotonic()
            if self.connection.poll(POLL):
                break
            if why := self.trouble(seconds_since(began), LONGEST_START):
                return self.end(SILENT if why == TIMED_OUT else why)
        message = self.receive()
        if message is None:
            return self.end()
        kind, _, error = message
        assert kind == READY
        if error is not None:
            self.end(grace=0.0)
            raise error
        return ""

    def send(self, data: bytes) -> bool:
        """Send a pickled task or piece; return False if the worker is gone or does not read."""
        try:
            self.connection.send_bytes(data)
        except OSError:
            return False
        return True

    def receive(self) -> Message | None:
        """Return the next message; None if the worker is gone, or stuck in the middle of it."""
        self._silent = self._stopped = 0.0
        try:
            return cast(Message, self.connection.recv())
        except (EOFError, OSError):
            return None

    def trouble(self, seconds: float, patience: float) -> str:
        """Return what is wrong with a worker that was silent for `seconds` more, or ""; `patience` 0 means no limit."""
        self._silent += seconds
        self._stopped = self._stopped + seconds if _is_stopped(self._process.pid) else 0.0
        if self._stopped >= LONGEST_STOP:
            return STOPPED
        return TIMED_OUT if patience and self._silent >= patience else ""

    @property
    def alive(self) -> bool:
        """Whether the process exists, is not stopped, and is not being ended by another thread.

        `end` closes the connection before it kills, so that is checked last.
        """
        there = not _is_stopped(self._process.pid) and self._process.poll() is None
        return there and not self.connection.closed

    @property
    def exited(self) -> bool:
        return self._process.poll() is not None

    @property
    def memory(self) -> int:
        """Return the bytes that the process has in memory; 0 if the system does not report them."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def end(self, why: str = "", *, grace: float = EXIT_GRACE) -> str:
        """End the process and return why: `why` if given, else by its exit code, waiting `grace` seconds for one."""
        self.connection.close()
        if not why and not _is_stopped(self._process.pid):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=grace)
        self._process.kill()
        code = self._process.wait()
        return why or _reason(code)


def _inheriting() -> "tuple[subprocess.Popen[bytes], Connection]":
    """Start a process that inherits its end of a pipe; return it and ours."""
    ours, theirs = Pipe()
    _limit(ours)
    number = theirs.fileno()
    code = START.format(path=sys.path, how=f"serve_pipe; serve_pipe({number})")
    with theirs:
        command = [sys.executable, "-c", code]
        process = _start(lambda: subprocess.Popen(command, pass_fds=[number], stdin=subprocess.DEVNULL))
    return process, ours


def _connecting() -> "tuple[subprocess.Popen[bytes], Connection]":
    """Start a process that connects to an address; return it and the connection. The key comes by standard input,
    where no other user can read it."""
    key = secrets.token_bytes(32)
    with Listener(authkey=key) as listener:
        code = START.format(path=sys.path, how=f"serve_address; serve_address({listener.address!r})")
        process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
        assert process.stdin is not None
        with suppress(OSError), process.stdin:
            process.stdin.write(key)
        # `accept` has no limit of its own: a process that ends before it connects is noticed here.
        accepted: SimpleQueue[Connection] = SimpleQueue()
        Thread(target=lambda: _accept(listener, accepted), daemon=True).start()
        began = time.monotonic()
        while process.poll() is None and time.monotonic() - began < LONGEST_START:
            with suppress(Empty):
                return process, accepted.get(timeout=POLL)
    process.kill()
    raise PhrasemillError(f"a worker process could not start: {_reason(process.wait())}")


def _accept(listener: Listener, accepted: "SimpleQueue[Connection]") -> None:
    with suppress(OSError, EOFError, AuthenticationError):  # closed, because the process ended
        accepted.put(listener.accept())


def seconds_since(began: float) -> float:
    """Return the seconds since a moment, without those during which this process itself was suspended."""
    return min(time.monotonic() - began, 2 * POLL)


def _limit(connection: Connection) -> None:
    """Let sending and receiving fail, not wait forever, if the other side is stuck."""
    limit = struct.pack("ll", int(LONGEST_TRANSFER), 0)
    end = socket.socket(fileno=os.dup(connection.fileno()))
    with end:
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            end.setsockopt(socket.SOL_SOCKET, option, limit)


def _is_stopped(pid: int) -> bool:
    if not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except OSError:
        return False


_starter: ThreadPoolExecutor | None = None


def _start(process: "Callable[[], subprocess.Popen[bytes]]") -> "subprocess.Popen[bytes]":
    """Start a process from a thread that lives as long as this process: Linux ends workers with the thread that
    started them, and the caller's may end before its pool does."""
    global _starter
    if _starter is None:
        _starter = ThreadPoolExecutor(1, thread_name_prefix="start workers")
        os.register_at_fork(after_in_child=_forget_starter)
    return _starter.submit(process).result()


def _forget_starter() -> None:
    """A forked process has none of its parent's threads."""
    global _starter
    _starter = None


def _reason(code: int) -> str:
    if code == MEMORY:
        return OUT_OF_MEMORY
    if code == ALARMED:
        return TIMED_OUT
    if code >= 0:
        return f"its process exited with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        return f"its process was ended by signal {-code}"
    if name == "SIGALRM":
        return TIMED_OUT
    if name == "SIGKILL":
        return "its process was killed (SIGKILL), possibly because memory ran out"
    return f"its process crashed ({name})"
