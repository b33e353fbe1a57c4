"""The page at /docs: the OpenAPI description as plain HTML, with a form to try each request.

The usual tools for this load a megabyte of script, often from another host; this page has one short script of its own,
and can be read without it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

STYLE = Path(__file__).parent / "reference.css"
SCRIPT = Path(__file__).parent / "reference.js"
BODY = {"application/json": "JSON", "multipart/form-data": "form with files"}
Schema = Mapping[str, Any]


def page_of(description: Schema) -> str:
    """Return the page."""
    info = description["info"]
    listed = list(_operations(description))
    links = "".join(f'<li><a href="#{_anchor(m, p)}"><b>{m}</b> {escape(p)}</a></li>' for m, p, _ in listed)
    sections = "".join(_section(method, path, one, description) for method, path, one in listed)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])} HTTP interface</title>"
        '<link rel="icon" href="/web/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/docs.css"><script src="/docs.js" defer></script></head><body>'
        f"<header><h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
        f"<p>{escape(info.get('description', ''))} Errors are <code>application/problem+json</code>. "
        '<a href="/openapi.json">OpenAPI</a> · <a href="/">The page</a></p>'
        "<p class=token hidden><label>Token <input id=token type=password autocomplete=off></label> "
        "sent with each request below, if the server needs one.</p></header>"
        f"<nav><ul>{links}</ul></nav><main>{sections}</main></body></html>"
    )


def _operations(description: Schema) -> Iterator[tuple[str, str, Schema]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _anchor(method: str, path: str) -> str:
    return escape(f"{method.lower()}{path.replace('/', '-')}")


def _section(method: str, path: str, operation: Schema, description: Schema) -> str:
    parts = [f'<section id="{_anchor(method, path)}"><h2><b>{method}</b> <code>{escape(path)}</code></h2>']
    parts.append(f"<p>{_marked(operation.get('description', ''))}</p>")
    if operation.get("parameters"):
        parts.append(f"<h3>In the address</h3>{_parameters(operation['parameters'], description)}")
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(content["schema"], description)
        parts.append(f"<h3>Request: {BODY.get(kind, escape(kind))}</h3>{_fields(schema, description)}")
        if kind == "application/json":
            parts.append(_example(path, schema))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json")
        if content and content.get("schema") and status in ("200", "202"):
            parts.append(f"<h3>Response</h3>{_answered(_resolved(content['schema'], description), description)}")
    problems = [status for status in operation["responses"] if status >= "400"]
    if problems:
        parts.append(f"<p class=problems>Problems: {', '.join(map(escape, problems))}</p>")
    return "".join(parts) + form_of(method, path, operation, description) + "</section>"


def _parameters(parameters: Sequence[Schema], description: Schema) -> str:
    fields = {one["name"]: {**one["schema"], "description": one.get("description", "")} for one in parameters}
    required = [one["name"] for one in parameters if one.get("required")]
    return _fields({"properties": fields, "required": required}, description)


def _resolved(schema: Schema, description: Schema) -> Schema:
    reference = schema.get("$ref")
    return description["components"]["schemas"][reference.rsplit("/", 1)[1]] if reference else schema


def _answered(schema: Schema, description: Schema) -> str:
    """Return the fields of an answer, all of which are there unless they have a default."""
    if schema.get("type") == "array":
        return f"<p>{_type(schema, description)}</p>"
    return _fields({**schema, "required": ()}, description)


def _fields(schema: Schema, description: Schema) -> str:
    needed = schema.get("required", ())
    rows = []
    for name, field in schema.get("properties", {}).items():
        star = " <span class=needed>required</span>" if name in needed else ""
        text = _marked(field.get("description", ""))
        if "default" in field and field["default"] not in (None, [], {}, ""):
            text += f" <span class=default>Default: {escape(json.dumps(field['default']))}.</span>"
        rows.append(
            f"<tr><td><code>{escape(name)}</code>{star}</td><td>{_type(field, description)}</td><td>{text}</td></tr>"
        )
    return f"<table><tbody>{''.join(rows)}</tbody></table>" if rows else ""


def _type(schema: Schema, description: Schema, depth: int = 0) -> str:
    """Return a type in a few words; objects with their fields."""
    inner = _resolved(schema, description)
    if "anyOf" in inner:
        kinds = [one for one in inner["anyOf"] if one.get("type") != "null"]
        return " or ".join(_type(one, description, depth) for one in kinds)
    if "enum" in inner or "const" in inner:
        return " or ".join(escape(json.dumps(value)) for value in inner.get("enum", [inner.get("const")]))
    if inner.get("type") == "array":
        return f"list of {_type(inner.get('items', {}), description, depth)}"
    if inner.get("properties") and depth < 3:
        fields = (f"{escape(n)}: {_type(f, description, depth + 1)}" for n, f in inner["properties"].items())
        return "{" + ", ".join(fields) + "}"
    if inner.get("format") == "binary":
        return "file"
    return escape(str(inner.get("type", "anything")))


def _marked(text: str) -> str:
    """Return a description as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _example(path: str, schema: Schema) -> str:
    command = f"curl -s http://127.0.0.1:8000{path} -H 'content-type: application/json' -d '{_sent(schema)}'"
    return f"<pre><code>{escape(command)}</code></pre>"


