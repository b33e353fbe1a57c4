"""A server for tests, in a process of its own: `python served.py JSON` prints its address and serves until stopped.

The JSON object has `limits`, `tokens`, `origins`, `hosts`, `tags`, `jobs`, `workers`, `drain` and `grace` as the
library takes them.
The server offers the methods `faulty`, which does harm when a text says so, and leaves its marks in the folder `marks`,
and `patient`, which waits until `pipe` is opened.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

PATIENCE = 30.0  # seconds; only ever waited for in full where something is broken


class Served(NamedTuple):
    """A server that runs: its address, its process, and where its logs go."""

    address: str
    process: "subprocess.Popen[str]"
    logs: Path

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=PATIENCE, trust_env=False, **options)

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1])


@contextmanager
def served(logs: Path, **options: Any) -> Iterator[Served]:
    """A server with these options, ready for work."""
    with logs.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(options)], stdout=subprocess.PIPE, stderr=stream, text=True
        )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, logs.read_text()
        one = Served(address, process, logs)
        with one.client() as client:
            until(lambda: client.get("/readyz").status_code == 200)
        yield one
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def until(condition: Any) -> None:
    """Wait for `condition`, which asks somebody and so takes its time."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"


def main() -> None:
    sys.path.append(str(Path(__file__).parents[1] / "workers"))
    from faulty import Faulty
    from patient import Patient
    from phrasemill.service.app import create_app
    from phrasemill.service.limits import Limits
    from phrasemill.service.log import Log
    from phrasemill.service.server import listening, run
    from phrasemill.service.tokens import Tokens

    given = json.loads(sys.argv[1])
    limits = Limits(**given.get("limits", {}))
    log = Log()
    app = create_app(
        workers=given.get("workers", 1),
        limits=limits,
        tokens=Tokens.of(given.get("tokens", [])),
        offers={"faulty": Faulty(given.get("marks", "")), "patient": Patient(given.get("pipe", os.devnull))},
        hosts=given.get("hosts"),
        origins=given.get("origins", []),
        tags=given.get("tags", ""),
        jobs=Path(given["jobs"]) if "jobs" in given else None,
        log=log,
    )
    bound = listening("127.0.0.1", 0, limits)
    address = f"http://127.0.0.1:{bound.getsockname()[1]}"
    drain = given.get("drain", 0.0)
    grace = given.get("grace", 60.0)
    said = lambda: print(address, flush=True)  # noqa: E731
    run(app, bound, limits=limits, log=log, drain=drain, grace=grace, started=said)


if __name__ == "__main__":
    main()
