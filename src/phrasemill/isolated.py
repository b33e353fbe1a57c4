"""Work in processes that may die of it: a pool whose calls are futures.

    with Pool(task, jobs=2, seconds=30.0) as pool:
        value = pool.submit(piece).result()                      # in a thread
        value = await asyncio.wrap_future(pool.submit(piece))    # in an event loop
        for value in in_order(pool.submit, pieces, jobs=2): ...  # many pieces, as a stream

A `Task` is pickled to each worker, which prepares it once and then answers one piece after the other. Whatever a piece
does to its worker costs that piece alone: a crash, `os._exit`, an endless loop in compiled code, too much memory, a
stop (SIGSTOP). A fresh worker takes over. If a worker dies before it began a piece, another one gets it, once.

**What a call raises**: `Lost` if its worker ended, whose text is the reason (`TIMED_OUT`, `OUT_OF_MEMORY`, `STOPPED`, a
crash …); what the work raised, or a `RuntimeError` with its text if that cannot be pickled; and while no worker at all
can start, the reason: what `prepare` raised, or a `PhrasemillError`. Workers keep trying, every `RETRY` seconds.

**Order** is that of `submit`. There are no priorities: who has much to do keeps few calls in the queue. `cancel` drops
a call that waits. One that runs (`cancel` then returns False) has `SHORT` seconds to end before its worker is ended.

**Limits**: `seconds` for a call (0: none) is an alarm in the worker; work that calls `alarm` starts the time anew.
`LATE` seconds after that, and where there are no alarms (Windows), the pool ends a worker that is silent. `memory`
bounds what a worker allocates, in bytes (0: no limit, None: as this process); an idle worker that has grown to `GROWN`
of it is replaced.

Workers are fresh interpreters. Forking would copy a process that may have threads, with their locks as they happen to
be; and the start methods of `multiprocessing` that do not fork import the caller's script again, which then needs a
guard that people forget. Pieces and answers go through standard input and output, which every system has. No worker
outlives its parent. A thread drives each worker, and one more looks after those that are silent.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import Any, BinaryIO, Protocol

from phrasemill.errors import ConfigError, PhrasemillError, warning_line

START = "import sys; sys.path[:] = {path!r}; from phrasemill.isolated import serve; serve()"
AHEAD = 4  # pieces per worker that `in_order` has taken and not yet yielded
ATTEMPTS = 3  # workers that may die in a row before they are ready
POLL = 1.0  # seconds between two looks at a worker
RETRY = 1.0  # seconds before another attempt to start a worker
SHORT = 1.0  # seconds that a cancelled call may still run: replacing its worker costs about as much
LATE = 10.0  # seconds beyond a time limit after which a silent worker is ended; its own alarm comes first
LONGEST_START = 300.0  # seconds for a worker to prepare its task
LONGEST_STOP = 5.0  # seconds that a worker may be stopped; a terminal stops and continues all processes at once
EXIT_GRACE = 5.0  # seconds between the end of a worker's answers and that of its process
GROWN = 0.75  # of its memory limit
TIMED_OUT = "took longer than the time limit"
OUT_OF_MEMORY = "ran out of memory"
STOPPED = "its process was stopped and did not continue"
SILENT = "its process did not start in time"
CANCELLED = "was cancelled"
MEMORY = 12  # exit code: ENOMEM
BEGUN, BEAT, DONE, FAILED = range(4)  # kinds of messages to the parent
BEATS = 1.0  # seconds between two signs of life, at least
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux


class Task(Protocol):
    """What workers do. It is pickled, so its class must live in a module that can be imported."""

    def prepare(self) -> Callable[[Any], Any]:
        """Load what is needed, once in each worker, and return the function that answers a piece."""
        ...


class Lost(PhrasemillError):  # noqa: N818 - what happened to a call
    """The worker of a call ended, and why."""


class Call(Future[Any]):
    """A future whose `cancel` also ends work that runs."""

    def __init__(self, piece: bytes, seconds: float) -> None:
        super().__init__()
        self.piece, self.seconds, self.cancelled_at = piece, seconds, 0.0

    def cancel(self) -> bool:
        self.cancelled_at = self.cancelled_at or time.monotonic()
        return super().cancel()


class Pool:
    """`jobs` workers on one task. They start at the first `submit`, or with `start`.

    `on_failure` is called, in the thread of a worker, with each new reason for which it cannot start, and with errors
    of this process that cost a call.
    """

    def __init__(
        self,
        task: Task,
        *,
        jobs: int,
        seconds: float = 0.0,
        memory: int | None = None,
        on_failure: Callable[[BaseException], object] = lambda error: None,
    ) -> None:
        try:
            self._task = pickle.dumps(task)
        except Exception as error:
            raise ConfigError(f"this cannot be sent to worker processes: {error}; leave out `jobs`") from None
        self._seconds, self._memory, self._on_failure = seconds, memory, on_failure
        self._queue: SimpleQueue[Call | None] = SimpleQueue()
        self._closing, self._ending, self._starting = Event(), Event(), Lock()
        self._seats = [_Seat(self, f"worker {number}") for number in range(1, jobs + 1)]
        self._started = False

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the workers and return at once."""
        with self._starting:
            if not self._started:
                self._started = True
                for thread in (*self._seats, Thread(target=self._watch, daemon=True)):
                    thread.start()

    def submit(self, piece: Any, *, seconds: float | None = None) -> Call:
        """Return the future of what the task makes of `piece`, within `seconds` (None: as the pool says)."""
        call = Call(pickle.dumps(piece), self._seconds if seconds is None else seconds)
        if self.closed:
            raise ConfigError("this pool of workers is closed")
        self.start()
        self._queue.put(call)
        self._refuse()
        return call

    @property
    def alive(self) -> int:
        """How many workers can work at this moment."""
        return sum(seat.worker is not None and seat.worker.alive for seat in self._seats)

    @property
    def ready(self) -> bool:
        """Whether every worker was started (or cannot be), and at least one can work now."""
        tried = all(seat.started or seat.failure for seat in self._seats)
        return tried and not self.closed and self.alive > 0

    @property
    def started(self) -> bool:
        """Whether any worker has ever been ready."""
        return any(seat.started for seat in self._seats)

    @property
    def replaced(self) -> int:
        return sum(seat.replaced for seat in self._seats)

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    @property
    def closed(self) -> bool:
        return self._closing.is_set()

    @property
    def failure(self) -> BaseException | None:
        """Why no worker at all can start, or None."""
        return self._seats[0].failure if all(seat.failure for seat in self._seats) else None

    def close(self, grace: float = 0.0) -> None:
        """End the workers when all calls are answered, or after `grace` seconds. You can call it more than once."""
        self._closing.set()
        for _ in self._seats:
            self._queue.put(None)
        threads = [seat for seat in self._seats if seat.ident and seat is not current_thread()]
        deadline = time.monotonic() + grace
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._ending.set()
        self._refuse()
        for seat in self._seats:
            if seat.worker is not None:
                seat.worker.kill(CANCELLED)
        for thread in threads:
            thread.join()

    def _refuse(self) -> None:
        """Answer the calls that wait if no worker can start, and cancel them if the pool has ended."""
        failure, ended = self.failure, self._ending.is_set()
        if failure is None and not ended:
            return
        with suppress(Empty):
            while True:
                if (call := self._queue.get_nowait()) is None:
                    continue
                if ended:
                    call.cancel()
                if call.set_running_or_notify_cancel():
                    call.set_exception(portable(failure or Lost(CANCELLED)))
        if self.closed:  # who else waits for a call, waits for the end
            for _ in self._seats:
                self._queue.put(None)

    def _watch(self) -> None:
        """End workers that are stopped, silent for too long, or at work for nobody."""
        before = time.monotonic()
        while not self._ending.wait(POLL):
            before, passed = time.monotonic(), time.monotonic() - before
            for seat in self._seats:
                if (worker := seat.worker) is not None:
                    worker.watch(min(passed, 2 * POLL))  # this process itself may have been suspended


