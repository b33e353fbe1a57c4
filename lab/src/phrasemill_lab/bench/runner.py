"""Run a benchmark: for each dataset and method a fresh process; what is finished is not measured again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from phrasemill import __version__
from phrasemill.errors import ConfigError, DataError, PhrasemillError, UnknownName
from phrasemill.evaluation import Answers, evaluate
from phrasemill.registry import METHODS, SET_METHODS, Registry, Spec, parameters_of, parse, split_specs
from phrasemill.workers import TIMED_OUT, Pool
from phrasemill_lab.bench import results
from phrasemill_lab.bench.measuring import Measured, MethodRun, first_keyphrase, reason_not_to_run
from phrasemill_lab.bench.results import BenchResult, BenchScore
from phrasemill_lab.bench.tasks import BenchTask, LoadedDataset, available, own_file, task

MEASURES = ("quality", "speed", "memory", "startup")
RESAMPLES = 1000
ESSENTIAL = ("R@10",)  # of the gold of the best grade
LIMIT = 600.0
Progress = Callable[[str, int, int, str], None]


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """What to run: methods and datasets by name (by default all there are), measures, and the folder of results.

    With `with_style`, methods that have styles are also measured in the style of each dataset, as rows of their own.
    `documents` is how many of each dataset at most, `limit` the seconds for one method on one dataset; with `fresh`
    what is already in the folder is measured again.
    """

    data: Path
    output: Path
    methods: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    measures: tuple[str, ...] = MEASURES
    with_style: bool = False
    documents: int | None = None
    limit: float = LIMIT
    fresh: bool = False

    def __post_init__(self) -> None:
        for name in self.measures:
            if name not in MEASURES:
                raise ConfigError(f"unknown measure {name!r}; choose from {', '.join(MEASURES)}")
        if self.documents is not None and self.documents < 1:
            raise ConfigError(f"documents must be at least 1, got {self.documents}")
        if self.limit <= 0:
            raise ConfigError(f"the limit must be more than 0 seconds, got {self.limit:g}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """All results, in the order of datasets and methods, and why methods and datasets are missing."""

    results: tuple[BenchResult, ...]
    left_out: dict[str, str]
    not_here: dict[str, str]


def run(request: BenchRequest, *, progress: Progress = lambda step, done, total, note: None) -> Outcome:
    """Measure everything that `request` names. Each result is written as soon as it is there."""
    tasks, not_here = _tasks(request)
    singles, sets = chosen_methods(request.methods)
    plan = [(one, sets if one.sets else singles) for one in tasks]
    if not any(methods for _, methods in plan):
        raise ConfigError("no dataset for these methods: those for sets need mkduc01, the others sets of documents")
    runner = _Runner(request)
    found = []
    for one, methods in plan:
        if not methods:
            continue
        dataset = one.load(request.data, request.documents)
        specs = _also_styled(methods, one) if request.with_style else methods
        for done, spec in enumerate(specs):
            progress(one.title, done, len(specs), spec)
            result = runner.result(dataset, spec)
            if result is not None:
                found.append(result)
        progress(one.title, len(specs), len(specs), "done")
    return Outcome(tuple(found), runner.left_out, not_here)


def _tasks(request: BenchRequest) -> tuple[list[BenchTask], dict[str, str]]:
    names = [part.strip() for one in request.datasets for part in one.split(",") if part.strip()]
    if not names:
        found, missing = available(request.data)
        if not found:
            raise DataError(f"{request.data}: there is no known dataset in it; see phrasemill dataset list")
        return found, missing
    return chosen_tasks(request.data, names), {}


def chosen_tasks(data: Path, names: Sequence[str]) -> list[BenchTask]:
    """Return the datasets of these names, or files of one's own; an error names what is missing."""
    each = dict.fromkeys(part.strip() for one in names for part in one.split(",") if part.strip())
    wanted = [own_file(Path(name)) if Path(name).is_file() else task(name) for name in each]
    for one in wanted:
        one.load(data, 1)
    return wanted


