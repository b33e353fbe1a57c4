"""What the service says no to, and how."""

import re
from dataclasses import fields
from typing import Any

import httpx
import pytest

from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import GENERATOR_PIECES, TAGS
from phrasemill.methods.writing import ORDERS
from phrasemill.service.listing import parameters
from phrasemill.service.problems import KINDS, PREFIX, Refusal
from phrasemill.service.specs import check_metrics, checked, choices_of
from phrasemill.service.tokens import Tokens, read_tokens
from phrasemill.sets import consensus
from served import Served, served

TEXT = [{"text": "Salt water moves inland."}]
GOLD = {"answers": {"a": ["salt water"]}}
ONE = {"documents": TEXT}


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({"documents": TEXT, "top": "x"}, {"body.top"}),
        ({"documents": [{"text": 5}]}, {"body.documents.0.text"}),
        ({"documents": [{"title": "x"}]}, {"body.documents.0.text"}),
        ({"text": "x"}, {"body.documents", "body.text"}),
    ],
)
def test_errors_name_places_in_the_body_and_no_types(
    client: httpx.Client, body: dict[str, Any], places: set[str]
) -> None:
    found = client.post("/v1/extract", json=body).json()["errors"]
    assert {one["where"] for one in found} == places


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        ("/v1/extract", {}, 422, "invalid-request"),
        ("/v1/extract", {"documents": []}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "topp": 3}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "top": 0}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "method": "nope"}, 422, "unknown-method"),
        ("/v1/extract", {"documents": TEXT, "method": "textrank("}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "method": "textrank(window=1)"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "method": "generator(width=1000000)"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "language": "x" * 101}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "method": "kea(model='/etc/passwd')"}, 422, "parameter-not-allowed"),
        ("/v1/extract", {"documents": TEXT, "method": "faulty(marks='/tmp')"}, 422, "parameter-not-allowed"),
        ("/v1/extract", {"documents": TEXT, "method": "textrank", "top": "auto"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "redundancy": "nope"}, 422, "unknown-name"),
        ("/v1/extract", {"documents": TEXT, "redundancy": "none(3)"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "redundancy": "similarity(foo=0.9)"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "diversity": True}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "threshold": True}, 422, "invalid-request"),
        ("/v1/extract", {"documents": TEXT, "redundancy": "meaning(3)"}, 422, "invalid-parameter"),
        ("/v1/extract", {"documents": TEXT, "redundancy": "meaning(model='/etc')"}, 422, "parameter-not-allowed"),
        ("/v1/extract", {"documents": TEXT, "language": "qq"}, 422, "unknown-name"),
        ("/v1/extract", {"documents": TEXT * 21}, 413, "too-many-documents"),
        ("/v1/sets", {"documents": TEXT, "method": "merge(maui(vocabulary='x'))"}, 422, "parameter-not-allowed"),
        ("/v1/sets", {"documents": TEXT, "method": "merge(method='kea')"}, 422, "parameter-not-allowed"),
        ("/v1/sets", {"documents": [{"id": "a", "text": "x"}] * 2}, 422, "unreadable-input"),
        ("/v1/evaluate", {"predictions": [GOLD], "gold": {}}, 422, "invalid-request"),
        ("/v1/evaluate", {"predictions": [GOLD], "gold": GOLD, "metrics": ["F9@5"]}, 422, "unknown-name"),
        ("/v1/evaluate", {"predictions": [GOLD], "gold": GOLD, "preset": "nope"}, 422, "unknown-name"),
        ("/v1/evaluate", {"predictions": [GOLD], "gold": GOLD, "policy": {"threshold": 0.4}}, 422, "invalid-parameter"),
        ("/v1/evaluate", {"predictions": [GOLD] * 20, "gold": GOLD, "resamples": 10_000}, 422, "invalid-parameter"),
        ("/v1/evaluate", {"predictions": [GOLD], "gold": {"answers": {"b": ["x"]}}}, 422, "unusable-data"),
        ("/v1/evaluate", {"predictions": [{"text": "?"}], "gold": GOLD}, 422, "unreadable-input"),
        (
            "/v1/evaluate",
            {"predictions": [GOLD], "gold": GOLD, "policy": {"match": "semantic", "embeddings": "/etc"}},
            422,
            "parameter-not-allowed",
        ),
    ],
)
def test_problems_have_a_type_that_stays(
    client: httpx.Client, path: str, body: dict[str, Any], status: int, kind: str
) -> None:
    refused(client.post(path, json=body), status, kind)


