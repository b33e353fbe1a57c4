"""Model files: where they are, and what is in them: safetensors, mapped into memory and read without NumPy.

The format is eight bytes of header length, a JSON header, then raw little-endian buffers
(https://huggingface.co/docs/safetensors). Nothing in it can run code, and opening a file costs one `mmap`.

Every loader is the same three steps: `kept` for a file that a user names (read once, unless it changes), `reading` for
what the file must have, and within its block whatever the kind of model needs of its columns.
"""

import json
import mmap
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import brief, open_file

Model = TypeVar("Model")
Column: TypeAlias = "memoryview | array[Any]"
NONE: Mapping[str, Any] = MappingProxyType({})
# What Python raises where the parts of a model do not fit together.
UNFIT = (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)


FOLDER = Path(__file__).parent / "data"


def shipped(name: str) -> Path:
    """Return the path of a file that comes with the package."""
    return FOLDER / name


def separate(name: str) -> Path:
    """Return the path of weights that would make the wheel too large: they are a package of their own, named after
    them (weights/ in a checkout), which may not be there."""
    package = package_of(name)
    module = f"phrasemill_{package.replace('-', '_')}"
    spec = find_spec(module)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / name
    return FOLDER.parents[2] / "weights" / package / "src" / module / name


def package_of(name: str) -> str:
    """Return the package of such weights, without its prefix `phrasemill-`."""
    return name.partition(".")[0].removesuffix("_en").replace("_", "-")


def how_to_install(name: str) -> str:
    """Return the command that installs such weights."""
    package = package_of(name)
    return f"pip install phrasemill-{package} (in a checkout: pip install ./weights/{package})"


# safetensors dtype -> the letter that `array` and `memoryview.cast` use
TYPES = {"U8": "B", "I8": "b", "U16": "H", "I16": "h", "U32": "I", "I32": "i", "U64": "Q", "I64": "q"}
TYPES |= {"F32": "f", "F64": "d"}
DTYPES = {letter: dtype for dtype, letter in TYPES.items()}
HEADER_LIMIT = 1 << 24
PARTS = "parts"  # the number of files beside the first one, in its metadata


class Tensors:
    """One open file: read-only buffers by name, their shapes, and the strings saved beside them."""

    __slots__ = ("buffers", "metadata", "path", "shapes")

    def __init__(
        self,
        path: Path,
        buffers: Mapping[str, memoryview],
        metadata: Mapping[str, str],
        shapes: Mapping[str, tuple[int, ...]],
    ) -> None:
        self.path, self.buffers, self.metadata, self.shapes = path, buffers, metadata, shapes

    def __getitem__(self, name: str) -> memoryview:
        if name not in self.buffers:
            raise unfit(self.path, ValueError(f"{name} is missing"))
        return self.buffers[name]

    def number(self, name: str) -> int:
        """The whole number that the metadata have under `name`."""
        value = self.metadata.get(name, "")
        if not (value.isdecimal() and len(value) < 20):
            raise unfit(self.path, ValueError(f"{name} is {value!r}"))
        return int(value)


def kept(path: Path, read: Callable[..., Model], *more: object, absent: str = "no such file") -> Model:
    """Return what `read` makes of the file at `path` and of `more`: once per process, as long as the file stays."""
    try:
        stat = path.stat()
    except (OSError, ValueError):
        raise ModelError(f"{path}: {absent}") from None
    model: Model = _kept(path, stat.st_mtime_ns, stat.st_size, read, *more)
    return model


@lru_cache(maxsize=16)
def _kept(path: Path, modified: int, size: int, read: Callable[..., Any], *more: object) -> Any:
    with _fitting(path):
        return read(path, *more)


@contextmanager
def _fitting(path: Path) -> Iterator[None]:
    try:
        yield
    except UNFIT as error:
        raise unfit(path, error) from None


def unfit(path: Path, why: Exception) -> ModelError:
    """The error to raise where the parts of a model do not fit together."""
    return ModelError(f"{path}: damaged, or of another version ({brief(why)})")


@contextmanager
def reading(
    path: Path,
    kind: str | None = None,
    columns: Mapping[str, str] = NONE,
    *,
    optional: Mapping[str, str] = NONE,
    version: int | None = None,
    checksum: Callable[[Tensors], str] | None = None,
    again: str = "",
) -> Iterator[Tensors]:
    """Open a file of a kind for a block that takes from it what it needs; what fails there is a `ModelError`.

    The file must have `columns`, and may have those that are `optional`, of these types; it has this version and the
    `checksum` of its metadata. `again` is how to get a sound one of this version.
    """
    file = load(path, kind=kind)
    then = f"; {again}" if again else ""
    if version is not None and file.number("version") != version:
        raise ModelError(f"{path}: made by another version{then}")
    for name, letter in (*columns.items(), *[one for one in optional.items() if one[0] in file.buffers]):
        if file[name].format != letter:
            raise unfit(path, ValueError(f"{name} is of another type"))
    if checksum is not None and file.metadata.get("checksum") != checksum(file):
        raise ModelError(f"{path}: damaged (its checksum does not fit){then}")
    with _fitting(path):
        yield file


