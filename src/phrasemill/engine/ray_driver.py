"""The process that talks to a Ray cluster: it puts chunks in and takes results out.

Ray ends a process that has lost its cluster, and may print pages before that. So this is a process of its own
(`phrasemill.workers`), and whoever works on a corpus survives to say what happened in one line.
"""

import json
import logging
import os
import socket
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.local import Local
from phrasemill.engine.ray_feed import open_feed, source
from phrasemill.engine.work import Extraction, Result, patience
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.workers import Pool

if TYPE_CHECKING:
    import pyarrow

# Chunks under way for each actor: one that it works on, one that waits there, one on the road.
IN_FLIGHT = 3
PATIENCE = 10.0  # seconds until a cluster answers
AGAIN = "nothing is lost, run again to go on"
# Requests, and what is answered.
BEGIN, PUT, END, TAKE, CLOSE = "begin", "put", "end", "take", "close"


@dataclass(frozen=True, slots=True)
class Driver:
    """The task. A request is a tuple of its kind and its arguments:

    BEGIN → the number of chunks that may be under way; PUT, number, payload; END after the last chunk;
    TAKE → number and result of a chunk that is done; CLOSE.
    """

    task: Extraction
    jobs: int | None
    num_gpus: float
    address: str | None
    environment: Mapping[str, Any]  # Ray's `runtime_env`

    def prepare(self) -> Callable[[tuple[Any, ...]], Any]:
        """Connect, and try the method on some node: what is wrong is said before anything is read or written."""
        import ray

        with open(os.devnull, "wb") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 2)  # what matters comes as an exception
        stack = ExitStack()
        stack.enter_context(_connected(self.address, self.jobs, self.environment))
        actors = self.actors(ray.cluster_resources())
        self._probe()
        cluster = _Cluster(stack.enter_context(open_feed()), self, actors)

        def work(request: tuple[Any, ...]) -> Any:
            kind, *arguments = request
            if kind == CLOSE:
                return stack.close()
            try:
                return getattr(cluster, kind)(*arguments)
            except ray.exceptions.RayError as error:
                raise PhrasemillError(f"the Ray cluster failed ({_line(error)}); {AGAIN}") from error

        return work

    @property
    def resources(self) -> dict[str, float]:
        """What an actor takes."""
        return {"num_cpus": 1, **({"num_gpus": self.num_gpus} if self.num_gpus else {})}

    def actors(self, cluster: Mapping[str, float]) -> int:
        """Return how many there can be, in a cluster with so much in all."""
        wanted = {"CPU": 1.0, **({"GPU": self.num_gpus} if self.num_gpus else {})}
        room = min(int(cluster.get(kind, 0) / amount) for kind, amount in wanted.items())
        if not room:
            needs = " and ".join(f"{amount:g} {kind}" for kind, amount in wanted.items())
            raise ConfigError(f"the Ray cluster has no room: a worker needs {needs} on one node")
        return min(self.jobs or room, room)

    def _probe(self) -> None:
        import ray

        try:
            told = ray.get(ray.remote(_complaint).options(**self.resources).remote(self.task, Path.cwd()))
        except ray.exceptions.RayError as error:
            what = "the method does not work on the cluster's nodes, which need the same installation"
            raise PhrasemillError(f"{what}: {_line(error)}") from error
        if told is not None:
            raise told


class _Cluster:
    """Chunks in, results out."""

    def __init__(self, feed: Any, driver: Driver, actors: int) -> None:
        self._feed, self._actors = feed, actors
        self._under_way: set[int] = set()
        self._rows = _rows(self._dataset(driver))

    def begin(self) -> int:
        return IN_FLIGHT * self._actors + 1

    def put(self, number: int, payload: bytes) -> None:
        import ray

        ray.get(self._feed.put.remote(number, [ray.put(payload)]))
        self._under_way.add(number)

    def end(self) -> None:
        import ray

        ray.get(self._feed.end.remote())

    def take(self) -> tuple[int, Result]:
        for row in self._rows:
            if row["error"]:
                raise PhrasemillError(row["error"])
            number = row["number"]
            if number in self._under_way:  # else it came twice, after a node was lost
                self._under_way.remove(number)
                self._feed.drop.remote(number)
                failures = tuple((index, why) for index, why in json.loads(row["failures"]))
                return number, Result(row["rows"], failures, row["keyphrases"])
        raise PhrasemillError(f"the Ray cluster lost {len(self._under_way)} parts; {AGAIN}")

    def _dataset(self, driver: Driver) -> Any:
        from ray.data import ActorPoolStrategy, read_datasource

        return read_datasource(source(self._feed), override_num_blocks=1, num_cpus=0).map_batches(
            Worker,
            fn_constructor_args=(driver.task, Path.cwd()),
            batch_size=1,
            batch_format="pyarrow",
            compute=ActorPoolStrategy(min_size=1, max_size=self._actors, max_tasks_in_flight_per_actor=IN_FLIGHT - 1),
            **driver.resources,
        )


def _rows(dataset: Any) -> Generator[dict[str, Any]]:
    for table in dataset.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from table.to_pylist()


class Worker:
    """An actor: one process that works on the documents of a chunk, and isolates those that end it."""

    def __init__(self, task: Extraction, place: Path) -> None:
        _go(place)
        self._local = _Patient(task, 1)
        self._pool = Pool(task, jobs=1, patience=patience(task.timeout))

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
def _connected(address: str | None, jobs: int | None, environment: Mapping[str, Any]) -> Iterator[None]:
    """A connection to the cluster at `address`, or to a fresh one."""
    import ray

    options: dict[str, Any] = {} if address else {"num_cpus": jobs, "include_dashboard": False}
    if environment:
        options["runtime_env"] = environment
    try:
        _reach(address or "")
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
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


def _line(error: BaseException) -> str:
    """The last line of what Ray says, which is the one that tells."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