def refused(answer: httpx.Response, status: int, kind: str) -> None:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (status, PREFIX + kind), answer.text
    assert problem["status"] == status
    assert problem["request"] == answer.headers["x-request-id"]
    assert "Traceback" not in answer.text
    assert "site-packages" not in answer.text


def test_what_is_no_request_of_ours(client: httpx.Client) -> None:
    json_ = {"content-type": "application/json"}
    refused(client.post("/v1/extract", content=b'{"documents":', headers=json_), 400, "malformed-request")
    refused(client.post("/v1/extract", content=b"\xff\xfe", headers=json_), 400, "malformed-request")
    refused(client.post("/v1/extract", content=b"[" * 10_000, headers=json_), 400, "malformed-request")
    refused(client.post("/v1/extract", data={"a": "b"}), 415, "unsupported-media-type")
    refused(client.post("/v1/extract", json=ONE, headers={"content-encoding": "gzip"}), 415, "unsupported-media-type")
    refused(client.post("/v1/files", json={}), 415, "unsupported-media-type")
    refused(client.post("/v1/files", files={"other": b""}, data={"nope": "1"}), 422, "invalid-request")
    refused(client.post("/v1/files", files={"files": b"text"}, data={"top": "many"}), 422, "invalid-request")
    refused(client.get("/v1/extract"), 405, "method-not-allowed")
    refused(client.delete("/v1/methods"), 405, "method-not-allowed")
    refused(client.get("/v1/nope"), 404, "not-found")


@pytest.mark.parametrize(
    "path", ["/web/../app.py", "/web/%2e%2e/app.py", "/web//etc/passwd", "/web/..%5capp.py", "/app.py"]
)
def test_no_file_of_the_server_is_reachable(client: httpx.Client, path: str) -> None:
    url = client.base_url.copy_with(raw_path=path.encode())
    refused(client.get(url), 404, "not-found")


def test_names_and_pages_of_others_get_nothing(client: httpx.Client) -> None:
    address = f"127.0.0.1:{client.base_url.port}"
    for host in (
        "evil.example",
        f"evil@{address}",
        f"{address}@evil.example",
        f"{address}/evil",
        f"{address}x",
        "[::1",
    ):
        refused(client.get("/healthz", headers={"host": host}), 421, "unknown-host")
    for host in (address, "127.0.0.1"):
        assert client.get("/healthz", headers={"host": host}).status_code == 200
    refused(client.post("/v1/extract", json=ONE, headers={"origin": "https://evil.example"}), 403, "foreign-origin")
    same = client.post("/v1/extract", json=ONE, headers={"origin": str(client.base_url).rstrip("/")})
    assert same.status_code == 200
    assert "access-control-allow-origin" not in same.headers


