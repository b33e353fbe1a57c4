"""Method and metric specs from the network, and what is allowed in them.

Only registered methods, and only parameters that are numbers, True, False, None, or a value of a known list. Whatever
could name a file, a model or a pattern is refused. Other methods that the server offers, such as a trained model, have
a name of the operator's choice (`Offers`), and clients see only that name.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any

from phrasemill.catalogue import METHODS, SET_METHODS, styles
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.service.problems import Refusal
from phrasemill.specs import AtMost, OneOf, Registry, Spec, parse, said_of
from phrasemill.types import Method

# The methods that a server offers, by name: specs, or method objects.
Offers = Mapping[str, "str | Method"]

PLAIN = (bool, int, float, type(None))
# Encoders that come as a package, not as a folder.
EMBEDDINGS = ("minilm",)
CUT, LARGEST_CUT = re.compile(r"M|O|\d{1,4}"), 9_999


def checked(text: str, offers: Offers, *, sets: bool = False) -> str:
    """Return the spec `text` in normal form; raise a `Refusal` or `ConfigError` if it is not allowed."""
    spec = parse(text)
    if sets and spec.name in SET_METHODS:
        _check(spec, SET_METHODS, offers)
    else:
        _check(spec, METHODS, offers)
    return str(spec)


def _check(spec: Spec, registry: Registry, offers: Offers) -> None:
    if spec.name in offers:
        if spec.values or spec.options:
            raise Refusal("parameter-not-allowed", f"{spec.name} is an offer of this server and takes no parameters")
        return
    if spec.name not in registry:
        raise UnknownName("method", spec.name, {*registry.names(), *offers})
    known = {field.name: field for field in fields(registry.get(spec.name)) if field.init}  # type: ignore[arg-type]
    names = list(known)
    given = [*zip(names, spec.values, strict=False), *spec.options]
    if len(spec.values) > len(names):
        raise ConfigError(f"{spec.name} takes at most {len(names)} parameters, got {len(spec.values)}")
    for name, value in given:
        if isinstance(value, Spec):
            if name != "method":
                raise Refusal("parameter-not-allowed", f"{spec.name}: {name} cannot be a method")
            _check(value, METHODS, offers)
        elif isinstance(value, str):
            _check_text(spec.name, name, value, choices_of(spec.name, known.get(name)))
        elif type(value) not in PLAIN:
            raise Refusal("parameter-not-allowed", f"{spec.name}: {name} cannot be a list over the network")
        elif isinstance(value, int | float) and not abs(value) <= (most := largest(known.get(name))):
            raise ConfigError(f"{spec.name}: {name} must be at most {most:,} over the network")


def largest(field: "Field[Any] | None") -> float:
    """Return the largest value of a parameter that is accepted over the network; 1 if its type does not say."""
    found = field and said_of(field, AtMost)
    return found.value if found else 1


def choices_of(method: str, field: "Field[Any] | None") -> tuple[str, ...]:
    """Return the texts that a parameter takes, which are values of a known list; all others are refused."""
    if field is not None and field.name == "style":
        return tuple(styles().get(method, ()))
    found = field and said_of(field, OneOf)
    return found.values if found else ()


def _check_text(method: str, name: str, value: str, choices: tuple[str, ...]) -> None:
    if not choices:
        message = f"{method}: {name} cannot be set over the network"
        hint = "; nested methods are written without quotes" if name == "method" else ""
        raise Refusal("parameter-not-allowed", message + hint)
    if value not in choices:
        raise UnknownName(name, value, choices)


def mentions(spec: object, offers: Offers) -> bool:
    """Return whether a spec contains the name of an offer, at any depth."""
    if not isinstance(spec, Spec):
        return False
    return spec.name in offers or any(mentions(one, offers) for one in (*spec.values, *dict(spec.options).values()))


def check_redundancy(rule: str | None) -> None:
    """Refuse a rule that could name a file."""
    spec = parse(rule) if rule else Spec("none")
    if any(type(value) not in PLAIN for value in (*spec.values, *dict(spec.options).values())):
        raise Refusal("parameter-not-allowed", f"redundancy: {spec.name} takes numbers only over the network")


def check_metrics(metrics: Iterable[str], policy: Mapping[str, object]) -> None:
    """Refuse metrics and choices that could name a file."""
    for text in metrics:
        spec = parse(text)
        _, mark, at = spec.name.partition("@")
        if mark and not CUT.fullmatch(at):
            raise ConfigError(f"{text!r}: a cut is a number, M or O, as in F1@5")
        if spec.values:
            raise Refusal("parameter-not-allowed", f"{text!r}: write choices as name=value")
        _check_choices(dict(spec.options))
    _check_choices(policy)


def _check_choices(options: Mapping[str, object]) -> None:
    from phrasemill.evaluation.policies import CHOICES as KNOWN

    for name, value in options.items():
        if name == "embeddings":
            if value not in EMBEDDINGS:
                raise Refusal("parameter-not-allowed", f"embeddings must be {', '.join(EMBEDDINGS)} over the network")
        elif isinstance(value, str):
            if name == "at":
                if not CUT.fullmatch(value):
                    raise ConfigError(f"a cut is a number, M or O; got {value!r}")
            elif name in KNOWN and value not in KNOWN[name]:
                raise UnknownName(name, value, KNOWN[name])
        elif type(value) not in PLAIN:
            raise Refusal("parameter-not-allowed", f"{name} cannot be set to that over the network")
        elif isinstance(value, int | float) and not abs(value) <= LARGEST_CUT:
            raise ConfigError(f"{name} must be at most {LARGEST_CUT:,} over the network")
