"""Split forms with files into parts. Workers do this: it takes time, and hostile forms take more."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from phrasemill.options import HELP, PHRASES
from phrasemill.service.bodies import Body, checked, misshapen, options_of
from phrasemill.service.problems import Refusal
from phrasemill.service.schemas import LONGEST_NAME, DocumentIn, ExtractRequest

FIELDS = tuple(name for name in HELP if name in ExtractRequest.model_fields)
LISTS = tuple(name for name in FIELDS if name in PHRASES)  # one phrase per line, and fields may be repeated
MOST_FIELDS = 20
LONGEST_FIELD = 1 << 16  # bytes of a field that is no file


class Upload(NamedTuple):
    """An uploaded file."""

    name: str
    data: bytes


class UploadForm(NamedTuple):
    """Uploaded files, method and options, and whether to extract keyphrases or only to read the files."""

    uploads: Sequence[Upload]
    method: str
    options: Mapping[str, Any]
    extract: bool


def form_of(_: object, *, body: Body, content_type: str, files: int) -> UploadForm:
    """Parse a multipart/form-data body with at most `files` files; a step of a worker."""
    uploads, fields = _parts(body, content_type, files)
    extract = fields.pop("extract", "true").lower() != "false"
    asked = checked(ExtractRequest, {"documents": [DocumentIn(text="")], **_typed(fields)})
    return UploadForm(uploads, asked.method, options_of(asked), extract)


def _parts(body: Body, content_type: str, files: int) -> tuple[list[Upload], dict[str, str]]:
    import asyncio

    from starlette.datastructures import Headers, UploadFile
    from starlette.formparsers import MultiPartException, MultiPartParser

    class Parser(MultiPartParser):
        spool_max_size = 0  # never to disk

    async def pieces() -> AsyncGenerator[bytes, None]:
        for piece in body:
            yield piece

    limits: dict[str, int] = {"max_files": files, "max_fields": MOST_FIELDS, "max_part_size": LONGEST_FIELD}
    try:
        form = asyncio.run(Parser(Headers({"content-type": content_type}), pieces(), **limits).parse())
    except MultiPartException as error:
        raise Refusal("malformed-request", error.message) from None
    uploads: list[Upload] = []
    fields: dict[str, str] = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            shown = PurePath((value.filename or "").replace("\\", "/")).name or "file"
            uploads.append(Upload(shown[:LONGEST_NAME], value.file.read()))
        elif name in LISTS and name in fields:
            fields[name] += f"\n{value}"
        elif name in (*FIELDS, "extract"):
            fields[name] = value
        else:
            raise misshapen([{"loc": (name,), "msg": "unknown field"}])
    if not uploads:
        raise misshapen([{"loc": ("files",), "msg": "at least one file is required"}])
    return uploads, fields


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
