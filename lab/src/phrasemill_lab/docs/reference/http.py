"""The HTTP interface, from its OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from phrasemill_lab.docs.reference import markdown

Schema = Mapping[str, Any]
BODIES = {"application/json": "JSON", "multipart/form-data": "A form with files"}
TAGS = "a file of tags"  # any path: the routes for tags are described, not used


def description() -> Schema:
    """Return the OpenAPI description of a server with all its routes."""
    from phrasemill.service.app import create_app

    found: Schema = create_app(workers=1, tags=TAGS).openapi()
    return found


def operations(described: Schema) -> Iterator[tuple[str, Schema]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def page() -> str:
    described = description()
    parts = [_contents(described), *(_operation(name, one, described) for name, one in operations(described))]
    parts += ["## Objects\n", "The objects in requests and answers, by name.\n"]
    parts += [_schema(name, schema) for name, schema in sorted(described["components"]["schemas"].items())]
    intro = (
        "Every request that `phrasemill serve` answers. A running server has the same description at `/openapi.json` "
        "and, as a page with forms, at `/docs`. The requests below `/v1/tags` and `/v1/projects` need `serve --tags "
        "FILE`. Problems are `application/problem+json`; [errors](errors.md#http) lists their types. "
        "[The service](service.md) describes jobs, limits and security."
    )
    return markdown.page("HTTP", intro, parts)


def _contents(described: Schema) -> str:
    rows = [
        (f"[`{name}`](#{markdown.anchor(name)})", " ".join(one.get("description", "").split()))
        for name, one in operations(described)
    ]
    return markdown.table(("request", "what it does"), rows)


def _operation(name: str, operation: Schema, described: Schema) -> str:
    parts = [f"## `{name}`\n", markdown.prose(operation.get("description"))]
    parameters = [
        (f"`{one['name']}`", one["in"], _type(one["schema"]), _meaning({**one["schema"], **one}))
        for one in operation.get("parameters", ())
    ]
    parts.append(markdown.table(("parameter", "in", "type", "what it is"), parameters))
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        named, body = "$ref" in content["schema"], BODIES.get(kind, f"`{kind}`")
        parts.append(f"Request: {body}, {_type(content['schema'])}.\n" if named else f"Request: {body}.\n")
        parts.append("" if named else _fields(content["schema"]))
    answers, problems = [], []
    for status, answer in operation["responses"].items():
        if status >= "400":
            problems.append(status)
            continue
        kinds = [f"{_type(one.get('schema', {}))} (`{kind}`)" for kind, one in answer.get("content", {}).items()]
        answers.append(f"{status}: {', or '.join(kinds) or 'no content'}")
    refused = f" Problems: {', '.join(sorted(problems))}." if problems else ""
    parts.append(f"Answer: {'; '.join(answers)}.{refused}\n")
    return "\n".join(part for part in parts if part)


def _schema(name: str, schema: Schema) -> str:
    parts = [f"### {name}\n", markdown.prose(schema.get("description"))]
    parts.append(_fields(schema) if "properties" in schema else f"{_type(schema)}.\n")
    return "\n".join(part for part in parts if part)


def _fields(schema: Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        (f"`{name}`{' (required)' if name in needed else ''}", _type(field), _meaning(field))
        for name, field in schema.get("properties", {}).items()
    ]
    return markdown.table(("field", "type", "what it is"), rows)


def _meaning(field: Schema) -> str:
    text = markdown.escaped(field.get("description", ""))
    if field.get("default") not in (None, [], {}, ""):
        text += f" Default: `{json.dumps(field['default'], ensure_ascii=False)}`."
    return text.strip()


def _type(schema: Schema) -> str:
    """Return a type in a few words, with links to objects."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(one) for one in schema[key] if one.get("type") != "null")
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    if "contentSchema" in schema:
        return f"JSON text: {_type(schema['contentSchema'])}"
    if schema.get("format") == "binary" or schema.get("contentMediaType"):
        return "file"
    return str(schema.get("type", "anything"))
