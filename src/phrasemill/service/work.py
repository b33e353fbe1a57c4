"""What worker processes do: one step after the other, each within its time, the whole within its memory.

A step is a small frozen record that travels by pickle. The steps of a set come one after the other to one worker, which
keeps what it has read until the last; all others stand alone. What steps call is what the command calls.
"""

import os
import resource
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from phrasemill.errors import ConfigError, InputError
from phrasemill.pipeline import build, extract
from phrasemill.processes import alarm
from phrasemill.registry import METHODS, SET_METHODS, Spec, parse
from phrasemill.service.problems import Refusal
from phrasemill.service.specs import Offers, check_metrics, check_redundancy, checked, mentions
from phrasemill.types import Document, Extractor

PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer.")


@dataclass(frozen=True, slots=True)
class Extract:
    """The keyphrases of one document, as JSON has them."""

    document: Document
    method: str
    options: Mapping[str, Any]

    def do(self, bench: "Bench") -> Any:
        _known_language(self.options.get("language") or self.document.language)
        check_redundancy(self.options.get("redundancy"))
        try:
            found = extract(self.document, method=bench.method(self.method), **self.options)
        except InputError:
            if mentions(parse(self.method), bench.offers):  # it would tell of a file of this server's
                raise Refusal("internal-error") from None
            raise
        return [keyphrase.record() for keyphrase in found]


@dataclass(frozen=True, slots=True)
class Check:
    """A spec from the network as the method itself writes it; an error where it makes no sense or says too much."""

    method: str
    sets: bool = False

    def do(self, bench: "Bench") -> Any:
        spec = checked(self.method, bench.offers, sets=self.sets)
        built = bench.set_method(spec) if self.sets else bench.method(spec)
        # What an offered name stands for is nobody's business.
        return spec if mentions(parse(spec), bench.offers) else repr(built)


@dataclass(frozen=True, slots=True)
class List:
    """What there is: `methods` or `metrics`."""

    what: str

    def do(self, bench: "Bench") -> Any:
        if self.what == "methods":
            from phrasemill.service.listing import methods

            return methods(bench.offers)
        from phrasemill.evaluation.listing import records

        return records()


@dataclass(frozen=True, slots=True)
class Read:
    """The documents in an upload, `most` at most."""

    data: bytes
    name: str
    most: int

    def do(self, bench: "Bench") -> Any:
        from itertools import islice

        from phrasemill.readers import read_all_bytes

        found = list(islice(read_all_bytes(self.data, name=self.name, report=lambda error: None), self.most + 1))
        return [Document(one.id, one.text, one.title, one.language) for one in found]


@dataclass(frozen=True, slots=True)
class AddToSet:
    """Reads one more document of a set; the first begins a new one."""

    document: Document
    method: str
    language: str | None
    first: bool
    compared: bool = False

    def do(self, bench: "Bench") -> Any:
        from phrasemill.multidoc import GrowingSet

        _known_language(self.language or self.document.language)
        if self.first:
            method = bench.set_method(self.method)
            bench.sets[self.compared] = GrowingSet(method=method, language=self.language, compared=self.compared)
        bench.sets[self.compared].add(self.document)


@dataclass(frozen=True, slots=True)
class FinishSet:
    """The keyphrases of the set that was read, as JSON has them."""

    options: Mapping[str, Any]
    compared: bool

    def do(self, bench: "Bench") -> Any:
        other = bench.sets[True] if self.compared else None
        found = bench.sets[False].extract(**self.options, against=other)
        bench.sets = {}
        return [keyphrase.record() for keyphrase in found]


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Scores of systems against gold; texts are those of files, named by what people call them."""

    predictions: tuple[tuple[str, str], ...]
    gold: str
    gold_field: str | None
    gold_top: int | None
    metrics: tuple[str, ...]
    preset: str
    policy: Mapping[str, object]
    resamples: int
    seed: int
    curves: bool

    def do(self, bench: "Bench") -> Any:
        from phrasemill.evaluation import compare, evaluate, html_report, report
        from phrasemill.evaluation.formats import parse_answers

        check_metrics(self.metrics, self.policy)
        gold = parse_answers(self.gold, name="gold", field=self.gold_field, top=self.gold_top)
        systems = [parse_answers(text, name=name) for name, text in self.predictions]
        shared: dict[str, Any] = {"preset": self.preset, "policy": dict(self.policy)}
        drawn: dict[str, Any] = {"resamples": self.resamples, "seed": self.seed}
        scores = [evaluate(system, gold, metrics=self.metrics, **shared, **drawn) for system in systems]
        pairs = compare(scores, resamples=max(1, self.resamples), seed=self.seed) if len(scores) > 1 else []
        curves = html_report.curves(systems, gold, **shared) if self.curves else {}
        return {
            "systems": [report.as_record(one, per_document=True) for one in scores],
            "shares": {score.name: score.metric.share for score in scores[0]},
            "differences": report.difference_records(pairs),
            "curves": {
                metric: [{"system": series.name, "values": list(series.values)} for series in listed]
                for metric, listed in curves.items()
            },
        }


Step = Extract | Check | List | Read | AddToSet | FinishSet | Evaluate


@dataclass(slots=True)
class Bench:
    """What a worker has at hand between steps."""

    offers: Offers
    sets: "dict[bool, Any]" = field(default_factory=dict)
    _built: Callable[[str], Any] = field(init=False)

    def __post_init__(self) -> None:
        self._built = lru_cache(maxsize=32)(lambda spec: METHODS.build(self._resolved(parse(spec))))

    def method(self, spec: str) -> Extractor:
        offered = self.offers.get(spec)
        return self._built(spec) if offered is None else build(offered)

    def set_method(self, spec: str) -> Any:
        from phrasemill.multidoc import build_set_method

        parsed = parse(spec)
        if parsed.name not in SET_METHODS or not self.offers:
            return build_set_method(self.method(spec) if spec in self.offers else spec)
        return SET_METHODS.build(self._resolved(parsed))

    def _resolved(self, spec: Spec) -> Spec:
        """`spec` with what its inner names stand for."""
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
class Service:
    """The task of the pool: `seconds` a step, `memory` in bytes a worker; 0 for no limit."""

    offers: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 30.0
    memory: int = 0

    def prepare(self) -> Callable[[Step], Any]:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")  # a worker is a core; and every thread of theirs takes memory
        if self.memory:
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (self.memory, hard))
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may reach all; the server decides
        bench = Bench(self.offers)
        extract(PROBE)
        for name in self.offers:
            extract(PROBE, method=bench.method(name))

        def work(step: Step) -> Any:
            alarm(self.seconds)
            try:
                return step.do(bench)
            finally:
                alarm(0.0)

        return work


def _known_language(language: str) -> None:
    """Each language costs memory for good, so only those that exist."""
    from phrasemill.text.stopwords import languages

    if language != "en" and language not in languages():
        raise ConfigError(f"language must be an ISO 639-1 code such as 'en' or 'fr', got {language!r}")
