"""Limits on size, time, memory and concurrency. `phrasemill serve` has an option for each that names one."""

from dataclasses import dataclass, field, fields
from typing import Any

from phrasemill.errors import ConfigError

MIB = 1 << 20
BASE = 512 * MIB  # what the server needs in addition to bodies and answers
COPIES = 3  # of a body while it is parsed: its bytes, its objects, and what is sent to a worker


def _limit(default: Any, option: str = "", help: str = "", *, unit: int = 1, least: float = 1) -> Any:
    """Declare a limit. `option` is its spelling on a command line, where a value stands for so many times `unit`;
    `least` is the smallest value there, and 0 means no limit where it is allowed."""
    return field(default=default, metadata={"option": option, "help": help, "unit": unit, "least": least})


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, times in seconds.

    `requests` may be in progress at once; more are refused with 503. `arriving` bodies may be received at once; where
    there are more, the one that has been arriving for longest is refused with 408.
    """

    step: float = _limit(30.0, "--timeout SECONDS", "The time limit for one document.", least=0.1)
    documents: int = _limit(1000, "--max-documents N", "The most documents per request.")
    body: int = _limit(4 * MIB, "--max-body MB", "The largest request with texts.", unit=MIB)
    upload: int = _limit(64 * MIB, "--max-upload MB", "The largest request with files.", unit=MIB)
    memory: int = _limit(2048 * MIB, "--memory MB", "The memory limit of a worker; 0 for no limit.", unit=MIB, least=0)
    server: int | None = _limit(
        None,
        "--server-memory MB",
        "The memory limit of the server process; 0 for no limit. By default it is computed from the other limits.",
        unit=MIB,
        least=0,
    )
    requests: int = _limit(128, "--queue N", "The most simultaneous requests; others are refused with 503.")
    per_client: int = _limit(
        0, "--per-client N", "The most simultaneous requests per token or address; 0 for no limit.", least=0
    )
    jobs: int = _limit(64, "--max-jobs N", "The most jobs, including finished ones that are still kept.")
    job_upload: int = _limit(1024 * MIB, "--job-upload MB", "The largest upload of a job.", unit=MIB)
    job_documents: int = _limit(5000, "--job-documents N", "The most documents per job.")
    job_disk: int = _limit(8192 * MIB, "--job-disk MB", "The disk space for all jobs together.", unit=MIB)
    job_seconds: float = _limit(3600.0, "--keep-jobs MINUTES", "How long to keep a finished job.", unit=60, least=0.01)
    files: int = _limit(100)  # in a request that is no job
    answer: int = _limit(64 * MIB)  # to one request, and for one document of a job
    arriving: int = _limit(512)
    connections: int = _limit(4096)
    head: float = _limit(10.0, least=0)  # for a request's head to arrive
    pause: float = _limit(10.0, least=0)  # between two pieces of a body, or of an answer that is read
    arrival: float = _limit(60.0, least=0)  # for a whole body …
    job_arrival: float = _limit(900.0, least=0)  # … and the upload of a job
    jobs_per_client: int = _limit(16, least=0)  # 0: no limit
    jobs_running: int = _limit(4)
    listeners: int = _limit(256)  # who follow jobs by events

    def __post_init__(self) -> None:
        for one in fields(self):
            value, least = getattr(self, one.name), one.metadata["least"]
            if value is None or (value >= least if isinstance(value, int) else value > 0):
                continue
            raise ConfigError(f"{one.name} must be {f'at least {least}' if least >= 1 else 'above 0'}, got {value}")

    def server_memory(self, workers: int) -> int:
        """Return the memory limit of the server: bodies, what goes to and from workers, and what the server itself
        needs. 0 means no limit."""
        if self.server is not None:
            return self.server
        return BASE + COPIES * self.requests * self.body + 2 * workers * max(self.upload, self.answer)
