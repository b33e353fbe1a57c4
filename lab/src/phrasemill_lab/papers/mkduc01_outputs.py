"""MK-DUC-01 (Shapira et al., 2021): its published numbers and tables from its own published outputs.

The data folder holds `mkduc01.jsonl.gz`, `duc2001.jsonl.gz` and `reference/mkduc01/`. Tables are scored by two presets:
`mkduc01-published` (first wordings only, which is how they were computed) and `mkduc01` (substitute clusters, which is
how the paper defines them).
"""

import csv
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, partial
from pathlib import Path

from phrasemill.errors import InputError
from phrasemill.evaluation import Answers, Score, Scores, evaluate, read_answers
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting, scored_row
from phrasemill_lab.papers.mkduc01 import (
    CLUSTERS,
    COLUMNS,
    FIRST,
    METRICS,
    TABLE_6,
    TRUNCATED,
    SetsStudy,
    column_scores,
    merged_lists,
    version_of,
)

ON, OFF = "results_multidoc_cluster_eval", "results_multidoc_cluster_eval_off"
SINGLE = "results_singledoc"
# Table 6 counts words on the outputs of another run than the other tables (Concat depends on a random order).
COUNTED = {"concat": f"{OFF}/results_baselines_concat_trunc20", "merge": f"{OFF}/results_baselines_merge_full"}
PRINTED_DIGITS = 4
READINGS = ((FIRST, "first wording"), (CLUSTERS, "clusters"))


class PublishedOutputs:
    """The authors' outputs and scores files below the data folder."""

    def __init__(self, setting: Setting) -> None:
        setting.refuse_sample("tables of mkduc01-outputs are over whole published outputs")
        self.data = setting.data
        self.folder = setting.data / "reference" / "mkduc01"
        self.gold, self.scores = cache(self._gold), cache(self._scores)

    def runs(self) -> list[Path]:
        """Return the folders with outputs and scores, by name."""
        found = sorted(path.parent for path in self.folder.rglob("scores*.csv"))
        if not found:
            raise InputError(f"{self.folder}: no scores.csv below it")
        return found

    def numbers(self, run: Path) -> dict[str, dict[str, str]]:
        """Return the rows of the run's scores file, by system."""
        path = next(run.glob("scores*.csv"))
        with path.open(encoding="utf-8", newline="") as file:
            return {row["algorithm"]: row for row in csv.DictReader(file, skipinitialspace=True)}

    def _scores(self, path: Path, preset: str) -> Scores:
        """Return the scores of one output file."""
        return evaluate(read_answers(path), self.gold(path.parent.name), metrics=METRICS, preset=preset)

    def _gold(self, run: str) -> Answers:
        name = "duc2001" if run == SINGLE else "mkduc01"
        top = TRUNCATED if run.endswith("trunc20") else None
        return read_answers(self.data / f"{name}.jsonl.gz", top=top)

    def score(self, system: str, version: str, preset: str, mode: str, metric: str) -> Score | None:
        """Return a score of a system's output in one mode; None where it has none."""
        places = [f"{ON}/results_baselines_{mode}_{version}"]
        if metric == TABLE_6["words"]:
            places.insert(0, COUNTED[mode])
        for place in places:
            path = self.folder / place / file_name(system)
            if path.exists():
                return self.scores(path, preset).score(metric)
        return None


def file_name(system: str) -> str:
    """Return the file of a system of the paper: `TfIdf.json` for `Tf-Idf`."""
    return f"{system.replace('-', '')}.json"


