"""Schemathesis over the OpenAPI description: whatever it makes up, the answer is one that the description knows."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import made_files
from phrasemill.client import Client
from served import Served

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# Every operation by its id: the HTTP method, and the path.
OPERATIONS = {
    "extract": ("POST", "/v1/extract"),
    "extractFiles": ("POST", "/v1/files"),
    "extractSet": ("POST", "/v1/sets"),
    "evaluate": ("POST", "/v1/evaluate"),
    "listMethods": ("GET", "/v1/methods"),
    "listMetrics": ("GET", "/v1/metrics"),
    "listLanguages": ("GET", "/v1/languages"),
    "getHealth": ("GET", "/healthz"),
    "getReadiness": ("GET", "/readyz"),
    "getMetrics": ("GET", "/metrics"),
    "createJob": ("POST", "/v1/jobs"),
    "listJobs": ("GET", "/v1/jobs"),
    "getJob": ("GET", "/v1/jobs/{id}"),
    "deleteJob": ("DELETE", "/v1/jobs/{id}"),
    "cancelJob": ("POST", "/v1/jobs/{id}/cancel"),
    "retryJob": ("POST", "/v1/jobs/{id}/retry"),
    "listJobDocuments": ("GET", "/v1/jobs/{id}/documents"),
    "followJob": ("GET", "/v1/jobs/{id}/events"),
    "getJobResult": ("GET", "/v1/jobs/{id}/result"),
    "getJobDocument": ("GET", "/v1/jobs/{id}/documents/{number}"),
    "listJobPages": ("GET", "/v1/jobs/{id}/documents/{number}/pages"),
    "getJobPage": ("GET", "/v1/jobs/{id}/documents/{number}/pages/{page}.png"),
}
# Any text may be the id of a job, so that nothing wrong can be sent to these.
NEVER_WRONG = ("getJob", "deleteJob", "cancelJob", "followJob")
OF_JOBS = [id for id, (_, path) in OPERATIONS.items() if "{id}" in path]
EVERY_KIND = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def description(server: Served) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{server.address}/openapi.json")


@pytest.fixture
def job(server: Served) -> Iterator[str]:
    """A job with a PDF, a text and a failure, which has ended."""
    with Client(server.address) as client:
        page = made_files.pdf([["Deep groundwater wells", "pump salt water."]])
        made = client.create_job([("a.pdf", page), ("b.txt", b"Salt water moves inland."), ("c.pdf", b"%PDF-1.4")])
        client.wait(made.id)
        yield made.id


def test_every_operation_is_tried(description: schemathesis.BaseSchema) -> None:
    raw = description.raw_schema["paths"]
    found = {
        one["operationId"]: (method.upper(), path) for path, methods in raw.items() for method, one in methods.items()
    }
    assert found == OPERATIONS


def test_every_answer_has_a_type_and_what_is_protected_says_so(description: schemathesis.BaseSchema) -> None:
    for path, methods in description.raw_schema["paths"].items():
        for operation in methods.values():
            good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
            for content in (content for answer in good for content in answer.get("content", {}).values()):
                assert content["schema"], path
            assert ("security" in operation) == path.startswith(("/v1/", "/metrics"))
    scheme = description.raw_schema["components"]["securitySchemes"]["bearer"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


@pytest.mark.parametrize("id", OPERATIONS)
def test_answers_are_as_described(description: schemathesis.BaseSchema, id: str, effort: int) -> None:
    method, path = OPERATIONS[id]
    many = 15 * effort if method == "POST" and "{id}" not in path else 3 if "{id}" in path else 1
    for mode in EVERY_KIND if many > 1 and id not in NEVER_WRONG else EVERY_KIND[:1]:

        @given(case=description[path][method].as_strategy(generation_mode=mode))
        @settings(max_examples=many, derandomize=True, deadline=None, database=None, suppress_health_check=HealthCheck)
        def answers(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS)

        answers()


@pytest.mark.parametrize("id", OF_JOBS)
def test_answers_about_a_job_are_as_described(description: schemathesis.BaseSchema, job: str, id: str) -> None:
    method, path = OPERATIONS[id]

    @given(case=description[path][method].as_strategy())
    @settings(max_examples=5, derandomize=True, deadline=None, database=None, suppress_health_check=HealthCheck)
    def answers(case: schemathesis.Case) -> None:
        case.path_parameters["id"] = job
        for number in (1, 2, 3) if "number" in case.path_parameters else (1,):
            case.path_parameters |= {name: number for name in ("number",) if name in case.path_parameters}
            case.call_and_validate(checks=CHECKS)

    answers()
