"""Ranked lists of models that do not ship, kept so that their rows can be printed and audited without the models.

`lists/` has one file per system, search and dataset, `CatSeq.beam.KP20k.jsonl.xz`: one line per document, with its
id and its phrases, best first. A system that was trained several times, with other seeds, has the phrases of the other
runs beside them, in `more`. Recipes and logs of the models are in `recipes/`.
"""

import json
import lzma
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from phrasemill.evaluation import Answers

FOLDER = Path(__file__).parent / "lists"
Lists = Mapping[str, Sequence[str | tuple[str, ...]]]  # the phrases of each document, by id


def kept_lists(system: str, search: str, dataset: str, ids: Iterable[str], folder: Path | None = None) -> list[Answers]:
    """Return the lists of each run of a system for these documents; none where not all documents are kept."""
    path = kept_path(folder or FOLDER, system, search, dataset)
    if not path.is_file():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        kept = {one["id"]: [one["keyphrases"], *one.get("more", ())] for one in map(json.loads, file)}
    wanted = {id_: kept.get(id_, []) for id_ in ids}
    runs = min(map(len, wanted.values()), default=0)
    return [Answers(system, {id_: tuple(every[n]) for id_, every in wanted.items()}) for n in range(runs)]


def keep_lists(folder: Path, system: str, search: str, dataset: str, *runs: Lists) -> Path:
    """Write the lists of a system for a dataset, of one run or of several, compressed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = kept_path(folder, system, search, dataset)
    first, *others = runs
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
        for id_, phrases in first.items():
            record: dict[str, object] = {"id": id_, "keyphrases": list(phrases)}
            if others:
                record["more"] = [list(one[id_]) for one in others]
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return path


def kept_path(folder: Path, system: str, search: str, dataset: str) -> Path:
    name = re.sub(r"\W+", "-", system).strip("-")  # `CatSeq-Orth-Reg`: every system can have such a file
    return folder / f"{name}.{search}.{dataset}.jsonl.xz"
