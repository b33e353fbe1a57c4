"""Ranked lists of models that do not ship, kept so that their rows can be printed and audited without the models.

`lists/` has one file per system, search and dataset, `CatSeq.beam.KP20k.jsonl.xz`: one line per document, with its
id and its phrases, best first. Recipes and logs of the models are in `recipes/`.
"""

import json
import lzma
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from phrasemill.evaluation import Answers, read_answers

FOLDER = Path(__file__).parent / "lists"


def kept_lists(system: str, search: str, dataset: str, ids: Iterable[str]) -> Answers | None:
    """Return the lists of a system for these documents of a dataset; None where not all of them are kept."""
    path = _path(FOLDER, system, search, dataset)
    if not path.is_file():
        return None
    phrases = read_answers(path).phrases
    wanted = list(ids)
    if any(id_ not in phrases for id_ in wanted):
        return None
    return Answers(system, {id_: phrases[id_] for id_ in wanted})


def keep_lists(folder: Path, system: str, search: str, dataset: str, lists: Mapping[str, Sequence[str]]) -> Path:
    """Write the lists of a system for a dataset, compressed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _path(folder, system, search, dataset)
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
        for id_, phrases in lists.items():
            file.write(json.dumps({"id": id_, "keyphrases": list(phrases)}, ensure_ascii=False) + "\n")
    return path


def _path(folder: Path, system: str, search: str, dataset: str) -> Path:
    name = system.replace("*", "")  # which Windows allows in no name of a file
    return folder / f"{name}.{search}.{dataset}.jsonl.xz"
