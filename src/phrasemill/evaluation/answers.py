"""What is scored, phrases by document id, one system's or the gold: from Python, and from files of any compression.

| format | looks like |
|---|---|
| JSON lines | `{"id": "d1", "keyphrases": [{"text": "graph theory", "score": 0.4}]}`, as `extract` prints |
| gold lines | `{"id": "d1", "title": "…", "text": "…", "keyphrases": ["graph theory", ["tree", "acyclic graph"]]}` |
| JSON | `{"d1": ["graph theory"]}`, also MK-DUC-01's outputs; or a list of records as above |
| SemEval-2010 | `C-1 : grid computing,quality of service+service quality` |

The format is recognised by the first characters. A gold keyphrase may be a list of wordings; a prediction may be a
text, a record with `text` and `score`, or a pair of both. Records without an id get that of their place, as `extract`
gives it.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from phrasemill.errors import DataError, InputError
from phrasemill.files.streams import decompressed, read_file
from phrasemill.readers.guessing import SAMPLE, Ahead
from phrasemill.readers.json_records import located_records
from phrasemill.readers.values import as_language
from phrasemill.types import Document, Keyphrase, Reference

Phrases: TypeAlias = "Sequence[str | Keyphrase | Sequence[str]]"
Listed: TypeAlias = "Mapping[str, Phrases]"
Given: TypeAlias = "Answers | Listed | Iterable[Phrases] | Iterable[Document]"
# Where a document stands in its file, its id, its phrases as they were found there, its text if known, its language.
Entry: TypeAlias = tuple[str, str, object, str | None, str]
WrongInput: TypeAlias = type[DataError | InputError]
CHECKSUM_LENGTH = 8
# Gold with wordings is richer than the flat list beside it.
GOLD_FIELDS = ("clusters", "keyphrases")
ID_FIELDS = ("id", "doc_id", "document_id")
SEMEVAL = re.compile(r"(?P<id>\S+)\s*:(?:\s+|$)(?P<phrases>.*)")
ENDINGS = (".gz", ".xz", ".jsonl", ".json", ".txt", ".final")
LARGEST = 4 << 30  # more than this is no list of keyphrases
MOST_NAMED = 10  # fields in a message


@dataclass(frozen=True, slots=True)
class Answers:
    """Phrases by document id: best first for a system; for gold, each may be a tuple of interchangeable wordings.

    `texts` are the documents, if known: they decide which phrases are present. `scores` are those of the system, if
    any. `stemmed` marks phrases that are stems already. `languages` are those that the documents name. `guessed` is the
    field that the phrases were read from, if it has no usual name and nobody named it.
    """

    name: str
    phrases: Mapping[str, tuple[Reference, ...]]
    scores: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    stemmed: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    guessed: str = ""

    def __len__(self) -> int:
        return len(self.phrases)

    @property
    def checksum(self) -> str:
        """Eight hexadecimal digits that change when an id or a phrase does; the order of documents does not matter."""
        import hashlib  # loads OpenSSL, which those who only import need not wait for

        digest = hashlib.sha256()
        for id_ in sorted(self.phrases):
            wordings = ["\x1f".join(clustered(phrase)) for phrase in self.phrases[id_]]
            digest.update("\x1e".join([id_, *wordings]).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()[:CHECKSUM_LENGTH]


def clustered(reference: Reference) -> tuple[str, ...]:
    """Return the wordings of one gold keyphrase."""
    return (reference,) if isinstance(reference, str) else reference


def as_answers(given: Given, *, name: str, ids: Sequence[str] | None = None) -> Answers:
    """Return mappings of ids to phrases, documents with their references, and lists of phrases as answers.

    Lists are those of the documents `ids`, in the same order; by default they are numbered from 1.
    """
    if isinstance(given, Answers):
        return given
    listed: list[tuple[str, Any, str | None, str]]
    if isinstance(given, Mapping):
        listed = [(str(key), phrases, None, "") for key, phrases in given.items()]
    else:
        items: list[Any] = list(_several(given, name, DataError))
        documents = [one for one in items if isinstance(one, Document)]
        if documents and len(documents) < len(items):
            raise DataError(f"{name}: documents and lists of phrases are mixed; pass one or the other")
        listed = [(one.id, one.references, one.content, one.language) for one in documents]
        if not documents:
            listed = [(id_, one, None, "") for id_, one in zip(_ids(items, ids, name), items, strict=True)]
    return _gathered(((f"{name}, document {one[0]!r}", *one) for one in listed), name=name, error=DataError)


def _ids(lists: Sequence[object], ids: Sequence[str] | None, name: str) -> Sequence[str]:
    """Return the ids of lists that have none of their own."""
    for one in lists:
        _several(one, name, DataError)
    if ids is None:
        return [str(number) for number, _ in enumerate(lists, start=1)]
    if not ids and lists:
        raise DataError(f"{name}: lists without ids, but the gold is by id; pass both by id, or both as lists")
    if len(ids) != len(lists):
        raise DataError(f"{name}: {len(lists)} lists of phrases, but the gold has {len(ids)}")
    return ids


def _several(given: Any, where: str, error: WrongInput) -> Iterable[Any]:
    """Return `given` if it is a list or the like. The letters of a text and the parts of a phrase are no phrases."""
    if isinstance(given, str | bytes | Mapping | Keyphrase) or not isinstance(given, Iterable):
        what = f"the text {given!r:.60}" if isinstance(given, str) else type(given).__name__
        raise error(f"{where}: a list of phrases belongs here, got {what}")
    return given


def _gathered(entries: Iterable[Entry], *, name: str, error: WrongInput, top: int | None = None) -> Answers:
    """Return the answers that these entries are, at most `top` phrases of each."""
    phrases: dict[str, tuple[Reference, ...]] = {}
    scores: dict[str, tuple[float, ...]] = {}
    texts: dict[str, str] = {}
    languages: dict[str, str] = {}
    for where, id_, listed, text, language in entries:
        if id_ in phrases:
            raise error(f"{where}: repeats the id {id_!r}")
        pairs = [_phrase(one, where, error) for one in islice(_several(listed, where, error), top)]
        phrases[id_] = tuple([phrase for phrase, _ in pairs])
        known = tuple([score for _, score in pairs if score is not None])
        if known and len(known) == len(pairs):
            scores[id_] = known
        if text is not None:
            texts[id_] = text
        if language:
            languages[id_] = language
    return Answers(name, phrases, scores, texts, languages=languages)


def _phrase(value: object, where: str, error: WrongInput) -> tuple[Reference, float | None]:
    """Return a phrase, or the wordings of one, and its score if it has one, as in a keyphrase."""
    if isinstance(value, str):
        return value, None
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        score = value.get("score")
        return value["text"], float(score) if isinstance(score, int | float) else None
    parts = tuple(value) if isinstance(value, Iterable) and not isinstance(value, Mapping) else ()
    if len(parts) == 2 and isinstance(parts[0], str) and isinstance(parts[1], int | float):
        return parts[0], float(parts[1])
    if not parts or not all(isinstance(one, str) for one in parts):
        raise error(f"{where}: {value!r:.60} where a phrase belongs")
    wordings = tuple([one for one in parts if one]) or parts[:1]
    return (wordings if len(wordings) > 1 else wordings[0]), None


def read_answers(
    path: str | Path, *, field: str | None = None, top: int | None = None, name: str | None = None
) -> Answers:
    """Read predictions or gold from `path`.

    `field` is the key of the phrases in each record (`combined`, `present` …; by default `clusters` if there is one,
    else `keyphrases`, else the only field with lists of strings, which is `guessed`). `top` keeps only that many
    phrases. Phrases count as stemmed if the field ends in `_stem` or the file name contains `.stem.`, as in
    SemEval-2010's keys.
    """
    path = Path(path)
    data = read_file(path, largest=LARGEST)
    answers = parse_answers(data, name=str(path), field=field, top=top, stemmed=".stem." in path.name)
    usual = path.name
    for ending in ENDINGS:
        usual = usual.removesuffix(ending)
    return replace(answers, name=name or usual or path.name)


def parse_answers(
    data: bytes, *, name: str, field: str | None = None, top: int | None = None, stemmed: bool = False
) -> Answers:
    """Parse predictions or gold from the bytes of a file; `name` is for error messages."""
    guess = ""
    if data[:200].removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        ahead = Ahead(records(data, name))
        guess = "" if field else _only_list(ahead)
        entries = _from_json(ahead, (field,) if field else (*GOLD_FIELDS, *([guess] if guess else [])))
    else:
        entries = _from_semeval(data, name)
    answers = _gathered(entries, name=name, error=InputError, top=top)
    if not answers.phrases:
        raise InputError(f"{name}: no documents in it")
    return replace(answers, stemmed=stemmed or (field or guess).endswith("_stem"), guessed=guess)


def decode_strictly(data: bytes, name: str) -> str:
    """Return UTF-8 as text; other encodings are refused, as a guess would change phrases."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start}") from None