def test_every_answer_is_guarded(client: httpx.Client) -> None:
    for path in ("/", "/docs", "/v1/methods", "/nope"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert ("unsafe" in policy, "https:" in policy) == (path == "/docs", path == "/docs")
        assert "script-src 'unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_tokens_and_origins(tmp_path_factory: pytest.TempPathFactory) -> None:
    logs = tmp_path_factory.mktemp("tokens") / "logs"
    good = "a-token-of-good-length"
    with served(logs, tokens=[good], origins=["https://friend.example"]) as one, one.client() as client:
        refused(client.get("/v1/methods"), 401, "unauthorised")
        refused(client.get("/metrics"), 401, "unauthorised")
        for wrong in ("Bearer nope", f"Basic {good}", f"Bearer {good}x", ""):
            answer = client.post("/v1/extract", json=ONE, headers={"authorization": wrong})
            refused(answer, 401, "unauthorised")
            assert answer.headers["www-authenticate"].startswith("Bearer")
        friend = {"authorization": f"Bearer {good}", "origin": "https://friend.example"}
        answer = client.post("/v1/extract", json=ONE, headers=friend)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "https://friend.example"
        assert client.get("/").status_code == 200
        assert client.get("/readyz").status_code == 200
    assert good not in logs.read_text()


def test_a_token_file(tmp_path: Any) -> None:
    path = tmp_path / "tokens"
    path.write_text("# ours\n\nfirst-token-long-enough\nsecond-token-long-enough\n")
    tokens = read_tokens(str(path))
    assert tokens.holder(b"Bearer second-token-long-enough") != tokens.holder(b"bearer first-token-long-enough")
    assert tokens.holder(b"Bearer # ours") is None
    assert not Tokens()
    for content in ("", "short\n", "with spaces in the token\n"):
        path.write_text(content)
        with pytest.raises(PhrasemillError):
            read_tokens(str(path))
    with pytest.raises(PhrasemillError, match="cannot be read"):
        read_tokens(str(tmp_path / "none"))


def test_no_text_of_a_spec_goes_anywhere_unless_it_is_listed() -> None:
    for registry in (METHODS, SET_METHODS):
        for name in registry.names():
            for field in fields(registry.get(name)):  # type: ignore[arg-type]
                spec = f"{name}({field.name}='/etc/passwd')"
                with pytest.raises((Refusal, PhrasemillError)):
                    checked(spec, {}, sets=True)
                for choice in choices_of(name, field):
                    assert checked(f"{name}({field.name}={choice!r})", {}, sets=True)


def test_the_lists_of_choices_are_the_methods_own() -> None:
    def listed(name: str, parameter: str) -> list[str]:
        made_by = (METHODS if name in METHODS else SET_METHODS).get(name)
        return sorted(next(choices_of(name, one) for one in fields(made_by) if one.name == parameter))  # type: ignore[arg-type]

    assert sorted((*shipped_model().styles, TAGS)) == listed("learned", "style")
    assert sorted(consensus.CHOICES) == listed("consensus", "style")
    assert sorted(GENERATOR_PIECES) == listed("generator", "style")
    assert sorted(ORDERS) == listed("catseqd", "order")


def test_every_number_has_a_bound() -> None:
    for registry in (METHODS, SET_METHODS):
        for name in registry.names():
            for field in parameters(name, registry):
                if "largest" not in field:
                    continue
                assert field["default"] in (None, "None") or float(field["default"]) <= field["largest"]
                with pytest.raises(ConfigError, match=f"{field['name']} must be at most {field['largest']:,}"):
                    checked(f"{name}({field['name']}={10 * field['largest'] + 1})", {}, sets=True)


@pytest.mark.parametrize(
    "spec",
    [
        "textrank(window=[1, 2])",
        "textrank(window=10000000000)",
        "generator(width=1000000)",
        "textrank(damping=1e999)",
        "merge(merge)",
        "textrank(window=textrank)",
        "summarise(summarise(kea(model='x')))",
        "merge(1, 2, 3, 4)",
    ],
)
def test_other_specs_that_say_too_much(spec: str) -> None:
    with pytest.raises((Refusal, PhrasemillError)):
        checked(spec, {}, sets=True)


@pytest.mark.parametrize(
    "metric",
    ["F1@5(embeddings='/etc')", "F1@../x", "F1@5('x')", "F1@5(match=[1])", "F1@5(match='nope')", "F1(at=1000000)"],
)
def test_metrics_that_say_too_much(metric: str) -> None:
    with pytest.raises((Refusal, PhrasemillError)):
        check_metrics([metric], {})


def test_every_kind_of_problem_has_a_status_of_its_own_sort() -> None:
    assert {status for status, _ in KINDS.values()} >= {400, 404, 405, 413, 415, 422, 429, 503}
    assert all(re.fullmatch(r"[a-z-]+", kind) for kind in KINDS)


def test_logs_tell_no_secrets(server: Served) -> None:
    assert "passwd" not in server.logs.read_text()
