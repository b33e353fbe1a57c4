"""Worker processes that are killed, stopped, stuck or short of memory, at any moment: answers come, nothing hangs."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from faulty import Doubling, Stumbling
from phrasemill import isolated
from phrasemill.errors import PhrasemillError
from phrasemill.isolated import CANCELLED, OUT_OF_MEMORY, STOPPED, TIMED_OUT, Pool

MIB = 1 << 20
LONG = 60  # seconds in which whatever has to happen has happened


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at workers often, and lose patience with stopped ones soon."""
    monkeypatch.setattr(isolated, "LONGEST_STOP", 0.2)
    for name in ("POLL", "LATE", "RETRY"):
        monkeypatch.setattr(isolated, name, 0.05)


def answered(workers: Pool, *pieces: object) -> list[object]:
    """What comes of pieces in a pool of one worker: a value, a reason or an error."""
    calls = [workers.submit(piece) for piece in pieces]
    errors = [call.exception(LONG) for call in calls]
    return [
        call.result() if error is None else str(error) if isinstance(error, PhrasemillError) else error
        for call, error in zip(calls, errors, strict=True)
    ]


def pid(workers: Pool) -> int:
    [found] = answered(workers, "PID")
    assert isinstance(found, int)
    return found


def until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stops_while_it_starts_is_started_again(tmp_path: Path, harm: int) -> None:
    with Pool(Stumbling(str(tmp_path), 2, harm), jobs=1) as workers:
        assert answered(workers, 21) == [42]
        assert len(list(tmp_path.iterdir())) == 2
        (tmp_path / "1").unlink()  # its successor, too
        assert answered(workers, "CRASH", 21) == ["its process crashed (SIGSEGV)", 42]


def test_workers_that_can_start_again_answer_again(tmp_path: Path) -> None:
    failures: list[str] = []
    with Pool(Stumbling(str(tmp_path), 4), jobs=1, on_failure=lambda error: failures.append(str(error))) as workers:
        [refused] = answered(workers, 21)
        assert failures == [refused]
        assert "could not start, 3 times in a row: its process was killed" in str(refused)
        until(lambda: workers.ready)
        assert (answered(workers, 21), workers.failure) == ([42], None)


@pytest.mark.parametrize(
    ("piece", "reason"),
    [("CRASH", "its process crashed (SIGSEGV)"), ("EXIT", "its process exited with code 3"), ("STOP", STOPPED)],
)
def test_a_piece_that_ends_its_worker_is_lost_and_no_other(piece: str, reason: str) -> None:
    with Pool(Doubling(), jobs=1) as workers:
        assert answered(workers, piece, 21) == [reason, 42]
        assert workers.replaced == 1


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_was_killed_or_stopped_before_costs_no_piece(harm: int) -> None:
    """Nor does a stopped one block what is sent to it, even where that is more than the pipe holds."""
    with Pool(Doubling(), jobs=1) as workers:
        os.kill(pid(workers), harm)
        assert answered(workers, b"x" * MIB) == [b"x" * 2 * MIB]


def test_a_call_that_takes_too_long_is_ended_by_its_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "LATE", LONG)
    with Pool(Doubling(), jobs=1, seconds=0.3) as workers:
        assert answered(workers, "HANG", 21) == [TIMED_OUT, 42]
        time.sleep(0.4)  # the alarm of the last call is off
        assert workers.replaced == 1


def test_a_worker_without_its_alarm_is_ended_when_it_is_silent() -> None:
    with Pool(Doubling(), jobs=1) as workers:
        assert str(workers.submit("DEAF", seconds=0.3).exception(LONG)) == TIMED_OUT
        assert answered(workers, 21) == [42]


def test_work_that_shows_signs_of_life_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    with Pool(Doubling(), jobs=1, seconds=1.5) as workers:
        assert answered(workers, "SLOW") == ["SLOWSLOW"]


