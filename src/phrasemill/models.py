"""Model files: where they are, and what is in them: safetensors, mapped into memory and read without NumPy.

The format is eight bytes of header length, a JSON header, then raw little-endian buffers
(https://huggingface.co/docs/safetensors). Nothing in it can run code, and opening a file costs one `mmap`.
"""

import json
import mmap
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import open_file


class Separate(NamedTuple):
    """A package of weights, without its prefix `phrasemill-`, and the method that needs it."""

    package: str
    method: str


FOLDER = Path(__file__).parent / "data"
# Weights that would make the wheel too large, and the packages that hold them (weights/ in a checkout).
SEPARATE = {
    "bertkpe_en": Separate("bertkpe", "bertkpe"),
    "catseqd_en.safetensors": Separate("catseqd", "catseqd"),
    "encoder_large_en.safetensors": Separate("encoder-large", "encoder(size='large')"),
}


def shipped(name: str) -> Path:
    """Return the path of the file or folder `name`; one of a package beside this one may not be there."""
    return _separate(name, SEPARATE[name].package) if name in SEPARATE else FOLDER / name


def _separate(name: str, package: str) -> Path:
    module = f"phrasemill_{package.replace('-', '_')}"
    spec = find_spec(module)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / name
    return FOLDER.parents[2] / "weights" / package / "src" / module / name


def how_to_install(name: str) -> str:
    """Return the command that installs the file `name`, one of a package beside this one."""
    package = SEPARATE[name].package
    return f"pip install phrasemill-{package} (in a checkout: pip install ./weights/{package})"


# safetensors dtype -> the letter that `array` and `memoryview.cast` use
TYPES = {"U8": "B", "I8": "b", "U16": "H", "I16": "h", "U32": "I", "I32": "i", "U64": "Q", "I64": "q"}
TYPES |= {"F32": "f", "F64": "d"}
DTYPES = {letter: dtype for dtype, letter in TYPES.items()}
HEADER_LIMIT = 1 << 24


@dataclass(frozen=True, slots=True)
class Tensors:
    """One open file: read-only buffers by name, and the strings saved beside them."""

    path: Path
    buffers: Mapping[str, memoryview]
    metadata: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]]

    def __getitem__(self, name: str) -> memoryview:
        if name not in self.buffers:
            raise ModelError(f"{self.path}: damaged, or of another version ({name} is missing)")
        return self.buffers[name]

    def number(self, name: str) -> int:
        """The whole number that the metadata have under `name`."""
        value = self.metadata.get(name, "")
        if not value.isdecimal():
            raise ModelError(f"{self.path}: damaged, or of another version ({name} is {value!r})")
        return int(value)


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
        data = view[8 + length :]
        buffers, shapes = {}, {}
        for name, entry in header.items():
            start, end = entry["data_offsets"]
            if not 0 <= start <= end <= len(data):
                raise ValueError(f"{name} is cut off")
            buffers[name] = data[start:end].cast(TYPES[entry["dtype"]])  # type: ignore[call-overload]
            shapes[name] = tuple(entry["shape"])
    except FileNotFoundError:
        raise ModelError(f"{path}: no such file") from None
    except InputError as error:
        raise ModelError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: not a {kind or 'safetensors'} file ({error})") from None
    if kind is not None and metadata.get("kind") != kind:
        raise ModelError(f"{path}: not a {kind} file (it says {metadata.get('kind')!r})")
    return Tensors(path, buffers, metadata, shapes)