def numbers_check(setting: Setting, table: Published) -> Reproduced:
    """Count the numbers of every scores file that our scores equal to the last printed digit."""
    outputs = setting.shared(PublishedOutputs)
    rows, deviations = [], []
    systems = 0
    for run in outputs.runs():
        name = str(run.relative_to(outputs.folder))
        compared = equal = 0
        for system, numbers in outputs.numbers(run).items():
            scores = outputs.scores(run / file_name(system), FIRST)
            systems += 1
            for metric, column in COLUMNS.items():
                compared += 1
                if _printed_alike(scores[metric], numbers[column]):
                    equal += 1
                else:
                    figures = f"published {numbers[column]}, computed {scores[metric]:.6f}"
                    deviations.append(f"{name} {system} {column}: {figures}")
        rows.append(ComparisonRow(name, "equal to the last digit", (float(compared),), (float(equal),)))
    every = sum(int(row.published[0] or 0) for row in rows if row.published)
    summary = f"{every - len(deviations)} of {every} published numbers of {systems} systems come out to the last digit"
    return Reproduced(table, tuple(rows), (*deviations, summary), failed=bool(deviations))


def sets_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 2 to 5 by first wordings and by clusters; Table 6, whose gold is clusters."""
    outputs = setting.shared(PublishedOutputs)
    lengths = table.source == "Table 6"
    rows = []
    for system, figures in table.rows.items():
        for preset, label in READINGS[lengths:]:
            score = partial(outputs.score, system, version_of(table), preset)
            printed = figures if preset == FIRST or lengths else None
            rows.append(scored_row(system, label, printed, column_scores(table, score)))
    return Reproduced(table, tuple(row for row in rows if row.ours), (_as_printed(rows, table),) if lengths else ())


def single_table(setting: Setting, table: Published) -> Reproduced:
    """Table 7: single documents, whose gold has one wording per keyphrase."""
    outputs = setting.shared(PublishedOutputs)
    rows = []
    for system, figures in table.rows.items():
        path = outputs.folder / SINGLE / file_name(system)
        scores = outputs.scores(path, FIRST) if path.exists() else None
        names = [TABLE_6.get(column, column) for column in table.columns]
        rows.append(scored_row(system, "first wording", figures, map(scores.score, names) if scores else None))
    return Reproduced(table, tuple(rows))


def merge_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3 by our Merge over the authors' lists of single documents: what of a difference is Merge's own."""
    outputs, study = setting.shared(PublishedOutputs), setting.shared(SetsStudy)
    rows = []
    for system, figures in table.rows.items():
        lists = read_answers(outputs.folder / SINGLE / file_name(system))
        found = {id_: merged_lists(documents, lists)[:TRUNCATED] for id_, documents in study.sets.items()}
        scores = evaluate(found, study.gold["trunc20"], metrics=table.columns, preset=FIRST)
        rows.append(scored_row(system, "our Merge, their lists", figures, scores))
    return Reproduced(table, tuple(rows))


def _as_printed(rows: list[ComparisonRow], table: Published) -> str:
    """Return the note of Table 6: how many figures come out as printed."""
    pairs = [pair for row in rows for pair in _printed_pairs(row.published, row.ours, table)]
    alike = sum(old == new for old, new in pairs)
    return f"{alike} of {len(pairs)} figures as printed; Concat was run on another random order of the documents"


def _printed_pairs(published: Figures | None, ours: Figures | None, table: Published) -> list[tuple[str, str]]:
    """Return published and computed figures as the paper prints them: words with two decimals, shares with none."""
    pairs = []
    for column, old, new in zip(table.columns, published or (), ours or (), strict=False):
        if old is not None and new is not None:
            words = column.endswith("words")
            pairs.append((f"{old:.2f}", _rounded(new)) if words else (f"{old:.0f}", f"{new:.0f}"))
    return pairs


def _printed_alike(value: float, published: str) -> bool:
    """Return whether `value` prints as `published`; some rows leave out trailing zeros."""
    return f"{value:.{PRINTED_DIGITS}f}" == f"{float(published):.{PRINTED_DIGITS}f}"


def _rounded(value: float) -> str:
    """Return two decimals as the paper has them: rounded from the four of the scores files, halves up."""
    four = Decimal(f"{value:.{PRINTED_DIGITS}f}")
    return str(four.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
