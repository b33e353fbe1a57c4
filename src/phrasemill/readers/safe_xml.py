"""XML from outside, parsed by expat: nothing is fetched, and neither entities nor absurd depth get through."""

from html.entities import html5
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

BROKEN, ENTITY, DEPTH, SIZE = "broken-xml", "entity-declaration", "too-deep", "too-large"
DEEPEST = 250  # levels of elements; whoever walks a tree may recurse. Real documents have some dozens.
MOST_TAGS = 2_000_000


class RefusedXmlError(Exception):
    """XML that is not read; `reason` is one of the words above. All but `BROKEN` may be well-formed."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def tree(source: bytes, *, namespaces: bool = False) -> Element:
    """Return the root of the elements in `source`, or raise a `RefusedXmlError`.

    Names are as they are written; with `namespaces`, they are the namespace, a space and the local name. The entities
    of an external DTD are those of HTML.
    """
    if source.count(b"<") > MOST_TAGS:
        raise RefusedXmlError(SIZE, f"more than {MOST_TAGS:,} tags")
    builder = TreeBuilder()
    parser = expat.ParserCreate(None, " " if namespaces else None)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse_entity
    parser.SkippedEntityHandler = lambda name, parameter: builder.data("" if parameter else html5.get(f"{name};", ""))
    try:
        parser.Parse(source, True)
    except expat.ExpatError as error:
        raise RefusedXmlError(BROKEN, str(error)) from None
    except (ValueError, LookupError) as error:  # an encoding that Python lacks, or not as a table of 256
        raise RefusedXmlError(BROKEN, f"encoding: {error}") from None
    root = builder.close()
    level = [root]
    for _ in range(DEEPEST):
        level = [child for element in level for child in element]
        if not level:
            return root
    raise RefusedXmlError(DEPTH, f"nested more than {DEEPEST:,} deep")


def _refuse_entity(name: str, parameter: bool, value: str | None, *rest: str | None) -> None:
    notation = rest[-1]
    if notation is None:  # a picture or the like, which is only ever named, has one
        raise RefusedXmlError(ENTITY, f"it declares the entity {name[:40]!r}; write the characters themselves")
