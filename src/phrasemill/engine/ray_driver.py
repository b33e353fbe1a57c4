"""The process that is connected to a Ray cluster: it sends chunks to actors and receives their results.

Ray ends a process that has lost its cluster, and may print pages before that. So this is a process of its own
(`phrasemill.workers`), and the process of the run survives to report in one line what happened.
"""

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phrasemill.engine.chunks import RESUME, Chunk
from phrasemill.engine.local import HOPELESS, Isolation
from phrasemill.engine.work import ChunkResult, ExtractionTask, patience
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.workers import Pool

# Chunks at an actor: one that it works on, and one that waits there; one more per actor waits in the driver.
PER_ACTOR = 2
LONGEST_CONNECT = 10.0  # seconds until a cluster answers
# Requests to the driver.
BEGIN, PUT, TAKE, CLOSE = "begin", "put", "take", "close"


@dataclass(frozen=True, slots=True)
class RayDriver:
    """The task of the process. A request is a tuple of its kind and its arguments:

    BEGIN → the number of chunks that may be in progress; PUT, number, payload; TAKE → number and result of a chunk;
    CLOSE.
    """

    task: ExtractionTask
    jobs: int | None
    num_gpus: float
    address: str | None
    environment: Mapping[str, Any]  # Ray's `runtime_env`

    def prepare(self) -> Callable[[tuple[Any, ...]], Any]:
        """Connect, and try the method on a node, so that errors come before anything is read or written."""
        import ray

        with open(os.devnull, "wb") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 2)  # errors that matter are raised
        stack = ExitStack()
        stack.enter_context(_connected(self.address, self.jobs, self.environment))
        count = self.actors(ray.cluster_resources())
        self._try_method()
        actors = _Actors(self, count)

        def work(request: tuple[Any, ...]) -> Any:
            kind, *arguments = request
            if kind == CLOSE:
                return stack.close()
            try:
                return getattr(actors, kind)(*arguments)
            except ray.exceptions.RayError as error:
                raise PhrasemillError(f"the Ray cluster failed ({_last_line(error)}); {RESUME}") from error

        return work

    @property
    def resources(self) -> dict[str, float]:
        """What an actor takes."""
        return {"num_cpus": 1, **({"num_gpus": self.num_gpus} if self.num_gpus else {})}

    def actors(self, cluster: Mapping[str, float]) -> int:
        """Return how many actors there can be in a cluster with these resources in all."""
        needed = {"CPU": 1.0, **({"GPU": self.num_gpus} if self.num_gpus else {})}
        most = min(int(cluster.get(kind, 0) / amount) for kind, amount in needed.items())
        if not most:
            needs = " and ".join(f"{amount:g} {kind}" for kind, amount in needed.items())
            raise ConfigError(f"the Ray cluster is too small: a worker needs {needs} on one node")
        return min(self.jobs or most, most)

    def _try_method(self) -> None:
        import ray

        try:
            error = ray.get(ray.remote(_preparation_error).options(**self.resources).remote(self.task, Path.cwd()))
        except ray.exceptions.RayError as error:
            what = "the method does not work on the cluster's nodes, which need the same installation"
            raise PhrasemillError(f"{what}: {_last_line(error)}") from error
        if error is not None:
            raise error


class _Actors:
    """The actors, and the chunks that wait for them or are worked on."""

    def __init__(self, driver: RayDriver, count: int) -> None:
        self._driver, self._count = driver, count
        self._ready: list[Any] = []
        self._starting: dict[Any, Any] = {}  # the actor, by the result of its first call
        # A chunk is its number, and its payload as an object of Ray that lives on the driver's node.
        self._waiting: deque[tuple[int, Any]] = deque()
        self._running: dict[Any, tuple[Any, tuple[int, Any]]] = {}  # actor and chunk, by the result to come
        self._lost = 0  # actors since the last result
        for _ in range(count):
            self._start()

    def begin(self) -> int:
        return (PER_ACTOR + 1) * self._count

    def put(self, number: int, payload: bytes) -> None:
        import ray

        self._waiting.append((number, ray.put(payload)))
        self._assign()

    def take(self) -> tuple[int, ChunkResult]:
        """Wait for a result; what an actor that is lost had goes to another one."""
        import ray

        while True:
            self._assign()
            (done, *_), _ = ray.wait([*self._running, *self._starting], num_returns=1)
            actor, sent = self._running.pop(done, (self._starting.pop(done, None), None))
            try:
                value = ray.get(done)
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:  # the actor, its node or the result is lost
                if sent is not None:
                    self._waiting.appendleft(sent)
                if sent is None or actor in self._ready:  # else it was replaced with its first chunk that failed
                    self._replace(actor, error)
                continue
            if sent is None:
                self._ready.append(actor)
                continue
            self._lost = 0
            if isinstance(value, PhrasemillError):
                raise value
            return sent[0], value

    def _assign(self) -> None:
        """Send waiting chunks to the actors that have the fewest."""
        while self._waiting and self._ready:
            busy = [actor for actor, _ in self._running.values()]
            actor = min(self._ready, key=busy.count)
            if busy.count(actor) >= PER_ACTOR:
                return
            sent = self._waiting.popleft()
            self._running[actor.work.remote(*sent)] = actor, sent

    def _start(self) -> None:
        import ray

        options = self._driver.resources
        actor = ray.remote(RayWorker).options(**options).remote(self._driver.task, Path.cwd())
        self._starting[actor.ready.remote()] = actor

    def _replace(self, actor: Any, error: Exception) -> None:
        import ray

        if self._lost >= HOPELESS:
            raise PhrasemillError(f"gave up: {self._lost} actors were lost; the last: {_last_line(error)}; {RESUME}")
        if actor in self._ready:
            self._ready.remove(actor)
        with suppress(ray.exceptions.RayError):
            ray.kill(actor)
        self._lost += 1
        self._start()


class RayWorker:
    """An actor: one process that works on the documents of a chunk, and isolates those that end it."""

    def __init__(self, task: ExtractionTask, folder: Path) -> None:
        _change_folder(folder)
        self._isolation = Isolation(Pool(task, jobs=1, patience=patience(task.timeout)))

    def ready(self) -> None:
        """Return when the actor is there."""

    def work(self, number: int, payload: bytes) -> ChunkResult | PhrasemillError:
        try:
            ((_, result),) = self._isolation.results([Chunk(number, payload)])
        except PhrasemillError as error:
            return error
        return result


def _preparation_error(task: ExtractionTask, folder: Path) -> PhrasemillError | None:
    """Return what is wrong with the task on this node."""
    _change_folder(folder)
    try:
        task.prepare()
    except PhrasemillError as error:
        return error
    return None


def _change_folder(folder: Path) -> None:
    """Change to the folder where the command was given, if this node has it: names of model files may be relative."""
    with suppress(OSError):
        os.chdir(folder)


@contextmanager
def _connected(address: str | None, jobs: int | None, environment: Mapping[str, Any]) -> Iterator[None]:
    """Connect to the cluster at `address`, or to a new one."""
    import ray

    options: dict[str, Any] = {} if address else {"num_cpus": jobs, "include_dashboard": False}
    if environment:
        options["runtime_env"] = environment
    try:
        _check_reachable(address or "")
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except (RuntimeError, ValueError, OSError) as error:  # ConnectionError is an OSError
        raise InputError(f"no Ray cluster at {address or 'this machine'}: {_last_line(error)}") from None
    try:
        yield
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Open a connection: where there is no cluster, Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=LONGEST_CONNECT).close()


def _last_line(error: BaseException) -> str:
    """Return the last line of an error of Ray, which has the cause."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
