"""Tags over HTTP: what the library says, whichever worker answers, and in the shape that clients of Annif read."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import phrasemill as pm
from served import Served, served

NOTES = Path(__file__).parents[1] / "tags" / "notes"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EVERY_KIND = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
FOCACCIA = "A wet dough with olive oil, baked on the baking stone until the crust of the bread is golden."


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tags") / "my.tags"
    pm.Tags.learn(NOTES).save(path)
    return path


@pytest.fixture(scope="module")
def server(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(
        tmp_path_factory.mktemp("service") / "logs", workers=2, tags=str(path), limits={"documents": 20}
    ) as one:
        yield one


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as one:
        yield one


def suggested(client: httpx.Client, text: str, **options: Any) -> list[dict[str, Any]]:
    answer = client.post("/v1/tags/suggest", json={"documents": [{"text": text}], **options})
    assert answer.status_code == 200, answer.text
    return answer.json()["documents"][0]["tags"]


def test_suggestions_are_those_of_the_library(client: httpx.Client, path: Path) -> None:
    documents = [{"id": "x", "text": FOCACCIA, "title": "Focaccia"}, {"text": "Compost and soil."}]
    answer = client.post("/v1/tags/suggest", json={"documents": documents, "limit": 4}).json()
    texts = [pm.Document("x", FOCACCIA, "Focaccia"), pm.Document("2", "Compost and soil.")]
    expected = [one.record() for one in pm.Tags.open(path).suggest_all(texts, limit=4)]
    assert answer == {"documents": expected}


def test_feedback_is_in_every_later_answer_whichever_worker_gives_it(client: httpx.Client, path: Path) -> None:
    for number in range(6):
        tag = f"kayaking-{'abcdef'[number]}"
        text = f"Paddle {'abcdef'[number]} and a kayak."
        answer = client.post("/v1/tags/feedback", json={"document": {"text": text}, "add": [tag]})
        assert answer.status_code == 200, answer.text
        for _ in range(4):
            assert tag in {one["tag"] for one in suggested(client, text, threshold=0, limit=50)}
    assert "kayaking-f" in pm.Tags.open(path).counts


def test_feedback_at_the_same_time_is_all_kept(server: Served) -> None:
    def add(number: int) -> None:
        with server.client() as own:
            body = {"document": {"text": f"River {number}"}, "add": [f"river-{number}"]}
            assert own.post("/v1/tags/feedback", json=body).status_code == 200

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with server.client() as client:
        listed = {one["tag"] for one in client.get("/v1/tags").json()["tags"]}
    assert {f"river-{number}" for number in range(8)} <= listed


def test_the_command_may_change_the_file_meanwhile(client: httpx.Client, path: Path) -> None:
    from phrasemill.tags.collection import changing

    with changing(path) as tags:
        tags.feedback("Zithers and dulcimers.", add=["zither"])
    assert "zither" in {one["tag"] for one in suggested(client, "A zither.", threshold=0)}


@pytest.mark.parametrize(
    ("address", "body", "status", "detail"),
    [
        ("/v1/tags/suggest", {"documents": []}, 422, "body.documents"),
        ("/v1/tags/suggest", {"documents": [{"text": "x"}], "limit": 0}, 422, "body.limit"),
        ("/v1/tags/suggest", {"documents": [{"text": "x"}] * 21}, 413, "at most 20"),
        ("/v1/tags/feedback", {"document": {"text": "x"}}, 422, "feedback needs a tag"),
        ("/v1/tags/feedback", {"document": {"text": "x"}, "accept": ["a"], "refuse": ["a"]}, 422, "both accepted"),
        ("/v1/tags/feedback", {"document": {"text": "x"}, "accept": "a"}, 422, "body.accept"),
        ("/v1/projects/other/learn", [], 404, "no project 'other'"),
        ("/v1/projects/my/learn", {}, 422, "body"),
        ("/v1/projects/my/suggest-batch?limit=x", {"documents": [{"text": "x"}]}, 422, "query.limit"),
        ("/v1/projects/my/suggest", {"text": "x"}, 415, "send application/x-www-form-urlencoded"),
    ],
)
def test_wrong_requests_are_problems(client: httpx.Client, address: str, body: Any, status: int, detail: str) -> None:
    answer = client.post(address, json=body)
    assert answer.status_code == status
    assert detail in answer.json()["detail"]


@pytest.mark.parametrize("form", [{}, {"text": "x", "limit": "0"}, {"text": "x", "threshold": "high"}])
def test_wrong_forms_are_problems(client: httpx.Client, form: dict[str, str]) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/v1/projects/my/suggest", data=form, headers=headers).status_code == 422


def test_clients_of_annif_can_be_pointed_here(server: Served) -> None:
    annif_client = pytest.importorskip("annif_client")
    annif = annif_client.AnnifClient(f"{server.address}/v1/")
    assert annif.api_info["version"] == pm.__version__
    assert [one["project_id"] for one in annif.projects] == ["my"]
    assert annif.get_project("my")["is_trained"]
    (first,) = annif.suggest("my", FOCACCIA, limit=1)
    assert (first["label"], first["uri"], first["notation"]) == ("baking", "urn:phrasemill:tag:baking", None)
    assert all(one["score"] >= 0.3 for one in annif.suggest("my", FOCACCIA, threshold=0.3))
    (batch,) = annif.suggest_batch("my", [{"text": FOCACCIA, "document_id": "x"}], limit=1)
    assert (batch["document_id"], batch["results"]) == ("x", [first])
    annif.learn("my", [{"text": "The lute and its strings.", "subjects": [{"uri": "urn:lute", "label": "lute"}]}])
    assert annif.suggest("my", "Strings for a lute.", limit=1)[0]["label"] == "lute"
    with pytest.raises(ValueError, match="no project 'other'"):
        annif.suggest("other", "text")


def test_the_description_has_every_address(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    project = "/v1/projects/{project}"
    addresses = {"/v1/tags", "/v1/tags/suggest", "/v1/tags/feedback", "/v1/", "/v1/projects", "/v1/vocabs", project}
    assert addresses | {f"{project}/{name}" for name in ("suggest", "suggest-batch", "learn")} <= paths.keys()


def test_without_a_file_of_tags_there_are_no_such_addresses(tmp_path: Path) -> None:
    with served(tmp_path / "logs") as server, server.client() as client:
        assert client.post("/v1/tags/suggest", json={"documents": [{"text": "x"}]}).status_code == 404
        assert client.get("/v1/projects").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["/v1/tags/suggest", "/v1/tags/feedback", *(f"/v1/projects/{{project}}/{name}" for name in ("suggest", "learn"))],
)
def test_answers_are_as_described(server: Served, address: str, effort: int) -> None:
    description = schemathesis.openapi.from_url(f"{server.address}/openapi.json")
    for mode in EVERY_KIND:

        @given(case=description[address]["POST"].as_strategy(generation_mode=mode))
        @settings(
            max_examples=10 * effort, derandomize=True, deadline=None, database=None, suppress_health_check=HealthCheck
        )
        def answers(case: schemathesis.Case) -> None:
            if case.path_parameters:
                case.path_parameters["project"] = "my"
            case.call_and_validate(checks=CHECKS)

        answers()
