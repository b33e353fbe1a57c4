"""What to do about a record that cannot be read: refuse it, skip it, or report it and go on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from warnings import warn

from phrasemill.errors import DataError, UnknownName

POLICIES = ("refuse", "skip", "report")


@dataclass(frozen=True, slots=True)
class DatasetProblem:
    """Something in a dataset that is not as it should be, and where."""

    path: str
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}: line {self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


class DatasetWarning(UserWarning):
    """How problems are reported by default."""


class Malformed(ValueError):  # noqa: N818 - a reason on its way to a `DatasetProblem`, never seen outside
    """A record does not fit its layout; the text is the reason."""


def warn_of(problem: DatasetProblem) -> None:
    warn(str(problem), DatasetWarning, stacklevel=2)


class Problems:
    """Where readers put what they cannot read. `policy` is one of `POLICIES`."""

    def __init__(self, policy: str = "refuse", report: Callable[[DatasetProblem], None] = warn_of) -> None:
        if policy not in POLICIES:
            raise UnknownName("error policy", policy, POLICIES)
        self.policy, self.count = policy, 0
        self._report = report

    def add(self, path: Path | str, reason: str, line: int | None = None) -> None:
        """Raise, skip or report a problem, according to the policy; the caller goes on with the next record."""
        problem = DatasetProblem(str(path), reason, line)
        self.count += 1
        if self.policy == "refuse":
            raise DataError(str(problem))
        if self.policy == "report":
            self._report(problem)
