"""Every request to the service, described once: what is sent, and what is made of the answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from phrasemill import options as declared
from phrasemill.client.answers import Answer, Job, JobRows, Page
from phrasemill.errors import InputError
from phrasemill.files.folders import files_below
from phrasemill.types import Document

Value = TypeVar("Value")
Source = str | Document
Upload = str | Path | tuple[str, bytes]  # a file or folder, or a name and its content
JOBS = "/v1/jobs"


class Options(declared.RemoteOptions, total=False):
    """The options of an extraction, which mean what they mean in `phrasemill.extract`."""

    method: str


class SetOptions(declared.SetOptions, total=False):
    """The options of a set."""

    method: str
    id: str


@dataclass(frozen=True, slots=True)
class Call(Generic[Value]):
    """A request, and how to read its answer: `read` is given parsed JSON, or the bytes if it is not JSON."""

    method: str
    path: str
    read: Callable[[Any], Value]
    json: Any = None
    form: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[tuple[str, Path | bytes]] = ()
    query: Mapping[str, str | int] = field(default_factory=dict)


def extract(documents: Iterable[Source], options: Options) -> Call[list[Answer]]:
    body = {"documents": _documents(documents), **_json(options)}
    return Call("POST", "/v1/extract", _answers, json=body)


def extract_files(uploads: Iterable[Upload], options: Options) -> Call[list[Answer]]:
    return Call("POST", "/v1/files", _answers, form=_form(options), files=_files(uploads))


def extract_set(
    documents: Iterable[Source], against: Iterable[Source] | None, options: SetOptions
) -> Call[dict[str, Any]]:
    body = {"documents": _documents(documents), **_json(options)}
    if against is not None:
        body["against"] = _documents(against)
    return Call("POST", "/v1/sets", dict, json=body)


def evaluate(body: Mapping[str, Any]) -> Call[dict[str, Any]]:
    return Call("POST", "/v1/evaluate", dict, json=body)


def listing(what: str) -> Call[dict[str, Any]]:
    return Call("GET", f"/v1/{what}", dict)


def create_job(uploads: Iterable[Upload], options: Options) -> Call[Job]:
    return Call("POST", JOBS, Job.of, form=_form(options), files=_files(uploads))


def job(id: str) -> Call[Job]:
    return Call("GET", _job(id), Job.of)


def cancel_job(id: str) -> Call[Job]:
    return Call("POST", f"{_job(id)}/cancel", Job.of)


def retry_job(id: str, numbers: Sequence[int] | None) -> Call[Job]:
    return Call("POST", f"{_job(id)}/retry", Job.of, json={} if numbers is None else {"numbers": list(numbers)})


def delete_job(id: str) -> Call[None]:
    return Call("DELETE", _job(id), lambda _: None)


def job_documents(id: str, offset: int, limit: int) -> Call[JobRows]:
    return Call("GET", f"{_job(id)}/documents", JobRows.of, query={"offset": offset, "limit": limit})


def job_document(id: str, number: int) -> Call[Answer]:
    return Call("GET", f"{_job(id)}/documents/{number}", Answer.of)


def job_pages(id: str, number: int) -> Call[list[Page]]:
    return Call("GET", f"{_job(id)}/documents/{number}/pages", lambda pages: list(map(Page.of, pages)))


def page_image(id: str, number: int, page: int, width: int) -> Call[bytes]:
    path = f"{_job(id)}/documents/{number}/pages/{page}.png"
    return Call("GET", path, bytes, query={"width": width})


def result(id: str, format: str) -> Call[bytes]:
    return Call("GET", f"{_job(id)}/result", bytes, query={"format": format})


def events_path(id: str) -> str:
    return f"{_job(id)}/events"


def _job(id: str) -> str:
    return f"{JOBS}/{quote(id, safe='')}"


def _answers(found: Any) -> list[Answer]:
    return list(map(Answer.of, found["documents"]))


def _documents(sources: Iterable[Source]) -> list[dict[str, str]]:
    if isinstance(sources, str):
        raise InputError("expected a list of texts or documents, got one text")
    return [{"text": one} if isinstance(one, str) else _document(one) for one in sources]


def _document(one: Document) -> dict[str, str]:
    given = {"id": one.id, "text": one.text, "title": one.title, "language": one.language}
    return {name: value for name, value in given.items() if value or name == "text"}


def _json(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as JSON has them: None for `top` means all, as in the library."""
    given = {name: "all" if name == "top" and value is None else value for name, value in options.items()}
    plain = (str, int, float, Mapping)
    return {name: one if isinstance(one, plain) else list(one) for name, one in given.items() if one is not None}


def _form(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as fields of a form: lists have one phrase per line."""
    found: dict[str, Any] = {}
    for name, value in _json(options).items():
        if isinstance(value, bool):
            found[name] = str(value).lower()
        elif isinstance(value, Mapping):
            raise InputError(f"{name}: factors cannot be sent with files; give a list of phrases")
        else:
            found[name] = str(value) if isinstance(value, str | int | float) else "\n".join(value)
    return found


def _files(uploads: Iterable[Upload]) -> list[tuple[str, Path | bytes]]:
    """Return names and contents; a folder gives the files below it, under its own name."""
    if isinstance(uploads, str | Path):
        raise InputError("expected a list of files, got one")
    found: list[tuple[str, Path | bytes]] = []
    for one in uploads:
        if isinstance(one, tuple):
            found.append(one)
        elif Path(one).is_dir():
            folder = Path(one).resolve()
            below = (Path(file.path) for file in files_below(str(folder)) if not file.problem)
            found += [(path.relative_to(folder.parent).as_posix(), path) for path in below]
        elif Path(one).is_file():
            found.append((Path(one).name, Path(one)))
        else:
            raise InputError(f"{one}: there is no such file")
    if not found:
        raise InputError("there are no files to send")
    return found
