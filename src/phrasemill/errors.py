"""The error tree.

PhrasemillError
├── InputError       a document or file cannot be read
├── ConfigError      a parameter or a combination of parameters is not valid
│   └── UnknownName  a method, metric, reader … does not exist; lists the choices
├── MissingExtra     an optional dependency is not installed; names the pip command
├── DataError        a dataset or table is malformed, or does not fit its use
└── ModelError       a model file is damaged, too old or of another kind

PhrasemillWarning is a warning: something works, but not exactly as requested.

Every message is one line that says what is wrong and, where it helps, what to do.
"""

from collections.abc import Iterable
from typing import Any


class PhrasemillError(Exception):
    """The base class of all errors that Phrasemill raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """What goes from a worker process to its parent: the message, not the arguments that it was made from."""
        return _said_again, (type(self), self.args, self.__dict__)


def _said_again(kind: type[PhrasemillError], said: tuple[object, ...], state: dict[str, object]) -> PhrasemillError:
    error = kind.__new__(kind, *said)
    error.__dict__.update(state)
    return error


class PhrasemillWarning(UserWarning):
    """A warning: something works, but not exactly as requested."""


def warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Return a warning as commands and worker processes print it: our own in one line, as errors are."""
    if issubclass(category, PhrasemillWarning):
        return f"phrasemill: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


class InputError(PhrasemillError):
    """A document or file cannot be read. `choices` are the columns or fields of which the caller must name one."""

    def __init__(self, *said: object, choices: Iterable[str] = ()) -> None:
        super().__init__(*said)
        self.choices = tuple(choices)


class ConfigError(PhrasemillError):
    """A parameter, or a combination of parameters, is not valid."""


class UnknownName(ConfigError):  # noqa: N818 - reads better at the place where it is raised
    """A name is not registered. The message lists the choices, or where the name belongs."""

    def __init__(self, kind: str, name: str, choices: Iterable[str], *, hint: str = "") -> None:
        self.kind, self.name, self.choices = kind, name, tuple(sorted(choices))
        advice = hint or f"choose from {', '.join(self.choices)}"
        super().__init__(f"unknown {kind} {name!r}{'' if hint else self._guess()}; {advice}")

    def _guess(self) -> str:
        from difflib import get_close_matches

        name, mark, cut = self.name.partition("@")  # the cut of a metric: f1@m is meant to be F1@M
        folded = {choice.lower(): choice for choice in self.choices}
        close = get_close_matches(name.lower(), folded, n=1)
        return f" (did you mean {folded[close[0]] + mark + cut.upper()!r}?)" if close else ""


class MissingExtra(PhrasemillError):  # noqa: N818
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, *, purpose: str, then: str = "", instead: str = "") -> None:
        after = f", then {then}" if then else f", or {instead}" if instead else ""
        super().__init__(f"{purpose} needs {package}: pip install 'phrasemill[{extra}]'{after}")


class DataError(PhrasemillError):
    """A dataset or table is malformed, or does not fit its use."""


class ModelError(PhrasemillError):
    """A model file is damaged, too old or of another kind."""
