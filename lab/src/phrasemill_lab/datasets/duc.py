"""DUC-2001 as NIST distributes it, and MK-DUC-01, the keyphrases of its topics.

DUC-2001 (Over, 2001; keyphrases by Wan and Xiao, 2008) is SGML, one file per article, in folders called after topics
(`docs/d04a/FT923-5089`) or all in one folder, with a file of keyphrases: lines `FT923-5089@first phrase;second`. The
folder may be a tar archive.

A document of MK-DUC-01 (Shapira et al., 2021) stands for a topic: it has no text of its own, `doc_ids` in its metadata
name the documents of DUC-2001 that it is about, and its references are substitute clusters, most salient first.
`load_topics` gives each topic with its documents. `MKDUC01_keyphrases.json` is the file that its authors publish;
`doc_ids` need our JSON lines or their `MKDUC01.json`.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from html import unescape
from pathlib import Path, PurePosixPath

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import read_answers
from phrasemill.files.folders import files_below
from phrasemill.files.streams import read_file, size
from phrasemill.readers.decoding import decode
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import records
from phrasemill_lab.datasets.records import LayoutReading

ANNOTATIONS = ("*keyphrase*.txt", "*annotation*.txt")
DOCUMENTS, TOPIC = "doc_ids", "topic"
LARGEST = 16 << 20  # no article of DUC is near this size; what is larger is something else
TAR = re.compile(r"\.(tar(\.(gz|bz2|xz))?|tgz)$", re.IGNORECASE)
FOLDER = re.compile(r"(d\d+)[a-z]*", re.IGNORECASE)
ARTICLE = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
# AP has HEAD, the Wall Street Journal HL, the Financial Times and the LA Times HEADLINE, FBIS TI.
HEADLINE = re.compile(r"<(HEADLINE|HEAD|HL|TI)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
# The Wall Street Journal has its lead in LP, the San Jose Mercury News in LEADPARA, both before the text.
TEXT = re.compile(r"<(TEXT|LP|LEADPARA)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
NUMBER = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.DOTALL | re.IGNORECASE)
# Lines are wrapped anywhere; paragraphs stand between tags, or between empty lines.
PARAGRAPH = re.compile(r"</?P\b[^>]*>|\n[ \t\r]*\n", re.IGNORECASE)
MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--.{0,2000}?-->", re.DOTALL)

Keyphrases = Mapping[str, Sequence[Reference]]


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield NIST's articles from a folder or a tar archive, or the topics of MK-DUC-01 from a JSON file."""
    if not path.is_dir() and not TAR.search(path.name):
        for line, key, value in records.json_values(path, reading.problems, keyed=True):
            with reading.recording(path, line):
                yield _topic(str(key), value)
        return
    try:
        yield from read_nist(path)
    except (DataError, InputError) as error:
        reading.problems.add(path, str(error).removeprefix(f"{path}: "))


def _topic(key: str, value: object) -> Document:
    known: dict[str, object] = {}
    if isinstance(value, Mapping):
        documents = value.get("documents", value.get(DOCUMENTS, ()))
        known[DOCUMENTS] = list(documents) if isinstance(documents, Mapping | list | tuple) else []
        value = value.get("keyphrases", value.get("clusters"))
    return Document(key, "", references=records.references(value, name=key), metadata=known)


def read_nist(source: Path, keyphrases: Keyphrases | None = None) -> list[Document]:
    """Return the articles below a folder or in a tar archive, with their keyphrases.

    An article's topic is the folder it stands in; where no folder is called after one, articles have none. Without
    `keyphrases`, a file of them must be beside the articles.
    """
    files = list(_files(source))
    found = [one for pattern in ANNOTATIONS for one in files if fnmatch(one[0].name.lower(), pattern)]
    if keyphrases is None:
        if not found:
            raise DataError(f"{source}: no file of keyphrases in it (looked for {', '.join(ANNOTATIONS)})")
        keyphrases = _keyphrase_lines(found[0][1], f"{source}: {found[0][0]}")
    topics = {path: topic for path, _ in files if (topic := _folder_topic(path, source))}
    documents: dict[tuple[str, str], Document] = {}
    for path, content in files:
        if (path, content) not in found and (path in topics or not topics):
            for document in _articles(path, content, topics.get(path, ""), keyphrases):
                documents.setdefault((topics.get(path, ""), document.id), document)
    if not documents:
        raise InputError(f"{source}: no <DOC> in any file below it")
    without = sorted(id_ for _, id_ in documents if id_ not in keyphrases)
    if without:
        raise DataError(f"{len(without)} of {len(documents)} documents have no keyphrases, such as {without[0]}")
    return list(documents.values())


