"""Limits on size, time, memory and concurrency."""

from dataclasses import dataclass

from phrasemill.errors import ConfigError

MIB = 1 << 20
BASE = 512 * MIB  # what the server needs in addition to what requests hold
# The limits that must be 1 or more, and those that must be above 0.
COUNTS = (
    *("body", "upload", "files", "documents", "requests", "arriving", "idle", "held", "answer"),
    *("jobs", "jobs_running", "job_upload", "job_documents", "job_disk", "listeners"),
)
SECONDS = ("step", "head", "pause", "arrival", "job_arrival", "job_seconds")


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, times in seconds.

    `requests` may be in progress at once, and all requests together hold `held` bytes of bodies, documents and answers;
    more are refused with 503. `arriving` bodies may be received at once; where there are more, the one that has been
    arriving for longest is refused with 408. `per_client` counts the requests of one token, or of one address where
    there are no tokens; 0 means no limit.

    A job is an upload of up to `job_upload` bytes with `job_documents` documents. A server has `jobs` of them, one
    client `jobs_per_client` (0: no limit), and works on `jobs_running` at once; their files take `job_disk` bytes.
    They are deleted `job_seconds` after they ended. `listeners` may follow their events.
    """

    body: int = 16 * MIB
    upload: int = 64 * MIB
    files: int = 100
    documents: int = 1000
    requests: int = 512
    arriving: int = 512
    idle: int = 1024  # connections without a request; where there are more, the oldest is closed
    held: int = 512 * MIB
    answer: int = 64 * MIB  # for one document, or for one set
    per_client: int = 0
    step: float = 30.0  # of work on one document
    memory: int = 2048 * MIB  # of one worker; 0 for no limit
    server: int | None = None  # memory of the server itself; 0 for no limit, None for what follows from the others
    head: float = 10.0  # for a request's head to arrive
    pause: float = 10.0  # between two pieces of a body, or of an answer that is read
    arrival: float = 60.0  # for a whole body
    jobs: int = 64
    jobs_per_client: int = 16
    jobs_running: int = 4
    job_upload: int = 1024 * MIB
    job_documents: int = 5000
    job_disk: int = 8192 * MIB
    job_seconds: float = 3600.0
    job_arrival: float = 900.0  # for the upload of a job
    listeners: int = 256

    def __post_init__(self) -> None:
        for name in COUNTS:
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in SECONDS:
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.per_client < 0 or self.jobs_per_client < 0 or self.memory < 0 or (self.server or 0) < 0:
            raise ConfigError("limits cannot be below 0")

    def server_memory(self, workers: int) -> int:
        """Return the memory limit of the server: what requests hold, as much again for copies in transit to and from
        workers, and what the server itself needs. 0 means no limit."""
        if self.server is not None:
            return self.server
        return 2 * self.held + 2 * workers * max(self.upload, self.answer) + BASE


def bound_memory(size: int) -> None:
    """Limit the memory that this process can allocate; 0 removes the limit, as far as the system allows.

    Do nothing on systems without such limits (Windows).
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [one for one in (size, hard) if one not in (0, resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known, default=resource.RLIM_INFINITY), hard))
