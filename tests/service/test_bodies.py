"""Bodies are counted before they are parsed, and large ones are parsed by workers."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import Gauge

from phrasemill.service import bodies
from phrasemill.service.admission import Bounded
from phrasemill.service.exchanges import Exchange
from phrasemill.service.limits import Limits
from phrasemill.service.problems import Refusal
from phrasemill.service.steps import Step
from phrasemill.service.work import SMALL, Work

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(alphabet='a"\\,[{}]\n😀\ud800'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='a"\\,[{'), inner),
    max_leaves=20,
)


def count(value: object) -> int:
    """The values in `value` besides itself."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else max(1, len(inner)) + sum(map(count, inner))


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_values_are_counted_in_the_bytes(value: object, ascii_: bool, indent: int | None) -> None:
    body = json.dumps(value, ensure_ascii=ascii_, indent=indent).encode("utf-8", "surrogatepass")
    many = count(value)
    assert bodies.has_at_most(body, many)
    assert not bodies.has_at_most(body, many - 1)


@pytest.mark.parametrize("item", [b"{}", b"[]", b'""', b"1", b'{"text":""}'])
def test_too_many_values_are_refused_before_any_exists(item: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(json, "loads", parse)
    body = b'{"documents":[' + b",".join([item] * 20_001) + b"]}"
    for sets in (False, True):
        with pytest.raises(Refusal) as refused:
            bodies.parsed_request(None, body=(body,), documents=1000, sets=sets)
        assert refused.value.kind == "too-many-values"


def test_too_many_documents_are_refused_before_they_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(*_: object) -> None:
        raise AssertionError("they were checked")

    monkeypatch.setattr(bodies, "checked", check)
    own, both = {"documents": [{}] * 11}, {"documents": [{}] * 6, "against": [{}] * 5}
    for sets, value in ((False, own), (True, own), (True, both)):
        with pytest.raises(Refusal) as refused:
            bodies.parsed_request(None, body=(json.dumps(value).encode(),), documents=10, sets=sets)
        assert refused.value.kind == "too-many-documents"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nothing",
        b'{"documents": [{"text": "x"}',
        b"\xff\xfe",
        b'"\xed\xa0\x80"',
        '{"documents": [{"text": "x"}]}'.encode("utf-16"),
        b"[" * 9_000,
        b'{"top": ' + b"9" * 5_000 + b"}",
        b"{} {}",
        b'{"a": 01}',
        b"\x00",
    ],
)
def test_what_is_no_json_is_told_with_its_place(body: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        bodies.parsed_request(None, body=(body,), documents=1000)
    assert refused.value.kind == "malformed-request"
    assert refused.value.errors[0]["where"].startswith("body.")


def test_names_that_a_client_made_up_are_not_sent_back_whole() -> None:
    with pytest.raises(Refusal) as refused:
        bodies.parsed_request(None, body=(json.dumps({"documents": [], "x" * 100_000: 1}).encode(),), documents=10)
    assert len(json.dumps(refused.value.record())) < 1_000


class Asked:
    """A pool that records its steps, and does them here."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def ask(self, step: Any, *, request: str) -> Any:
        self.steps.append(step)
        return step(None)


def test_large_bodies_are_parsed_by_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Asked()
    work: Any = Work(pool, Limits())  # type: ignore[arg-type]
    for length in (10, SMALL + 1):
        body = json.dumps({"documents": [{"text": "x" * length}]}).encode()
        memory = Bounded(1 << 20, Gauge("held", "", registry=None))
        exchange = Exchange({}, {}, "", memory, body=(body[:5], body[5:]), held=len(body))
        asked = asyncio.run(work._parsed(exchange))
        assert asked.documents[0].unpacked().text == "x" * length
        assert exchange.body == ()
        assert exchange.held == len(asked.documents[0].data)
    assert [step.func for step in pool.steps] == [bodies.parsed_request]