def _files(source: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the path and text of every file of a folder or a tar archive, in order of path."""
    if source.is_dir():
        for found in files_below(str(source)):
            if found.problem:
                raise InputError(f"{found.path}: {found.problem}")
            text = decode(read_file(found.path, largest=LARGEST), name=found.path)
            yield PurePosixPath(Path(found.path).relative_to(source).as_posix()), text
        return
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    try:
        with tarfile.open(source) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                if member.size > LARGEST:
                    raise InputError(f"{source}: {member.name} is larger than {size(LARGEST)}")
                file = archive.extractfile(member) if member.isfile() else None
                if file:
                    yield PurePosixPath(member.name), decode(file.read(), name=f"{source}: {member.name}")
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise InputError(f"{source}: neither a folder nor a tar archive that can be read ({error})") from None


def _folder_topic(path: PurePosixPath, source: Path) -> str:
    for part in (*path.parts[:-1], source.name):
        if named := FOLDER.fullmatch(part):
            return named[1].lower()
    return ""


def _articles(path: PurePosixPath, content: str, topic: str, keyphrases: Keyphrases) -> Iterator[Document]:
    """Yield the articles of a file; one without <DOC> around it, or another number in it, is called after the file."""
    bare = not ARTICLE.search(content) and TEXT.search(content)
    for source in [content] if bare else ARTICLE.findall(content):
        number = NUMBER.search(source)
        if number is None and not bare:
            raise InputError(f"{path}: a <DOC> without <DOCNO>")
        id_ = number[1].strip() if number else path.name
        if id_ not in keyphrases and path.name in keyphrases:
            id_ = path.name
        titles = (_plain(headline[2]).replace("\n", " ") for headline in HEADLINE.finditer(source))
        text = "\n".join(_plain(part[2]) for part in TEXT.finditer(source))
        known = {TOPIC: topic} if topic else {}
        references = tuple(keyphrases.get(id_, ()))
        yield Document(id_, text, next(filter(None, titles), ""), references=references, metadata=known)


def _plain(source: str) -> str:
    """Return the text without tags, one line per paragraph."""
    parts = (unescape(MARKUP.sub(" ", part)) for part in PARAGRAPH.split(source))
    return "\n".join(" ".join(part.split()) for part in parts if part.strip())


def read_keyphrases(path: Path) -> Keyphrases:
    """Return keyphrases by document from lines `id@one;another` (or with a tab), or from any file of answers."""
    if path.suffix.lower() in (".gz", ".xz", ".jsonl", ".json"):
        return read_answers(path).phrases
    return _keyphrase_lines(decode(read_file(path, largest=LARGEST), name=str(path)), str(path))


def _keyphrase_lines(text: str, name: str) -> dict[str, tuple[Reference, ...]]:
    found: dict[str, tuple[Reference, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        id_, mark, listed = line.partition("\t" if "\t" in line else "@")
        if not mark:
            raise InputError(f"{name}, line {number}: write id@keyphrase;keyphrase")
        found[id_.strip()] = tuple(phrase.strip() for phrase in listed.split(";") if phrase.strip())
    return found


def read_summaries(folder: Path, words: str = "400") -> dict[str, list[str]]:
    """Return the texts of the reference summaries by topic: files called `400…` in folders called after topics."""
    found: dict[str, list[str]] = {}
    for path, content in _files(folder):
        if (topic := _folder_topic(path, folder)) and path.name.startswith(words):
            found.setdefault(topic, []).append(_plain(content))
    if not found:
        raise InputError(f"{folder}: no files called {words}… in topic folders below it")
    return found
