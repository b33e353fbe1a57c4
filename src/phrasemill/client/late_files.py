"""Files that are opened when they are sent, so that a folder of thousands does not take as many open files."""

import os
from pathlib import Path
from typing import BinaryIO


class LateFile:
    """What httpx takes for an open file: it is opened at the first `read`, and closed at its end."""

    def __init__(self, path: Path) -> None:
        self._path, self._place = path, 0
        self._file: BinaryIO | None = None

    def read(self, size: int = -1) -> bytes:
        if self._file is None:
            self._file = self._path.open("rb")
            self._file.seek(self._place)
        data = self._file.read(size)
        self._place += len(data)
        if not data or size < 0:
            self._file.close()
            self._file = None
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._path.stat().st_size}[whence]
        self._place = base + offset
        if self._file is not None:
            self._file.seek(self._place)
        return self._place

    def tell(self) -> int:
        return self._place
