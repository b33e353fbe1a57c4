"""Tables as archives of NumPy arrays: `numpy.load("df.npz")`."""

import json
from pathlib import Path
from typing import Any

from phrasemill import tensors
from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import open_file

MAGIC = b"PK\x03\x04"
METADATA = "metadata"


def converted(path: Path, output: Path) -> Path:
    """Write the columns of a safetensors file as an archive of arrays, with its metadata as an array of JSON bytes."""
    import numpy as np

    file = tensors.load(path)
    metadata = json.dumps(dict(file.metadata), sort_keys=True).encode()
    columns: dict[str, Any] = {name: np.frombuffer(buffer, buffer.format) for name, buffer in file.buffers.items()}
    columns[METADATA] = np.frombuffer(metadata, "B")
    with output.open("wb") as target:
        np.savez(target, **columns)
    return output


def is_npz(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, InputError):
        return False


def load(path: Path, *, kind: str) -> tensors.Tensors:
    """Read such an archive into memory."""
    import zipfile
    import zlib

    import numpy as np

    try:
        with open_file(path) as file, np.load(file, allow_pickle=False) as archive:
            columns = {name: archive[name] for name in archive.files}
        metadata = json.loads(columns.pop(METADATA).tobytes())
        found = metadata.get("kind")
        buffers = {name: memoryview(column) for name, column in columns.items()}
    except (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, NotImplementedError, RuntimeError),
        *(zipfile.BadZipFile, zlib.error),
    ) as error:
        raise ModelError(f"{path}: not a {kind} file ({error})") from None
    if found != kind:
        raise ModelError(f"{path}: not a {kind} file (its kind is {found!r})")
    return tensors.Tensors(path, buffers, metadata, {name: view.shape or (0,) for name, view in buffers.items()})
