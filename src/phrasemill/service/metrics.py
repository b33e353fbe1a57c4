"""The metrics at /metrics, for Prometheus."""

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from phrasemill.service.pool import ServicePool

TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class ServiceMetrics:
    """Counts and times of one application."""

    def __init__(self, pool: ServicePool) -> None:
        self.registry = CollectorRegistry()
        shared: dict[str, Any] = {"registry": self.registry}
        labels = ("path", "method", "status")
        self.requests = Counter("phrasemill_requests", "Requests that were answered.", labels, **shared)
        self.seconds = Histogram("phrasemill_request_seconds", "Their duration.", ("path",), buckets=TIMES, **shared)
        self.documents = Counter("phrasemill_documents", "Documents that were worked on.", ("outcome",), **shared)
        self.refused = Counter("phrasemill_refused", "Requests that were turned away.", ("type",), **shared)
        self.jobs = Counter("phrasemill_jobs", "Jobs that ended.", ("status",), **shared)
        self.spooled = Gauge("phrasemill_job_disk_bytes", "Files of jobs on disk.", **shared)
        self.listening = Gauge("phrasemill_job_listeners", "Clients that follow the events of jobs.", **shared)
        self.arriving = Gauge("phrasemill_requests_arriving", "Requests whose bodies are being received.", **shared)
        self.in_progress = Gauge("phrasemill_requests_under_way", "Requests that are worked on.", **shared)
        self.held = Gauge("phrasemill_held_bytes", "Bodies, documents and answers that are held in memory.", **shared)
        for name, help, value in (
            ("phrasemill_steps_waiting", "Steps that wait for a worker.", lambda: pool.waiting),
            ("phrasemill_workers", "Worker processes that can work.", lambda: pool.alive),
            ("phrasemill_workers_replaced", "Worker processes that a document ended.", lambda: pool.replaced),
        ):
            Gauge(name, help, **shared).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)