class _Seat(Thread):
    """The thread of one worker, and of its successors: Linux ends a process with the thread that started it."""

    def __init__(self, pool: Pool, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._pool = pool
        self.worker: _Worker | None = None
        self.failure: BaseException | None = None
        self.started, self.replaced = False, 0

    def run(self) -> None:
        """Answer calls until the pool ends, whatever fails."""
        while not self._pool._ending.is_set():
            call = None
            try:
                if (call := self._next()) is None:
                    break
                self._answer(call)
            except BaseException as error:  # in this process, not in the work
                with suppress(BaseException):  # memory may be too short even for this
                    self._fail(error, call)
        self._leave()

    def _next(self) -> Call | None:
        """Return the next call, or None at the end; while idle, replace a worker that died, stopped or grew."""
        limit = GROWN * (self._pool._memory or 0)
        while not self._pool._ending.is_set():
            worker = self.worker or self._start()
            try:
                call = self._pool._queue.get(timeout=POLL)
            except Empty:
                if not worker.alive or (limit and worker.memory > limit):
                    self._leave()
                    self.replaced += 1
                continue
            if call is None or call.set_running_or_notify_cancel():
                return call
        return None

    def _start(self) -> "_Worker":
        """Return a worker that is ready; a few may die first, for example while memory is short."""
        reason = ""
        for _ in range(ATTEMPTS):
            self.worker = worker = _Worker()
            try:
                if self._pool._ending.is_set():  # `close` did not see this worker
                    worker.kill(CANCELLED)
                worker.prepare(self._pool._task, self._pool._memory)
                self.failure, self.started = None, True
                return worker
            except Lost as lost:
                self.worker, reason = None, str(lost)
            except BaseException:
                self._leave()
                raise
        raise PhrasemillError(f"a worker process could not start, {ATTEMPTS} times in a row: {reason}")

    def _answer(self, call: Call) -> None:
        for last in (False, True):
            worker = self.worker or self._start()
            try:
                kind, data = worker.ask(call)
            except Lost as lost:
                self.worker, self.replaced = None, self.replaced + 1
                if worker.begun or last or self._pool._ending.is_set():
                    call.set_exception(lost)
                    return
            else:
                value = pickle.loads(data)
                if kind == FAILED:
                    call.set_exception(value)
                else:
                    call.set_result(value)
                return

    def _fail(self, error: BaseException, call: Call | None) -> None:
        """Report what failed in this process, or why no worker can start."""
        before, idle = self.failure, self.worker is None
        self._leave()
        if idle:
            self.failure = error
        if call is not None and not call.done():
            call.set_exception(error)
        if not idle or str(before) != str(error):
            self._pool._on_failure(error)
        if idle:
            self._pool._refuse()
            self._pool._closing.wait(RETRY)

    def _leave(self) -> None:
        """End the worker."""
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.kill(CANCELLED)
            worker.end()


class _Worker:
    """A process as its parent sees it: one thread asks it, another one may kill it."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", START.format(path=sys.path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._limit, self._silent, self._stopped, self._why = LONGEST_START, 0.0, 0.0, ""
        self._call: Call | None = None
        self._busy = self._prepared = self.begun = False

    def prepare(self, task: bytes, memory: int | None) -> None:
        """Wait until it is ready; raise what the task raised, or `Lost`."""
        kind, data = self._exchange((task, memory), LONGEST_START)
        if kind == FAILED:
            raise pickle.loads(data)
        self._prepared = True

    def ask(self, call: Call) -> tuple[int, bytes]:
        """Return the kind of the answer (`DONE` or `FAILED`) and the answer, or raise `Lost`."""
        self._call = call
        try:
            return self._exchange((call.piece, call.seconds), call.seconds + LATE if call.seconds else 0.0)
        finally:
            self._call = None

    def _exchange(self, message: tuple[bytes, float | None], limit: float) -> tuple[int, bytes]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._limit, self._silent, self._stopped, self.begun, self._busy = limit, 0.0, 0.0, False, True
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
            while True:
                kind, data = pickle.load(self._process.stdout)
                self._silent = 0.0
                if kind in (DONE, FAILED):
                    return kind, data
                self.begun = True
        except (EOFError, OSError, pickle.UnpicklingError):  # it ended, perhaps in the middle of a message
            raise Lost(self.end()) from None
        finally:
            self._busy = False

    def watch(self, passed: float) -> None:
        """Kill it if it is busy and stopped, silent or abandoned."""
        call = self._call
        if not self._busy:
            return
        self._silent += passed
        self._stopped = self._stopped + passed if self._is_stopped() else 0.0
        if self._stopped >= LONGEST_STOP:
            self.kill(STOPPED)
        elif self._limit and self._silent >= self._limit:
            self.kill(TIMED_OUT if self._prepared else SILENT)
        elif call is not None and call.cancelled_at and time.monotonic() - call.cancelled_at >= SHORT:
            self.kill(CANCELLED)

    @property
    def alive(self) -> bool:
        """Whether the process is ready, exists and is not stopped."""
        return self._prepared and not self._is_stopped() and self._process.poll() is None

    @property
    def memory(self) -> int:
        """The bytes that the process has in memory; 0 if the system does not report them."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def kill(self, why: str) -> None:
        self._why = self._why or why
        self._process.kill()

    def end(self) -> str:
        """End the process, and return why it ended: by whom it was killed, else by its exit code."""
        with suppress(subprocess.TimeoutExpired):
            if not self._is_stopped():
                self._process.wait(timeout=EXIT_GRACE)
        self._process.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what it did not read
                assert pipe is not None
                pipe.close()
        return self._why or _reason(code)

    def _is_stopped(self) -> bool:
        if not hasattr(os, "waitid"):
            return False
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        except OSError:
            return False


def _reason(code: int) -> str:
    if code == MEMORY:
        return OUT_OF_MEMORY
    if code >= 0:
        return f"its process exited with code {code}"
    known = {one.value: one.name for one in signal.Signals}
    name = known.get(-code, f"signal {-code}")
    if name == "SIGALRM":
        return TIMED_OUT
    if name == "SIGKILL":
        return "its process was killed (SIGKILL), possibly because memory ran out"
    return f"its process crashed ({name})"


def in_order(submit: Callable[[Any], Future[Any]], pieces: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """Yield what calls return in the order of their pieces, taking no more than keep `jobs` workers busy.

    An error is raised when it is the turn of its piece; what has not begun is then cancelled.
    """
    waiting: deque[Future[Any]] = deque()
    try:
        for piece in pieces:
            waiting.append(submit(piece))
            while waiting and (len(waiting) > AHEAD * jobs or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for call in waiting:
            call.cancel()


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_jobs(jobs: int | None) -> int:
    """Return `jobs`, or the number of cores where it is None."""
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ConfigError(f"jobs must be a whole number, 1 or more, got {jobs!r}")
    return jobs or cores()


# What runs in a worker.


class _Signs:
    """Where signs of life go, and when the last one went."""

    def __init__(self) -> None:
        self.parent: BinaryIO | None = None
        self.last = 0.0


_signs = _Signs()


def alarm(seconds: float) -> None:
    """End this process unless called again within `seconds`; 0 cancels the limit.

    The default action of SIGALRM ends the process, so this also stops compiled code that never returns to Python. Where
    there is no such signal, it is left to the pool, which hears of the call.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    if _signs.parent is not None and (now := time.monotonic()) - _signs.last >= BEATS:
        _signs.last = now
        _tell(BEAT)


def serve() -> None:
    """Run a worker until its standard input ends, or its parent."""
    with suppress(AttributeError, ImportError, OSError, TypeError):  # elsewhere the thread that reads ends it
        import ctypes

        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)  # even while it is stopped or in compiled code
    source, _signs.parent = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # keep what a method prints out of the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    warnings.formatwarning = warning_line
    pieces: SimpleQueue[tuple[bytes, Any]] = SimpleQueue()

    def read() -> None:
        """Read the next piece while the main thread works; end the process when the parent is gone."""
        try:
            while True:
                pieces.put(pickle.load(source))
        except MemoryError:
            os._exit(MEMORY)
        except BaseException:
            os._exit(0)

    Thread(target=read, daemon=True).start()
    try:
        _serve(pieces)
    except MemoryError:
        os._exit(MEMORY)


def _serve(pieces: "SimpleQueue[tuple[bytes, Any]]") -> None:
    task, memory = pieces.get()
    try:
        if memory is not None:
            bound_memory(memory)
        work = _task(task).prepare()
    except MemoryError:
        raise
    except Exception as error:
        _tell(FAILED, pickle.dumps(portable(error)))
        os._exit(0)
    _tell(DONE)
    gc.freeze()  # what was loaded stays
    while True:
        piece, seconds = pieces.get()
        _tell(BEGUN)
        if seconds:
            alarm(seconds)
        try:
            kind, data = DONE, pickle.dumps(work(pickle.loads(piece)))
        except MemoryError:  # ends the process, whose state is unknown
            raise
        except (Exception, SystemExit) as error:
            kind, data = FAILED, pickle.dumps(portable(error))
        if seconds:
            alarm(0.0)
        _tell(kind, data)


def _tell(kind: int, data: bytes = b"") -> None:
    try:
        assert _signs.parent is not None
        pickle.dump((kind, data), _signs.parent)
        _signs.parent.flush()
    except OSError:  # the parent is gone
        os._exit(0)


def _task(data: bytes) -> Any:
    try:
        return pickle.loads(data)
    except (AttributeError, ImportError) as error:
        what = "worker processes cannot import the method; define its class in a module"
        raise ConfigError(f"{what}, not in a script, or leave out jobs ({error})") from None


def bound_memory(size: int) -> None:
    """Limit the memory that this process can allocate; 0 removes the limit, as far as the system allows.

    Do nothing on systems without such limits (Windows).
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [one for one in (size, hard) if one not in (0, resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known, default=resource.RLIM_INFINITY), hard))


def portable(error: BaseException) -> Exception:
    """Return `error`, or one with the same message that survives pickling."""
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:
        copy = None
    return copy if isinstance(copy, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
