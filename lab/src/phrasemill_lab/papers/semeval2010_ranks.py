"""SemEval-2010 task 5 (Kim et al., 2010): rank systems of your own, as Tables 4 to 8 rank those that took part.

They are ranked by micro-averaged F-score over the first 15 candidates, overall and within each ACM category, which is
the first letter of a document's id. Answer keys are stemmed by Porter's algorithm and have `+` between interchangeable
wordings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation import Answers, Scores, evaluate, read_answers
from phrasemill.tables import Table
from phrasemill_lab.datasets.semeval2010 import category
from phrasemill_lab.papers.comparison import Published, Reproduced, Setting
from phrasemill_lab.papers.semeval2010 import PRESET, official_key, within

CUTS = (5, 10, 15)
RANKED_BY = "F1@15"


@dataclass(frozen=True, slots=True)
class Ranks(Reproduced):
    """Two tables per answer key: the systems in order, and their order within each category."""

    ranked: tuple[Table, ...] = ()

    def tables(self) -> list[Table]:
        return list(self.ranked)

    def record(self) -> dict[str, object]:
        tables = [{"title": one.title, "header": one.header, "rows": one.rows} for one in self.ranked]
        return Reproduced.record(self) | {"tables": tables}


def ranks_tables(setting: Setting, table: Published) -> Ranks:
    """Rank the systems of `--predictions` by each answer key of `--gold`, by default those in the data folder."""
    if not setting.predictions:
        raise ConfigError(f"{table.name} requires --predictions: one file per system")
    setting.refuse_sample(f"{table.name} ranks whole files of answers")
    keys = setting.gold or [official_key(setting.data, by) for by in ("combined", "reader")]
    systems = [_system(given) for given in setting.predictions]
    golds = [read_answers(path) for path in keys]
    ranked = [make(systems, gold) for gold in golds for make in (rank_table, category_table)]
    return Ranks(table, (), ranked=tuple(ranked))


def _system(given: str) -> Answers:
    """Read `FILE`, or `NAME=FILE`."""
    name, mark, path = given.partition("=")
    return replace(read_answers(path), name=name) if mark else read_answers(given)


def rank_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """Return precision, recall and F-score at 5, 10 and 15, best F-score at 15 first (Tables 4 to 6)."""
    names = [f"{metric}@{k}" for k in CUTS for metric in ("P", "R", "F1")]
    rows = [
        (scores.system, str(rank), *(f"{100 * scores[name]:.1f}%" for name in names))
        for rank, scores in enumerate(ranking(systems, gold), start=1)
    ]
    return Table(f"Systems over {gold.name}, ranked by {RANKED_BY}", ("system", "rank", *names), tuple(rows))


def category_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """Return the systems of each rank in each category, with their F-scores at 15 (Tables 7 and 8).

    "In the case of a tie in F-score, we ordered teams by descending F-score over all the data."
    """
    overall = [scores.system for scores in ranking(systems, gold)]
    order = sorted(systems, key=lambda system: overall.index(system.name))
    names = sorted({category(id_) for id_ in gold.phrases})
    columns = []
    for name in names:
        ranked = ranking([within(system, name) for system in order], within(gold, name))
        columns.append([f"{scores.system} ({100 * scores[RANKED_BY]:.1f}%)" for scores in ranked])
    rows = [(str(rank), *cells) for rank, cells in enumerate(zip(*columns, strict=True), start=1)]
    return Table(f"Ranks within categories over {gold.name}", ("rank", *(f"group {n}" for n in names)), tuple(rows))


def ranking(systems: Sequence[Answers], gold: Answers) -> list[Scores]:
    """Return the systems' scores, best first; systems that tie stay in the order given."""
    if len({system.name for system in systems}) < len(systems):
        raise DataError("two systems have the same name; ranks need different ones")
    scored = [evaluate(system, gold, preset=PRESET) for system in systems]
    return sorted(scored, key=lambda scores: -round(scores[RANKED_BY], 12))
