"""How much faster several threads are than one, and than as many processes, by method and kind of text.

    python lab/benchmarks/threads.py [--data DIR] [--methods learned,yake] [--threads 1,2,4,8] [--rounds 10]

Wall-clock time of the same texts: one thread, then each number of threads and of processes, in turns, a few texts at a
time; of each part the fastest round counts. Workers are started before the clock. Without `--data` the texts are made
of the pages in docs/. All are read as English.

Other work on the machine spoils such ratios. Two figures depend on it less. One is threads beside as many processes,
which lose as much. The other is simulated: one thread runs alone, its processor time with the GIL and in kernels that
release it (`with cython.nogil`) is recorded step by step, and several threads take those steps on as many idle
processors. What such a kernel does before it releases the GIL counts as without it, so the simulation is a little too
high. A Python without GIL has no such limit.
"""

import ast
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from heapq import heappop, heappush
from itertools import cycle, islice, product
from math import inf
from pathlib import Path
from unittest.mock import patch

from phrasemill.kernels import FOLDER, names
from phrasemill.keyphrases import Keyphrases
from phrasemill.options import ExtractOptions
from phrasemill.pipeline import Prepared, prepared
from phrasemill.workers import without_gil
from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import MarkdownRows, numbers, parser, write_figures

PAGES = Path(__file__).parents[2] / "docs"
ABSTRACT, PAPER, MEGABYTE = 1_100, 45_000, 1_000_000  # characters of what is made of pages
FILES = {"abstracts": "inspec_train.jsonl.gz", "papers": "krapivin_train.jsonl.gz"}
METHODS = "learned,yake,rake,textrank,tfidf"

PART = 90_000  # characters that are measured at a time
HAND_OVER = 10e-6  # seconds until a thread that waits for the GIL has it, in the simulation

Work = Callable[[list[str]], Iterable[object]]


def pages() -> str:
    """Return the project's pages as one text."""
    return "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(PAGES.rglob("*.md")))


def pieces(text: str, size: int, count: int) -> list[str]:
    """Return pieces of a text of so many characters; they begin anew where it ends."""
    return ["".join(islice(cycle(text), i * size % len(text), i * size % len(text) + size)) for i in range(count)]


