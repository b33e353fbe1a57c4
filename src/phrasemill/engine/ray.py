"""The work on a Ray cluster: Ray Data streams the chunks through a pool of actors, wherever there is room for one.

    chunks → Feed (an actor beside this process) → read task → actors → results

The feed keeps each chunk until its result has come back, and gives it out by number, so whatever a lost node takes with
it, the chunks that it held and the results that nobody had fetched, can be asked for again: Ray Data does so by itself.
Each actor has a process of its own for the documents (`phrasemill.processes`), so that a poison document ends that, not
the actor, and is isolated and recorded in the same words as on one machine. Parts are therefore the same bytes.
"""

import json
import logging
import os
import socket
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.local import Local
from phrasemill.engine.ray_feed import open_feed, source
from phrasemill.engine.work import Extraction, Result
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError
from phrasemill.processes import Pool

if TYPE_CHECKING:
    import pyarrow

# Chunks under way for each actor: one that it works on, one that waits there, one on the road.
IN_FLIGHT = 3
PATIENCE = 10.0  # seconds until a cluster answers
AGAIN = "nothing is lost, run again to go on"


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
        _ray()

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]:
        """Each chunk with its result, as they come; a few chunks an actor are under way at a time."""
        ray = _ray()
        with _connected(self.address, self.jobs):
            actors = self.actors(ray.cluster_resources())
            self._probe()
            try:
                with open_feed() as feed:
                    yield from _streamed(iter(chunks), feed, self._dataset(feed, actors), IN_FLIGHT * actors + 1)
            except ray.exceptions.RayError as error:
                raise PhrasemillError(f"the Ray cluster failed ({_line(error)}); {AGAIN}") from error

    @property
    def resources(self) -> dict[str, float]:
        """What an actor takes."""
        return {"num_cpus": 1, **({"num_gpus": self.num_gpus} if self.num_gpus else {})}

    def actors(self, cluster: Mapping[str, float]) -> int:
        """How many there can be, in a cluster with so much in all."""
        wanted = {"CPU": 1.0, **({"GPU": self.num_gpus} if self.num_gpus else {})}
        room = min(int(cluster.get(kind, 0) / amount) for kind, amount in wanted.items())
        if not room:
            needs = " and ".join(f"{amount:g} {kind}" for kind, amount in wanted.items())
            raise ConfigError(f"the Ray cluster has no room: a worker needs {needs} on one node")
        return min(self.jobs or room, room)

    def _probe(self) -> None:
        """Try the method on some node before anything is read or written: what is wrong is said at once."""
        ray = _ray()
        try:
            told = ray.get(ray.remote(_complaint).options(**self.resources).remote(self.task, Path.cwd()))
        except ray.exceptions.RayError as error:
            what = "the method does not work on the cluster's nodes, which need the same installation"
            raise PhrasemillError(f"{what}: {_line(error)}") from error
        if told is not None:
            raise told

    def _dataset(self, feed: Any, actors: int) -> Any:
        from ray.data import ActorPoolStrategy, read_datasource

        return read_datasource(source(feed), override_num_blocks=1, num_cpus=0).map_batches(
            Worker,
            fn_constructor_args=(self.task, Path.cwd()),
            batch_size=1,
            batch_format="pyarrow",
            compute=ActorPoolStrategy(min_size=1, max_size=actors, max_tasks_in_flight_per_actor=IN_FLIGHT - 1),
            **self.resources,
        )


