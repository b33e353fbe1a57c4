"""The terminal sessions of the documentation; `python tests/sessions.py PAGE…` writes what their commands print.

A page is one session in one folder. Its blocks run in order: a block with a title (```python title="app.py") is
written to that file, a `bash` block runs as a whole and prints nothing, and a `console` block has commands (`$ …`) with
what each of them prints. A command that ends in `&` is a server: its first line has its address, and it stops when the
session ends. Pages name port 8000; the server listens on a free one.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"\n]+)\")?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", flags=re.MULTILINE)
PORT = re.compile(r"(?<=localhost:)8000\b")


class Shell:
    """A folder to work in, with `phrasemill` and `python` as those of this interpreter."""

    def __init__(self, folder: Path) -> None:
        self.folder, programs = folder / "work", folder / "bin"
        for made in (self.folder, programs):
            made.mkdir()
        for name, options in (("phrasemill", "-m phrasemill"), ("python", "")):
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {options} "$@"\n', encoding="utf-8")
            (programs / name).chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
        self.environment = kept | {"PATH": f"{programs}{os.pathsep}{kept.get('PATH', '')}", "NO_PROXY": "localhost"}
        self.servers: list[subprocess.Popen[str]] = []
        self.port = "8000"

    def __enter__(self) -> "Shell":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.communicate()

    def run(self, command: str) -> str:
        """Return what `command` prints on a terminal, output and errors together."""
        if command.rstrip().endswith(" &"):
            return self.serve(command.rstrip().removesuffix(" &"))
        done = subprocess.run(
            PORT.sub(self.port, command),
            shell=True,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout

    def serve(self, command: str) -> str:
        """Start a server on a free port, and return the line that it prints once it listens."""
        server = subprocess.Popen(
            command.replace("--port 8000", "--port 0"),
            shell=True,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # so that the shell, the server and its workers stop together
        )
        self.servers.append(server)
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"(?<=:)\d+(?=/)", line)
        assert found, f"{command}: no address in {line!r}"
        self.port = found[0]
        return line.replace(f":{self.port}/", ":8000/")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def matches(shown: str, printed: str) -> bool:
    """Whether a command prints what the page shows, where `…` stands for anything within a line."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), printed) is not None


def played(text: str, shell: Shell, report: Callable[[str, str, str], None]) -> str:
    """Run the blocks of a page, `report` each command, what is shown and what is printed; return the page as it is."""

    def step(found: re.Match[str]) -> str:
        command, shown = found.groups()
        printed = shell.run(command)
        report(command, shown, printed)
        return found[0] if matches(shown, printed) else f"$ {command}{printed}"

    def block(found: re.Match[str]) -> str:
        language, title, body = found.groups()
        if title:
            shell.write(title, body)
        elif language == "bash":
            report(body, "", shell.run(body))
        elif language == "console":
            assert body.startswith("$ "), f"a session begins with a command: {body!r}"
            return found[0].replace(body, COMMAND.sub(step, body))
        return found[0]

    return BLOCK.sub(block, text)


def has_session(text: str) -> bool:
    return any(language in ("bash", "console") for language, _, _ in BLOCK.findall(text))


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as made, Shell(Path(made)) as shell:
            today = played(page.read_text(encoding="utf-8"), shell, lambda *_: None)
        page.write_text(today, encoding="utf-8")
