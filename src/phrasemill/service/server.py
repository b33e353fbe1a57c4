"""The server: one process that answers HTTP, and its workers.

SIGTERM or Ctrl-C: /readyz answers 503, after `drain` seconds no connection is accepted any more, what was accepted is
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
from phrasemill.service.limits import Limits, bound_memory
from phrasemill.service.log import Log

ENDS = (signal.SIGINT, signal.SIGTERM)
MMAP_THRESHOLD, LARGE = -3, 1 << 16  # a parameter of mallopt, and bytes
FILES = 256  # that are open besides connections: pipes to workers, models


def listening(host: str, port: int) -> socket.socket:
    """Return a socket bound to `host` and `port`; port 0 is any that is free."""
    if not 0 <= port <= 65535:
        raise ConfigError(f"port must be from 0 to 65535, got {port}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"cannot listen at {host} port {port}: {reason}; try --port 0 for a free one") from None
    bound.set_inheritable(False)
    return bound


def run(
    app: FastAPI,
    bound: socket.socket,
    *,
    limits: Limits,
    log: Log,
    drain: float = 0.0,
    grace: float = 60.0,
    started: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal to stop; `started` is called when connections are accepted.

    This sets a memory limit for the process. A request that exceeds it is refused, and the server continues.
    """
    _log_into(log)
    _return_freed_memory()
    bound_memory(limits.server_memory(app.state.pool.workers))

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
    # uvicorn raises these signals again when it is done.
    before = {number: signal.signal(number, lambda *_: None) for number in ENDS}
    try:
        _Server(config, log, drain, started).run(sockets=[bound])
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
    def __init__(self, config: uvicorn.Config, log: Log, drain: float, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._log, self._drain, self._on_start = log, drain, started
        self._loop: asyncio.AbstractEventLoop | None = None
        self._signalled = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._log_error)
        await super().startup(sockets)
        if self.started:
            self._on_start()

    def _log_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what failed outside of any request, such as a connection for which there was no memory."""
        error = context.get("exception")
        if isinstance(error, MemoryError):
            gc.collect()
        if isinstance(error, BaseException):
            self._log.failure(error)
        else:
            self._log.write("error", level="error", message=str(context.get("message", "")))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        first, self._signalled = not self._signalled, True
        routes: Any = getattr(self.config.app, "state").routes  # noqa: B009 - an ASGI application of any kind, to uvicorn
        routes.draining = True
        if self._loop is not None:  # those who follow jobs would keep their connections open
            self._loop.call_soon_threadsafe(getattr(self.config.app, "state").jobs.close)  # noqa: B009
        if first and self._drain and self._loop is not None:
            stop = partial(super().handle_exit, sig, frame)
            self._loop.call_soon_threadsafe(self._loop.call_later, self._drain, stop)
        else:
            super().handle_exit(sig, frame)


class _UvicornLog(logging.Handler):
    """Messages of uvicorn in our log: errors by their type only."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._log.failure(record.exc_info[1], request="")
        elif record.levelno >= logging.WARNING:
            self._log.write("server", level=record.levelname.lower(), message=record.getMessage().splitlines()[0])


def _log_into(log: Log) -> None:
    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [_UvicornLog(log)], False
    logger.setLevel(logging.INFO)
