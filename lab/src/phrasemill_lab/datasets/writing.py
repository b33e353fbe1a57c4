"""Files of lines, written whole or not at all, compressed according to their names."""

import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from phrasemill.errors import ConfigError, InputError


def lines(made: Iterable[str], path: Path) -> int:
    """Write each of `made` and a line end; how many there were."""
    count = 0
    with written(path) as file:
        for line in made:
            file.write(line.encode("utf-8", errors="replace") + b"\n")
            count += 1
    return count


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces `path` when all went well; until then, an older one stays as it is."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with _opened(unfinished, path.suffix) as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def json_object(path: Path) -> Iterator[Callable[[str, bytes], None]]:
    """Open a file for one JSON object, one member per line; yield the function that writes a key and its value."""
    with written(path) as file:
        before = b"{\n"

        def write(key: str, value: bytes) -> None:
            nonlocal before
            file.write(before + json.dumps(key).encode() + b": " + value)
            before = b",\n"

        yield write
        file.write(b"\n}\n" if before == b",\n" else b"{}\n")


class _Gzip(gzip.GzipFile):
    """Without name and time in it, so that the same documents give the same bytes."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("wb")
        super().__init__(filename="", mode="wb", fileobj=self._raw, mtime=0)

    def close(self) -> None:
        super().close()
        self._raw.close()


def _opened(path: Path, suffix: str) -> IO[bytes]:
    if suffix == ".gz":
        return cast(IO[bytes], _Gzip(path))
    if suffix == ".xz":
        return cast(IO[bytes], lzma.open(path, "wb"))
    if suffix == ".zst":
        raise ConfigError("zstd is read, not written; let the name of the output end in .gz or .xz")
    return path.open("wb")