def checksum(buffers: Mapping[str, Column], metadata: Mapping[str, str] = NONE) -> str:
    """Return the checksum of columns with their names, after that of metadata where these count."""
    lines = "\n".join(f"{key}={metadata[key]}" for key in sorted(metadata) if key != "checksum")
    total = zlib.crc32(lines.encode())
    for name in sorted(buffers):
        total = zlib.crc32(buffers[name], zlib.crc32(name.encode(), total))
    return str(total)


def checksum_of_columns(buffers: Mapping[str, Column], order: Iterable[str]) -> str:
    """Return the checksum of those columns that there are, in this order and without their names."""
    total = 0
    for name in order:
        total = zlib.crc32(buffers[name], total) if name in buffers else total
    return f"{total:08x}"


def load(path: Path, *, kind: str | None = None) -> Tensors:
    """Map the file at `path`, whose metadata must say that it is of `kind`; None for files that others wrote."""
    try:
        with open_file(path) as file:
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        length = int.from_bytes(view[:8], "little")
        if not 2 <= length <= min(HEADER_LIMIT, len(view) - 8):
            raise ValueError("the header is cut off")
        header = json.loads(bytes(view[8 : 8 + length]))
        metadata = header.pop("__metadata__", {})
        if not all(type(value) is str for value in metadata.values()):
            raise ValueError("its metadata are no texts")
        data = view[8 + length :]
        buffers: dict[str, memoryview] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            if not 0 <= start <= end <= len(data):
                raise ValueError(f"{name} is cut off")
            buffers[name] = data[start:end].cast(TYPES[entry["dtype"]])  # type: ignore[call-overload]
            shapes[name] = tuple(entry["shape"])
            if prod(shapes[name]) != len(buffers[name]):
                raise ValueError(f"{name} is of another shape")
    except FileNotFoundError:
        raise ModelError(f"{path}: no such file") from None
    except InputError as error:
        raise ModelError(str(error)) from None
    except (OSError, *UNFIT) as error:
        raise ModelError(f"{path}: not a {kind or 'safetensors'} file ({brief(error)})") from None
    if kind is not None and metadata.get("kind") != kind:
        raise ModelError(f"{path}: not a {kind} file (it says {metadata.get('kind')!r})")
    found = Tensors(path, buffers, metadata, shapes)
    if kind is not None and PARTS in metadata:
        for other in beside(path, found.number(PARTS)):
            part = load(other, kind=part_of(kind))
            buffers |= part.buffers
            shapes |= part.shapes
    return found


def beside(path: Path, count: int) -> Iterator[Path]:
    """Yield the paths of the other files of a model that is so large that it is several."""
    return (path.with_name(f"{path.stem}.{number}{path.suffix}") for number in range(1, count + 1))


def part_of(kind: str) -> str:
    """Return the kind of those other files."""
    return f"part of a {kind}"


def save(
    path: Path,
    buffers: Mapping[str, "array[Any]"],
    metadata: Mapping[str, str],
    shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
) -> None:
    """Write `buffers`, flat unless `shapes` says otherwise, to `path`; the same input gives the same bytes."""
    header, order = _header({name: (b.typecode, len(b)) for name, b in buffers.items()}, metadata, shapes)
    with path.open("wb") as file:
        file.write(header)
        for name in order:
            file.write(buffers[name].tobytes())


def save_files(path: Path, columns: Mapping[str, tuple[str, Path]], metadata: Mapping[str, str]) -> None:
    """The same out of files of raw little-endian numbers, each with its type's letter; none need fit in memory."""
    import shutil  # not for those who only read

    sizes = {name: (letter, file.stat().st_size // array(letter).itemsize) for name, (letter, file) in columns.items()}
    header, order = _header(sizes, metadata, {})
    with path.open("wb") as file:
        file.write(header)
        for name in order:
            with columns[name][1].open("rb") as column:
                shutil.copyfileobj(column, file, 1 << 20)


def _header(
    sizes: Mapping[str, tuple[str, int]], metadata: Mapping[str, str], shapes: Mapping[str, tuple[int, ...]]
) -> tuple[bytes, list[str]]:
    """The head of a file with columns of these types and lengths, and the order in which they follow."""
    if sys.byteorder != "little":
        raise ModelError("safetensors files are little-endian; this machine is not")
    entries: dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))}
    width = {name: array(letter).itemsize for name, (letter, _) in sizes.items()}
    position = 0
    # Widest items first keeps every buffer aligned without padding.
    order = sorted(sizes, key=lambda name: (-width[name], name))
    for name in order:
        letter, length = sizes[name]
        end = position + length * width[name]
        shape = list(shapes.get(name, (length,)))
        entries[name] = {"dtype": DTYPES[letter], "shape": shape, "data_offsets": [position, end]}
        position = end
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, order
