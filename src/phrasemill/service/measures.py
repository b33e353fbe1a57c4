"""What Prometheus may ask for at /metrics."""

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from phrasemill.service.crew import Crew

TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Measures:
    """Counts and times of one application."""

    def __init__(self, crew: Crew) -> None:
        self.registry = CollectorRegistry()
        there: dict[str, Any] = {"registry": self.registry}
        labels = ("path", "method", "status")
        self.requests = Counter("phrasemill_requests", "Requests that were answered.", labels, **there)
        self.seconds = Histogram("phrasemill_request_seconds", "Their duration.", ("path",), buckets=TIMES, **there)
        self.documents = Counter("phrasemill_documents", "Documents that were worked on.", ("outcome",), **there)
        self.refused = Counter("phrasemill_refused", "Requests that were turned away.", ("type",), **there)
        self.arriving = Gauge("phrasemill_requests_arriving", "Requests whose bodies are being received.", **there)
        self.under_way = Gauge("phrasemill_requests_under_way", "Requests that are worked on.", **there)
        self.held = Gauge("phrasemill_held_bytes", "Bodies, documents and answers that are held in memory.", **there)
        for name, help, value in (
            ("phrasemill_jobs_waiting", "Jobs that wait for a worker.", lambda: crew.waiting),
            ("phrasemill_workers", "Worker processes that can work.", lambda: crew.ready),
            ("phrasemill_workers_replaced", "Worker processes that a document ended.", lambda: crew.replaced),
        ):
            Gauge(name, help, **there).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)
