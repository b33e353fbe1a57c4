"""The OpenAPI description: what FastAPI derives from the routes, and what it cannot know.

Bodies are parsed by workers, events are streams, and tokens are checked by the gate, so their schemas are added here.
"""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from phrasemill.service import job_schemas, schemas
from phrasemill.service.compression import EVENTS
from phrasemill.service.exchanges import PROTECTED

REFERENCE = "#/components/schemas/{model}"
MODELS = (
    schemas.ExtractRequest,
    schemas.SetRequest,
    schemas.EvaluateRequest,
    schemas.ExtractEvent,
    schemas.FilesEvent,
    schemas.SetEvent,
    schemas.Problem,
    job_schemas.RetryRequest,
    job_schemas.JobEvent,
)
# The operations that answer with events where a client accepts them, and what these are.
STREAMED = {"extract": schemas.ExtractEvent, "extractFiles": schemas.FilesEvent, "extractSet": schemas.SetEvent}
BEARER = "bearer"
SCHEME = {"type": "http", "scheme": "bearer", "description": "A token of the server, if it was started with tokens."}
Schema = dict[str, Any]


def describe(app: FastAPI, *, tokens: bool, more: Iterable[type[BaseModel]] = ()) -> None:
    """Complete the description of `app`; `tokens` says whether a token is needed, or only accepted, and `more` are the
    bodies of routes that not every server has."""
    made = app.openapi
    required: list[Schema] = [{BEARER: []}] if tokens else [{}, {BEARER: []}]

    def openapi() -> Schema:
        description = made()
        if "securitySchemes" not in description["components"]:
            _add_models(description, more)
            description["components"]["securitySchemes"] = {BEARER: SCHEME}
            for path, operations in description["paths"].items():
                for operation in operations.values():
                    _complete(operation, required if path.startswith(PROTECTED) else None)
        return description

    app.openapi = openapi  # type: ignore[method-assign]


def _add_models(description: Schema, more: Iterable[type[BaseModel]]) -> None:
    models: Any = [(model, "validation") for model in (*MODELS, *more)]
    _, definitions = models_json_schema(models, ref_template=REFERENCE)
    for name, schema in definitions["$defs"].items():
        description["components"]["schemas"].setdefault(name, schema)


def _complete(operation: Schema, security: "list[Schema] | None") -> None:
    if security is not None:
        operation["security"] = security
    events = STREAMED.get(operation["operationId"])
    if events is not None:
        schema = {"$ref": REFERENCE.format(model=events.__name__)}
        operation["responses"]["200"]["content"][EVENTS] = {"schema": schema}
