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


@contextmanager
def _opened(path: Path, suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".zst":
        raise ConfigError("zstd is read, not written; let the name of the output end in .gz or .xz")
    with path.open("wb") as raw:
        if suffix == ".gz":  # without name and time in it, so that the same documents give the same bytes
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
                yield cast(IO[bytes], file)
        elif suffix == ".xz":
            with lzma.open(raw, "wb") as packed:
                yield cast(IO[bytes], packed)
        else:
            yield raw
