"""Forms with files: their files, and their fields as the options of an extraction.

Workers split them: it takes time, and hostile forms take more.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from phrasemill.options import OPTIONS, styled
from phrasemill.readers import Columns, parse_columns
from phrasemill.service import multipart
from phrasemill.service.bodies import Body, checked, misshapen, options_of
from phrasemill.service.schemas import LONGEST_NAME, DocumentIn, ExtractRequest

FIELDS = tuple(name for name in OPTIONS if name in ExtractRequest.model_fields)
# One phrase per line, and fields may be repeated.
LISTS = tuple(name for name in FIELDS if OPTIONS[name].kind in ("factors", "phrases", "words"))


class Upload(NamedTuple):
    """An uploaded file."""

    name: str
    data: bytes


class FormOptions(NamedTuple):
    """Method and options, whether to extract keyphrases or only to read the files, and the columns to read."""

    method: str
    options: Mapping[str, Any]
    extract: bool
    columns: Columns


class UploadForm(NamedTuple):
    """Uploaded files, and what to do with them."""

    uploads: Sequence[Upload]
    asked: FormOptions


def form_of(_: object, *, body: Body, content_type: str, files: int) -> UploadForm:
    """Parse a multipart/form-data body with at most `files` files; a step of a worker."""
    found = multipart.parts(body, content_type, files=files)
    uploads = [Upload(_base_name(part.name), part.file.getvalue()) for part in found.files]
    return UploadForm(uploads, asked_of(found))


def asked_of(found: multipart.Parts) -> FormOptions:
    """Return the fields of a form as options; raise a `Refusal` if one is wrong, or there is no file."""
    fields = _merged(found.fields)
    if not found.files:
        raise misshapen([{"loc": ("files",), "msg": "at least one file is required"}])
    extract = fields.pop("extract", "true").lower() != "false"
    named = fields.pop("columns", "")
    asked = checked(ExtractRequest, {"documents": [DocumentIn(text="")], **_typed(fields)})
    columns = parse_columns(named) if named else Columns()
    return FormOptions(styled(asked.method, asked.style), options_of(asked), extract, columns)


def _base_name(name: str) -> str:
    return (PurePath(name.replace("\\", "/")).name or "file")[:LONGEST_NAME]


def _merged(given: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the fields by name; those of lists may be repeated."""
    fields: dict[str, str] = {}
    for name, value in given:
        if name in LISTS and name in fields:
            fields[name] += f"\n{value}"
        elif name in (*FIELDS, "extract", "columns"):
            fields[name] = value
        else:
            raise misshapen([{"loc": (name,), "msg": "unknown field"}])
    return fields


def _typed(fields: Mapping[str, str]) -> dict[str, Any]:
    """Convert form fields to the types that JSON would have."""
    found: dict[str, Any] = {name: value for name, value in fields.items() if value != ""}
    top = found.get("top", "auto")
    if top not in ("auto", "all"):
        try:
            found["top"] = float(top) if "." in top else int(top)
        except ValueError:
            raise misshapen([{"loc": ("top",), "msg": "must be a count, a fraction, auto or all"}]) from None
    for name in found.keys() & set(LISTS):
        found[name] = [line.strip() for line in found[name].splitlines() if line.strip()]
    return found
