"""Pairs for people to grade, and the grades of each, in the format that `meta-evaluate` reads.

A line is `{"keyphrase": …, "candidate": …, "scores": {"anna": 3, "ben": 2}}`. Grades are those of Kim, Baldwin and Kan
(2010), section 4.3: from 0, "no semantic overlap", to 4, "semantically indistinguishable".
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.formats import LARGEST, json_mappings, parse_answers
from phrasemill.files.streams import read_file
from phrasemill_lab.papers.near_misses import CandidateSelection, near_misses

LOWEST, HIGHEST = 0, 4
GRADES = {0: "no semantic overlap", 1: "", 2: "", 3: "", 4: "semantically indistinguishable"}
Pair = tuple[str, str]  # a keyphrase and a candidate


@dataclass(slots=True)
class GradeSheet:
    """The grades of every pair by annotator, in the order of the pairs."""

    grades: dict[Pair, dict[str, float]] = field(default_factory=dict)

    def add(self, pairs: list[Pair]) -> None:
        """Add pairs that are not on the sheet."""
        for pair in pairs:
            self.grades.setdefault(pair, {})

    def left(self, annotator: str) -> list[Pair]:
        """Return the pairs that an annotator has not graded."""
        return [pair for pair, grades in self.grades.items() if annotator not in grades]

    def save(self, path: Path) -> None:
        """Write the sheet as a whole, so that an interrupted run leaves what was there."""
        new = path.with_name(f"{path.name}.new")
        with new.open("w", encoding="utf-8") as file:
            for (keyphrase, candidate), grades in self.grades.items():
                record = {"keyphrase": keyphrase, "candidate": candidate, "scores": grades}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        new.replace(path)


def read_sheet(path: Path) -> GradeSheet:
    """Read pairs with the grades that they have; an absent file is an empty sheet."""
    sheet = GradeSheet()
    if not path.exists():
        return sheet
    for where, record in json_mappings(read_file(path, largest=LARGEST), str(path)):
        pair, scores = _pair(record), record.get("scores", {})
        if pair is None or not isinstance(scores, dict):
            raise InputError(f"{where}: not a keyphrase and a candidate, with scores by annotator")
        sheet.grades[pair] = dict(scores)
    return sheet


def read_pairs(path: Path, selection: CandidateSelection, *, most: int | None = None, seed: int = 1) -> list[Pair]:
    """Read pairs, or make them from documents with keyphrases; of more than `most` take a random sample."""
    data = read_file(path, largest=LARGEST)
    first = next(json_mappings(data, str(path)), None)
    if first is not None and _pair(first[1]) is not None:
        found = [_required(record, where) for where, record in json_mappings(data, str(path))]
    else:
        found = list(_made(data, str(path), selection))
    pairs = list(dict.fromkeys(found))
    if not pairs:
        raise DataError(f"{path}: no near-misses; no candidate shares words with a keyphrase without being one")
    if most is not None and len(pairs) > most:
        pairs = [pairs[i] for i in sorted(Random(seed).sample(range(len(pairs)), most))]
    return pairs


def _made(data: bytes, name: str, selection: CandidateSelection) -> Iterator[Pair]:
    gold = parse_answers(data, name=name)
    for id_, references in gold.phrases.items():
        if id_ not in gold.texts:
            raise InputError(f"{name}: the document {id_!r} has no text to take candidates from")
        yield from near_misses(gold.texts[id_], [clustered(one)[0] for one in references], selection)


def _pair(record: dict[str, object]) -> Pair | None:
    keyphrase, candidate = record.get("keyphrase"), record.get("candidate")
    return (keyphrase, candidate) if isinstance(keyphrase, str) and isinstance(candidate, str) else None


def _required(record: dict[str, object], where: str) -> Pair:
    pair = _pair(record)
    if pair is None:
        raise InputError(f"{where}: has no keyphrase and candidate")
    return pair
