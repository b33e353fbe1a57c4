"""The two clients: the same calls, sent by httpx, one waiting and one awaited."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from phrasemill.client import calls
from phrasemill.client.answers import Answer, Job, JobEvent, JobRows, Page, ServiceError
from phrasemill.client.calls import Call, Options, SetOptions, Source, Upload
from phrasemill.client.late_files import LateFile
from phrasemill.errors import InputError, MissingExtra

if TYPE_CHECKING:
    import httpx

SECONDS = 300.0  # for an answer
Value = TypeVar("Value")


class Client:
    """A client of the service at `address`. `token` is one of its tokens, if it has any; `timeout` is in seconds.

    Every call raises a `ServiceError` if the service answers with a problem.
    """

    def __init__(self, address: str, *, token: str = "", timeout: float = SECONDS) -> None:
        self._http = _httpx().Client(**_settings(address, token, timeout))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def extract(self, documents: Iterable[Source], **options: Unpack[Options]) -> list[Answer]:
        """Return the keyphrases of each text or document, in order."""
        return self.send(calls.extract(documents, options))

    def extract_files(self, files: Iterable[Upload], **options: Unpack[Options]) -> list[Answer]:
        """Return the documents in the files, with their texts and keyphrases."""
        return self.send(calls.extract_files(files, options))

    def extract_set(
        self, documents: Iterable[Source], *, against: Iterable[Source] | None = None, **options: Unpack[SetOptions]
    ) -> dict[str, Any]:
        """Return the keyphrases of a set, or the phrases that distinguish it from `against`, as a dictionary."""
        return self.send(calls.extract_set(documents, against, options))

    def evaluate(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Score predictions; request and answer are the JSON of `POST /v1/evaluate` as dictionaries."""
        return self.send(calls.evaluate(request))

    def methods(self) -> dict[str, Any]:
        """Return the methods of the service, with their parameters."""
        return self.send(calls.listing("methods"))

    def metrics(self) -> dict[str, Any]:
        """Return the metrics, presets and choices."""
        return self.send(calls.listing("metrics"))

    def languages(self) -> dict[str, Any]:
        """Return the languages."""
        return self.send(calls.listing("languages"))

    def create_job(self, files: Iterable[Upload], **options: Unpack[Options]) -> Job:
        """Start a job over files, folders and archives, or over pairs of a name and its content."""
        return self.send(calls.create_job(files, options))

    def job(self, id: str) -> Job:
        """Return the state of a job."""
        return self.send(calls.job(id))

    def cancel_job(self, id: str) -> Job:
        """Cancel a job. Finished documents are kept."""
        return self.send(calls.cancel_job(id))

    def retry_job(self, id: str, numbers: Sequence[int] | None = None) -> Job:
        """Try failed documents again: those with these `numbers`, or all whose failure may be temporary."""
        return self.send(calls.retry_job(id, numbers))

    def delete_job(self, id: str) -> None:
        """Delete a job and its files, even while it runs."""
        return self.send(calls.delete_job(id))

    def job_documents(self, id: str, *, offset: int = 0, limit: int = 100) -> JobRows:
        """Return up to `limit` documents of a job, without the first `offset`."""
        return self.send(calls.job_documents(id, offset, limit))

    def job_document(self, id: str, number: int) -> Answer:
        """Return one document of a job, with its text and keyphrases."""
        return self.send(calls.job_document(id, number))

    def job_pages(self, id: str, number: int) -> list[Page]:
        """Return the pages of a PDF, with the positions of its keyphrases."""
        return self.send(calls.job_pages(id, number))

    def page_image(self, id: str, number: int, page: int, *, width: int = 900) -> bytes:
        """Return a page of a PDF as a PNG image, `width` pixels wide."""
        return self.send(calls.page_image(id, number, page, width))

    def result(self, id: str, *, format: str = "csv") -> bytes:
        """Return the keyphrases of a job as one file: csv, jsonl, parquet, bibtex or markdown."""
        return self.send(calls.result(id, format))

    def events(self, id: str, *, after: str = "") -> Iterator[JobEvent]:
        """Yield the events of a job until it ends: all of them, or those `after` an event id."""
        with self._http.stream("GET", calls.events_path(id), headers=_resumed(after)) as answer:
            if answer.is_error:
                answer.read()
            _check(answer)
            events = _Events()
            for line in answer.iter_lines():
                if (event := events.read(line)) is not None:
                    yield event

    def wait(self, id: str) -> Job:
        """Wait until the job has ended, and return it."""
        for _ in self.events(id):
            continue
        return self.job(id)

    def send(self, call: Call[Value]) -> Value:
        """Send a call and return the value that it reads from the answer."""
        try:
            answer = self._http.request(call.method, call.path, **_arguments(call))
        except _httpx().TransportError as error:
            raise _unreachable(self._http, error) from error
        return _value(call, answer)


