"""Sorted runs: forms and their counts on disk in the order of their bytes, and many runs read as one.

To count more forms than memory holds, write a run whenever there are enough, and merge the runs at the
end: every count stays exact, and only one block of each run is in memory at a time.
"""

import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

# Some forms in order, each once, and their counts; whole runs go through memory in such pieces.
Block: TypeAlias = tuple[list[bytes], Sequence[int]]

BLOCK = 4096
FAN_IN = 64  # as many files are open at a time
HEAD = struct.Struct("<II")


def blocks_of(counts: Mapping[str, int]) -> Iterator[Block]:
    """Counts in memory, as blocks."""
    forms = sorted(counts)  # the order of code points is that of their bytes in UTF-8
    for begin in range(0, len(forms), BLOCK):
        some = forms[begin : begin + BLOCK]
        yield "\n".join(some).encode().split(b"\n"), [counts[form] for form in some]


def write_run(path: Path, blocks: Iterable[Block]) -> None:
    with path.open("wb") as file:
        for forms, counts in blocks:
            text = b"\n".join(forms)
            file.write(HEAD.pack(len(forms), len(text)) + text + array("I", counts).tobytes())


def read_run(path: Path) -> Iterator[Block]:
    with path.open("rb") as file:
        while head := file.read(HEAD.size):
            length, size = HEAD.unpack(head)
            forms = file.read(size).split(b"\n")
            yield forms, array("I", file.read(4 * length))


def merged(sources: Sequence[Iterator[Block]]) -> Iterator[Block]:
    """The forms of all sources in order, each once, with the sum of its counts."""
    if len(sources) == 1:
        yield from sources[0]
        return
    heads = [head for source in sources if (head := _Head(source)).more()]
    while heads:
        # Up to the nearest end of a block nothing can come that is not in memory already.
        bound = min(head.forms[-1] for head in heads)
        sums: dict[bytes, int] = {}
        for head in heads:
            _add(sums, *head.take(bound))
        forms = sorted(sums)
        yield forms, list(map(sums.__getitem__, forms))
        heads = [head for head in heads if head.more()]


def _add(sums: dict[bytes, int], forms: list[bytes], counts: Sequence[int]) -> None:
    if not sums:
        sums.update(zip(forms, counts, strict=True))
        return
    get = sums.get
    for form, count in zip(forms, counts, strict=True):
        sums[form] = get(form, 0) + count


class _Head:
    """Where reading stands in one source."""

    def __init__(self, source: Iterator[Block]) -> None:
        self._source = source
        self._at = 0
        self.forms: list[bytes] = []
        self.counts: Sequence[int] = ()

    def more(self) -> bool:
        """Whether anything is left; reads on where the block is used up."""
        while self._at == len(self.forms):
            block = next(self._source, None)
            if block is None:
                return False
            (self.forms, self.counts), self._at = block, 0
        return True

    def take(self, bound: bytes) -> Block:
        """The forms up to `bound`, and their counts."""
        begin, self._at = self._at, bisect_right(self.forms, bound, self._at)
        return self.forms[begin : self._at], self.counts[begin : self._at]
