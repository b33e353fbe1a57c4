"""What routes share: the parts of the server, the state of a request, forms with files, and their description."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from phrasemill.options import OPTIONS, styled
from phrasemill.readers import Columns, parse_columns
from phrasemill.service import steps
from phrasemill.service.guard import Exchange
from phrasemill.service.job_runner import JobRunner
from phrasemill.service.jobs import JobStore
from phrasemill.service.limits import Limits
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.models import LONGEST_NAME, DocumentIn, ExtractRequest
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import KINDS, MEDIA_TYPE, Refusal, misshapen
from phrasemill.types import Document

MOST_SPECS = 1000  # checked specs that are kept
MOST_FIELDS = 20  # of a form, besides files
LONGEST_FIELD = 1 << 16  # bytes
FIELDS = tuple(name for name in OPTIONS if name in ExtractRequest.model_fields)
# One phrase per line, and fields may be repeated.
LISTS = tuple(name for name in FIELDS if OPTIONS[name].kind in ("factors", "phrases", "words"))


@dataclass(slots=True)
class Service:
    """The parts of a server that routes use; `tags` is the name of its file of tags."""

    pool: ServicePool
    limits: Limits
    metrics: ServiceMetrics
    store: JobStore
    runner: JobRunner
    tags: str = ""
    draining: bool = False
    listeners: int = 0
    lists: dict[str, bytes] = field(default_factory=dict)
    _specs: dict[tuple[str, bool], str] = field(default_factory=dict)

    async def method(self, spec: str, exchange: Exchange, *, sets: bool = False) -> str:
        """Return the spec as the method itself writes it; one that was valid before is not checked again."""
        known = self._specs.get((spec, sets))
        if known is None:
            known = str(await self.pool.ask(partial(steps.check_method, method=spec, sets=sets), request=exchange.id))
            if len(self._specs) >= MOST_SPECS:
                self._specs.clear()
            self._specs[spec, sets] = known
        return known

    def count(self, exchange: Exchange, documents: int, failed: int) -> None:
        """Record how many documents a request had, and how many of them failed."""
        exchange.documents = documents
        self.metrics.documents.labels("done").inc(documents - failed)
        self.metrics.documents.labels("failed").inc(failed)

    def listen(self, count: int) -> None:
        """Count one more, or one less, who follows a job."""
        self.listeners += count
        self.metrics.listening.set(self.listeners)


async def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def exchange_of(request: Request) -> Exchange:
    """Return the state that the guard keeps for a request."""
    exchange: Exchange = request.scope["state"]["exchange"]
    return exchange


async def _exchange(request: Request) -> Exchange:
    return exchange_of(request)


The = Annotated[Service, Depends(service_of)]
This = Annotated[Exchange, Depends(_exchange)]


def sends(wanted: str, *, may_be_empty: bool = False) -> Any:
    """Return a dependency that refuses bodies of other types than `wanted`."""

    async def check(exchange: This) -> None:
        kind = exchange.header("content-type").partition(";")[0].strip().lower()
        if kind != wanted and not (may_be_empty and not exchange.received):
            raise Refusal("unsupported-media-type", f"send {wanted}, not {kind[:100] or 'an empty content-type'}")
        if exchange.header("content-encoding").lower() not in ("", "identity"):
            raise Refusal("unsupported-media-type", "send it without content-encoding")

    return Depends(check)


def options_of(asked: Any) -> dict[str, Any]:
    """Return the options of a request as the library's `extract` takes them, without the method and its style."""
    names = [name for name in OPTIONS if name in type(asked).model_fields and name not in ("method", "style")]
    return {name: getattr(asked, name) for name in names}


def documents_of(given: Iterable[DocumentIn]) -> list[Document]:
    return [
        Document(str(number) if one.id is None else one.id, one.text, one.title, one.language or "")
        for number, one in enumerate(given, start=1)
    ]


def check_count(documents: int, most: int) -> None:
    if documents > most:
        raise Refusal("too-many-documents", f"at most {most:,} in one request")


class Form(NamedTuple):
    """A form with files: method and options, whether to extract keyphrases or only to read the files, and the columns
    to read."""

    files: list[UploadFile]
    method: str
    options: dict[str, Any]
    extract: bool
    columns: Columns


async def form_of(request: Request, *, most: int) -> Form:
    """Return a form with at most `most` files; raise a `Refusal` if a field is wrong, or there is no file."""
    limits: Any = {"max_files": most, "max_fields": MOST_FIELDS, "max_part_size": LONGEST_FIELD}
    try:
        form = await request.form(**limits)
    except HTTPException as error:
        if error.detail.startswith("Too many files"):
            raise Refusal("too-many-documents", f"at most {most:,} files in one request") from None
        raise Refusal("malformed-request", error.detail) from None
    given = form.multi_items()
    files = [one for _, one in given if not isinstance(one, str)]
    fields = _merged((name, value) for name, value in given if isinstance(value, str))
    if not files:
        raise misshapen([{"loc": ("body", "files"), "msg": "at least one file is required"}], {})
    extract = fields.pop("extract", "true").lower() != "false"
    named = fields.pop("columns", "")
    try:
        asked = ExtractRequest.model_validate({"documents": [DocumentIn(text="")], **_typed(fields)})
    except ValueError as error:
        raise misshapen(getattr(error, "errors")(include_input=False), fields) from None  # noqa: B009
    columns = parse_columns(named) if named else Columns()
    return Form(files, styled(asked.method, asked.style), options_of(asked), extract, columns)


def base_name(name: str) -> str:
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
            raise misshapen([{"loc": ("body", name), "msg": "unknown field"}], {})
    return fields


def _typed(fields: dict[str, str]) -> dict[str, Any]:
    """Convert form fields to the types that JSON would have."""
    found: dict[str, Any] = {name: value for name, value in fields.items() if value != ""}
    top = found.get("top", "auto")
    if top not in ("auto", "all"):
        try:
            found["top"] = float(top) if "." in top else int(top)
        except ValueError:
            wrong = {"loc": ("body", "top"), "msg": "must be a count, a fraction, auto or all"}
            raise misshapen([wrong], {}) from None
    for name in found.keys() & set(LISTS):
        found[name] = [line.strip() for line in found[name].splitlines() if line.strip()]
    return found


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of these statuses, all of them problems."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict(KINDS.values())
    return {status: {"description": titles[status], "content": content} for status in statuses}


def body_described(media_type: str, schema: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    """Describe a body that a route reads itself."""
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema}}}}


WORK_PROBLEMS = problems(400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503)
BINARY = {"type": "string", "format": "binary"}
SWITCH = {"type": "string", "enum": ["true", "false"]}
FORM = body_described(
    "multipart/form-data",
    {
        "type": "object",
        "required": ["files"],
        "properties": {
            "files": {
                "type": "array",
                "minItems": 1,
                "items": BINARY,
                "description": "Documents, files of records and, for jobs, archives; names may have folders in them.",
            },
            **{
                name: (SWITCH if OPTIONS[name].kind == "flag" else {"type": "string"})
                | {"description": OPTIONS[name].help + (" One per line." if name in LISTS else "")}
                for name in FIELDS
            },
            "columns": {
                "type": "string",
                "description": "The columns or fields of files of records to read: text=NAME,title=NAME,id=NAME; by "
                "default the usual names.",
                "examples": ["text=message"],
            },
            "extract": SWITCH | {"description": "Whether to extract keyphrases, or only to read the files."},
        },
    },
)
