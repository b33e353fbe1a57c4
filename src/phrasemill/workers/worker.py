"""What runs in a worker process: it prepares its task once, then answers one piece of work after the other.

Messages to the parent are tuples of a kind, a value and an error: `ready` once, then for each piece `begun` and `done`,
with `beat`s between them while long work makes progress. Running out of memory ends the process, wherever it happens,
because its state is unknown afterwards; the parent starts another one.
"""

import os
import pickle
import signal
import time
from multiprocessing.connection import Connection
from typing import Any

from phrasemill.errors import ConfigError

READY, BEGUN, BEAT, DONE = "ready", "begun", "beat", "done"
MEMORY = 12  # the exit code of a process that ran out of memory (ENOMEM)
BEATS = 1.0  # seconds between two beats, at least
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

    The default action of SIGALRM ends the process, so this also stops compiled code that never returns to Python.
    """
    if not hasattr(signal, "setitimer"):
        raise ConfigError("time limits require Linux, macOS or WSL; use timeout 0")
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _heartbeat.send()


def serve(fd: int) -> None:
    """Run a worker whose pipe has the file descriptor `fd`, until that is closed."""
    from queue import SimpleQueue
    from threading import Thread

    _die_with_parent()
    os.dup2(2, 1)  # keep what a method prints out of the parent's output
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    connection = _heartbeat.connection = Connection(fd)
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
