"""Sound files of every format, and the ways in which files get damaged; by seed, so that each can be made again.

    python tests/readers/damage.py parquet 200 0

reads so many damaged files, from a seed on, in a process of its own: C libraries may crash it. It prints the seed
before each, and what came of it after.
"""

import bz2
import gzip
import json
import lzma
import re
import sys
import tarfile
import tempfile
import traceback
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))

import made_files

TEXTS = [f"Pumps draw groundwater from well {i}, and salt water moves inland {i * i} metres." for i in range(40)]
GARBAGE = (
    b"\0" * 64,
    b"\xff" * 64,
    b'"',
    b"<",
    b"\n",
    b"\r\n",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"%PDF-",
    b"{",
    b"\xf0\x9f",
)
LARGEST = 4 << 20
CLEAN = re.compile(r"\d+ documents, \d+ errors")


def plain() -> bytes:
    return "\n".join(TEXTS).encode()


def markdown() -> bytes:
    return "\n\n".join(f"# Well {i}\n\n*{text}* [a](b) `c`" for i, text in enumerate(TEXTS)).encode()


def html() -> bytes:
    body = "".join(f"<h2>Well {i}</h2><p>{text} <a href='x'>é &amp; more</a></p>" for i, text in enumerate(TEXTS))
    return f"<!DOCTYPE html><html lang='en'><head><title>Wells</title></head><body>{body}</body></html>".encode()


def pdf() -> bytes:
    return made_files.pdf([TEXTS[:15], TEXTS[15:30], TEXTS[30:]])


def docx() -> bytes:
    return made_files.docx("".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in TEXTS))


def odt() -> bytes:
    return made_files.odt("".join(f"<text:p>{text}</text:p>" for text in TEXTS))


def epub() -> bytes:
    return made_files.epub([f"<h1>Well {i}</h1><p>{text}</p>" for i, text in enumerate(TEXTS)])


def rtf() -> bytes:
    return ("{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}" + "".join(f"{text}\\par\n" for text in TEXTS) + "}").encode()


def jats() -> bytes:
    body = "".join(f"<sec><title>Well {i}</title><p>{text}</p></sec>" for i, text in enumerate(TEXTS))
    front = (
        "<front><article-meta><article-id pub-id-type='pmid'>7</article-id><title-group><article-title>Wells"
        "</article-title></title-group><abstract><p>Short.</p></abstract><kwd-group><kwd>salt</kwd></kwd-group>"
        "</article-meta></front>"
    )
    return f"<?xml version='1.0'?><article xml:lang='en'>{front}<body>{body}</body></article>".encode()


def jsonl() -> bytes:
    lines = [{"id": i, "title": f"Well {i}", "text": text, "language": "en"} for i, text in enumerate(TEXTS)]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def _json() -> bytes:
    return json.dumps([{"id": i, "text": text} for i, text in enumerate(TEXTS)], indent=1).encode()


def csv(delimiter: str = ",") -> bytes:
    rows = [f'{i}{delimiter}"Well ""{i}""\nof many"{delimiter}"{text}"' for i, text in enumerate(TEXTS)]
    return "\n".join([delimiter.join(("id", "title", "text")), *rows, ""]).encode()


def tsv() -> bytes:
    return csv("\t")


def parquet() -> bytes:
    import pyarrow
    from pyarrow.parquet import write_table

    sink = pyarrow.BufferOutputStream()
    columns = {"id": list(range(40)), "text": TEXTS, "when": pyarrow.array(range(40), pyarrow.timestamp("ns"))}
    write_table(pyarrow.table(columns), sink, row_group_size=10)
    return bytes(sink.getvalue())


FORMATS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "plain": ("a.txt", plain),
    "markdown": ("a.md", markdown),
    "html": ("a.html", html),
    "pdf": ("a.pdf", pdf),
    "docx": ("a.docx", docx),
    "odt": ("a.odt", odt),
    "epub": ("a.epub", epub),
    "rtf": ("a.rtf", rtf),
    "jats": ("a.xml", jats),
    "jsonl": ("a.jsonl", jsonl),
    "json": ("a.json", _json),
    "csv": ("a.csv", csv),
    "tsv": ("a.tsv", tsv),
    "parquet": ("a.parquet", parquet),
}


def zstd(data: bytes) -> bytes:
    import zstandard

    return bytes(zstandard.ZstdCompressor().compress(data))


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstd}


def tar(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, BytesIO(data))
    return buffer.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


