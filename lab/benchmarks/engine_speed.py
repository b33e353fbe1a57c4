"""How fast `phrasemill run` is on this machine, what it costs beside a bare loop, and how much memory it takes.

    python lab/benchmarks/engine_speed.py --data DIR [--memory 100000,1000000] [--figures docs/figures/engine.json]
    python lab/benchmarks/engine_speed.py --data DIR --memory 1000000 --engine ray
    python lab/benchmarks/engine_speed.py --data DIR --ray [--nodes 3]

DIR holds keywords/train-00.jsonl.xz: JSON Lines of title and text. Documents are made up by recombining sentences of
those records, so that a corpus of any size has the lengths and words of real abstracts. Figures are the best of several
rounds, in each of which the bare loop and the runs take turns, each in a process of its own: whatever else the machine
does only ever makes things slower. Input and output are Parquet. With --memory it also prints, for corpora of these
sizes, seconds, rate and peak memory of one run, and counts every id. With --ray, runs through a Ray cluster take turns
with local ones and the bytes are compared; rates are medians, without the start of the cluster. --nodes starts a
cluster of that many nodes here, with one worker each; without it, Ray starts one by itself.
"""

import json
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phrasemill import engine, extract
from phrasemill.readers import read_all
from phrasemill_lab.bench.corpora import write_recombined
from phrasemill_lab.bench.scripts import MarkdownRows, fresh, numbers, parser, usage, write_figures


def bare(corpus: Path) -> None:
    """A loop of `extract` over documents that are in memory."""
    documents = list(read_all(corpus))
    for document in documents[:200]:
        extract(document)
    start, used = time.perf_counter(), time.process_time()
    for document in documents:
        extract(document)
    print(json.dumps([len(documents), time.perf_counter() - start, time.process_time() - used, 0, 0]))


def engine_run(corpus: Path, output: Path, jobs: int, kind: str) -> None:
    """A run; times are without the start of Python, but with that of the workers."""
    start = time.perf_counter()
    engine.run(corpus, output, jobs=jobs, engine=kind)
    seconds = time.perf_counter() - start
    processor, ours, worker = usage()
    manifest = json.loads((output / "manifest.json").read_text(encoding="utf-8"))
    print(json.dumps([manifest["counts"]["documents"], seconds, processor, ours, worker]))


def speed(corpus: Path, folder: Path, rounds: int, jobs: list[int]) -> None:
    seconds: dict[str, list[float]] = {}
    cpu: dict[str, list[float]] = {}
    count = 0.0
    for number in range(rounds):
        for name in ("loop", *map(str, jobs)):
            arguments = [corpus] if name == "loop" else [corpus, folder / f"{number}-{name}", name, "local"]
            count, wall, used, *_ = fresh(__file__, "bare" if name == "loop" else "run", *arguments)
            seconds.setdefault(name, []).append(wall)
            cpu.setdefault(name, []).append(used)
    rate = {name: count / min(values) for name, values in seconds.items()}
    work = {name: min(values) for name, values in cpu.items()}
    print(f"{count:,.0f} documents, the best of {rounds} rounds\n")
    rows = MarkdownRows(
        *("what", "documents per second", "relative to the loop", "processor time relative to the loop"),
        "share of the loop per process",
        name="speed",
    )
    for name in rate:
        loop = name == "loop"
        label = "a bare loop of `extract`" if loop else f"`run`, {name} process{'' if name == '1' else 'es'}"
        share = "" if loop else f"{100 * rate[name] / int(name) / rate['loop']:.0f} %"
        beside = (f"{figures[name] / figures['loop']:.2f}" for figures in (rate, work))
        rows.add(label, f"{rate[name]:,.0f}", *beside, share)


def accounted_for(output: Path, count: int) -> tuple[int, int]:
    """Return how many rows the parts have, and how many ids are missing or duplicated there and among the failures."""
    from pyarrow import parquet

    seen = bytearray(count)
    for id_ in _ids(output):
        seen[int(id_[1:])] += 1
    rows = sum(parquet.read_metadata(path).num_rows for path in output.glob("part-*.parquet"))
    return rows, sum(1 for times in seen if times != 1)


