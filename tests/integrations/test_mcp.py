"""The server's tools, called by the official client: in memory, and over standard input and output."""

import asyncio
import os
import sys
from inspect import signature
from typing import Any

import pytest

import phrasemill as pm

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters

from phrasemill.integrations import mcp
from phrasemill.integrations.mcp import LONGEST_TEXT, server

TEXT = "Salt water moves inland, and wells turn brackish. Salt water intrusion is slow."
SETS = [["Salt water in wells.", "Salt water and farms."], ["Neural networks.", "Networks learn."]]


def called(tool: str, arguments: dict[str, Any], to: Any = None) -> Any:
    """The result of one call."""

    async def call() -> Any:
        async with Client(to or server()) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def test_over_standard_input_and_output() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "phrasemill", "mcp"], env={"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    )

    async def session() -> tuple[list[str], Any]:
        async with Client(command) as client:
            tools = await client.list_tools()
            return [one.name for one in tools.tools], await client.call_tool("extract", {"text": TEXT, "top": 2})

    names, result = asyncio.run(session())
    assert names == ["extract", "extract_set", "contrast", "evaluate"]
    found = result.structured_content["keyphrases"]
    assert [one["text"] for one in found] == [one.text for one in pm.extract(TEXT, top=2)]


def test_keyphrases_are_grounded() -> None:
    found = called("extract", {"text": TEXT, "method": "tfidf", "longest": 2}).structured_content["keyphrases"]
    [water] = [one for one in found if one["text"] == "Salt water"]
    assert water["times"] == 2
    assert [TEXT[start:end] for start, end in water["places"]] == ["Salt water", "Salt water"]
    assert water["excerpt"] == "Salt water moves inland, and wells turn brackish.…"


def test_what_texts_share_and_what_sets_them_apart() -> None:
    shared = called("extract_set", {"texts": SETS[0], "top": 1}).structured_content["keyphrases"]
    assert [(one["text"], one["documents"], one["of"], one["in"]) for one in shared] == [
        ("Salt water", 2, 2, ["1", "2"])
    ]
    answer = called("contrast", {"texts": SETS[0], "against": SETS[1], "top": 1}).structured_content
    assert "significant" in answer["notes"][0]
    apart = answer["keyphrases"]
    assert apart[0]["text"] == "Salt water"
    assert apart[0]["effect"] > 0
    assert apart[0]["other"] == 0


def test_style_and_stopwords_reach_the_method() -> None:
    found = called("extract", {"text": TEXT, "style": "news", "top": 3}).structured_content["keyphrases"]
    assert [one["text"] for one in found] == pm.extract(TEXT, style="news", top=3).texts
    given = {"method": "rake", "stopwords": ["wells"], "replace_stopwords": True}
    found = called("extract", {"text": TEXT, **given}).structured_content["keyphrases"]
    assert [one["text"] for one in found] == pm.extract(TEXT, **given).texts
    assert found != called("extract", {"text": TEXT, "method": "rake"}).structured_content["keyphrases"]
    shared = called("extract_set", {"texts": SETS[0], "style": "news"}).structured_content["keyphrases"]
    assert [one["text"] for one in shared] == [one.text for one in pm.extract_set(SETS[0], style="news")]


def test_scores_have_their_signature() -> None:
    arguments = {"predictions": {"a": ["wells"]}, "gold": {"a": ["well", "farm"]}, "metrics": ["F1@5"]}
    [score] = called("evaluate", arguments).structured_content["scores"]
    assert score["value"] == pytest.approx(0.6667)
    assert score["signature"].startswith("F1@5|match:stem")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("extract", {"text": TEXT, "method": "nothing"}, "unknown method 'nothing'"),
        ("extract", {"text": TEXT, "method": "kea(model='/etc/passwd')"}, "cannot be set over the network"),
        ("extract", {"text": TEXT, "method": "llm(model='m', base_url='http://a')"}, "cannot be set over the network"),
        ("extract", {"text": TEXT, "style": "/etc/passwd"}, "unknown style"),
        ("contrast", {"texts": ["a"], "against": ["b"], "style": "author"}, "unknown style 'author'"),
        ("extract", {"text": TEXT, "method": "llm"}, "llm needs a model"),
        ("extract", {"text": TEXT, "top": 1000}, "less than or equal to 100"),
        ("extract", {"text": "x" * (LONGEST_TEXT + 1)}, "at most 2,000,000 characters"),
        ("extract", {"text": TEXT, "redundancy": "meaning(encoder='/x')"}, "takes numbers only over the network"),
        ("extract_set", {"texts": ["x"] * 501}, "at most 500 texts"),
        ("evaluate", {"predictions": {}, "gold": {}}, "the gold has no documents"),
        (
            "evaluate",
            {"predictions": {}, "gold": {"a": ["b"]}, "metrics": ["BERTScore(embeddings='/x')"]},
            "embeddings",
        ),
    ],
)
def test_mistakes_are_messages_for_the_model(tool: str, arguments: dict[str, Any], message: str) -> None:
    result = called(tool, arguments)
    assert result.is_error
    assert message in result.content[0].text


def test_answers_have_no_room_for_reasons() -> None:
    listed = called("extract", {"text": TEXT, "explain": True})
    assert listed.is_error or "evidence" not in listed.structured_content["keyphrases"][0]
    assert "explain" not in signature(mcp.extract).parameters and "boost" in signature(mcp.extract).parameters


def test_tags_are_suggested_where_there_are_some() -> None:
    class Suggested:
        def record(self) -> dict[str, object]:
            return {"tags": [{"tag": "water"}]}

    class Tags:
        def suggest(self, source: str, *, limit: int) -> Suggested:
            assert (source, limit) == (TEXT, 3)
            return Suggested()

    result = called("suggest_tags", {"text": TEXT, "limit": 3}, server(Tags()))
    assert result.structured_content == {"tags": [{"tag": "water"}]}
