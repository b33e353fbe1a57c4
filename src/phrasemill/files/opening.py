"""Open what people name, and refuse what could block or never end.

Named pipes, sockets and devices are refused by name. The pipes that a shell hands over (`/dev/stdin`, and `/dev/fd/63`
for `<(command)`) are meant to be read, so they are opened.
"""

import os
import re
import stat
from errno import EINVAL, ELOOP, EOVERFLOW
from io import BufferedReader
from pathlib import Path
from typing import cast

from phrasemill.errors import InputError

BUFFER = 64 << 10
LONGEST_REASON = 200  # characters
OF_DATA = (None, EINVAL, EOVERFLOW)  # errors of a library, or of a seek to where damaged data points
SHELL_PIPE = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")
KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def is_shell_pipe(path: Path | str) -> bool:
    """Return whether `path` names an open file of this process, as `<(command)` does."""
    return SHELL_PIPE.fullmatch(str(path)) is not None


def open_file(path: Path | str, *, buffering: int = BUFFER) -> BufferedReader:
    """Open the regular file or the shell's pipe at `path` to read its bytes, without ever waiting for it to open.

    An `InputError` names what is neither; otherwise an `OSError` stays what it is.
    """
    refuse_special(path, os.stat(path))  # noqa: PTH116 - before it is opened: opening a device may do something
    file = cast(BufferedReader, open(path, "rb", buffering=buffering, opener=_opener))  # noqa: SIM115
    try:
        refuse_special(path, os.fstat(file.fileno()))
        if hasattr(os, "set_blocking"):
            os.set_blocking(file.fileno(), True)
    except BaseException:
        file.close()
        raise
    return file


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def refuse_special(path: Path | str, status: os.stat_result) -> None:
    """Raise an `InputError` where `status` is that of a pipe, a socket or a device of no shell's."""
    kind = special(status)
    if kind and not is_shell_pipe(path):
        raise InputError(f"{path}: is {kind}, not a file; to read from it, pipe it in and name - instead")


def special(status: os.stat_result) -> str:
    """Describe what is neither file nor folder; return an empty string for what is."""
    return KINDS.get(stat.S_IFMT(status.st_mode), "")


def reason(error: Exception) -> str:
    """Describe what went wrong with a file, and what to do."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a directory; name the files in it"
    if isinstance(error, PermissionError):
        return "permission denied; you may not read this file"
    if isinstance(error, OSError) and error.errno == ELOOP:
        return "is a symbolic link that leads back to itself"
    return brief(error)


def raise_failed_read(error: BaseException) -> None:
    """Raise what a disk or a network did wrong, where that is the cause of `error`, and not the data that was read.

    Libraries take one for the other: a file that could not be read is called damaged.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno not in OF_DATA:
            raise cause
        cause = cause.__cause__ or cause.__context__


def brief(error: BaseException) -> str:
    """Return the message of a library's error as one short line."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    line = " ".join(text.split()) or type(error).__name__
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} …"
