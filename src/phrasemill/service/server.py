"""The server: one process that answers, in front of the workers that work.

SIGTERM or Ctrl-C: /readyz says no, after `drain` seconds no connection is accepted any more, what was accepted is
finished, and the workers end. A second Ctrl-C ends it at once.
"""

import asyncio
import ctypes
import gc
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any, ClassVar

import uvicorn
from fastapi import FastAPI

from phrasemill.errors import ConfigError
from phrasemill.service.connections import Connection
from phrasemill.service.journal import Journal
from phrasemill.service.limits import Limits, bound_memory

ENDS = (signal.SIGINT, signal.SIGTERM)
MMAP_THRESHOLD, LARGE = -3, 1 << 16  # a parameter of mallopt, and bytes
FILES = 256  # that are open besides connections: pipes to workers, models


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to `host` and `port`; port 0 is any that is free."""
    if not 0 <= port <= 65535:
        raise ConfigError(f"port must be from 0 to 65535, got {port}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        said = error.strerror or str(error)
        raise ConfigError(f"cannot listen at {host} port {port}: {said}; try --port 0 for a free one") from None
    bound.set_inheritable(False)
    return bound


def run(
    app: FastAPI,
    bound: socket.socket,
    *,
    limits: Limits,
    journal: Journal,
    drain: float = 0.0,
    grace: float = 60.0,
    started: Callable[[], None] = lambda: None,
) -> None:
    """Answer until told to stop; `started` is called when connections are accepted.

    This sets a memory limit for the process. A request that exceeds it is refused, and the server goes on.
    """
    _log_into(journal)
    _return_freed_memory()
    bound_memory(limits.server_memory(app.state.crew.workers))

    class Bounded(Connection):
        patience = limits.head
        most = _connections(limits)
        idle: ClassVar[dict[Connection, None]] = {}

    config = uvicorn.Config(
        app,
        http=Bounded,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(max(limits.head, 1)),
        timeout_graceful_shutdown=int(grace),
    )
    before = {number: signal.signal(number, lambda *_: None) for number in ENDS}  # what uvicorn raises when it is done
    try:
        _Server(config, journal, drain, started).run(sockets=[bound])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _return_freed_memory() -> None:
    """Make glibc return large blocks to the system when they are freed; blocks it keeps count towards the limit."""
    with suppress(AttributeError, OSError, TypeError):  # not glibc
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def _connections(limits: Limits) -> int:
    """Return the limit on open connections, after raising the limit on open files as far as that is allowed."""
    wanted = limits.requests + limits.arriving + limits.idle
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + FILES:
        more = wanted + FILES if hard == resource.RLIM_INFINITY else min(wanted + FILES, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
        wanted = min(wanted, max(soft - FILES, 1))
    return wanted


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, journal: Journal, drain: float, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._journal, self._drain, self._tell = journal, drain, started
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._note)
        await super().startup(sockets)
        if self.started:
            self._tell()

    def _note(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what failed outside of any request, such as a connection for which there was no memory."""
        error = context.get("exception")
        if isinstance(error, MemoryError):
            gc.collect()
        if isinstance(error, BaseException):
            self._journal.failure(error)
        else:
            self._journal.write("error", level="error", message=str(context.get("message", "")))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        first, self._told = not self._told, True
        routes: Any = getattr(self.config.app, "state").routes  # noqa: B009 - an ASGI application of any kind, to uvicorn
        routes.draining = True
        if first and self._drain and self._loop is not None:
            stop = partial(super().handle_exit, sig, frame)
            self._loop.call_soon_threadsafe(self._loop.call_later, self._drain, stop)
        else:
            super().handle_exit(sig, frame)


class _Lines(logging.Handler):
    """What uvicorn has to say, in the journal: errors by their kind only."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._journal.failure(record.exc_info[1], request="")
        elif record.levelno >= logging.WARNING:
            self._journal.write("server", level=record.levelname.lower(), message=record.getMessage().splitlines()[0])


def _log_into(journal: Journal) -> None:
    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [_Lines(journal)], False
    logger.setLevel(logging.INFO)
