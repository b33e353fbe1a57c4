"""Worker processes that are killed, stopped, stuck or short of memory, at any moment: answers come, nothing hangs."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faulty import Doubling, Holding, Stumbling
from phrasemill.errors import PhrasemillError
from phrasemill.workers import OUT_OF_MEMORY, TIMED_OUT, Pool, pool, process

MIB = 1 << 20
LONG = 60  # seconds in which whatever has to happen has happened


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at silent workers often, and lose patience with stopped ones soon."""
    monkeypatch.setattr(process, "LONGEST_STOP", 0.2)
    for module in (pool, process):
        monkeypatch.setattr(module, "POLL", 0.05)


def answered(workers: Pool, *pieces: object) -> list[object]:
    """Give pieces to a pool of one worker, and return what came of each: a value, a reason or an error."""
    for piece in pieces:
        workers.give(piece, piece)
    answers = [workers.take(LONG) for _ in pieces]
    assert all(answer is not None for answer in answers)
    return [answer.lost or answer.error or answer.value for answer in answers if answer is not None]


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stops_while_it_starts_is_started_again(tmp_path: Path, harm: int) -> None:
    with Pool(Stumbling(str(tmp_path), 2, harm), jobs=1) as workers:
        assert answered(workers, 21) == [42]
    assert len(list(tmp_path.iterdir())) == 2


def test_workers_that_never_start_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(PhrasemillError, match="could not start, 3 times in a row: its process was killed"):
        Pool(Stumbling(str(tmp_path), 99), jobs=1)


def test_a_successor_that_dies_while_it_starts_is_started_again(tmp_path: Path) -> None:
    with Pool(Stumbling(str(tmp_path), 0), jobs=1) as workers:
        workers._task = pool._pickled(Stumbling(str(tmp_path), 1))
        assert answered(workers, "CRASH", 21) == ["its process crashed (SIGSEGV)", 42]


def test_a_stopped_worker_loses_its_piece_and_no_other() -> None:
    with Pool(Doubling(), jobs=1) as workers:
        assert answered(workers, "STOP", 21) == [process.STOPPED, 42]


def test_a_stopped_worker_does_not_block_what_is_sent_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where it is more than the pipe holds."""
    monkeypatch.setattr(process, "LONGEST_TRANSFER", 1)
    with Pool(Doubling(), jobs=1) as workers:
        [pid] = answered(workers, "PID")
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGSTOP)
        assert answered(workers, b"x" * MIB) == [b"x" * 2 * MIB]


def test_a_silent_worker_is_ended_when_patience_is() -> None:
    with Pool(Doubling(), jobs=1, patience=0.3) as workers:
        assert answered(workers, "HANG", 21) == [TIMED_OUT, 42]


def test_a_worker_that_died_idle_costs_no_piece() -> None:
    with Pool(Doubling(), jobs=1) as workers:
        [pid] = answered(workers, "PID")
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGKILL)
        assert answered(workers, 21) == [42]


@pytest.mark.parametrize(
    ("room", "piece"), [(0, "MEMORY"), (64 * MIB, "LARGE"), (64 * MIB, b"x" * 128 * MIB)], ids=["work", "out", "in"]
)
def test_running_out_of_memory_ends_the_worker_wherever_it_happens(room: int, piece: object) -> None:
    """In the work, while the answer is written, and in the thread that reads: before, the last left a worker that
    never answered again."""
    with Pool(Doubling(room), jobs=1) as workers:
        [before] = answered(workers, "PID")
        assert answered(workers, piece, 21) == [OUT_OF_MEMORY, 42]
        assert answered(workers, "PID") != [before]


def test_an_answer_that_cannot_be_sent_is_an_error_of_its_piece() -> None:
    with Pool(Doubling(), jobs=1) as workers:
        [before] = answered(workers, "PID")
        error, value = answered(workers, "FUNCTION", 21)
        assert "pickle" in str(error)
        assert (value, answered(workers, "PID")) == (42, [before])


def test_what_is_cancelled_is_not_answered() -> None:
    with Pool(Doubling(), jobs=1) as workers:
        workers.give("hang", "HANG")
        assert workers.take(0.01) is None
        workers.cancel()
        assert not workers.busy
        assert answered(workers, 21) == [42]


def test_a_worker_that_is_not_replaced_is_an_error_with_its_reason() -> None:
    with Pool(Doubling(), jobs=1, replace=False) as workers:
        assert answered(workers, 21) == [42]
        workers.give("bad", "EXIT")
        with pytest.raises(PhrasemillError, match="exited with code 3"):
            workers.take(LONG)


@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_idle_workers_that_do_not_answer_are_replaced(harm: int) -> None:
    with Pool(Doubling(), jobs=1) as workers:
        assert (workers.alive, workers.refresh()) == (True, 0)
        [pid] = answered(workers, "PID")
        assert isinstance(pid, int)
        os.kill(pid, harm)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)  # until it has happened
        assert not workers.alive
        assert workers.refresh() == 1
        assert workers.alive
        assert answered(workers, 21) == [42]


def test_idle_workers_that_have_grown_are_replaced() -> None:
    with Pool(Doubling(), jobs=1, memory=1) as workers:
        [before] = answered(workers, "PID")
        assert workers.refresh() == 1
        assert answered(workers, "PID") != [before]


PARENT = """
import os, sys
sys.path[:] = {path!r}
from faulty import Holding
from phrasemill.workers import Pool
from threading import Thread

def work():
    global workers
    workers = Pool(Holding({pipe!r}), jobs=1)

starter = Thread(target=work)  # the thread that made a pool may end before the pool does
starter.start()
starter.join()
workers.give(0, 21)
assert workers.take().value == 42
workers.give(1, {piece!r})
print("ready", flush=True)
workers.take()
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
        parent.kill()
    os.set_blocking(reading, True)
    assert select.select([reading], [], [], LONG)[0], "the worker still holds the pipe"
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_holding_is_what_the_last_test_thinks(tmp_path: Path) -> None:
    """As long as the worker lives, the pipe does not end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Pool(Holding(str(pipe)), jobs=1) as workers:
        assert answered(workers, 21) == [42]
        assert select.select([reading], [], [], 0)[0] == []
    os.close(reading)
