"""The server: one process that answers HTTP, and its workers.

SIGTERM or Ctrl-C: /readyz answers 503, after `drain` seconds no connection is accepted any more, what was accepted is
finished, and the workers end. A second signal ends the drain at once.
"""

import asyncio
import ctypes
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fastapi import FastAPI
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from phrasemill.errors import ConfigError
from phrasemill.isolated import bound_memory
from phrasemill.service.limits import Limits
from phrasemill.service.log import Log

ENDS = (signal.SIGINT, signal.SIGTERM)
MMAP_THRESHOLD, LARGE = -3, 1 << 16  # a parameter of mallopt, and bytes
FILES = 256  # that are open besides connections: pipes to workers, models
LONGEST_HEAD = 1 << 14  # bytes
BACKLOG = 1024  # connections that wait to be accepted
CLOSING = 0.5  # seconds for Granian to stop accepting: it never ends if its socket is closed before


def listening(host: str, port: int, limits: Limits) -> socket.socket:
    """Return a socket bound to `host` and `port`; port 0 is any that is free."""
    if not 0 <= port <= 65535:
        raise ConfigError(f"port must be from 0 to 65535, got {port}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it: who does not read is hung up on
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * limits.pause))
        bound.bind(address)
        bound.listen(BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"cannot listen at {host} port {port}: {reason}; try --port 0 for a free one") from None
    bound.setblocking(False)
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
    with suppress(AttributeError, OSError, TypeError):  # not glibc, which keeps large blocks that count as used
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
    bound_memory(limits.server_memory(app.state.service.pool.workers))
    asyncio.run(_serve(app, bound, limits, log, drain, grace, started))


async def _serve(
    app: FastAPI,
    bound: socket.socket,
    limits: Limits,
    log: Log,
    drain: float,
    grace: float,
    started: Callable[[], None],
) -> None:
    loop, service = asyncio.get_running_loop(), app.state.service
    signals: asyncio.Queue[None] = asyncio.Queue()
    for number in ENDS:
        _on_signal(loop, number, lambda: signals.put_nowait(None))
    async with app.router.lifespan_context(app):
        server = _Server(
            app,
            bound,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=_connections(limits),
            http1_settings=HTTP1Settings(
                header_read_timeout=max(1, int(1000 * limits.head)), max_buffer_size=LONGEST_HEAD
            ),
            log_level=LogLevels.warning,
        )
        logger = logging.getLogger("_granian")
        logger.handlers, logger.propagate = [_ServerLog(log)], False
        serving = asyncio.ensure_future(server.serve())
        started()
        signalled = asyncio.ensure_future(signals.get())
        await asyncio.wait((serving, signalled), return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        service.draining = True
        await service.runner.stop()  # those who follow jobs would keep their connections open
        with suppress(TimeoutError):
            await asyncio.wait_for(signals.get(), drain)
        server.stop()  # type: ignore[no-untyped-call]
        await asyncio.sleep(CLOSING)
        with suppress(OSError):
            bound.shutdown(socket.SHUT_RD)  # refuses connections, whoever has the socket
        bound.close()
        await asyncio.wait((serving,), timeout=grace)
        serving.cancel()


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, do: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, do)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(do))


class _Server(Server):
    """Granian on a socket that is bound already."""

    def __init__(self, app: FastAPI, bound: socket.socket, **options: Any) -> None:
        super().__init__(app, **options)
        self._bound = bound

    def _init_shared_socket(self) -> None:
        self._shd: Any = SocketHolder(os.dup(self._bound.fileno()), False, BACKLOG)  # type: ignore[call-arg]


def _connections(limits: Limits) -> int:
    """Return the limit on open connections, after raising the limit on open files as far as that is allowed."""
    wanted = limits.connections
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


class _ServerLog(logging.Handler):
    """Messages of the server in our log: errors by their type only."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._log.failure(record.exc_info[1], request="")
        elif "experimental" not in record.getMessage():  # Granian says so of every embedded server
            self._log.write("server", level=record.levelname.lower(), message=record.getMessage().splitlines()[0])
