"""Worker processes: answers, errors, deaths, order."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import phrasemill as pm
from faulty import Detailed, Doubling, Faulty, Unprepared
from phrasemill.batches import without_gil
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError, UnknownName
from phrasemill.isolated import Pool, checked_jobs, in_order

TEXT = "Salt water moves inland when pumps draw too much groundwater."


def test_answers_are_futures() -> None:
    async def awaited() -> int:
        return int(await asyncio.wrap_future(pool.submit(4)))

    # The loop runs in a thread: tests of the page leave one running in the main thread.
    with Pool(Doubling(), jobs=2) as pool, ThreadPoolExecutor() as apart:
        calls = [pool.submit(piece) for piece in range(4)]
        assert [call.result() for call in calls] == [0, 2, 4, 6]
        assert apart.submit(lambda: asyncio.run(awaited())).result() == 8


def test_an_error_of_the_work_is_raised_by_its_call() -> None:
    with Pool(Doubling(), jobs=1) as pool:
        before = pool.submit("PID").result()
        error, told, unsent, value = (pool.submit(piece).exception() for piece in ("ERROR", "QUIT", "FUNCTION", 21))
        assert pool.submit("PID").result() == before
    assert isinstance(error, ValueError)
    assert isinstance(told, RuntimeError)
    assert str(told) == "SystemExit: 4"
    assert "pickle" in str(unsent)
    assert value is None


@pytest.mark.parametrize(
    "error", [UnknownName("method", "x", ["b", "a"]), MissingExtra("ray", "ray", purpose="work"), InputError("no")]
)
def test_what_is_wrong_before_the_first_piece_is_raised(error: PhrasemillError) -> None:
    with Pool(Unprepared(error), jobs=1) as pool, pytest.raises(type(error)) as told:
        pool.submit(1).result()
    assert str(told.value) == str(error)


def test_jobs_are_checked() -> None:
    assert checked_jobs(3) == 3
    assert checked_jobs(None) >= 1
    for wrong in (0, -1, 1.5, "2", True):
        with pytest.raises(ConfigError, match="jobs must be a whole number"):
            checked_jobs(wrong)  # type: ignore[arg-type]


def test_order_is_kept_and_no_more_is_taken_than_needed() -> None:
    taken = []

    def pieces() -> Iterator[int]:
        for number in range(40):
            taken.append(number)
            yield number

    with Pool(Doubling(), jobs=2) as pool:
        answers = in_order(pool.submit, pieces(), jobs=2)
        assert next(answers) == 0
        assert len(taken) <= 10
        assert list(answers) == [2 * number for number in range(1, 40)]


def test_answers_are_yielded_when_they_are_there() -> None:
    """Not only when enough pieces have come: their source may be slow."""
    with Pool(Doubling(), jobs=2) as pool:

        def pieces() -> Iterator[int]:
            yield 1
            while pool.submit(0).result() or not found:
                yield 2

        found: list[int] = []
        for one in in_order(pool.submit, pieces(), jobs=2):
            found.append(one)
    assert found[0] == 2


# extract_batch


@pytest.mark.parametrize("threads", [False, True])
def test_a_batch_is_the_same_with_workers(threads: bool) -> None:
    texts = [f"{TEXT} Wells number {n} turn salty." for n in range(150)]
    sources = [*texts, pm.Document("d", TEXT, title="Salt"), *texts]
    found = pm.extract_batch(iter(sources), top=3, jobs=2, threads=threads)
    assert list(found) == list(pm.extract_batch(sources, top=3))


@pytest.mark.parametrize("threads", [False, True])
def test_an_error_comes_when_it_is_its_texts_turn(threads: bool) -> None:
    found = pm.extract_batch([*["fine"] * 100, "ERROR", "fine"], method=Faulty(), jobs=2, threads=threads)
    assert [next(found)[0].text for _ in range(100)] == ["fine"] * 100
    with pytest.raises(ValueError, match="the text says"):
        next(found)


def test_processes_are_the_default_where_python_has_a_gil(monkeypatch: pytest.MonkeyPatch) -> None:
    class Local(Detailed):
        """Cannot be sent to a process."""

    monkeypatch.setattr("sys._is_gil_enabled", lambda: True, raising=False)
    assert not without_gil()
    with pytest.raises(ConfigError, match="cannot be sent to worker processes"):
        list(pm.extract_batch(["one"], method=Local(), jobs=1))
    monkeypatch.setattr("sys._is_gil_enabled", lambda: False)
    assert without_gil()
    assert len(list(pm.extract_batch(["one"], method=Local(), jobs=1))) == 1


def test_a_batch_of_analyses_with_phrases_that_one_knows() -> None:
    from phrasemill.text.analyse import analyse

    sources = [analyse(TEXT), TEXT]
    known = {"candidates": ["salt water", "pumps"], "boost": (word for word in ["pumps"]), "method": "tfidf"}
    found = list(pm.extract_batch(sources, **known, jobs=1))
    assert [{k.text.lower() for k in one} for one in found] == [{"salt water", "pumps"}] * 2


def test_options_that_make_no_sense_are_told_with_processes_too() -> None:
    with pytest.raises(UnknownName, match="nosuch"):
        next(pm.extract_batch([TEXT], method="nosuch", jobs=2))
    with pytest.raises(ConfigError, match="jobs"):
        next(pm.extract_batch([TEXT], jobs=0))


def test_a_text_that_ends_its_process_is_an_error_of_one_line() -> None:
    with pytest.raises(InputError, match=r"a text after the first 0 failed: its process crashed \(SIGSEGV\)"):
        list(pm.extract_batch(["fine", "CRASH"], method=Faulty(), jobs=1))


UNREAD = """
import os, phrasemill as pm

