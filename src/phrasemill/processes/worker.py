"""The life of a worker process."""

import os
import pickle
import signal
from multiprocessing.connection import Connection
from typing import Any

from phrasemill.errors import ConfigError


def alarm(seconds: float) -> None:
    """End this process unless called again within so many seconds; 0 takes it back.

    The signal's own action is to end the process, so this also stops compiled code that never returns to Python.
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)


def serve(fd: int) -> None:
    """The life of a worker."""
    from queue import SimpleQueue
    from threading import Thread

    os.dup2(2, 1)  # what a method prints is not the parent's output
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent decides
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    connection = Connection(fd)
    pieces: SimpleQueue[Any] = SimpleQueue()

    def read() -> None:
        try:
            while True:
                pieces.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)

    def say(answer: tuple[Any, Exception | None]) -> None:
        try:
            connection.send(answer)
        except OSError:  # nobody listens any more
            os._exit(0)

    Thread(target=read, daemon=True).start()
    try:
        work = _task(pieces.get()).prepare()
    except Exception as error:
        say((None, portable(error)))
        return
    say((None, None))
    while True:
        piece = pieces.get()
        try:
            value, wrong = work(pickle.loads(piece)), None
        except (Exception, SystemExit) as error:
            value, wrong = None, portable(error)
        say((value, wrong))


def _task(data: bytes) -> Any:
    try:
        return pickle.loads(data)
    except (AttributeError, ImportError) as error:
        what = "worker processes do not find what they should run; put its class into a module that can be imported"
        raise ConfigError(f"{what}, not into a script, or leave out jobs ({error})") from None


def portable(error: BaseException) -> Exception:
    """`error`, or one that says the same and survives pickling."""
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:
        copy = None
    return copy if isinstance(copy, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
