"""A real cluster of several nodes on this machine: the same bytes as without it, whatever dies but its head."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faulty import Faulty
from held import Held
from made_corpora import contents, harmful, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.engine.runs import RunProgress
from phrasemill.engine.work import ExtractionTask
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError

# Ray's own: sockets and files that it leaves to the end of the process, and calls that it will do without one day.
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:ray"),
]
# A node that is gone is noticed after a second; by default it takes ten.
ALERT = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300, "health_check_failure_threshold": 3}


def test_gpus_are_asked_for() -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    from phrasemill.engine.ray import Ray

    task = ExtractionTask()
    shared = Ray(task, num_gpus=0.5)
    assert shared.most({"CPU": 16.0, "GPU": 2.0}) == 4
    assert Ray(task).most({"CPU": 16.0}) == 16
    with pytest.raises(ConfigError, match=r"0\.5 GPU"):
        shared.most({"CPU": 16.0})
    with pytest.raises(ConfigError, match="num_gpus"):
        Ray(task, num_gpus=-1)
    with pytest.raises(ConfigError, match="jobs"):
        Ray(task, jobs=0)


def test_where_no_cluster_is(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    assert not ray.is_initialized(), "this test comes before those with a cluster"
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    with pytest.raises(InputError, match="no Ray cluster at localhost:1"):
        engine.run(corpus, tmp_path / "out", engine="ray", address="localhost:1")
    assert not (tmp_path / "out").exists()


def test_without_ray_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[ray\]'"):
        engine.run(corpus, tmp_path / "out", engine="ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without CPUs, and two nodes with one each."""
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # the nodes find what the tests find
        import logging

        import ray
        from ray.cluster_utils import Cluster

        made = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": ALERT}
        )
        try:
            for _ in range(2):
                made.add_node(num_cpus=1, wait=False)
            made.wait_for_nodes()
            ray.init(address=made.address, log_to_driver=False, logging_level=logging.ERROR)
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


def parent_of(process: int) -> int:
    """On Linux."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def raylet_of(node: Any) -> int:
    found: int = node.all_processes["raylet"][0].process.pid
    return found


def test_poison_is_passed_over_in_the_same_words(cluster: Any, tmp_path: Path) -> None:
    corpus = harmful(tmp_path / "corpus.jsonl", ["a", "CRASH", "b", "ERROR", "c", "EXIT", "d", "HANG"])
    for name, how in (("ray", {"engine": "ray"}), ("local", {"jobs": 1})):
        engine.run(corpus, tmp_path / name, method=Faulty(), part=Plan(documents=3), timeout=1.0, **how)
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")


def test_what_one_machine_began_a_cluster_ends(cluster: Any, tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(30))
    small = Plan(documents=5)

    def stop(progress: RunProgress) -> None:
        if progress.documents >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run(corpus, tmp_path / "out", jobs=1, part=small, progress=stop, format="jsonl")
    summary = engine.run(corpus, tmp_path / "out", engine="ray", part=small, format="jsonl")
    assert summary.worked < 30 == summary.documents
    engine.run(corpus, tmp_path / "undisturbed", jobs=1, part=small, format="jsonl")
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")
    sessions = json.loads((tmp_path / "out" / "manifest.json").read_text())["sessions"]
    assert sessions[-1]["engine"] == "ray"


def test_what_is_wrong_with_the_method_is_said_at_once(cluster: Any, tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    with pytest.raises(PhrasemillError, match="auto"):
        engine.run(corpus, tmp_path / "out", engine="ray", method="textrank", top="auto")
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_of_ray_that_is_killed_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    texts = [f"word{n}" for n in range(40)]
    texts[5] = "HOLD"
    corpus = harmful(tmp_path / "corpus.jsonl", texts)
    method, small = Held(str(tmp_path)), Plan(documents=2)

    def kill(_: RunProgress) -> None:
        if (tmp_path / "held").exists() and not (tmp_path / "go").exists():
            (tmp_path / "go").touch()
            os.kill(int((tmp_path / "held").read_text().split()[0]), signal.SIGKILL)

    summary = engine.run(corpus, tmp_path / "out", method=method, engine="ray", part=small, timeout=0, progress=kill)
    assert len((tmp_path / "held").read_text().split()) >= 2, "what the dead process had was done again"
    assert (summary.documents, summary.failed, summary.parts) == (40, 0, 20)
    engine.run(corpus, tmp_path / "undisturbed", method=method, jobs=1, part=small, timeout=0)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_node_that_dies_in_mid_run_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    texts = [f"word{n}" for n in range(40)]
    texts[5] = "HOLD"
    corpus = harmful(tmp_path / "corpus.jsonl", texts)
    method, small = Held(str(tmp_path)), Plan(documents=2)
    killed: list[int] = []

    def kill(_: RunProgress) -> None:
        """When parts come in from the other node, end the one whose worker waits."""
        if killed or not (tmp_path / "held").exists():
            return
        raylet = parent_of(int((tmp_path / "held").read_text().split()[0]))
        node = next(node for node in cluster.worker_nodes if raylet_of(node) == raylet)
        cluster.remove_node(node, allow_graceful=False)
        killed.append(raylet)
        (tmp_path / "go").touch()

    summary = engine.run(corpus, tmp_path / "out", method=method, engine="ray", part=small, timeout=0, progress=kill)
    assert killed, "no part came in while one was held"
    assert len((tmp_path / "held").read_text().split()) >= 2, "what the dead node had was done again elsewhere"
    assert (summary.documents, summary.failed, summary.parts) == (40, 0, 20)
    engine.run(corpus, tmp_path / "undisturbed", method=method, jobs=1, part=small, timeout=0)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")
