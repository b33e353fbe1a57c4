"""The task of worker processes: the steps that they perform for the server.

A step is a `partial` of a function that is called in a worker with its `WorkerState`. Steps call what the command
calls. Results for clients are returned as JSON, so that the server only has to join the pieces. Those of jobs are in
`job_steps.py` and `results.py`.
"""

import os
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from phrasemill import extractor
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import InputError, PhrasemillError, PhrasemillWarning
from phrasemill.isolated import alarm
from phrasemill.methods.learned import kind_of
from phrasemill.ranker import Ranker, build
from phrasemill.service.answers import encoded
from phrasemill.service.log import locations
from phrasemill.service.problems import Broken, Refusal, refusal_of
from phrasemill.service.specs import Offers, check_redundancy, checked, mentions
from phrasemill.sources import Watch, as_document
from phrasemill.specs import Spec, parse
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document, Method

if TYPE_CHECKING:
    from phrasemill.service.tag_steps import TagFile

Step: TypeAlias = partial[Any]
PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer.")


@dataclass(slots=True)
class WorkerState:
    """What a worker keeps between steps: methods that were built, tags, and the time limit for one document."""

    offers: Offers
    tags: "TagFile | None" = None
    seconds: float = 0.0
    _built: Callable[[str], Any] = field(init=False)

    def __post_init__(self) -> None:
        self._built = lru_cache(maxsize=32)(lambda spec: METHODS.build(self._resolved(parse(spec))))

    def method(self, spec: str) -> Method:
        offered = self.offers.get(spec)
        return self._built(spec) if offered is None else build(offered)

    def set_method(self, spec: str) -> Any:
        from phrasemill.sets import build_set_method

        parsed = parse(spec)
        if parsed.name not in SET_METHODS or not self.offers:
            return build_set_method(self.method(spec) if spec in self.offers else spec)
        return SET_METHODS.build(self._resolved(parsed))

    def _resolved(self, spec: Spec) -> Spec:
        """Return `spec` with its inner names resolved."""
        return Spec(
            spec.name,
            tuple(self._inner(value) for value in spec.values),
            tuple((key, self._inner(value)) for key, value in spec.options),
        )

    def _inner(self, value: object) -> object:
        if not isinstance(value, Spec):
            return value
        return self.method(str(value)) if value.name in self.offers else self._resolved(value)


@dataclass(frozen=True, slots=True)
class ServiceTask:
    """The task of the workers. A document may take `seconds`, and a step return `answer` bytes."""

    offers: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 30.0
    answer: int = 64 << 20
    tags: str = ""  # the file of tags, if there is one

    def prepare(self) -> Callable[[Step], Any]:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")  # one worker per core, and every thread takes memory
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may reach all processes; the server decides
        state = WorkerState(self.offers, seconds=self.seconds)
        if self.tags:
            from phrasemill.service.tag_steps import TagFile

            state.tags = TagFile(self.tags)
            state.tags.current()
        extractor.extract(PROBE)
        for name in self.offers:
            extractor.extract(PROBE, method=state.method(name))

        def work(step: Step) -> Any:
            try:
                found = step(state)
            except MemoryError:  # ends the process
                raise
            except (Exception, SystemExit) as error:
                raise self._explained(error, step, state) from None
            if isinstance(found, bytes) and len(found) > self.answer:
                raise Refusal("answer-too-large", f"more than {self.answer:,} bytes; ask for fewer keyphrases")
            return found

        return work

    def _explained(self, error: BaseException, step: Step, state: WorkerState) -> BaseException:
        """Return an error for the client, or, if it is the server's fault, one with what the log needs."""
        refusal = refusal_of(error)
        offered = step.func.__name__ == "extract" and mentions(parse(step.keywords["method"]), self.offers)
        if refusal.status >= 500 or (offered and isinstance(error, InputError)):  # names a file of the server
            message = " ".join(str(error).split()) if isinstance(error, PhrasemillError) else ""
            return Broken(type(error).__name__, locations(error), message)
        for name in self.offers:  # clients must not see what they stand for
            refusal.detail = refusal.detail.replace(repr(state.method(name)), name)
        return refusal


