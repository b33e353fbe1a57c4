"""The methods of a benchmark: lists of specs as people type them, and the style for a dataset."""

from collections.abc import Sequence

from phrasemill.errors import ConfigError, PhrasemillError, UnknownName
from phrasemill.registry import METHODS, SET_METHODS, Registry, Spec, parameters_of, parse, split_specs


def chosen_methods(wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the methods for documents and those for sets; all of both where none is named."""
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
    """Return the spec with the first of the styles that its method has, unless the spec names one."""
    registry, read = SET_METHODS if sets else METHODS, parse(spec)
    try:
        parameters = parameters_of(registry.get(read.name))
    except PhrasemillError:
        return spec
    if "style" not in parameters or read.values or "style" in dict(read.options):
        return spec
    for style in styles:
        candidate = Spec(read.name, (), (("style", style), *read.options))
        if _accepts(registry, candidate):
            return str(candidate)
    return spec


def _accepts(registry: Registry, spec: Spec) -> bool:
    try:
        registry.build(spec)
    except (UnknownName, ConfigError):
        return False
    except PhrasemillError:  # something is missing, which is reported when it runs
        return True
    return True