def _ids(output: Path) -> Iterator[str]:
    from pyarrow import parquet

    for path in [*sorted(output.glob("part-*.parquet")), output / "failures.parquet"]:
        yield from parquet.read_table(path, columns=["id"])["id"].to_pylist()


def memory(data: Path, folder: Path, sizes: list[int], jobs: int, kind: str, suffix: str) -> None:
    print()
    rows = MarkdownRows(
        *("documents", "MB of input", "seconds", "documents per second", "MB, main process", "MB per worker", "rows"),
        "ids missing or duplicated",
        name="memory",
    )
    for size in sizes:
        corpus, output = folder / f"{size}.{suffix}", folder / f"{size}-out-{kind}"
        if not corpus.exists():
            write_recombined(data, corpus, size)
        count, seconds, _, ours, worker = fresh(__file__, "run", corpus, output, jobs, kind)
        megabytes = [f"{one:,.0f}" for one in (corpus.stat().st_size / 1e6, ours, worker)]
        rates = (f"{seconds:,.0f}", f"{count / seconds:,.0f}")
        written, wrong = accounted_for(output, size)
        rows.add(f"{size:,}", megabytes[0], *rates, *megabytes[1:], f"{written:,}", wrong)


def cluster_of(nodes: int, jobs: int) -> Any:
    """Start a cluster, and connect this process to it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    if not nodes:
        ray.init(num_cpus=jobs, include_dashboard=False, **quiet)
        return None
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(nodes):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, **quiet)
    return cluster


def parts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".parquet"}


def beside_ray(corpus: Path, folder: Path, rounds: int, documents: int, nodes: int, jobs: int) -> None:
    import ray

    began = time.perf_counter()
    cluster = cluster_of(nodes, jobs)
    print(f"the cluster took {time.perf_counter() - began:.1f} s to start", flush=True)
    seconds: dict[str, list[float]] = {"local": [], "ray": []}
    own: dict[str, list[float]] = {"local": [], "ray": []}
    for number in range(rounds):
        for kind, values in seconds.items():
            before = time.process_time()
            values.append(engine.run(corpus, folder / f"{kind}-{number}", jobs=jobs, engine=kind).seconds)
            own[kind].append(time.process_time() - before)
    same = parts(folder / "local-0") == parts(folder / "ray-0")
    print(f"\n{documents:,} documents, {jobs} workers; parts are {'the same bytes' if same else 'DIFFERENT'}\n")
    rows = MarkdownRows("", "documents/s", "beside local", "documents/s of the main process's own time", name="ray")
    local = documents / statistics.median(seconds["local"])
    for kind, values in seconds.items():
        rate, most = (documents / statistics.median(one) for one in (values, own[kind]))
        rows.add(kind, f"{rate:,.0f}", f"{rate / local:.2f}", f"{most:,.0f}")
    ray.shutdown()
    if cluster is not None:
        cluster.shutdown()


def main() -> None:
    if sys.argv[1:2] == ["bare"]:
        bare(Path(sys.argv[2]))
        return
    if sys.argv[1:2] == ["run"]:
        engine_run(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
        return
    options = parser(__doc__, documents=20_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--jobs", type=numbers, default=[1, 2])
    options.add_argument("--input", default="parquet", choices=("jsonl", "parquet"), help="(default: %(default)s)")
    options.add_argument("--memory", type=numbers, help="sizes of corpora, such as 100000,1000000")
    options.add_argument("--engine", default="local", help="for --memory: local or ray")
    options.add_argument("--ray", action="store_true", help="runs through Ray beside local ones")
    options.add_argument("--nodes", type=int, default=0, help="for --ray: 0 for one that Ray starts by itself")
    options.add_argument("--folder", type=Path, help="where corpora and results are kept (default: a temporary folder)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if given.engine != "local":
            memory(given.data, folder, given.memory or [], given.jobs[-1], given.engine, given.input)
            write_figures(given.figures)
            return
        corpus = folder / f"{given.documents}.{given.input}"
        write_recombined(given.data, corpus, given.documents)
        if given.ray:
            beside_ray(corpus, folder, given.rounds, given.documents, given.nodes, given.nodes or given.jobs[-1])
        else:
            speed(corpus, folder, given.rounds, given.jobs)
            if given.memory:
                memory(given.data, folder, given.memory, given.jobs[-1], given.engine, given.input)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
