"""Measures language detection: on held-out texts of a data folder, and on declarations that it has not learned from."""

import gzip
import json
import lzma
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from phrasemill.tables import align
from phrasemill.text.language_codes import UNDETERMINED
from phrasemill.text.languages.detect import detect
from phrasemill_lab.models.detector_texts import LANGUAGES, held_out_declaration

FEWEST_WORDS = 20
UNSPACED = ("ja", "zh")
LETTERS_PER_WORD = 2  # of scripts without spaces
ABSTRACTS = ("inspec_dev.jsonl.gz", "kp20k_small_valid.jsonl.gz", "keywords/valid.jsonl.xz")
MOST_SHOWN = 3


def report(data: Path, declarations: Path) -> str:
    """Return a table: one row for each language, with how many texts are recognised, and what others are taken for."""
    texts: dict[tuple[str, str], list[str]] = {}
    for source, code, passages in (*held_out(data), *_declared(declarations)):
        texts.setdefault((source, code), []).extend(passages)
    rows, seconds, count = [], 0.0, 0
    for (source, code), passages in texts.items():
        if passages:
            began = time.process_time()
            found = Counter(detect(text).language for text in passages)
            seconds, count = seconds + time.process_time() - began, count + len(passages)
            right = found.pop(code, 0)
            others = ", ".join(f"{other} {times}" for other, times in found.most_common(MOST_SHOWN))
            rows.append((source, code, str(len(passages)), f"{100 * right / len(passages):.2f}", others))
    head = ("source", "language", "texts", "recognised", "taken for")
    return align([head, *rows]) + f"\n{1e6 * seconds / count:.1f} microseconds a text\n"


def held_out(data: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield a source, the code of a language and texts of 20 words or more."""
    for path in sorted((data / "ud_multi").glob("*_test.jsonl.xz")):
        code = path.name.partition("_")[0]
        yield "treebanks", code, list(grouped((record["text"] for record in _records(path)), code))
    for path in sorted((data / "everyday").glob("*.jsonl.gz")):
        yield "everyday", path.name[:2], [_content(record) for record in _records(path)]
    for name in ABSTRACTS:
        yield "abstracts", "en", [_content(record) for record in _records(data / name)]


def _declared(declarations: Path) -> Iterator[tuple[str, str, list[str]]]:
    for listed in LANGUAGES.values():
        for code in listed.split():
            known = UNDETERMINED if code.endswith("*") else code
            yield "declaration", known, list(grouped(held_out_declaration(code.rstrip("*"), declarations), code))


def grouped(sentences: Iterable[str], language: str) -> Iterator[str]:
    """Yield the sentences in groups of 20 words or more."""
    group: list[str] = []
    count = 0
    for sentence in sentences:
        group.append(sentence)
        count += len(sentence) // LETTERS_PER_WORD if language in UNSPACED else len(sentence.split())
        if count >= FEWEST_WORDS:
            yield " ".join(group)
            group, count = [], 0


def _records(path: Path) -> Iterator[dict[str, str]]:
    opener = lzma.open if path.suffix == ".xz" else gzip.open
    with opener(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _content(record: dict[str, str]) -> str:
    return f"{record['title']}\n{record['text']}"
