"""Yuan et al. (2020), Tables 2 to 6 and 8, and Table 3 of Sheng et al. (2022): keyphrases that are written.

`generation_systems.py` says which system stands in which row. Rows without published figures are systems of ours.
"""

from collections.abc import Sequence
from typing import Any

from phrasemill.errors import DataError
from phrasemill.evaluation import Answers, Score, evaluate
from phrasemill.evaluation.policies import preset
from phrasemill.evaluation.presence import occurs_in
from phrasemill.lab.datasets import load_dataset
from phrasemill.lab.papers.generation_systems import EXTRACTORS, SCIENCE, SETS, SYSTEMS, Lists, TestSet
from phrasemill.lab.papers.single_documents import MATCHINGS, pubmedake
from phrasemill.lab.papers.tables import (
    Figures,
    Published,
    Reproduced,
    Row,
    Setting,
    per_cent,
    sampled,
    signatures_of,
)
from phrasemill.registry import split_specs
from phrasemill.types import Document

Column = tuple[str, str, str]  # the set, the metric, and which keyphrases: present, absent or all
PRESET = "yuan2020"
SUMMARISE = "summarise(multipartiterank)"
PUBLISHED_SUMMARISE = "summary, then MultipartiteRank"
HOWS = {"greedy": "greedy", "best of a beam": "top"}
ABLATION = ("CatSeq + Orth. Reg.", "CatSeq + Sem. Cov.")
NOTE = (
    "Not trained on the paper's 514,000 articles of KP20k and 298,000 questions: our neural models learned from "
    "232,691 titles and abstracts of all sciences with author keywords and what else their recipes name; KEA and Maui "
    "from 991 articles of KP20k, or 4,945 questions; learned, and a generator with a style, also from the training "
    "splits of Inspec and SemEval. KP20k and StackEx are samples of 1,000 and 4,945 documents."
)
UNIQUE_NOTE = (
    "Phrases that differ by inflection count once, and absent ones with a number are not returned: so ours are lower "
    "than a count of what the model wrote."
)
SUMMARY_NOTE = (
    "Ours has no summarisation model here: a summary is made of the text's own sentences. Of the {gold:,} keywords "
    "that the data call abstractive {present:,} do occur in title or abstract by stem; an extractor can find no others."
)


class Tables:
    """What all tables of one run share."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.lists = Lists(setting)
        given = [name for name, _ in self.lists.given]
        # Some rows have a comma in their name.
        rows = [row for one in setting.methods for row in ([one] if one in SYSTEMS else split_specs(one))]
        self.systems = list(dict.fromkeys([*(rows or SYSTEMS), *given]))

    def rows(self, published: Sequence[str], *, generators: bool = False) -> list[str]:
        """The paper's systems, and then what else there is: only `generators` where extraction is out of place."""
        hidden = {*published, *ABLATION, SUMMARISE, *(EXTRACTORS if generators else ())}
        return [*published, *(name for name in self.systems if name not in hidden)]

    def scores(self, system: str, search: str, name: str, metric: str, present: str) -> Score | None:
        if system not in self.systems:
            return None
        found, gold = self.lists.of(system, search, name), self.lists.set(name)
        if found is None or gold is None:
            return None
        named = f"{metric}(present={present!r})" if present else metric
        (score,) = self.setting.shared(
            ("yuan2020", system, search, name, named),
            lambda: evaluate(found, gold, metrics=[named], preset=PRESET, policy=SETS[name].policy),
        )
        made: Score = score
        return made

    def figures(self, system: str, search: str, columns: Sequence[Column]) -> tuple[Figures | None, list[Score]]:
        """One figure a column of set, metric and kind; nothing where there is none at all."""
        found = [self.scores(system, search, *column) for column in columns]
        used = [score for score in found if score is not None]
        if not used:
            return None, []
        return tuple([None if score is None else per_cent([score])[0] for score in found]), used

    def reproduced(self, table: Published, rows: Sequence[Row], used: Sequence[Score], note: str = NOTE) -> Reproduced:
        kept = tuple(row for row in rows if row.published or row.ours)
        notes = (note, *sampled(self.setting), *self.lists.notes)
        return Reproduced(table, kept, notes, tuple(signatures_of(used)))