ARCHIVES: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar,
    "tar.gz": lambda files: gzip.compress(tar(files)),
    "tar.bz2": lambda files: bz2.compress(tar(files)),
    "tar.xz": lambda files: lzma.compress(tar(files)),
    "zip": zipped,
}
KINDS = (*FORMATS, *COMPRESSED, *ARCHIVES)


# Damage


def damaged(data: bytes, random: Random) -> bytes:
    """`data` after one to three accidents."""
    for _ in range(random.choice((1, 1, 2, 3))):
        data = random.choice(ACCIDENTS)(data, random)
    return data


def _span(data: bytes, random: Random) -> tuple[int, int]:
    """A block of it, short ones more often."""
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + int(2 ** random.uniform(0, 12)))


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _beheaded(data: bytes, random: Random) -> bytes:
    return data[_span(data[:200], random)[0] :]


def _flipped(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 3, 20)) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _deleted(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _doubled(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:end] + data[start:end] * random.choice((1, 1, 50)) + data[end:]


def _swapped(data: bytes, random: Random) -> bytes:
    (a, b), (c, d) = sorted((_span(data, random), _span(data, random)))
    b = min(b, c)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _zeroed(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + bytes(end - start) + data[end:]


def _garbled(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + random.randbytes(end - start) + data[end:]


def _inserted(data: bytes, random: Random) -> bytes:
    start, _ = _span(data, random)
    return data[:start] + random.choice((*GARBAGE, random.randbytes(200))) + data[start:]


def _followed(data: bytes, random: Random) -> bytes:
    return data + random.choice((*GARBAGE, data, random.randbytes(50)))


ACCIDENTS = (_cut, _beheaded, _flipped, _deleted, _doubled, _swapped, _zeroed, _garbled, _inserted, _followed)


def made(kind: str, seed: int) -> tuple[str, bytes]:
    """The name and the bytes of a damaged file: of one format, or of formats in turn, compressed, or of all of them."""
    random = Random(f"{kind} {seed}")
    if kind in FORMATS:
        name, make = FORMATS[kind]
        return name, damaged(make(), random)
    if kind in COMPRESSED:
        name, make = [*FORMATS.values()][seed % len(FORMATS)]
        return f"{name}.{kind}", damaged(COMPRESSED[kind](make()), random)
    files = {name: make() for name, make in FORMATS.values()}
    return f"a.{kind}", damaged(ARCHIVES[kind](files), random)


# Reading


def outcome(kind: str, seed: int) -> str:
    """What came of reading a damaged file; whatever is neither a document nor an error of ours is raised."""
    from phrasemill.engine.inputs import CorpusInputs, Unread
    from phrasemill.errors import InputError
    from phrasemill.readers import read_all_bytes

    name, data = made(kind, seed)
    documents, errors = 0, 0

    def report(error: InputError) -> None:
        nonlocal errors
        errors += 1
        _check_message(str(error))

    if kind in ARCHIVES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            for one in CorpusInputs([str(path)]).documents():
                if isinstance(one, Unread):
                    report(InputError(one.reason))
                else:
                    documents += 1
        return f"{documents} documents, {errors} errors"
    try:
        for document in read_all_bytes(data, name=name, report=report, largest=LARGEST):
            documents += 1
            _check(document)
    except InputError as error:
        report(error)
    return f"{documents} documents, {errors} errors"


def _check(document: object) -> None:
    from phrasemill.text.language_codes import CODES
    from phrasemill.types import Document

    assert isinstance(document, Document)
    assert document.id.encode()
    document.content.encode()
    assert "\0" not in document.content
    assert document.language in {"", *CODES}


def _check_message(message: str) -> None:
    assert message.startswith("a.") or ": " in message
    assert len(message) < 2_000


def run(kind: str, count: int, first: int) -> int:
    limit_memory()
    for seed in range(first, first + count):
        print(seed, flush=True)
        try:
            print(outcome(kind, seed), flush=True)
        except Exception:
            print(repr(traceback.format_exc()), flush=True)
    return 0


def limit_memory() -> None:
    """A length that a damaged file claims must not take all memory of the machine that runs the tests."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def outcomes(output: str) -> dict[int, str]:
    """What came of each seed, out of what `run` printed; a crash leaves the last one without an outcome."""
    lines = output.split("\n")[:-1]
    return {int(seed): "crashed" for seed in lines[::2]} | {
        int(seed): text for seed, text in zip(lines[::2], lines[1::2], strict=False)
    }


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
