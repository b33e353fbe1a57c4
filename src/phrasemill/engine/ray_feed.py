"""How chunks get into Ray Data: an actor beside the process that reads them, and a read task that asks it for the next.

The actor keeps a chunk until its result is there, and gives it out by number. A read task that dies with its node is
started again from number 0, and what it must repeat is there, or is known to be done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow


class Feed:
    """Chunks by number, each from when it is put until it is dropped."""

    def __init__(self) -> None:
        import asyncio

        self._chunks: dict[int, Any] = {}
        self._given, self._ended = 0, False
        self._changed = asyncio.Condition()

    async def put(self, number: int, chunk: list[Any]) -> None:
        async with self._changed:
            self._chunks[number] = chunk
            self._given = number + 1
            self._changed.notify_all()

    async def end(self) -> None:
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def drop(self, number: int) -> None:
        self._chunks.pop(number, None)

    async def get(self, number: int) -> list[Any] | None:
        """The chunk, when it is there; an empty list if it is done; None after the last."""
        async with self._changed:
            await self._changed.wait_for(lambda: number < self._given or self._ended)
        return self._chunks.get(number, []) if number < self._given else None


def source(feed: Any) -> Any:
    """The feed, as Ray Data reads it."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    class Source(Datasource):  # type: ignore[misc]
        """One read task, which asks the feed for chunk after chunk."""

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, *_: Any, **__: Any) -> list[Any]:
            return [ReadTask(lambda: _read(feed), BlockMetadata(None, None, None, None))]

    return Source()


def _read(feed: Any) -> "Iterator[pyarrow.Table]":
    import pyarrow
    import ray

    number = 0
    while (chunk := ray.get(feed.get.remote(number))) is not None:
        payload = ray.get(chunk[0]) if chunk else b""
        yield pyarrow.table({"number": [number], "payload": pyarrow.array([payload], pyarrow.binary())})
        number += 1


@contextmanager
def open_feed() -> Iterator[Any]:
    """The feed, on the node of this process, and settings of Ray Data that let chunks through one by one."""
    import ray
    from ray.data import DataContext
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    feed = ray.remote(Feed).options(num_cpus=0, scheduling_strategy=here, max_concurrency=1000).remote()
    context = DataContext.get_current()
    before = {name: getattr(context, name) for name in ("target_max_block_size", "enable_progress_bars")}
    # Ray Data would collect small blocks until they have this size, and the first chunk would wait for the last.
    context.target_max_block_size, context.enable_progress_bars = 1, False
    try:
        yield feed
    finally:
        for name, value in before.items():
            setattr(context, name, value)
        ray.kill(feed)
