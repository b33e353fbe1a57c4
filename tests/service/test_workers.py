"""Workers that die, stop, grow or cannot start, in a server and in a pool of its own."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from faulty import Doubling, Holding
from patient import Broken, Steps, given
from phrasemill import isolated
from phrasemill.service import pool as service_pool
from phrasemill.service.log import Log
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import Refusal
from served import PATIENCE, Served, served, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="finds processes by /proc")
TEXT = {"documents": [{"text": "Salt water moves inland."}]}
MIB = 1 << 20


def workers(server: Served) -> list[int]:
    """The processes of the workers."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if f"\nPPid:\t{server.process.pid}\n" in status.read_text():
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found


def exists(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def logged(server: Served, **wanted: object) -> dict[str, Any]:
    """The line of the log that has these values, once it is there."""
    found: list[dict[str, Any]] = []

    def look() -> bool:
        lines = map(json.loads, server.logs.read_text().splitlines())
        found.extend(line for line in lines if all(line.get(name) == value for name, value in wanted.items()))
        return bool(found)

    until(look)
    return found[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("workers")
    limits = {"memory": 64 * MIB, "body": 60 * MIB, "step": 5.0}
    with served(folder / "logs", limits=limits) as one:
        yield one


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_an_idle_worker_that_is_gone_is_not_ready_and_is_replaced(server: Served, number: int) -> None:
    with server.client() as client:
        until(lambda: client.get("/readyz").status_code == 200)
        (worker,) = workers(server)
        os.kill(worker, number)
        until(lambda: client.get("/readyz").status_code == 503)
        until(lambda: client.get("/readyz").status_code == 200)
        assert workers(server) != [worker]
        assert client.post("/v1/extract", json=TEXT).status_code == 200


def test_a_step_for_a_worker_that_was_dead_already_is_tried_again(server: Served) -> None:
    with server.client() as client:
        for _ in range(3):
            until(lambda: client.get("/readyz").status_code == 200)
            for worker in workers(server):
                os.kill(worker, signal.SIGKILL)
            assert client.post("/v1/extract", json=TEXT).status_code == 200


def test_a_worker_without_memory_for_its_step_is_replaced(server: Served) -> None:
    """It ran out of it while the step was received, before anything was done with it."""
    with server.client() as client:
        answer = client.post("/v1/extract", json={"documents": [{"text": "x" * (50 * MIB)}]})
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:phrasemill:problem:memory-limit")
        assert client.post("/v1/extract", json=TEXT).status_code == 200
        until(lambda: client.get("/readyz").status_code == 200)


@pytest.mark.parametrize(
    ("text", "error"),
    [("ERROR", "ValueError"), ("QUIT", "SystemExit"), ("CRASH", "lost worker"), ("HANG", "lost worker")],
)
def test_what_goes_wrong_in_a_worker_is_in_the_log(server: Served, text: str, error: str) -> None:
    with server.client() as client:
        body = {"documents": [{"text": text}], "method": "faulty"}
        answer = client.post("/v1/extract", json=body, headers={"x-request-id": f"log-{text}"})
    line = logged(server, event="error", request=f"log-{text}")
    assert (line["level"], line["error"], line["step"], line["method"]) == ("error", error, "extract", "faulty")
    assert line.get("reason") or any("faulty.py" in place for place in line["at"])
    assert answer.json()["request"] == f"log-{text}"
    assert "the text says" not in server.logs.read_text()


def test_sigterm_ends_everything_whatever_workers_do(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with served(tmp_path / "logs", pipe=str(pipe), workers=2, grace=1.0) as one, ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(lost, one, {**TEXT, "method": "patient"}) for _ in range(2)]
        with one.client() as client:
            until(lambda: "phrasemill_requests_under_way 2.0" in client.get("/metrics").text)
        processes = workers(one)
        os.kill(processes[0], signal.SIGSTOP)
        one.process.send_signal(signal.SIGTERM)
        assert one.process.wait(timeout=PATIENCE) == 0
        until(lambda: not any(map(exists, processes)))
        assert all(one.result(timeout=PATIENCE) for one in asked)


def lost(server: Served, body: dict[str, Any]) -> bool:
    """Whether there was no answer, or none that is one."""
    import httpx

    with server.client() as client:
        try:
            return client.post("/v1/extract", json=body).status_code >= 500
        except httpx.TransportError:
            return True


# A pool of its own, without a server.


def run(test: Callable[[ServicePool], Awaitable[None]], task: Any = None, **options: Any) -> None:
    async def started() -> None:
        task_ = Steps(task or Doubling())
        pool = ServicePool(task_, workers=1, **{"seconds": PATIENCE, "log": Log(quiet=True), **options})
        pool.start()
        await test(pool)
        await pool.stop()

    asyncio.run(started())


async def ask(pool: ServicePool, piece: Any) -> Any:
    return await asyncio.wait_for(pool.ask(partial(given, piece)), PATIENCE)


async def kind(pool: ServicePool, piece: Any) -> str:
    with pytest.raises(Refusal) as refused:
        await ask(pool, piece)
    return refused.value.kind


def test_a_worker_that_grew_is_replaced_when_it_has_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "POLL", 0.01)
    monkeypatch.setattr(isolated, "GROWN", 1e-9)

    async def grows(pool: ServicePool) -> None:
        first = await ask(pool, "PID")
        while await ask(pool, "PID") == first:
            await asyncio.sleep(0.05)

    run(grows, memory=1024 * MIB)


def test_where_no_worker_can_start_steps_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: list[str] = []

    async def fails(pool: ServicePool) -> None:
        assert await asyncio.gather(*(kind(pool, piece) for piece in (1, 2))) == ["not-ready"] * 2
        assert not pool.ready
        assert await kind(pool, 3) == "not-ready"

    run(fails, Broken("nothing there"), give_up=reasons.append)
    assert reasons == ["nothing there"]


def test_stopping_does_not_wait_for_what_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_pool, "GRACE", 0.2)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    async def hangs(pool: ServicePool) -> None:
        while not pool.ready:
            await asyncio.sleep(0.01)
        waiting = asyncio.ensure_future(ask(pool, "HANG"))
        await asyncio.sleep(0)
        await asyncio.wait_for(pool.stop(), PATIENCE)
        waiting.cancel()

    run(hangs, Holding(str(pipe)))
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b"", "no worker holds the pipe any more"
    os.close(reader)


def test_work_that_nobody_waits_for_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "SHORT", 0.0)

    async def leaves(pool: ServicePool) -> None:
        first = await ask(pool, "PID")
        running, waiting = (asyncio.ensure_future(ask(pool, "HANG")) for _ in range(2))
        while pool.waiting != 1:
            await asyncio.sleep(0.01)
        running.cancel()
        waiting.cancel()
        assert await ask(pool, "PID") != first

    run(leaves)