@pytest.mark.parametrize(
    ("room", "memory", "piece"),
    [(0, None, "MEMORY"), (64, None, "LARGE"), (64, None, b"x" * 128 * MIB), (0, 512 * MIB, "LARGE")],
    ids=["work", "out", "in", "bounded"],
)
def test_running_out_of_memory_ends_the_worker_wherever_it_happens(
    room: int, memory: int | None, piece: object
) -> None:
    """In the work, while the answer is written, and in the thread that reads: before, the last left a worker that
    never answered again."""
    with Pool(Doubling(room * MIB), jobs=1, memory=memory) as workers:
        before = pid(workers)
        assert answered(workers, piece, 21) == [OUT_OF_MEMORY, 42]
        assert pid(workers) != before


def test_a_call_that_waits_can_be_cancelled_and_one_that_runs_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "SHORT", 0.1)
    with Pool(Doubling(), jobs=1) as workers:
        runs, waits, last = workers.submit("HANG"), workers.submit("HANG"), workers.submit(21)
        until(runs.running)
        assert (waits.cancel(), runs.cancel()) == (True, False)
        assert str(runs.exception(LONG)) == CANCELLED
        assert last.result(LONG) == 42


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_idle_workers_that_do_not_answer_are_replaced(harm: int) -> None:
    with Pool(Doubling(), jobs=1) as workers:
        before = pid(workers)
        assert (workers.alive, workers.ready) == (1, True)
        os.kill(before, harm)
        until(lambda: workers.replaced == 1)
        until(lambda: workers.ready)
        assert pid(workers) != before


def test_idle_workers_that_have_grown_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "GROWN", 0.0001)
    with Pool(Doubling(), jobs=1, memory=1024 * MIB) as workers:
        before = pid(workers)
        until(lambda: workers.replaced > 0)
        assert pid(workers) != before


def test_nothing_ends_the_thread_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a lack of memory in this process, nor what nobody thought of."""
    errors: list[BaseException] = [MemoryError(), RuntimeError(), SystemExit()]
    ask = isolated._Worker.ask

    def failing(self: isolated._Worker, call: isolated.Call) -> tuple[int, bytes]:
        if errors:
            raise errors.pop(0)
        return ask(self, call)

    monkeypatch.setattr(isolated._Worker, "ask", failing)
    with Pool(Doubling(), jobs=1) as workers:
        assert [type(workers.submit(1).exception(LONG)) for _ in range(3)] == [MemoryError, RuntimeError, SystemExit]
        assert answered(workers, 21) == [42]


def test_a_pool_is_closed_whatever_its_workers_do() -> None:
    workers = Pool(Doubling(), jobs=2)
    calls = [workers.submit(piece) for piece in ("HANG", "STOP", 21, 21)]
    until(lambda: all(call.running() for call in calls[:2]))
    workers.close(grace=0.1)
    assert [str(call.exception(0)) for call in calls[:2]] == [CANCELLED] * 2
    assert all(call.cancelled() for call in calls[2:])
    workers.close()
    with pytest.raises(PhrasemillError, match="closed"):
        workers.submit(21)


def test_a_pool_is_closed_when_its_calls_are_answered() -> None:
    workers = Pool(Doubling(), jobs=1)
    calls = [workers.submit(piece) for piece in range(20)]
    workers.close(grace=LONG)
    assert [call.result(0) for call in calls] == [2 * piece for piece in range(20)]


PARENT = """
import os, sys
sys.path[:] = {path!r}
from faulty import Holding
from phrasemill.isolated import Pool
from threading import Thread

def work():
    global workers
    workers = Pool(Holding({pipe!r}), jobs=1)
    assert workers.submit(21).result() == 42

starter = Thread(target=work)  # the thread that made a pool may end before the pool does
starter.start()
starter.join()
call = workers.submit({piece!r})
while not call.running():
    pass
print("ready", flush=True)
call.result()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that is stopped waits to be continued")
@pytest.mark.parametrize("piece", ["STOP", "HANG"])
def test_no_worker_outlives_a_parent_that_is_killed(tmp_path: Path, piece: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    code = PARENT.format(path=sys.path, pipe=str(pipe), piece=piece)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        assert select.select([reading], [], [], 0)[0] == []
        parent.kill()
    os.set_blocking(reading, True)
    assert select.select([reading], [], [], LONG)[0], "the worker still holds the pipe"
    assert os.read(reading, 1) == b""
    os.close(reading)