def _sent(schema: Schema, indent: int | None = None) -> str:
    """Return an example of a body: its required fields."""
    sent = {name: EXAMPLES.get(name, "") for name in schema.get("required", ())}
    return json.dumps(sent, ensure_ascii=False, indent=indent)


def form_of(method: str, path: str, operation: Schema, description: Schema) -> str:
    """Return the form that sends a request; the script shows it."""
    id_ = escape(operation["operationId"])
    controls = [_input(f"{id_}-{one['name']}", one) for one in operation.get("parameters", ())]
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(content["schema"], description)
        if kind == "application/json":
            body = _sent(schema, 2)
            area = f'<textarea name=body rows="{body.count(NEWLINE) + 2}" spellcheck=false>{escape(body)}</textarea>'
            controls.append(f"<label class=wide>Body {area}</label>")
        else:
            controls += [_form_field(name, field) for name, field in schema["properties"].items()]
    return (
        f'<details class=try hidden><summary>Try it</summary><form data-method="{method}" data-path="{escape(path)}">'
        f"{''.join(controls)}<p class=wide><button>Send</button> <button type=button class=stop hidden>Stop</button> "
        '<output class=status></output></p><pre class="answer wide" tabindex=0 hidden></pre></form></details>'
    )


def _input(id_: str, parameter: Schema) -> str:
    name, place, schema = parameter["name"], parameter["in"], parameter["schema"]
    value = schema.get("default", EXAMPLES.get(name, ""))
    required = " required" if parameter.get("required") else ""
    common = f'id="{escape(id_)}" name="{escape(name)}" data-in="{place}"{required}'
    if "enum" in schema:
        return f"<label>{escape(name)} {_choice(common, schema['enum'], value)}</label>"
    return f'<label>{escape(name)} <input {common} value="{escape(str(value))}"></label>'


def _choice(attributes: str, values: Sequence[str], chosen: str) -> str:
    listed = [f"<option{' selected' if one == chosen else ''}>{escape(one)}</option>" for one in values]
    return f"<select {attributes}>{''.join(listed)}</select>"


def _form_field(name: str, field: Schema) -> str:
    if "enum" in field:
        attributes = f'name="{escape(name)}" data-in=form'
        return f"<label>{escape(name)} {_choice(attributes, ('', *field['enum']), '')}</label>"
    files = field.get("type") == "array"
    label, kind = ("<label class=wide>", "type=file multiple required ") if files else ("<label>", "")
    return f'{label}{escape(name)} <input {kind}name="{escape(name)}" data-in=form></label>'


NEWLINE = "\n"
EXAMPLES: dict[str, Any] = {
    "documents": [{"text": "Salt water moves inland when pumps draw too much groundwater."}],
    "predictions": [{"name": "mine", "answers": {"d1": ["salt water"]}}],
    "gold": {"answers": {"d1": ["salt water", "groundwater"]}},
    "number": 1,
    "page": 1,
}
