"""Method and metric specs from the network, and what is allowed in them.

Only registered methods, and only parameters that are numbers, True, False, None, or a value of a known list. Whatever
could name a file, a model or a pattern is refused. Other methods that the server offers, such as a trained model, have
a name of the operator's choice (`Offers`), and clients see only that name.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields

from phrasemill.catalogue import METHODS, SET_METHODS, styles
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.methods.encoder import installed_sizes
from phrasemill.service.problems import Refusal
from phrasemill.specs import Registry, Spec, parse
from phrasemill.types import Method

# The methods that a server offers, by name: specs, or method objects.
Offers = Mapping[str, "str | Method"]

# Texts that are values of a known list, by method and parameter; all other texts are refused.
CHOICES: dict[tuple[str, str], tuple[str, ...]] = {
    ("encoder", "size"): installed_sizes(),
    ("consensus", "by"): ("encoder", "learned"),
    ("consensus", "clusters"): ("meaning", "wordings"),
    ("generator", "search"): ("beam", "greedy", "top"),
    ("tfidf", "candidates"): ("auto", "ngrams", "noun_phrases"),
}
CHOICES |= {(name, "style"): some for name, some in styles().items()}
RECURRENT = ("catseq", "catseqd", "copyrnn")
CHOICES |= {(name, "search"): ("beam", "greedy") for name in RECURRENT}
CHOICES |= {(name, "order"): ("appearance", "best", "total") for name in RECURRENT}
PLAIN = (bool, int, float, type(None))
# Encoders that come as a package, not as a folder.
EMBEDDINGS = ("minilm",)
CUT, LARGEST_CUT = re.compile(r"M|O|\d{1,4}"), 9_999
# The largest sensible magnitude of each number: beyond it, answers do not improve and only cost more.
LARGEST: dict[str, float] = {
    "alike": 1,
    "alpha": 1_000,
    "balance": 1,
    "cutoff": 1_000_000,
    "damping": 1,
    "dedupe": 1,
    "diversity": 1,
    "keep": 1_000,
    "kept": 1_000,
    "least": 10_000,
    "length": 1_000,
    "longer": 1_000,
    "longest": 50,
    "neighbours": 1_000,
    "no_repeat_ngram": 100,
    "patience": 1_000,
    "phrases": 100,
    "pool": 10_000,
    "retries": 10,
    "seed": 2**31,
    "share": 1,
    "shortest": 10_000,
    "sigma": 1_000,
    "similarity": 1,
    "specificity": 1_000,
    "support": 1_000,
    "timeout": 600,
    "width": 200,
    "window": 1_000,
    "words": 100_000,
}
# Exceptions, where the same name means something else.
LARGEST_OF: dict[tuple[str, str], float] = {("summarise", "longest"): 10_000}


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
    names = [field.name for field in fields(registry.get(spec.name)) if field.init]  # type: ignore[arg-type]
    given = [*zip(names, spec.values, strict=False), *spec.options]
    if len(spec.values) > len(names):
        raise ConfigError(f"{spec.name} takes at most {len(names)} parameters, got {len(spec.values)}")
    for name, value in given:
        if isinstance(value, Spec):
            if name != "method":
                raise Refusal("parameter-not-allowed", f"{spec.name}: {name} cannot be a method")
            _check(value, METHODS, offers)
        elif isinstance(value, str):
            _check_text(spec.name, name, value)
        elif type(value) not in PLAIN:
            raise Refusal("parameter-not-allowed", f"{spec.name}: {name} cannot be a list over the network")
        elif isinstance(value, int | float) and not abs(value) <= largest(spec.name, name):
            raise ConfigError(f"{spec.name}: {name} must be at most {largest(spec.name, name):,} over the network")


def largest(method: str, name: str) -> float:
    """Return the largest value of a parameter that is accepted over the network; 1 if it has no entry."""
    return LARGEST_OF.get((method, name), LARGEST.get(name, 1))


def _check_text(method: str, name: str, value: str) -> None:
    choices = CHOICES.get((method, name))
    if choices is None:
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
