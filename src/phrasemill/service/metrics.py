"""The metrics at /metrics, for Prometheus."""

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

TIMES = (0.01, 0.1, 1.0, 10.0)  # seconds


class ServiceMetrics:
    """Counts and times of one application."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call] # a line more for each of these
        self.registry = CollectorRegistry()
        shared: dict[str, Any] = {"registry": self.registry}
        labels = ("path", "method", "status")
        self.requests = Counter("phrasemill_requests", "Requests that were answered.", labels, **shared)
        self.seconds = Histogram("phrasemill_request_seconds", "Their duration.", ("path",), buckets=TIMES, **shared)
        self.documents = Counter("phrasemill_documents", "Documents that were worked on.", ("outcome",), **shared)
        self.refused = Counter("phrasemill_refused", "Requests that were turned away.", ("type",), **shared)
        self.jobs = Counter("phrasemill_jobs", "Jobs that ended.", ("status",), **shared)
        self.arriving = Gauge("phrasemill_requests_arriving", "Requests whose bodies are being received.", **shared)
        self.in_progress = Gauge("phrasemill_requests_under_way", "Requests that are worked on.", **shared)
        self.listening = Gauge("phrasemill_job_listeners", "Clients that follow the events of jobs.", **shared)
        self.spooled = Gauge("phrasemill_job_disk_bytes", "Files and results of jobs on disk.", **shared)
        self.waiting = Gauge("phrasemill_steps_waiting", "Steps that wait for a worker.", **shared)
        self.workers = Gauge("phrasemill_workers", "Worker processes that can work.", **shared)
        self.replaced = Gauge("phrasemill_workers_replaced", "Worker processes that a document ended.", **shared)

    def text(self) -> bytes:
        return generate_latest(self.registry)
