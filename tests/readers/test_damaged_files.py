"""Damaged files of every format, compressed and in archives: reading ends in documents and errors that name the file.

Each kind is read in a process of its own, with a limit on its time, so that a hang or a crash is one failure. `--deep`
reads 25 times as many.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import damage
import phrasemill

pytestmark = pytest.mark.slow

FILES = 200
NEEDED = {"pdf": "pypdfium2", "parquet": "pyarrow", "zst": "zstandard"}
SECONDS = 120  # a kind takes about five


@pytest.mark.parametrize("kind", damage.KINDS)
def test_damaged_files_are_read_as_far_as_they_can_be(kind: str, effort: int) -> None:
    for package in NEEDED.values() if kind not in damage.FORMATS else filter(None, [NEEDED.get(kind)]):
        pytest.importorskip(package)
    command = [sys.executable, damage.__file__, kind, str(FILES * effort), "0"]
    source = str(Path(phrasemill.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=SECONDS * effort, env=environment, check=False
    )
    found = damage.outcomes(done.stdout)
    odd = {seed: text for seed, text in found.items() if not damage.CLEAN.fullmatch(text)}
    assert not odd, f"python tests/readers/damage.py {kind} 1 {min(odd)}\n{odd[min(odd)]}\n{done.stderr[-2000:]}"
    assert len(found) == FILES * effort
    assert sum(text.startswith("0 ") for text in found.values()) < len(found), "some can be read"


@pytest.mark.parametrize("kind", damage.FORMATS)
def test_the_files_are_sound_before_they_are_damaged(kind: str) -> None:
    from phrasemill.readers import read_all_bytes

    if kind in NEEDED:
        pytest.importorskip(NEEDED[kind])
    name, make = damage.FORMATS[kind]
    documents = list(read_all_bytes(make(), name=name))
    assert len(documents) == (40 if kind in ("jsonl", "json", "csv", "tsv", "parquet") else 1)


def test_damage_is_the_same_for_the_same_seed() -> None:
    assert damage.made("csv", 7) == damage.made("csv", 7) != damage.made("csv", 8)
