"""Parts of the OpenAPI description that routes share: bodies that we parse ourselves, and problems."""

from typing import Any

from pydantic import BaseModel

from phrasemill.options import OPTIONS
from phrasemill.service.forms import FIELDS, LISTS
from phrasemill.service.problems import KINDS, MEDIA_TYPE


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of these statuses, all of them problems."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict(KINDS.values())
    return {status: {"description": titles[status], "content": content} for status in statuses}


def request_body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Describe a body that we parse ourselves, outside the event loop."""
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


def json_body(model: type[BaseModel]) -> dict[str, Any]:
    return request_body("application/json", {"$ref": f"#/components/schemas/{model.__name__}"})


WORK_PROBLEMS = problem_responses(400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503)
FILES = "Documents, files of records and, for jobs, archives; names may have folders in them."
COLUMNS = "The columns or fields of files of records to read: text=NAME,title=NAME,id=NAME; by default the usual names."
BINARY = {"type": "string", "format": "binary"}
SWITCH = {"type": "string", "enum": ["true", "false"]}
LIST_PROBLEMS = problem_responses(401, 421, 503)
FORM = {
    "type": "object",
    "required": ["files"],
    "properties": {
        "files": {
            "type": "array",
            "minItems": 1,
            "items": BINARY,
            "description": FILES,
        },
        **{
            name: (SWITCH if OPTIONS[name].kind == "flag" else {"type": "string"})
            | {"description": OPTIONS[name].help + (" One per line." if name in LISTS else "")}
            for name in FIELDS
        },
        "columns": {"type": "string", "description": COLUMNS, "examples": ["text=message"]},
        "extract": SWITCH | {"description": "Whether to extract keyphrases, or only to read the files."},
    },
}
