"""Yuan et al. (2020), CatSeqD: Tables 2 to 6 and 8, keyphrases that models write, and the oracle of section 1.

`catseqd_systems.py` has the system of each row. Rows without published figures are systems of ours.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean
from typing import Any

from phrasemill.errors import DataError
from phrasemill.evaluation import Score, evaluate
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.types import Document
from phrasemill_lab.datasets import load_dataset
from phrasemill_lab.papers.catseqd_systems import EXTRACTORS, SETS, SUMMARISE, Lists, chosen_rows
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting, scored_row

Column = tuple[str, str, str]  # the set, the metric, and which keyphrases: present, absent or all
PRESET = "yuan2020"
SEARCHES = {"greedy": "greedy", "best of a beam": "top"}
ABLATION = ("CatSeq + Orth. Reg.", "CatSeq + Sem. Cov.")
NOTE = (
    "Not trained on the paper's 514,000 articles of KP20k and 298,000 questions: our networks learned from "
    "70,311 articles of computer science or 4,445 questions, the generator from 242,582 documents; KEA and Maui "
    "from 991 articles of KP20k, or 4,945 questions; learned, and a generator with a style, also from the training "
    "splits of Inspec and SemEval. KP20k and StackEx are samples of 1,000 and 4,945 documents. Precision divides by k, "
    "as the paper's figures do (catseqd-oracle)."
)
ORACLE_NOTE = (
    "The oracle answers with the gold itself. The paper's eq. 5 and 14 divide precision by what came, at most k; its "
    "figures come out if it is divided by k. Ours are of a sample, with 95 % intervals: {intervals}."
)
RESAMPLES = 1000
UNIQUE_NOTE = (
    "Phrases that differ by inflection count once: so ours are lower than a count of what the model wrote. Models that "
    "run here do not return absent phrases with a number either."
)


class GenerationStudy:
    """The lists and scores that all tables of one run share."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.lists = Lists(setting)
        given = [name for name, _ in self.lists.given]
        self.systems = list(dict.fromkeys([*chosen_rows(setting.methods), *given]))
        self.score = cache(self._score)

    def names(self, published: Sequence[str], *, generators: bool = False) -> list[str]:
        """Return the paper's systems, then the others: only `generators` where extraction is out of place."""
        hidden = {*published, *ABLATION, SUMMARISE, *(EXTRACTORS if generators else ())}
        return [*published, *(name for name in self.systems if name not in hidden)]

    def _score(self, system: str, search: str, column: Column) -> Score | None:
        """Return the score of a system; that of several runs is their mean."""
        name, metric, present = column
        runs, gold = self.lists.of(system, search, name), self.lists.set(name)
        if not runs or gold is None:
            return None
        named = f"{metric}(present={present!r})" if present else metric
        scores = [
            evaluate(found, gold, metrics=[named], preset=PRESET, policy=SETS[name].policy).scores[0] for found in runs
        ]
        return replace(scores[0], value=fmean(one.value for one in scores))

    def row(
        self, label: str, table: Published, system: str, columns: Sequence[Column], search: str = "beam"
    ) -> ComparisonRow:
        chosen = columns if system in self.systems else ()
        scores = [self.score(system, search, column) for column in chosen]
        return scored_row(label, "", table.rows.get(label), scores)

    def reproduced(self, table: Published, rows: Sequence[ComparisonRow], note: str = NOTE) -> Reproduced:
        kept = tuple(row for row in rows if row.published or row.ours)
        return Reproduced(table, kept, (note, *self.setting.sample_note(), *self.lists.notes))


