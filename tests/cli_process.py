"""The command as a process, and what a terminal shows of it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., tuple[int, str, str]]  # returns exit code, output and errors
PLAIN = {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def phrasemill(
    *arguments: str, cwd: Path | None = None, stdin: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    inherited = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "phrasemill", *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=inherited | PLAIN | env,
        check=False,
    )


def terminal(*arguments: str, columns: int = 80, **env: str) -> str:
    """What a terminal shows."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    inherited = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "phrasemill", *arguments],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=inherited | settings | env,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        shown += piece
    process.wait()
    os.close(leader)
    return shown.decode("utf-8").replace("\r\n", "\n")
