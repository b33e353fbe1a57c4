"""Work on a Ray cluster: a pool of actors, wherever there is room for one.

    chunks → driver (a process of its own) → actors → results

The driver keeps each chunk until its result is there. If a node is lost, its chunks go to other actors, and another
actor is started where there is room. Each actor has a process of its own for the documents (`phrasemill.workers`), so a
document that ends that process does not end the actor, and is isolated and recorded in the same words as on one
machine. Parts are therefore the same bytes.
"""

import os
import sys
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from phrasemill.engine.chunks import RESUME, Chunk
from phrasemill.engine.ray_driver import BEGIN, CLOSE, PUT, TAKE, RayDriver
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import ConfigError, MissingExtra, PhrasemillError
from phrasemill.workers import Pool, checked_jobs


@dataclass(slots=True)
class Ray:
    """The executor over a cluster: the one at `address`, the one this process is connected to, or a new one here.

    `jobs` is the number of actors, by default as many as the cluster has CPUs (or GPUs, over `num_gpus`); each takes
    one CPU and `num_gpus` GPUs, of which a fraction is shared.
    """

    task: ExtractionTask
    jobs: int | None = None
    address: str | None = None
    num_gpus: float = 0.0

    def __post_init__(self) -> None:
        checked_jobs(self.jobs)
        if not self.num_gpus >= 0:
            raise ConfigError(f"num_gpus must be 0 or more, got {self.num_gpus}")
        if find_spec("ray") is None:
            raise MissingExtra("ray", "ray", purpose="working on a cluster")

    @property
    def driver(self) -> RayDriver:
        """The task of the process that is connected to the cluster."""
        address, environment = (self.address, {}) if self.address else _connected_to()
        return RayDriver(self.task, self.jobs, self.num_gpus, address, environment)

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result in order of completion; each actor has a few chunks at a time."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports unless the user enabled them
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        source, in_progress = iter(chunks), dict[int, Chunk]()
        with Pool(self.driver, jobs=1, replace=False) as driver:
            capacity = _request(driver, BEGIN)
            while True:
                while len(in_progress) < capacity and (chunk := next(source, None)) is not None:
                    _request(driver, PUT, chunk.number, chunk.payload)
                    in_progress[chunk.number] = replace(chunk, payload=b"")
                if not in_progress:
                    _request(driver, CLOSE)
                    return
                number, result = _request(driver, TAKE)
                yield in_progress.pop(number), result


def _request(driver: Pool, *request: Any) -> Any:
    """Return the driver's answer to a request."""
    try:
        driver.give(None, request)
        answer = driver.take()
    except PhrasemillError as error:
        raise PhrasemillError(f"the Ray cluster was lost ({error}); {RESUME}") from None
    if answer.error is not None:
        raise answer.error
    return answer.value


def _connected_to() -> tuple[str | None, dict[str, Any]]:
    """Return the address and runtime environment of the cluster that this process is connected to."""
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None, {}
    context = ray.get_runtime_context()
    return context.gcs_address, dict(context.runtime_env)