def chosen_methods(wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the methods for documents and those for sets; all of both where none is named."""
    specs = [spec for one in wanted for spec in split_specs(one)]
    if not specs:
        return METHODS.names(), SET_METHODS.names()
    singles, sets = [], []
    for spec in specs:
        name = parse(spec).name
        if name in METHODS:
            singles.append(spec)
        elif name in SET_METHODS:
            sets.append(spec)
        else:
            raise UnknownName("method", name, [*METHODS.names(), *SET_METHODS.names()])
    return list(dict.fromkeys(singles)), list(dict.fromkeys(sets))


def _also_styled(methods: Sequence[str], task: BenchTask) -> list[str]:
    """Return each method as it is and, if it has the style of the dataset, in that style."""
    both = (spec for method in methods for spec in (method, styled(method, task.styles, sets=task.sets)))
    return list(dict.fromkeys(both))


def styled(spec: str, styles: Sequence[str], *, sets: bool) -> str:
    """Return the spec with the first of the styles that its method has, unless the spec names one."""
    registry, read = SET_METHODS if sets else METHODS, parse(spec)
    try:
        parameters = parameters_of(registry.get(read.name))
    except PhrasemillError:
        return spec
    if "style" not in parameters or read.values or "style" in dict(read.options):
        return spec
    for style in styles:
        candidate = Spec(read.name, (), (("style", style), *read.options))
        if _accepts(registry, candidate):
            return str(candidate)
    return spec


def _accepts(registry: Registry, spec: Spec) -> bool:
    try:
        registry.build(spec)
    except (UnknownName, ConfigError):
        return False
    except PhrasemillError:  # something is missing, which is reported when it runs
        return True
    return True


def _blank(loaded: LoadedDataset, spec: str) -> BenchResult:
    """Return a result without figures."""
    task = loaded.task
    return BenchResult(
        method=spec,
        spec=spec,
        dataset=task.name,
        title=task.title,
        digest=loaded.digest,
        groups=len(loaded.groups),
        documents=len(loaded.documents),
        tokens=loaded.tokens,
        sets=task.sets,
        sampled=loaded.sampled,
        version=__version__,
    )


class _Runner:
    """Measures methods on datasets; what is the same for all datasets is measured once."""

    def __init__(self, request: BenchRequest) -> None:
        self.request = request
        self.measures = frozenset(request.measures)
        self.left_out: dict[str, str] = {}
        self._checked: set[str] = set()
        self._started: dict[str, float] = {}

    def result(self, dataset: LoadedDataset, spec: str) -> BenchResult | None:
        """Return one result, measured or kept; None where the method cannot run here."""
        blank = _blank(dataset, spec)
        known = results.kept(blank, self.request.output) or blank
        wanted = self.measures if self.request.fresh else self.measures - known.measures
        if not wanted:
            return known
        if not self._can_run(spec, sets=dataset.task.sets):
            return None
        try:
            result = self._measured(dataset, replace(known, failed=""), wanted)
        except PhrasemillError as error:
            result = replace(blank, failed=str(error))
        results.save(result, self.request.output)
        return result

    def _can_run(self, spec: str, *, sets: bool) -> bool:
        """Return whether a method has all that it needs, tried once on the text that ships."""
        if spec not in self._checked and spec not in self.left_out:
            reason = reason_not_to_run(spec, sets=sets)
            if reason:
                self.left_out[spec] = reason
            self._checked.add(spec)
        return spec not in self.left_out

    def _measured(self, dataset: LoadedDataset, result: BenchResult, wanted: frozenset[str]) -> BenchResult:
        """Return the result with the wanted measures added."""
        if wanted & {"quality", "speed", "memory"}:
            ran = self._ran(dataset.task, result.spec, repeat="speed" in wanted)
            result = replace(result, model=ran.model_bytes, model_files=ran.model_files)
            if "quality" in wanted:
                result = replace(result, quality=_scored(ran, dataset))
            if "speed" in wanted:
                result = replace(result, seconds=ran.seconds, wall=ran.wall, rounds=ran.rounds)
            if "memory" in wanted:
                result = replace(result, peak=ran.peak, before=ran.before)
        if "startup" in wanted:
            if result.spec not in self._started:
                self._started[result.spec] = first_keyphrase(result.spec, sets=result.sets)
            result = replace(result, startup=self._started[result.spec])
        return result

    def _ran(self, task: BenchTask, spec: str, *, repeat: bool) -> Measured:
        request = self.request
        work = MethodRun(task, str(request.data), request.documents, spec, request.limit)
        with Pool(work, jobs=1) as pool:
            pool.give(0, repeat)
            answer = pool.take()
        if answer.lost == TIMED_OUT:
            raise PhrasemillError(f"took longer than {request.limit:g} seconds (--limit; or fewer --documents)")
        if answer.lost:
            raise PhrasemillError(answer.lost)
        if answer.error is not None:
            ours = isinstance(answer.error, PhrasemillError)
            raise PhrasemillError(str(answer.error) if ours else f"{type(answer.error).__name__}: {answer.error}")
        found: Measured = answer.value
        return found


def _scored(ran: Measured, dataset: LoadedDataset) -> tuple[BenchScore, ...]:
    one = dataset.task
    found = _scores(ran, dataset.gold, one, one.metrics)
    if one.graded:
        found += [
            replace(score, metric=f"essential {score.metric}")
            for score in _scores(ran, dataset.essential, one, ESSENTIAL)
        ]
    return tuple(found)


def _scores(ran: Measured, gold: Answers, task: BenchTask, metrics: Sequence[str]) -> list[BenchScore]:
    found = []
    scores = evaluate(ran.phrases, gold, metrics=metrics, preset=task.preset, policy=task.policy, resamples=RESAMPLES)
    for score in scores:
        assert score.interval is not None
        found.append(BenchScore(score.name, score.value, score.interval.low, score.interval.high, score.signature))
    return found
