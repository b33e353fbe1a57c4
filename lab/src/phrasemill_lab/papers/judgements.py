"""Human judgements of phrases or of whole answers, from JSON lines, plain or compressed.

| a line of | looks like |
|---|---|
| a pair of phrases | `{"keyphrase": "grid computing", "candidate": "grid", "scores": [3, 2, 4, 3]}` |
| a judged list | `{"id": "d1", "keyphrases": ["…"], "judgements": [{"phrase": "…", "score": 2}]}` |
| a judged answer | `{"id": "d1", "scores": [4, 5]}` |

`scores` has one number per annotator, always in the same order, or is a record `{"anna": 3, "ben": 2}`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from phrasemill.errors import InputError
from phrasemill.evaluation.formats import LARGEST, json_mappings
from phrasemill.files.streams import read_file

# TermITH-Eval also judges what systems left out ("silence"); that is no judgement of a prediction.
OF_PREDICTIONS = (None, "pertinence")


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate, the gold it is held against, each annotator's score; of a whole answer the candidate is its id."""

    candidate: str
    references: tuple[str, ...]
    scores: tuple[float, ...]


def read_judgements(path: str | Path) -> list[Judged]:
    """Read all judgements in the file at `path`; annotators must be the same throughout."""
    place = Path(path)
    found = list(_judged(place))
    if not found:
        raise InputError(f"{place}: no judgements in it")
    if len({len(one.scores) for one in found}) > 1:
        raise InputError(f"{place}: not every judgement has a score by every annotator")
    return found


def _judged(place: Path) -> Iterator[Judged]:
    annotators: list[str] = []
    for where, record in json_mappings(read_file(place, largest=LARGEST), str(place)):
        if "judgements" in record:
            yield from _of_list(record, where)
        elif isinstance(candidate := record.get("candidate"), str) and isinstance(
            keyphrase := record.get("keyphrase"), str
        ):
            yield Judged(candidate, (keyphrase,), _scores(record.get("scores"), annotators, where))
        elif "id" in record:
            yield Judged(str(record["id"]), (), _scores(record.get("scores"), annotators, where))
        else:
            raise InputError(f"{where}: has neither a keyphrase and a candidate, nor judgements, nor an id")


def _of_list(record: dict[str, object], where: str) -> Iterator[Judged]:
    keyphrases, judgements = record.get("keyphrases"), record["judgements"]
    if not isinstance(keyphrases, list) or not isinstance(judgements, list):
        raise InputError(f"{where}: needs a list of keyphrases and a list of judgements")
    references = tuple(_wordings(keyphrases, where))
    for one in judgements:
        if not isinstance(one, dict) or not isinstance(one.get("phrase"), str):
            raise InputError(f"{where}: has a judgement without a phrase")
        if one.get("kind") in OF_PREDICTIONS:
            yield Judged(one["phrase"], references, (_number(one.get("score"), where),))


def _wordings(keyphrases: list[object], where: str) -> Iterator[str]:
    """Yield every wording of every keyphrase, which may be a list of them."""
    for one in keyphrases:
        for wording in one if isinstance(one, list) else [one]:
            if not isinstance(wording, str):
                raise InputError(f"{where}: has {str(one)[:40]!r} where a keyphrase should be")
            yield wording


def _scores(value: object, annotators: list[str], where: str) -> tuple[float, ...]:
    if isinstance(value, dict):
        annotators.extend(name for name in value if name not in annotators)
        if set(value) != set(annotators):
            raise InputError(f"{where}: lacks a score by {', '.join(sorted(set(annotators) - set(value)))}")
        value = [value[name] for name in annotators]
    if not isinstance(value, list) or not value:
        raise InputError(f"{where}: needs scores: a list of numbers, or a record of them")
    return tuple([_number(one, where) for one in value])


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where}: has {str(value)[:40]!r} where a score should be")
    return float(value)
