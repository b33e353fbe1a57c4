"""How much a request may ask for, and for how long."""

from dataclasses import dataclass

from phrasemill.errors import ConfigError

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, times in seconds.

    `requests` may be under way at once, with `held` bytes of bodies between them; more are told to come back (503).
    `per_client` counts those of one token, or of one address where there are no tokens; 0 is no limit of its own.
    """

    body: int = 16 * MIB
    upload: int = 64 * MIB
    files: int = 100
    documents: int = 1000
    requests: int = 512
    held: int = 512 * MIB
    per_client: int = 0
    step: float = 30.0  # of work on one document
    memory: int = 2048 * MIB  # of one worker
    head: float = 10.0  # for a request's head to arrive
    pause: float = 10.0  # between two pieces of a body, or of an answer that is read
    arrival: float = 60.0  # for a whole body

    def __post_init__(self) -> None:
        for name in ("body", "upload", "files", "documents", "requests", "held"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("step", "head", "pause", "arrival"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.per_client < 0 or self.memory < 0:
            raise ConfigError("limits cannot be below 0")
