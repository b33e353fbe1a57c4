"""Asked to stop, a run ends its processes, says one line and can go on later."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan

# The command, which gets the signal when its first part is done. Its processes have its standard error, too, so that
# the end of that is the end of all of them.
SIGNALLED = """
import os, sys
from contextlib import contextmanager
from phrasemill.cli import corpus, run

@contextmanager
def bar():
    yield lambda *progress: os.kill(os.getpid(), {signal})

corpus.progress_bar = bar
sys.exit(run({arguments!r}))
"""


@pytest.mark.parametrize(("kind", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_a_run_with_one_line(tmp_path: Path, kind: int, code: int) -> None:
    corpus, out = write_jsonl(tmp_path / "corpus.jsonl", records(30)), tmp_path / "out"
    arguments = ["run", str(corpus), "-o", str(out), "-m", "firstphrases", "-f", "jsonl", "--part-size", "5"]
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED.format(signal=int(kind), arguments=[*arguments, "--jobs", "2"])],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout) == (code, "")
    said = [line for line in done.stderr.splitlines() if "columns:" not in line]
    assert said == ["phrasemill: stopped; run the same command again to resume"]
    asked = {"method": "firstphrases", "format": "jsonl", "part": Plan(documents=5), "exclude": []}
    summary = engine.run(str(corpus), out, **asked, jobs=1)
    assert summary.worked == 25
    engine.run(str(corpus), tmp_path / "whole", **asked, jobs=1)
    assert contents(out) == contents(tmp_path / "whole")