def records(data: bytes, name: str) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield the records of lines, a list or a mapping: where they stand, an id for those that have none, and what they
    hold; raise what is wrong with one."""
    with decompressed(BytesIO(data), name=name) as file:
        for where, id_, record in located_records(file, name=name, largest=LARGEST):
            if isinstance(record, InputError):
                raise record
            if not isinstance(record, dict):
                raise InputError(f"{where}: not a record")
            yield where, id_, record


def _only_list(ahead: Ahead[tuple[str, str, dict[str, object]]]) -> str:
    """Return the only field with lists of strings in the first records; "" if one has a usual name, or several do."""
    are_phrases: dict[str, bool] = {}
    for _, _, record in islice(ahead.look(), SAMPLE):
        if any(key in record for key in GOLD_FIELDS) or not any(key in record for key in ID_FIELDS):
            return ""
        for key, value in record.items():
            if value and isinstance(value, list):
                are_phrases[key] = are_phrases.get(key, True) and all(isinstance(one, str) for one in value)
    found = [key for key, holds in are_phrases.items() if holds]
    return found[0] if len(found) == 1 else ""


def _from_json(found: Iterator[tuple[str, str, dict[str, object]]], fields: Sequence[str]) -> Iterator[Entry]:
    for where, place, record in found:
        listed = next((record[key] for key in fields if key in record), None)
        named = next((key for key in ID_FIELDS if key in record), None)
        lists = [key for key, value in record.items() if isinstance(value, list)]
        if listed is None and (len(lists) == len(record) or (named is None and not lists)):
            yield from ((f"{where}, the entry {key!r}", key, value, None, "") for key, value in record.items())
            continue
        id_ = record[named] if named else place
        if not isinstance(id_, str | int | float):
            raise InputError(f"{where}: has no id")
        if listed is None:
            known = ", ".join(lists[:MOST_NAMED]) or "none"
            raise InputError(f"{where}: no field {fields[-1]!r}; fields with lists: {known}", choices=lists)
        title, text = record.get("title") or "", record.get("text")
        content = (f"{title}\n{text}" if title else text) if isinstance(text, str) else None
        yield where, str(id_), listed, content, as_language(record.get("language"))


def _from_semeval(data: bytes, name: str) -> Iterator[Entry]:
    for number, line in enumerate(decode_strictly(data, name).splitlines(), start=1):
        where = f"{name}, line {number}"
        if not line.strip():
            continue
        parts = SEMEVAL.fullmatch(line.strip())
        if not parts:
            raise InputError(f"{where}: neither JSON nor 'id : phrase,phrase'")
        phrases = [one.strip() for one in parts["phrases"].split(",")]
        listed = [[wording.strip() for wording in one.split("+")] if "+" in one else one for one in phrases if one]
        yield where, parts["id"], listed, None, ""