def exhaustive_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 2, 5, 6 and Section 6.2: columns of set and metric, a beam of 50."""
    study = setting.shared(GenerationStudy)
    present = {"Table 2": "present", "Table 5": "present", "Table 6": "absent", "Section 6.2": ""}[table.source]
    columns = [_column(column, present) for column in table.columns]
    names = list(table.rows)
    if table.source != "Table 5":
        names = study.names(names, generators=present != "present")
    rows = [study.row(name, table, name, columns) for name in names]
    return study.reproduced(table, rows, f"{UNIQUE_NOTE} {NOTE}" if table.source == "Section 6.2" else NOTE)


def stackex_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: present and absent keyphrases of questions."""
    study = setting.shared(GenerationStudy)
    columns = [("StackEx", metric, kind) for kind, metric in (column.split(" ") for column in table.columns)]
    rows = []
    for name in study.names(list(table.rows)):
        row = study.row(name, table, name, columns)
        if row.ours is not None and name in EXTRACTORS:  # which return nothing that the text does not have
            kinds = zip(row.ours, columns, strict=True)
            row = replace(row, ours=tuple([None if kind == "absent" else one for one, (_, _, kind) in kinds]))
        rows.append(row)
    return study.reproduced(table, rows)


def self_terminating_table(setting: Setting, table: Published) -> Reproduced:
    """Table 4: as many phrases as the model writes, by greedy search and by the best sequence of a beam."""
    study = setting.shared(GenerationStudy)
    columns = [_column(column, "present") for column in table.columns]
    systems = study.names(list(dict.fromkeys(label.split(", ")[0] for label in table.rows)), generators=True)
    rows = [
        study.row(f"{name}, {how}", table, name, columns, search)
        for how, search in SEARCHES.items()
        for name in systems
    ]
    return study.reproduced(table, rows)


def counts_table(setting: Setting, table: Published) -> Reproduced:
    """Table 8: documents and keyphrases, present and absent by the paper's own rule."""
    study = setting.shared(GenerationStudy)
    rows = []
    for name, figures in table.rows.items():
        documents = study.lists.set(name) if name in SETS else _duc(setting)
        policy = SETS[name].policy if name in SETS else {}
        rows.append(ComparisonRow(name, "", figures, None if documents is None else _counts(documents, policy)))
    notes = ("KP20k and StackEx are samples here.", *setting.sample_note(), *study.lists.notes)
    return Reproduced(table, tuple(rows), notes)


def oracle_table(setting: Setting, table: Published) -> Reproduced:
    """Section 1: what an oracle scores at 5 and at 10, with both denominators."""
    study = setting.shared(GenerationStudy)
    documents = study.lists.set("KP20k")
    if documents is None:
        raise DataError(f"no {SETS['KP20k'].file} (plain or compressed)")
    oracle = {document.id: document.references for document in documents}
    rows, shown = [], ""
    for label, denominator in (("oracle", "k"), ("oracle, by eq. 5", "predicted")):
        policy = {"denominator": denominator}
        scores = evaluate(oracle, documents, metrics=table.columns, preset=PRESET, policy=policy, resamples=RESAMPLES)
        rows.append(scored_row(label, f"denominator={denominator!r}", table.rows.get(label), scores))
        if label in table.rows:
            ranges = [(one.name, one.interval) for one in scores if one.interval]
            shown = ", ".join(f"{name} [{100 * r.low:.1f}, {100 * r.high:.1f}]" for name, r in ranges)
    return Reproduced(table, tuple(rows), (ORACLE_NOTE.format(intervals=shown), *setting.sample_note()))


def _duc(setting: Setting) -> list[Document] | None:
    try:
        return list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    except DataError:
        return None


def _column(name: str, present: str) -> Column:
    set_name, _, metric = name.partition(" ")
    return set_name, metric, present


def _counts(documents: Sequence[Document], changes: dict[str, Any]) -> Figures:
    """Return the documents and keyphrases; then documents with present ones, those, and the same of absent ones."""
    policy = preset(PRESET).policy.changed(changes)
    stemmed = changes.get("stemmed") == "gold"
    present, absent = [], []
    for document in documents:
        occurs = occurs_in(document.content, policy)
        found = [occurs(phrase, stemmed) for phrase in dict.fromkeys(map(str, document.references))]
        present.append(sum(found))
        absent.append(len(found) - sum(found))
    counts = [len(documents), sum(present) + sum(absent)]
    for each in (present, absent):
        counts += [sum([count > 0 for count in each]), sum(each)]
    return tuple(map(float, counts))
