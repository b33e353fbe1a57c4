"""`phrasemill run` through Ray beside the same run without it, on this machine, and whether the bytes are the same.

    python benchmarks/engine_ray.py --data DIR
    python benchmarks/engine_ray.py --data DIR --nodes 3 --documents 50000

DIR is as for engine_speed.py, which makes the corpus. With --nodes a cluster of so many nodes runs here, a worker each;
without, Ray starts one by itself. Runs take turns; rates are medians, without the start of the cluster, which is apart.
`engine_speed.py --memory 1000000 --engine ray` does a million documents and counts every id.
"""

import argparse
import logging
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from engine_speed import write_corpus
from phrasemill import engine


def start(nodes: int, jobs: int) -> Any:
    """A cluster, to which this process is then connected."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--nodes", type=int, default=0, help="0 for one that Ray starts by itself")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    jobs = options.nodes or options.jobs
    began = time.perf_counter()
    cluster = start(options.nodes, jobs)
    print(f"the cluster took {time.perf_counter() - began:.1f} s to start", flush=True)
    seconds: dict[str, list[float]] = {"local": [], "ray": []}
    own: dict[str, list[float]] = {"local": [], "ray": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        corpus = folder / "corpus.jsonl"
        write_corpus(options.data, corpus, options.documents)
        for number in range(options.rounds):
            for kind, values in seconds.items():
                before = time.process_time()
                summary = engine.run(corpus, folder / f"{kind}-{number}", jobs=jobs, engine=kind)
                values.append(summary.seconds)
                own[kind].append(time.process_time() - before)
        same = parts(folder / "local-0") == parts(folder / "ray-0")
    local = options.documents / statistics.median(seconds["local"])
    print(f"\n{options.documents:,} documents, {jobs} workers; parts are {'the same bytes' if same else 'DIFFERENT'}\n")
    print("| | documents a second | beside local | documents a second of the main process's own time |")
    print("|---|---|---|---|")
    for kind, values in seconds.items():
        rate, most = (options.documents / statistics.median(one) for one in (values, own[kind]))
        print(f"| {kind} | {rate:,.0f} | {rate / local:.2f} | {most:,.0f} |")
    import ray

    ray.shutdown()
    if cluster is not None:
        cluster.shutdown()


if __name__ == "__main__":
    main()