def _streamed(chunks: Iterator[Chunk], feed: Any, dataset: Any, most: int) -> Iterator[tuple[Chunk, Result]]:
    """Hand out chunks as results come back, so that at most so many are under way."""
    ray = _ray()
    under_way: dict[int, Chunk] = {}
    given, ended = 0, False
    with closing(_rows(dataset)) as rows:
        while True:
            while not ended and len(under_way) < most:
                chunk = next(chunks, None)
                if chunk is None:
                    ray.get(feed.end.remote())
                    ended = True
                    break
                ray.get(feed.put.remote(given, [ray.put(chunk.payload)]))
                under_way[given] = replace(chunk, payload=b"")
                given += 1
            if not under_way:
                return
            row = next(rows, None)
            if row is None:
                raise PhrasemillError(f"the Ray cluster lost {len(under_way)} parts; {AGAIN}")
            if row["error"]:
                raise PhrasemillError(row["error"])
            done = under_way.pop(row["number"], None)
            if done is not None:  # else it came twice, after a node was lost
                feed.drop.remote(row["number"])
                failures = tuple((index, why) for index, why in json.loads(row["failures"]))
                yield done, Result(row["rows"], failures, row["keyphrases"])


def _rows(dataset: Any) -> Generator[dict[str, Any]]:
    for table in dataset.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from table.to_pylist()


class Worker:
    """An actor: one process that works on the documents of a chunk, and isolates those that end it."""

    def __init__(self, task: Extraction, place: Path) -> None:
        _go(place)
        self._local = _Patient(task, 1)
        self._pool = Pool(task, jobs=1, patience=self._local.patience)

    def __call__(self, table: "pyarrow.Table") -> "pyarrow.Table":
        number, payload = table["number"][0].as_py(), table["payload"][0].as_py()
        if not payload:  # done long ago; only the order of a read task that was started again asks for it
            return _row(number)
        try:
            return _row(number, self._local.over(self._pool, Chunk(number, payload, (), (), "", 0)))
        except PhrasemillError as error:
            return _row(number, error=str(error))


class _Patient(Local):
    """`Local` with a pool that stays from chunk to chunk."""

    __slots__ = ()

    def over(self, pool: Pool, chunk: Chunk) -> Result:
        """The result of one chunk, with the documents that end the process isolated."""
        piece = self._next(iter([chunk]))
        while piece is not None or pool.busy:
            if piece is not None:
                pool.give(*piece)
            else:
                for _, result in self._taken(pool.take()):
                    return result
            piece = self._again.popleft() if self._again and not pool.full else None
        raise AssertionError("every chunk has a result")


def _row(number: int, result: Result | None = None, *, error: str = "") -> "pyarrow.Table":
    import pyarrow

    found = result or Result(b"")
    columns = {
        "number": pyarrow.array([number], pyarrow.int64()),
        "rows": pyarrow.array([found.rows], pyarrow.binary()),
        "failures": pyarrow.array([json.dumps(found.failures)], pyarrow.string()),
        "keyphrases": pyarrow.array([found.keyphrases], pyarrow.int64()),
        "error": pyarrow.array([error], pyarrow.string()),
    }
    return pyarrow.table(columns)


def _complaint(task: Extraction, place: Path) -> PhrasemillError | None:
    """What is wrong with the task, seen from a node."""
    _go(place)
    try:
        task.prepare()
    except PhrasemillError as error:
        return error
    return None


def _go(place: Path) -> None:
    """Model files may be named relative to where the command was given, on nodes that have that folder."""
    with suppress(OSError):
        os.chdir(place)


@contextmanager
def _connected(address: str | None, jobs: int | None) -> Iterator[None]:
    """A connection to a cluster; ended only where it was begun here."""
    ray = _ray()
    if ray.is_initialized():
        yield
        return
    local = {} if address else {"num_cpus": jobs, "include_dashboard": False}
    try:
        _reach(address or "")
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **local)
    except (RuntimeError, ValueError, OSError) as error:  # ConnectionError is an OSError
        raise InputError(f"no Ray cluster at {address or 'hand'}: {_line(error)}") from None
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Knock at the door: where nobody is, Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()


def _ray() -> Any:
    """Ray, or what to install. It sends no reports of use from here unless somebody asked for that."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what matters comes as an exception
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtra("ray", "ray", purpose="working on a cluster") from None
    return ray


def _line(error: BaseException) -> str:
    """The last line of what Ray says, which is the one that tells."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
