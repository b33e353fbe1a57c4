"""Work spread over threads: order, laziness, errors."""

from collections.abc import Iterator

import pytest

import phrasemill as pm
from phrasemill.batches import without_gil
from phrasemill.errors import InputError

TEXTS = [f"Salt water moves inland past well number {number}. Deep wells turn brackish." for number in range(200)]


class Shout:
    def extract(self, source: pm.Document, **_: object) -> list[pm.Keyphrase]:
        if source.text == "bad":
            raise InputError("bad text")
        return [pm.Keyphrase(source.text.upper(), 1.0)]


def test_a_batch_in_threads_is_the_batch_of_one() -> None:
    assert list(pm.extract_batch(TEXTS, jobs=2, threads=True)) == list(pm.extract_batch(TEXTS))


def test_threads_share_a_method_object() -> None:
    found = pm.extract_batch(["one", "two"], method=Shout(), jobs=2, threads=True)
    assert [keyphrases[0].text for keyphrases in found] == ["ONE", "TWO"]


def test_an_error_is_raised_when_it_is_its_turn() -> None:
    found = pm.extract_batch([*["good"] * 100, "bad", "good"], method=Shout(), jobs=2, threads=True)
    assert [next(found)[0].text for _ in range(100)] == ["GOOD"] * 100
    with pytest.raises(InputError, match="bad text"):
        next(found)


def test_texts_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "salt"

    found = pm.extract_batch(endless(), method=Shout(), jobs=2, threads=True)
    assert next(found)[0].text == "SALT"
    assert taken < 2000
    found.close()  # type: ignore[attr-defined]


def test_processes_are_the_default_where_python_has_a_gil(monkeypatch: pytest.MonkeyPatch) -> None:
    class Local(Shout):
        """Cannot be sent to a process."""

    monkeypatch.setattr("sys._is_gil_enabled", lambda: True, raising=False)
    assert not without_gil()
    with pytest.raises(pm.ConfigError, match="cannot be sent to worker processes"):
        list(pm.extract_batch(["one"], method=Local(), jobs=1))
    monkeypatch.setattr("sys._is_gil_enabled", lambda: False)
    assert without_gil()
    assert len(list(pm.extract_batch(["one"], method=Local(), jobs=1))) == 1