def corpora(data: Path | None, documents: int) -> dict[str, list[str]]:
    """Return texts of three kinds, about as many characters of each."""
    counts = {"abstracts": documents * PAPER // ABSTRACT, "papers": documents}
    megabytes = max(8, documents * PAPER // MEGABYTE)
    if data is None:
        whole = pages()
        found = {kind: pieces(whole, ABSTRACT if kind == "abstracts" else PAPER, n) for kind, n in counts.items()}
    else:
        found = {kind: texts(data, FILES[kind], most) for kind, most in counts.items()}
        whole = "\n\n".join(found["papers"])
    return found | {"one megabyte": pieces(whole, MEGABYTE, megabytes)}


def releasing() -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each kernel that releases the GIL, or calls a private function that does."""
    for name in names():
        module = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
        code = {one.name: ast.unparse(one) for one in module.body if isinstance(one, ast.FunctionDef)}
        private = [f"{one}(" for one, text in code.items() if one.startswith("_") and "cython.nogil:" in text]
        for one, text in code.items():
            if not one.startswith("_") and any(sign in text for sign in ("cython.nogil:", *private)):
                yield name, one


class Trace:
    """The processor time of one thread, in turns: with the GIL, then in a kernel that releases it."""

    def __init__(self) -> None:
        self.steps: list[tuple[float, float]] = []
        self._at = 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Measure the kernels meanwhile."""
        with ExitStack() as stack:
            for module, name in releasing():
                kernel = sys.modules.get(f"phrasemill.kernels.{module}")
                if kernel is not None:
                    stack.enter_context(patch.object(kernel, name, self._timed(getattr(kernel, name))))
            self._at = time.thread_time()
            yield
            self.steps.append((time.thread_time() - self._at, 0.0))

    def _timed(self, kernel: Callable[..., object]) -> Callable[..., object]:
        @wraps(kernel)
        def timed(*arguments: object) -> object:
            start = time.thread_time()
            try:
                return kernel(*arguments)
            finally:
                end = time.thread_time()
                self.steps.append((start - self._at, end - start))
                self._at = end

        return timed

    @property
    def held(self) -> float:
        """The share of time with the GIL."""
        return sum(held for held, _ in self.steps) / sum(map(sum, self.steps))

    def gain(self, threads: int) -> float:
        """Return how much faster `threads` threads are that take these steps, each from another one on, on as many
        processors; whoever waits for the GIL longest is next."""
        whole, free_at, ends = sum(map(sum, self.steps)), 0.0, list[float]()
        waiting = [(0.0, thread, 0) for thread in range(threads)]  # since when, who, and how many steps it has taken
        while waiting:
            since, thread, taken = heappop(waiting)
            if taken == len(self.steps):
                ends.append(since)
                continue
            held, free = self.steps[(taken + thread * len(self.steps) // threads) % len(self.steps)]
            free_at = max(since, free_at) + held + HAND_OVER
            heappush(waiting, (free_at + free, thread, taken + 1))
        return threads * whole / max(ends)


def trace(method: str, some: list[str]) -> Trace:
    """Return the steps of one thread that has met all words of the texts."""
    extract = prepared(ExtractOptions(method=method, language="en"))
    for text in some:
        extract(text)
    found = Trace()
    with found.watched():
        for text in some:
            extract(text)
    return found


def fastest(work: dict[str, Work], parts: list[list[str]], rounds: int) -> dict[str, float]:
    """Return the seconds of each for all parts: of each part the fastest round. All take turns."""
    best = {name: [inf] * len(parts) for name in work}
    for _, (number, part), (name, one) in product(range(rounds + 1), enumerate(parts), work.items()):
        start = time.perf_counter()
        for _ in one(part):
            pass
        best[name][number] = min(best[name][number], time.perf_counter() - start)
    return {name: sum(seconds) for name, seconds in best.items()}


def measured(method: str, parts: list[list[str]], threads: list[int], rounds: int, processes: bool) -> dict[str, float]:
    """Return the seconds for the texts in one thread (`1`), in threads (`2 threads`) and in processes."""
    extract = prepared(ExtractOptions(method=method, language="en"))
    work: dict[str, Work] = {"1": partial(map, extract)}
    with ExitStack() as stack:
        for n in threads:
            pool = stack.enter_context(ThreadPoolExecutor(n))
            work[f"{n} threads"] = partial(_spread, pool, partial(_extracted, extract), n)
            if processes:
                others = stack.enter_context(ProcessPoolExecutor(n, initializer=_start, initargs=(method,)))
                work[f"{n} processes"] = partial(_spread, others, _extract, n)
        return fastest(work, parts, rounds)


def _spread(pool: Executor, extract: Callable[[list[str]], object], workers: int, some: list[str]) -> Iterable[object]:
    """Return what workers find, each of which is given two lists of texts if there are enough."""
    size = -(-len(some) // (2 * workers))
    return pool.map(extract, [some[i : i + size] for i in range(0, len(some), size)])


def _extracted(extract: Prepared, some: list[str]) -> list[Keyphrases]:
    return list(map(extract, some))


_extractors: list[Prepared] = []  # of a worker process


def _start(method: str) -> None:
    _extractors.append(prepared(ExtractOptions(method=method, language="en")))


def _extract(some: list[str]) -> list[Keyphrases]:
    return _extracted(_extractors[0], some)


def parted(some: list[str], threads: int) -> list[list[str]]:
    """Return the texts in parts, short ones so that other work seldom interrupts, with enough texts for all threads."""
    size = max(2 * threads, PART // len(some[0])) if len(some[0]) < PART else threads
    return [some[i : i + size] for i in range(0, len(some) - size + 1, size)] or [some]


def main() -> None:
    options = parser(__doc__, data=False, pattern="*", documents=24)
    options.add_argument("--methods", default=METHODS, help="(default: %(default)s)")
    options.add_argument("--threads", default="2", help="how many, such as 1,2,4,8 (default: %(default)s)")
    options.add_argument("--kinds", default="abstracts,papers,one megabyte", help="of texts (default: %(default)s)")
    options.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    options.add_argument("--no-processes", action="store_true", help="measure threads only")
    given = options.parse_args()
    threads = numbers(given.threads)
    found = corpora(given.data, given.documents)
    free = without_gil()
    build = sysconfig.get_config_var("Py_GIL_DISABLED")
    print(
        f"Python {sys.version.split()[0]}{' (free-threaded)' if build else ''}, the GIL is {'off' if free else 'on'}\n"
    )
    sides = [f"{n} {kind}" for n in threads for kind in ("threads", "processes")[: 1 if given.no_processes else 2]]
    header = ("method", "texts", "ms per text", *(f"× with {side}" for side in sides))
    simulated = (f"× with {n} threads, simulated" for n in threads)
    rows = MarkdownRows(*header, "GIL held", *simulated, name="threads", keys=2)
    for method in given.methods.split(","):
        for kind in given.kinds.split(","):
            some = found[kind]
            parts = parted(some, max(threads))
            count = sum(map(len, parts))
            best = measured(method, parts, threads, given.rounds, not given.no_processes)
            gains = [f"{best['1'] / best[side]:.2f}" for side in sides]
            cells = ["", *[""] * len(threads)]
            if not free and kind != "abstracts":  # in which nothing is released
                steps = trace(method, some)
                cells = [f"{steps.held:.0%}", *(f"{steps.gain(n):.2f}" for n in threads)]
            rows.add(method, kind, f"{1000 * best['1'] / count:.2f}", *gains, *cells)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
