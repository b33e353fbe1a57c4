"""How good the default is on everyday texts in ten languages, by models that have not seen them.

The shipped trees have learned from all of these texts (annotated by a language model), so that they are trained anew
for each fold, without its texts. What people chose in other languages is among the datasets of `measure quality`.
"""

import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from phrasemill.evaluation import evaluate
from phrasemill.extractor import extract_batch
from phrasemill.types import Document
from phrasemill_lab.measure import Report, Row, table, targets, verdict
from phrasemill_lab.measure.tasks import RESAMPLES
from phrasemill_lab.models.learned_multilingual import folded

FOLDS = 5
METRICS = ("F1@5", "F1@10")
ALL = "ten-languages"


def measure(data: Path) -> Report:
    spoken: dict[str, list[Document]] = defaultdict(list)
    lists: dict[str, list[str]] = {}
    for fold in folded(data, FOLDS):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "learned.safetensors")
            fold.model.save(path)
            unlabelled = [replace(one, language="") for one in fold.held_out]
            found = extract_batch(unlabelled, method=f"learned(model={str(path)!r})", top=10)
            for one, phrases in zip(fold.held_out, found, strict=True):
                lists[one.id] = [phrase.text for phrase in phrases]
                spoken[one.language].append(one)
    rows: list[Row] = []
    for code, documents in sorted(spoken.items()):
        own = {one.id: lists[one.id] for one in documents}
        scores = evaluate(own, documents, metrics=METRICS, resamples=RESAMPLES)
        row: Row = {"language": code, "texts": len(documents)} | {name: 100 * scores[name] for name in METRICS}
        rows.append(row | {"signature": scores.score(METRICS[-1]).signature})
    means = {metric: sum(float(str(row[metric])) for row in rows) / len(rows) for metric in METRICS}
    mean: Row = {"language": "mean", "texts": len(lists)} | means
    rows.append(mean | {"signature": ""})
    aims = targets("quality")
    for row in rows:
        name = ALL if row["language"] == "mean" else f"{ALL}-{row['language']}"
        target = aims.get(name, {}).get("F1@10", {}).get("learned")
        row["target"] = target
        row["verdict"] = "" if target is None else verdict(round(float(str(row["F1@10"])), 1), target)
    shown = [{name: value for name, value in row.items() if name != "signature"} for row in rows]
    title = f"Everyday texts (annotated by a language model), {FOLDS} folds, target of F1@10"
    return Report("languages", rows, [table(title, shown)])
