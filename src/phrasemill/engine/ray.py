"""The work on a Ray cluster: Ray Data streams the chunks through a pool of actors, wherever there is room for one.

    chunks → Driver (a process of its own) → Feed (an actor beside it) → read task → actors → results

The feed keeps each chunk until its result has come back, and gives it out by number, so whatever a lost node takes with
it, the chunks that it held and the results that nobody had fetched, can be asked for again: Ray Data does so by itself.
Each actor has a process of its own for the documents (`phrasemill.workers`), so that a poison document ends that, not
the actor, and is isolated and recorded in the same words as on one machine. Parts are therefore the same bytes.
"""

import os
import pickle
import sys
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, NoReturn

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.ray_driver import AGAIN, BEGIN, CLOSE, END, PUT, TAKE, Driver
from phrasemill.engine.work import Extraction, Result
from phrasemill.errors import ConfigError, MissingExtra, PhrasemillError
from phrasemill.workers.process import POLL, Clock, Worker
from phrasemill.workers.worker import DONE


@dataclass(slots=True)
class Ray:
    """The executor over a cluster: the one at `address`, the one this process is connected to, or a fresh one here.

    `jobs` is the number of actors, by default as many as the cluster has CPUs (or GPUs, over `num_gpus`); each takes
    one CPU and `num_gpus` GPUs, of which a fraction is shared.
    """

    task: Extraction
    jobs: int | None = None
    address: str | None = None
    num_gpus: float = 0.0

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise ConfigError(f"jobs must be at least 1, got {self.jobs}")
        if not self.num_gpus >= 0:
            raise ConfigError(f"num_gpus must be 0 or more, got {self.num_gpus}")
        if find_spec("ray") is None:
            raise MissingExtra("ray", "ray", purpose="working on a cluster")

    @property
    def driver(self) -> Driver:
        """The task of the process that is connected to the cluster."""
        address, environment = (self.address, {}) if self.address else _connected_to()
        return Driver(self.task, self.jobs, self.num_gpus, address, environment)

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]:
        """Each chunk with its result, as they come; a few chunks an actor are under way at a time."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no reports of use unless somebody asked for them
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        source, under_way = iter(chunks), dict[int, Chunk]()
        with closing(_Connection(self.driver)) as cluster:
            most, given, ended = cluster.ask(BEGIN), 0, False
            while True:
                while not ended and len(under_way) < most:
                    chunk = next(source, None)
                    if chunk is None:
                        cluster.ask(END)
                        ended = True
                        break
                    cluster.ask(PUT, given, chunk.payload)
                    under_way[given] = replace(chunk, payload=b"")
                    given += 1
                if not under_way:
                    cluster.ask(CLOSE)
                    return
                number, result = cluster.ask(TAKE)
                yield under_way.pop(number), result


class _Connection:
    """The process that is connected to the cluster. When it ends, no other takes its place."""

    def __init__(self, driver: Driver) -> None:
        try:
            task = pickle.dumps(driver)
        except Exception as error:
            raise ConfigError(f"the method cannot be sent to the cluster: {error}") from None
        self._worker = Worker(task)
        try:
            why = self._worker.failure_to_start()
        except BaseException:
            self.close()
            raise
        if why:
            raise PhrasemillError(f"no connection to the Ray cluster: {why}")

    def ask(self, *request: Any) -> Any:
        """Return the answer to a request, or raise what went wrong."""
        if not self._worker.send(request):
            self._lose()
        while True:
            with Clock() as clock:
                is_there = self._worker.connection.poll(POLL)
            if not is_there:
                if why := self._worker.trouble(clock.seconds, 0.0):
                    self._lose(why)
                continue
            message = self._worker.receive()
            if message is None:
                self._lose()
            kind, value, error = message
            if error is not None:
                raise error
            if kind == DONE:
                return value

    def close(self) -> None:
        self._worker.end(grace=0.0)

    def _lose(self, why: str = "") -> NoReturn:
        raise PhrasemillError(f"the Ray cluster was lost ({self._worker.end(why)}); {AGAIN}")


def _connected_to() -> tuple[str | None, dict[str, Any]]:
    """Return the address of the cluster that this process is connected to, and the environment that it asked for."""
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None, {}
    context = ray.get_runtime_context()
    return context.gcs_address, dict(context.runtime_env)