found = pm.extract_batch(("Salt water moves inland." for _ in range(1000)), jobs=2)
next(found)
found.close()
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no children")
"""


def test_a_batch_that_nobody_reads_to_its_end_leaves_no_process() -> None:
    # In a process of its own: other tests leave children that are none of ours.
    done = subprocess.run([sys.executable, "-c", UNREAD], capture_output=True, text=True, check=True)
    assert done.stdout == "no children\n"


def test_what_a_process_finds_is_the_same_to_the_last_field() -> None:
    texts = [TEXT, "", "Deep wells turn brackish."] * 30
    for options in ({"explain": True}, {"method": Detailed()}):
        found = list(pm.extract_batch(texts, jobs=1, **options))
        assert found == list(pm.extract_batch(texts, **options))
        assert {type(one) for one in found} == {pm.Keyphrases}
        assert {type(span) for one in found for keyphrase in one for span in keyphrase.spans} <= {pm.Span}


def test_batches_of_an_extractor_share_its_processes() -> None:
    with pm.Extractor("firstphrases", jobs=2) as extractor:
        one, other = (extractor.batch([f"Well {n}"] * 200) for n in "ab")
        assert [len(list(pair)) for pair in zip(one, other, strict=True)] == [2] * 200
        next(extractor.batch([TEXT] * 1000))  # and is left
        assert len(list(extractor.batch([TEXT] * 10))) == 10
    with pytest.raises(ConfigError, match="closed"):
        extractor.batch([TEXT])


SCRIPT = """
import phrasemill as pm

class Shout:
    def extract(self, source, **_):
        return [pm.Keyphrase(source.text.upper(), 1.0)]

print([k[0].text for k in pm.extract_batch(["Salt water.", "Deep wells."], jobs=2, top=1)])
try:
    list(pm.extract_batch(["hey"], method=Shout(), jobs=2))
except pm.ConfigError as error:
    print(error)
"""


def test_scripts_need_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == "['Salt water', 'Deep wells']"
    assert second.startswith("worker processes cannot import the method; define its class in a module")