def extract(state: WorkerState, *, document: Document, method: str, options: Mapping[str, Any]) -> bytes:
    """Return a document with its keyphrases as JSON."""
    return encoded(extracted(state, document, method, options))


def extracted(
    state: WorkerState, document: Document, method: str, options: Mapping[str, Any], file: str | None = None
) -> dict[str, Any]:
    """Return the record of a document with its keyphrases."""
    language = options.get("language")
    check_redundancy(options.get("redundancy"))
    built, kind = state.method(method), ""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        given = as_document(Watch(language)(document), language)
        source: Document | Analysis = given
        if isinstance(built, Ranker):  # others need not take an analysis
            source = analysis = analyse(given.content, language=given.language)
            kind = kind_of(analysis)
        found = extractor.extract(source, method=built, **{**options, "language": None})
    made = record(given, file, [keyphrase.to_dict() for keyphrase in found], kind)
    told = dict.fromkeys(str(one.message) for one in warned if issubclass(one.category, PhrasemillWarning))
    # What an offered name stands for is not disclosed.
    return made | {"warnings": list(told)} if told and not mentions(parse(method), state.offers) else made


def record(document: Document, file: str | None, keyphrases: list[dict[str, Any]], kind: str = "") -> dict[str, Any]:
    """Return a document as clients get it, with title and text if it comes from a file."""
    made: dict[str, Any] = {"id": document.id, "language": document.language}
    if kind:
        made["kind"] = kind
    if file is not None:
        made |= {"file": file, "title": document.title, "text": document.text}
    return made | {"keyphrases": keyphrases}


def check_method(state: WorkerState, *, method: str, sets: bool) -> str:
    """Return a spec from the network as the method itself writes it; raise an error if it is invalid or not allowed."""
    spec = checked(method, state.offers, sets=sets)
    built = state.set_method(spec) if sets else state.method(spec)
    # What an offered name stands for is not disclosed.
    return spec if mentions(parse(spec), state.offers) else repr(built)


def listing(state: WorkerState, *, what: str) -> bytes:
    """List `methods`, `languages` or `metrics`, as JSON."""
    if what in ("methods", "languages"):
        from phrasemill.service import listing

        return encoded(listing.languages() if what == "languages" else listing.methods(state.offers))
    from phrasemill.evaluation.report import choice_records

    return encoded(choice_records())


def extract_set(
    state: WorkerState,
    *,
    documents: Sequence[Document],
    against: Sequence[Document],
    method: str,
    options: Mapping[str, Any],
    name: str,
) -> bytes:
    """Return the answer for a set as JSON. Each document has the time limit for itself."""
    from phrasemill.sets import GrowingSet

    shared = {"method": state.set_method(method), "language": options["language"]}
    counting = {name: options[name] for name in ("exclude", "longest", "shortest", "stopwords")}
    own = GrowingSet(**shared, **counting)
    other = GrowingSet(**shared, **counting, compared=True)
    for growing, members in ((other, against), (own, documents)):
        for document in members:
            alarm(state.seconds)
            growing.add(document)
    alarm(state.seconds)
    found = own.extract(top=options["top"], threshold=options["threshold"], against=other if against else None)
    return encoded(
        {
            "id": name,
            "method": method,
            "documents": len(documents),
            "languages": dict(Counter(own.languages.values()).most_common()),
            "notes": list(found.notes),
            "keyphrases": [keyphrase.to_dict() for keyphrase in found],
        }
    )


def evaluate(state: WorkerState, *, body: bytes, html: bool) -> bytes:
    """Score systems against gold, and return the scores as JSON or as the HTML report."""
    from phrasemill.service.scoring import scored

    return scored(body, html=html)
