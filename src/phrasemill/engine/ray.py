"""Work on a Ray cluster: a chunk is a task of Ray, which repeats it elsewhere if its process or its node dies.

Each process of Ray has one of ours for the documents (`phrasemill.isolated`), so a document that ends that process is
isolated and recorded in the same words as on one machine. Parts are therefore the same bytes.
"""

import logging
import os
import pickle
import socket
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.inputs import RESUME
from phrasemill.engine.local import Isolation
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError
from phrasemill.isolated import Pool, checked_jobs

LONGEST_CONNECT = 10.0  # seconds until a cluster answers


@dataclass(slots=True)
class Ray:
    """The executor over a cluster: the one at `address`, the one this process is connected to, or a new one here.

    `jobs` is the number of chunks at a time, by default as many as the cluster has CPUs (or GPUs, over `num_gpus`);
    each takes one CPU and `num_gpus` GPUs, of which a fraction is shared.
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

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result in order of completion."""
        import ray

        source, running = iter(chunks), dict[Any, Chunk]()
        is_ours = not ray.is_initialized()
        try:
            if is_ours:
                self._connect()
            most = self.most(ray.cluster_resources())
            # Where all places are ours, each has a chunk that waits beside the one that is worked on.
            ahead = self.jobs if self.jobs and self.jobs < most else 2 * most
            options = {"num_cpus": 1, "num_gpus": self.num_gpus, "max_retries": -1}
            work, task = ray.remote(_worked).options(**options), ray.put((pickle.dumps(self.task), str(Path.cwd())))
            ray.get(work.remote(task, None))  # what is wrong with the method, before anything is read or written
            while True:
                while len(running) < ahead and (chunk := next(source, None)) is not None:
                    running[work.remote(task, chunk.payload)] = chunk._replace(payload=b"")
                if not running:
                    return
                (done,), _ = ray.wait(list(running))
                yield running.pop(done), ray.get(done)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, PhrasemillError):
                raise error.cause from None
            raise PhrasemillError(f"the Ray cluster failed ({_last_line(error)}); {RESUME}") from error
        except ray.exceptions.RayError as error:
            raise PhrasemillError(f"the Ray cluster failed ({_last_line(error)}); {RESUME}") from error
        finally:
            for one in running:
                with suppress(ray.exceptions.RayError):
                    ray.cancel(one, force=True)
            if is_ours:
                ray.shutdown()

    def most(self, cluster: dict[str, float]) -> int:
        """Return how many chunks a cluster with these resources can work on at once."""
        needed = {"CPU": 1.0, **({"GPU": self.num_gpus} if self.num_gpus else {})}
        most = min(int(cluster.get(kind, 0) / amount) for kind, amount in needed.items())
        if not most:
            needs = " and ".join(f"{amount:g} {kind}" for kind, amount in needed.items())
            raise ConfigError(f"the Ray cluster is too small: a worker needs {needs} on one node")
        return most

    def _connect(self) -> None:
        """Connect to the cluster at the address, or to a new one."""
        import ray

        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports unless the user enabled them
        options = {} if self.address else {"num_cpus": self.jobs, "include_dashboard": False}
        try:
            host, _, port = (self.address or "").removeprefix("ray://").rpartition(":")
            if host and port.isdecimal():  # where there is no cluster, Ray would wait for minutes
                socket.create_connection((host, int(port)), timeout=LONGEST_CONNECT).close()
            ray.init(address=self.address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (RuntimeError, ValueError, OSError) as error:
            raise InputError(f"no Ray cluster at {self.address or 'this machine'}: {_last_line(error)}") from None


def _last_line(error: BaseException) -> str:
    """Return the last line of an error of Ray, which has the cause."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


_kept: dict[bytes, Isolation] = {}  # in a process of Ray: its worker, for the task of the run


def _worked(task: tuple[bytes, str], payload: bytes | None) -> ChunkResult | None:
    """Work on a chunk in a process of Ray; without one, only check the task."""
    pickled, folder = task
    if pickled not in _kept:
        with suppress(OSError):  # names of model files may be relative; not every node has the folder
            os.chdir(folder)
        for other in _kept.values():
            other.pool.close()
        _kept.clear()
        made: ExtractionTask = pickle.loads(pickled)
        _kept[pickled] = Isolation(made, Pool(made, jobs=1, seconds=made.timeout))
        _kept[pickled].check()
    return None if payload is None else _kept[pickled].result(payload)
