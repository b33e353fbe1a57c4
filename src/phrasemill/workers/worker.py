"""What runs in a worker process: it prepares its task once, then answers one piece of work after the other.

Messages to the parent are tuples of a kind, a value and an error: `ready` once, then for each piece `begun` and `done`,
with `beat`s between them while long work makes progress. Running out of memory ends the process, wherever it happens,
because its state is unknown afterwards; the parent starts another one.
"""

import os
import pickle
import signal
import sys
import time
import warnings
from multiprocessing.connection import Connection
from threading import Thread, Timer
from typing import Any

from phrasemill.errors import ConfigError, warning_line

READY, BEGUN, BEAT, DONE = "ready", "begun", "beat", "done"
MEMORY = 12  # the exit code of a process that ran out of memory (ENOMEM)
BEATS = 1.0  # seconds between two beats, at least
ALARMED = 14  # the exit code of a process that took too long, where there is no SIGALRM
PROBE = b""  # a piece that is answered without work
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux


class _Heartbeat:
    """Messages to the parent that work makes progress."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.last = 0.0

    def send(self) -> None:
        if self.connection is not None and (now := time.monotonic()) - self.last >= BEATS:
            self.last = now
            _send(self.connection, BEAT)


_heartbeat = _Heartbeat()


def alarm(seconds: float) -> None:
    """End this process unless called again within `seconds`; 0 cancels the limit.

    The default action of SIGALRM ends the process, so this also stops compiled code that never returns to Python. Where
    there is no such signal, a thread does it, and compiled code is left to the patience of the pool.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    else:
        _watchdog.set(seconds)
    _heartbeat.send()


class _Watchdog:
    """A thread that ends this process after some time."""

    def __init__(self) -> None:
        self._timer: Timer | None = None

    def set(self, seconds: float) -> None:
        """Start the time again; 0 stops it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds:
            self._timer = Timer(seconds, os._exit, (ALARMED,))
            self._timer.daemon = True
            self._timer.start()


_watchdog = _Watchdog()


def serve_pipe(number: int) -> None:
    """Run a worker whose end of a pipe has this file descriptor."""
    serve(Connection(number))


def serve_address(address: str) -> None:
    """Run a worker that connects to its parent; the key is what standard input holds."""
    from multiprocessing.connection import Client

    serve(Client(address, authkey=sys.stdin.buffer.read()))


def serve(connection: Connection) -> None:
    """Run a worker until its connection is closed."""
    from queue import SimpleQueue

    _die_with_parent()
    os.dup2(2, 1)  # keep what a method prints out of the parent's output
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _heartbeat.connection = connection
    warnings.formatwarning = warning_line
    pieces: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        """Read the next piece while the main thread works; end the process when the parent is gone."""
        try:
            while True:
                pieces.put(connection.recv_bytes())
        except MemoryError:
            os._exit(MEMORY)
        except BaseException:
            os._exit(0)

    Thread(target=read, daemon=True).start()
    try:
        work = _task(pieces.get()).prepare()
    except MemoryError:
        os._exit(MEMORY)
    except Exception as error:
        _send(connection, READY, error=error)
        return
    _send(connection, READY)
    while True:
        piece = pieces.get()
        _send(connection, BEGUN)
        try:
            _send(connection, DONE, work(pickle.loads(piece)) if piece != PROBE else None)
        except MemoryError:
            os._exit(MEMORY)
        except (Exception, SystemExit) as error:
            _send(connection, DONE, error=error)


def _send(connection: Connection, kind: str, value: Any = None, error: BaseException | None = None) -> None:
    """Send a message whole; a value that cannot be pickled raises before anything is sent."""
    data = pickle.dumps((kind, value, error and portable(error)))
    try:
        connection.send_bytes(data)
    except OSError:  # the parent is gone
        os._exit(0)


def _die_with_parent() -> None:
    """Ask Linux to end this process when its parent ends, even while it is stopped or in compiled code."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)
    except (AttributeError, ImportError, OSError, TypeError):  # elsewhere the thread that reads ends it
        return


def _task(data: bytes) -> Any:
    try:
        return pickle.loads(data)
    except (AttributeError, ImportError) as error:
        what = "worker processes cannot import the method; define its class in a module"
        raise ConfigError(f"{what}, not in a script, or leave out jobs ({error})") from None


def portable(error: BaseException) -> Exception:
    """Return `error`, or one with the same message that survives pickling."""
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:
        copy = None
    return copy if isinstance(copy, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