def exhaustive_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 2, 5, 6 and Section 6.2: columns of set and metric, a beam of 50."""
    made = _tables(setting)
    present = {"Table 2": "present", "Table 5": "present", "Table 6": "absent", "Section 6.2": ""}[table.source]
    columns = [_column(column, present) for column in table.columns]
    names = (
        list(table.rows) if table.source == "Table 5" else made.rows(list(table.rows), generators=present != "present")
    )
    rows: list[Row] = []
    used: list[Score] = []
    for name in names:
        figures, scores = made.figures(name, "beam", columns)
        used += scores
        rows.append(Row(name, "", table.rows.get(name), figures))
    return made.reproduced(table, rows, used, f"{UNIQUE_NOTE} {NOTE}" if table.source == "Section 6.2" else NOTE)


def stackex_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: present and absent keyphrases of questions."""
    made = _tables(setting)
    rows: list[Row] = []
    used: list[Score] = []
    for name in made.rows(list(table.rows)):
        kinds = [column.split(" ") for column in table.columns]
        columns = [("StackEx", metric, kind) for kind, metric in kinds]
        figures, scores = made.figures(name, "beam", columns)
        if figures is not None and name in EXTRACTORS:  # which say nothing that the text does not
            figures = tuple([None if kind == "absent" else one for one, (kind, _) in zip(figures, kinds, strict=True)])
        used += scores
        rows.append(Row(name, "", table.rows.get(name), figures))
    return made.reproduced(table, rows, used)


def self_terminating_table(setting: Setting, table: Published) -> Reproduced:
    """Table 4: as many phrases as the model writes, by greedy search and by the best sequence of a beam."""
    made = _tables(setting)
    columns = [_column(column, "present") for column in table.columns]
    systems = made.rows(list(dict.fromkeys(label.split(", ")[0] for label in table.rows)), generators=True)
    rows: list[Row] = []
    used: list[Score] = []
    for how, search in HOWS.items():
        for name in systems:
            figures, scores = made.figures(name, search, columns)
            used += scores
            label = f"{name}, {how}"
            rows.append(Row(label, "", table.rows.get(label), figures))
    return made.reproduced(table, rows, used)


def counts_table(setting: Setting, table: Published) -> Reproduced:
    """Table 8: documents and keyphrases, present and absent by the paper's own rule."""
    made = _tables(setting)
    rows = []
    for name, figures in table.rows.items():
        documents = made.lists.set(name) if name in SETS else _duc(setting)
        policy = SETS[name].policy if name in SETS else {}
        rows.append(Row(name, "", figures, None if documents is None else _counts(documents, policy)))
    notes = ("KP20k and StackEx are samples here.", *sampled(setting), *made.lists.notes)
    return Reproduced(table, tuple(rows), notes)


def abstractive_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3 of Sheng et al.: keywords that the text does not have."""
    made = _tables(setting)
    documents, absent, what = pubmedake(setting, "absent")
    gold = Answers("absent", absent, texts={document.id: document.content for document in documents})
    named = [column.split(" ") for column in table.columns]
    test = TestSet("", "author", "author", SCIENCE)
    rows: list[Row] = []
    used: list[Score] = []
    for system in [name for name in made.systems if name not in EXTRACTORS or name == SUMMARISE]:
        found = made.lists.about(system, "beam", "PubMedAKE", documents, test)
        if found is None:
            continue
        for kind, label in (("all", system), ("absent", f"{system}, its absent phrases only")):
            metrics = [f"{metric}(match={MATCHINGS[how]!r}, present={kind!r})" for how, metric in named]
            scores = evaluate(found, gold, metrics=metrics, preset="pubmedake")
            used += list(scores)
            theirs = table.rows[PUBLISHED_SUMMARISE] if label == SUMMARISE else None
            rows.append(Row(label, "", theirs, per_cent(scores)))
    present = sum([_present(document.content, absent[document.id], "pubmedake") for document in documents])
    said = SUMMARY_NOTE.format(gold=sum(map(len, absent.values())), present=present)
    notes = (what, said, *sampled(setting), *made.lists.notes)
    return Reproduced(table, tuple(rows), notes, tuple(signatures_of(used)))


def _tables(setting: Setting) -> Tables:
    made: Tables = setting.shared("generation", lambda: Tables(setting))
    return made


def _duc(setting: Setting) -> list[Document] | None:
    try:
        return list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    except DataError:
        return None


def _column(name: str, present: str) -> Column:
    set_name, _, metric = name.partition(" ")
    return set_name, metric, present


def _counts(documents: Sequence[Document], changes: dict[str, Any]) -> Figures:
    """Documents and keyphrases; then documents with present ones, those, and the same of absent ones."""
    policy = preset(PRESET).policy.changed(changes)
    stemmed = changes.get("stemmed") == "gold"
    present, absent = [], []
    for document in documents:
        occurs = occurs_in(document.content, policy)
        told = [occurs(phrase, stemmed) for phrase in dict.fromkeys(map(str, document.references))]
        present.append(sum(told))
        absent.append(len(told) - sum(told))
    counts = [len(documents), sum(present) + sum(absent)]
    for each in (present, absent):
        counts += [sum([count > 0 for count in each]), sum(each)]
    return tuple(map(float, counts))


def _present(text: str, phrases: Sequence[str], name: str) -> int:
    occurs = occurs_in(text, preset(name).policy)
    return sum([occurs(phrase, False) for phrase in phrases])
