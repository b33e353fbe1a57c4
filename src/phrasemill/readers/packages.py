"""Documents that are zip archives of XML files, Word, OpenDocument, EPUB: read within bounds, without entities."""

from collections.abc import Callable
from io import BytesIO
from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.readers.archives import ENCRYPTED_MEMBER, Damaged, members_of
from phrasemill.readers.safe_xml import RefusedXmlError, hardened_parser

LARGEST = 64 << 20  # of the parts that are read, decompressed; long books have a tenth of it
DEEPEST = 1_000
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/ "


def parts_of(data: bytes, name: str, wanted: tuple[str, ...], *, kind: str, largest: int = LARGEST) -> dict[str, bytes]:
    """Return the files of these names in the archive; `kind` names the format in errors, as `a Word document`."""
    found: dict[str, bytes] = {}
    suffixes = tuple({part.lower() for part in wanted})
    total = 0
    try:
        for member in members_of(BytesIO(data), suffixes, name=name, size=len(data), largest=largest):
            if member.name not in wanted:
                continue
            if member.problem == ENCRYPTED_MEMBER:
                raise InputError(f"{name}: {ENCRYPTED_MEMBER}; save it without one first")
            if member.problem:
                raise Damaged(f"{name}: {member.problem}")
            total += len(member.data or b"")
            if member.data is None or total > largest:
                raise InputError(f"{name}: decompresses to more than {largest >> 20} MiB; it looks like a bomb")
            found[member.name] = member.data
    except Damaged as error:
        why = str(error).removeprefix(f"{name}: ")
        raise InputError(f"{name}: not {kind}, or damaged ({why})") from None
    return found


def parse_part(source: bytes, name: str, kind: str, *handlers: Callable[..., None]) -> None:
    """Call the handlers for start tags, end tags and text; names are namespace, space, local name."""
    try:
        hardened_parser(*handlers, deepest=DEEPEST, namespace_separator=" ").Parse(source, True)
    except expat.ExpatError as error:
        raise InputError(f"{name}: damaged {kind} ({error})") from None
    except RefusedXmlError as error:
        raise InputError(f"{name}: {error}; it looks like a bomb") from None


def dublin_core(source: bytes, name: str, kind: str) -> dict[str, str]:
    """Return title, language and the like out of a file of metadata: the first of each."""
    found: dict[str, str] = {}
    element = ""

    def start(tag: str, _: dict[str, str]) -> None:
        nonlocal element
        element = tag.removeprefix(DUBLIN_CORE) if tag.startswith(DUBLIN_CORE) else ""
        if element in found:
            element = ""

    def end(tag: str) -> None:
        nonlocal element
        element = ""

    def text(piece: str) -> None:
        if element:
            found[element] = found.get(element, "") + piece

    parse_part(source, name, kind, start, end, text)
    return {key: " ".join(value.split()) for key, value in found.items()}
