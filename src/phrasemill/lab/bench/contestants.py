"""The methods of a benchmark: lists of specs as people type them, and the style that suits a dataset."""

import re
from collections.abc import Sequence

from phrasemill.errors import ConfigError, PhrasemillError, UnknownName
from phrasemill.registry import METHODS, SET_METHODS, Registry, Spec, parameters_of, parse, split_specs


def chosen(wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the methods asked for, those for documents and those for sets; all of both where none is named."""
    specs = [spec for one in wanted for spec in split_specs(one)]
    if not specs:
        return METHODS.names(), SET_METHODS.names()
    singles, sets = [], []
    for spec in specs:
        name = parse(spec).name
        if name in METHODS:
            singles.append(spec)
        elif name in SET_METHODS:
            sets.append(spec)
        else:
            raise UnknownName("method", name, [*METHODS.names(), *SET_METHODS.names()])
    return list(dict.fromkeys(singles)), list(dict.fromkeys(sets))


def styled(spec: str, styles: Sequence[str], *, sets: bool) -> str:
    """Return the spec with the first of the styles that its method knows, unless it has one or knows none."""
    registry, read = SET_METHODS if sets else METHODS, parse(spec)
    try:
        parameters = parameters_of(registry.get(read.name))
    except PhrasemillError:
        return spec
    if "style" not in parameters or read.values or "style" in dict(read.options):
        return spec
    for style in styles:
        candidate = Spec(read.name, (), (("style", style), *read.options))
        if _knows(registry, candidate):
            return str(candidate)
    return spec


def _knows(registry: Registry, spec: Spec) -> bool:
    try:
        registry.build(spec)
    except (UnknownName, ConfigError):
        return False
    except PhrasemillError:  # something is missing, which will be said when it runs
        return True
    return True


def file_name(dataset: str, spec: str) -> str:
    """Return a name for the file of one cell that can be read, and that no two cells share."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", spec).strip("-")
    if plain != spec:
        import hashlib

        plain = f"{plain[:60]}-{hashlib.sha256(spec.encode()).hexdigest()[:6]}"
    return f"{dataset}.{plain}.json"
