"""The command `phrasemill serve`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from phrasemill.cli import run
from served import PATIENCE, until


def serve(*options: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "phrasemill", "serve", "--port", "0", "--workers", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )


def limits_of(process: int) -> dict[str, str]:
    """The limits of a process, by name."""
    lines = Path(f"/proc/{process}/limits").read_text().splitlines()
    return {line[:25].strip(): line[25:] for line in lines}


def test_it_opens_the_page_and_ends_when_told(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    with serve("--open", "--quiet", "--server-memory", "300", BROWSER=f"{browser} %s") as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3]
        with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
            until(lambda: client.get("readyz").status_code == 200)
            assert f" {300 << 20} " in limits_of(process.pid)["Max data size"]
            assert "<title>" in client.get("/").text
            until(opened.exists)
            assert client.get("/", headers={"host": "evil.example"}).status_code == 421
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert opened.read_text().strip() == address
    assert (process.returncode, out, err) == (0, "", "")


def test_workers_that_cannot_start_end_it(tmp_path: Path) -> None:
    with serve("--no-open", "--offer", f"ours=kea(model='{tmp_path}/none')") as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "the worker processes cannot start" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "many"], "--port must be a whole number"),
        (["--port", "99999"], "port must be from 0 to 65535"),
        (["--workers", "0"], "--workers must be a whole number, 1 or more"),
        (["--timeout", "nan"], "--timeout must be a number of seconds"),
        (["--drain", "-1"], "--drain must be a number of seconds"),
        (["--server-memory", "-1"], "--server-memory must be a whole number, 0 or more"),
        (["--token-file", "none"], "the tokens cannot be read"),
        (["--offer", "kea"], "--offer takes NAME=SPEC"),
        (["--offer", "rake=yake"], "a method of that name exists already"),
        (["--offer", "ours=nope"], "unknown method 'nope'"),
        (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
    ],
)
def test_slips_are_told_in_one_line(capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    assert run(["serve", "--no-open", *options]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_without_the_extra_it_names_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    monkeypatch.delitem(sys.modules, "phrasemill.service.app", raising=False)
    monkeypatch.delattr("phrasemill.service.app", raising=False)
    assert run(["serve", "--port", "99999"]) == 2
    assert "pip install 'phrasemill[serve]'" in capsys.readouterr().err
