"""XML from outside, parsed by expat: nothing is fetched, and neither entities nor absurd depth get through."""

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

ENTITY, DEPTH = "entity-declaration", "too-deep"


class RefusedXmlError(Exception):
    """XML that is refused though it may be well-formed; `reason` is `ENTITY` or `DEPTH`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def hardened_parser(
    start: Callable[[str, dict[str, str]], object] | None = None,
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
    *,
    deepest: int | None = None,
    encoding: str | None = None,
    namespace_separator: str | None = None,
) -> Any:
    """Return a parser that calls these handlers; it raises `RefusedXmlError` at entities that the file declares, and
    at more than `deepest` elements within each other."""
    parser = expat.ParserCreate(encoding, namespace_separator)
    depth = 0

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if deepest is not None and depth > deepest:
            raise RefusedXmlError(DEPTH, f"nested more than {deepest:,} deep")
        if start:
            start(name, attributes)

    def leave(name: str) -> None:
        nonlocal depth
        depth -= 1
        if end:
            end(name)

    parser.StartElementHandler, parser.EndElementHandler = (enter, leave) if deepest is not None else (start, end)
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = _refuse_entity
    return parser


def _refuse_entity(name: str, parameter: bool, value: str | None, *rest: str | None) -> None:
    notation = rest[-1]
    if notation is None:  # a picture or the like, which is only ever named, has one
        raise RefusedXmlError(ENTITY, f"it declares the entity {name[:40]!r}; write the characters themselves")
