"""The terminal sessions of the documentation; `python tests/sessions.py PAGE…` writes what their commands print.

A page is one session in one folder. Its blocks run in order: a block with a title (```python title="app.py") is
written to that file, a `bash` block runs as a whole and prints nothing, and a `console` block has commands (`$ …`) with
what each of them prints.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"\n]+)\")?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", flags=re.MULTILINE)


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
        self.environment = kept | {"PATH": f"{programs}{os.pathsep}{kept.get('PATH', '')}"}

    def run(self, command: str) -> str:
        """Return what `command` prints on a terminal, output and errors together."""
        done = subprocess.run(
            command,
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
        with tempfile.TemporaryDirectory() as made:
            today = played(page.read_text(encoding="utf-8"), Shell(Path(made)), lambda *_: None)
        page.write_text(today, encoding="utf-8")
