"""Yuan et al. (2020), CatSeqD: the datasets, Table 1."""

from statistics import fmean, pvariance

from phrasemill.errors import DataError
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.types import Document
from phrasemill_lab.papers.catseqd_systems import SETS, PaperTestSet, read
from phrasemill_lab.papers.comparison import ComparisonRow, Published, Reproduced, Setting

PRESET = "yuan2020"
# The files of the other splits, where there are any.
TRAINING = {"KP20k": "kp20k_small_train.jsonl"}
VALIDATION = {"KP20k": "kp20k_small_valid.jsonl", "StackEx": "stackexchange_takg_valid.jsonl"}


def datasets_table(setting: Setting, table: Published) -> Reproduced:
    """Table 1: documents, keyphrases per document, and the share of present ones."""
    setting.refuse_sample(f"{table.name} is about whole datasets")
    rows, notes = [], []
    for name, figures in table.rows.items():
        try:
            documents = read(setting.data, SETS[name].file)
        except DataError as error:
            notes.append(f"{name}: {error}")
            rows.append(ComparisonRow(name, "", figures))
            continue
        counts = [len(document.references) for document in documents]
        sizes = [_size(setting, files.get(name)) for files in (TRAINING, VALIDATION)]
        ours = (*sizes, float(len(documents)), fmean(counts), pvariance(counts), _present(documents, SETS[name]))
        rows.append(ComparisonRow(name, "", figures, ours))
    return Reproduced(table, tuple(rows), tuple(notes))


def _size(setting: Setting, name: str | None) -> float | None:
    return None if name is None else float(len(read(setting.data, name)))


def _present(documents: list[Document], test: PaperTestSet) -> float:
    """Return the share of keyphrases that stand in their text, in per cent."""
    policy = preset(PRESET).policy.changed(test.policy)
    stemmed = test.policy.get("stemmed") == "gold"
    found = [
        occurs(str(phrase), stemmed)
        for document in documents
        for occurs in [occurs_in(document.content, policy)]
        for phrase in document.references
    ]
    return 100 * sum(found) / len(found)