class AsyncClient:
    """The same client with methods to await."""

    def __init__(self, address: str, *, token: str = "", timeout: float = SECONDS) -> None:
        self._http = _httpx().AsyncClient(**_settings(address, token, timeout))

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def extract(self, documents: Iterable[Source], **options: Unpack[Options]) -> list[Answer]:
        """Return the keyphrases of each text or document, in order."""
        return await self.send(calls.extract(documents, options))

    async def extract_files(self, files: Iterable[Upload], **options: Unpack[Options]) -> list[Answer]:
        """Return the documents in the files, with their texts and keyphrases."""
        return await self.send(calls.extract_files(files, options))

    async def extract_set(
        self, documents: Iterable[Source], *, against: Iterable[Source] | None = None, **options: Unpack[SetOptions]
    ) -> dict[str, Any]:
        """Return the keyphrases of a set, or the phrases that distinguish it from `against`, as a dictionary."""
        return await self.send(calls.extract_set(documents, against, options))

    async def evaluate(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Score predictions; request and answer are the JSON of `POST /v1/evaluate` as dictionaries."""
        return await self.send(calls.evaluate(request))

    async def methods(self) -> dict[str, Any]:
        """Return the methods of the service, with their parameters."""
        return await self.send(calls.listing("methods"))

    async def metrics(self) -> dict[str, Any]:
        """Return the metrics, presets and choices."""
        return await self.send(calls.listing("metrics"))

    async def languages(self) -> dict[str, Any]:
        """Return the languages."""
        return await self.send(calls.listing("languages"))

    async def create_job(self, files: Iterable[Upload], **options: Unpack[Options]) -> Job:
        """Start a job over files, folders and archives, or over pairs of a name and its content."""
        return await self.send(calls.create_job(files, options))

    async def job(self, id: str) -> Job:
        """Return the state of a job."""
        return await self.send(calls.job(id))

    async def cancel_job(self, id: str) -> Job:
        """Cancel a job. Finished documents are kept."""
        return await self.send(calls.cancel_job(id))

    async def retry_job(self, id: str, numbers: Sequence[int] | None = None) -> Job:
        """Try failed documents again: those with these `numbers`, or all whose failure may be temporary."""
        return await self.send(calls.retry_job(id, numbers))

    async def delete_job(self, id: str) -> None:
        """Delete a job and its files, even while it runs."""
        return await self.send(calls.delete_job(id))

    async def job_documents(self, id: str, *, offset: int = 0, limit: int = 100) -> JobRows:
        """Return up to `limit` documents of a job, without the first `offset`."""
        return await self.send(calls.job_documents(id, offset, limit))

    async def job_document(self, id: str, number: int) -> Answer:
        """Return one document of a job, with its text and keyphrases."""
        return await self.send(calls.job_document(id, number))

    async def job_pages(self, id: str, number: int) -> list[Page]:
        """Return the pages of a PDF, with the positions of its keyphrases."""
        return await self.send(calls.job_pages(id, number))

    async def page_image(self, id: str, number: int, page: int, *, width: int = 900) -> bytes:
        """Return a page of a PDF as a PNG image, `width` pixels wide."""
        return await self.send(calls.page_image(id, number, page, width))

    async def result(self, id: str, *, format: str = "csv") -> bytes:
        """Return the keyphrases of a job as one file: csv, jsonl, parquet, bibtex or markdown."""
        return await self.send(calls.result(id, format))

    async def events(self, id: str, *, after: str = "") -> AsyncIterator[JobEvent]:
        """Yield the events of a job until it ends: all of them, or those `after` an event id."""
        async with self._http.stream("GET", calls.events_path(id), headers=_resumed(after)) as answer:
            if answer.is_error:
                await answer.aread()
            _check(answer)
            events = _Events()
            async for line in answer.aiter_lines():
                if (event := events.read(line)) is not None:
                    yield event

    async def wait(self, id: str) -> Job:
        """Wait until the job has ended, and return it."""
        async for _ in self.events(id):
            continue
        return await self.job(id)

    async def send(self, call: Call[Value]) -> Value:
        """Send a call and return the value that it reads from the answer."""
        try:
            answer = await self._http.request(call.method, call.path, **_arguments(call))
        except _httpx().TransportError as error:
            raise _unreachable(self._http, error) from error
        return _value(call, answer)


class _Events:
    """Server-sent events, line by line."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def read(self, line: str) -> JobEvent | None:
        """Return an event at the empty line that ends it; None at all others."""
        if line:
            name, _, value = line.partition(": ")
            self._fields[name] = value  # a comment has no name
            return None
        given, self._fields = self._fields, {}
        if "data" not in given:
            return None
        return JobEvent.of(given.get("id", ""), given["event"], json.loads(given["data"]))


def _httpx() -> Any:
    try:
        import httpx
    except ModuleNotFoundError:
        raise MissingExtra("httpx", "client", purpose="phrasemill.client") from None
    return httpx


def _settings(address: str, token: str, timeout: float) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return {"base_url": address.rstrip("/"), "headers": headers, "timeout": timeout}


def _resumed(after: str) -> dict[str, str]:
    return {"last-event-id": after} if after else {}


def _arguments(call: Call[Any]) -> dict[str, Any]:
    """Return the arguments of httpx for a call."""
    found: dict[str, Any] = {"params": dict(call.query)}
    if call.json is not None:
        found["json"] = call.json
    if call.files:
        files = [(name, content if isinstance(content, bytes) else LateFile(content)) for name, content in call.files]
        found |= {"data": dict(call.form), "files": [("files", one) for one in files]}
    return found


def _check(answer: "httpx.Response") -> None:
    if not answer.is_error:
        return
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):  # not from the service itself
        problem = {"status": answer.status_code, "title": f"the server answered {answer.status_code}"}
    raise ServiceError.of(problem)


def _value(call: Call[Value], answer: "httpx.Response") -> Value:
    _check(answer)
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return call.read(answer.json() if is_json else answer.content)


def _unreachable(http: Any, error: Exception) -> InputError:
    return InputError(f"{http.base_url}: the service cannot be reached ({type(error).__name__}: {error})")
