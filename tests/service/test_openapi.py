"""Schemathesis over the OpenAPI description: whatever it makes up, the answer is one that the description knows."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from served import Served

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ADDRESSES = {
    "/v1/extract": "POST",
    "/v1/files": "POST",
    "/v1/sets": "POST",
    "/v1/evaluate": "POST",
    "/v1/methods": "GET",
    "/v1/metrics": "GET",
    "/healthz": "GET",
    "/readyz": "GET",
    "/metrics": "GET",
}
EVERY_KIND = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def description(server: Served) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{server.address}/openapi.json")


def test_every_address_is_tried(description: schemathesis.BaseSchema) -> None:
    assert {path: next(iter(methods)).upper() for path, methods in description.items()} == ADDRESSES


@pytest.mark.parametrize("path", ADDRESSES)
def test_answers_are_as_described(description: schemathesis.BaseSchema, path: str, effort: int) -> None:
    operation = description[path][ADDRESSES[path]]
    many = 15 * effort if ADDRESSES[path] == "POST" else 1
    for mode in EVERY_KIND if many > 1 else EVERY_KIND[:1]:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=many, derandomize=True, deadline=None, database=None, suppress_health_check=HealthCheck)
        def answers(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS)

        answers()
