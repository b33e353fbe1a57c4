"""The tables that can be reproduced: what each needs, about how long it takes, and the function that makes it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill_lab.papers.comparison import ComparisonRow, Published, Reproduced, Setting, published
from phrasemill_lab.papers.reasons import reason_for

PACKAGE = "phrasemill_lab.papers"
SETS_NEED = "mkduc01 and duc2001"
OUTPUTS_NEED = "mkduc01.jsonl.gz, duc2001.jsonl.gz and the authors' outputs in reference/mkduc01"
SEMEVAL_NEED = "semeval2010, train and test, with the answer keys"
KEYS_NEED = "the stemmed answer keys of all splits in official/semeval2010"
CEILING_NEED = f"semeval2010, test; {KEYS_NEED}"
SCORER_NEED = "official/semeval2010: official_scores.json and the stemmed answer keys of the test split"
RANKS_NEED = "--predictions; official/semeval2010/test.combined.stem.final and test.reader.stem.final, or --gold"
GENERATION_NEED = "kp20k_small_test, deepkg_inspec_test, deepkg_semeval_test; --models for CatSeq and CopyRNN"
STACKEX_NEED = "stackexchange_takg_test and _valid; --models for CatSeq, CatSeqD and CopyRNN"
COUNTS_NEED = "kp20k_small_test, deepkg_inspec_test, deepkg_semeval_test, stackexchange_takg_test"
JUDGEMENTS_NEED = "termith_eval_judged, or near_misses_graded of phrasemill judge; the extras metrics and embed"
DATASETS_NEED = "the test sets of catseqd-table8, kp20k_small_train and _valid, stackexchange_takg_valid"
PUBMED_NEED = "pubmedake, sample"
LISTS = ("methods", "predictions", "save")  # the options of tables whose rows can be chosen
OWN_OPTIONS = (*LISTS, "gold")
NOTHING_NEEDED = "nothing: there is no way to make it again, and it says why"
# The papers, by the beginning of the names of their tables.
PAPERS = {
    "mkduc01": "Shapira et al., 2021: Multi-Document Keyphrase Extraction: Dataset, Baselines and Review",
    "semeval2010": "Kim et al., 2010: SemEval-2010 Task 5: Automatic Keyphrase Extraction from Scientific Articles",
    "catseqd": "Yuan et al., 2020: One Size Does Not Fit All",
    "pubmedake": "Sheng et al., 2022: PubMedAKE",
    "ngram-metrics": "Kim, Baldwin and Kan, 2010: Evaluating N-gram based Evaluation Metrics",
}
EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """One table: `made_by` is `module:function`, `options` are those that it takes beside the common ones.

    `published` names the file of published figures where it is not called as the entry is. A table that nothing makes
    has no `made_by`; it shows what was published, and why there is no more.
    """

    name: str
    needs: str
    minutes: str
    made_by: str = ""
    options: tuple[str, ...] = ()
    published: str = ""

    @property
    def table(self) -> Published:
        return replace(published(self.published or self.name), name=self.name)

    def run(self, setting: Setting) -> Reproduced:
        if not self.made_by:
            return Reproduced(
                self.table, tuple([ComparisonRow(name, "", row) for name, row in self.table.rows.items()])
            )
        module, _, name = self.made_by.partition(":")
        make: Callable[[Setting, Published], Reproduced] = getattr(import_module(f"{PACKAGE}.{module}"), name)
        return make(setting, self.table)


ENTRIES = (
    PaperEntry("mkduc01-table1", SETS_NEED, "0.1", "mkduc01_data:statistics_table"),
    PaperEntry("mkduc01-section3", SETS_NEED, "0.1", "mkduc01_data:collection_table"),
    PaperEntry("mkduc01-table2", SETS_NEED, "1", "mkduc01:sets_table"),
    PaperEntry("mkduc01-table3", SETS_NEED, "1", "mkduc01:sets_table"),
    PaperEntry("mkduc01-table4", SETS_NEED, "1", "mkduc01:sets_table"),
    PaperEntry("mkduc01-table5", SETS_NEED, "1", "mkduc01:sets_table"),
    PaperEntry("mkduc01-table6", SETS_NEED, "1", "mkduc01:sets_table"),
    PaperEntry("mkduc01-section4", SETS_NEED, "1", "mkduc01:synonymy_table"),
    PaperEntry("mkduc01-at20", SETS_NEED, "1", "mkduc01:clusters_table"),
    PaperEntry("mkduc01-table7", "duc2001", "2", "mkduc01:single_table"),
    PaperEntry("mkduc01-table8", SETS_NEED, "0.1", "mkduc01_data:example_table"),
    PaperEntry("mkduc01-outputs", OUTPUTS_NEED, "1", "mkduc01_outputs:numbers_check"),
    PaperEntry("mkduc01-outputs-merge", OUTPUTS_NEED, "0.5", "mkduc01_outputs:merge_table"),
    *(
        PaperEntry(
            f"mkduc01-outputs-{name}", OUTPUTS_NEED, "0.5", f"mkduc01_outputs:{made_by}", published=f"mkduc01-{name}"
        )
        for name, made_by in [(f"table{number}", "sets_table") for number in range(2, 7)] + [("table7", "single_table")]
    ),
    PaperEntry("semeval2010-table1", KEYS_NEED, "0.1", "semeval2010_keys:documents_table"),
    PaperEntry("semeval2010-table2", KEYS_NEED, "0.1", "semeval2010_keys:keyphrases_table"),
    PaperEntry("semeval2010-section2.1", CEILING_NEED, "0.5", "semeval2010_keys:present_table"),
    PaperEntry("semeval2010-table3", SEMEVAL_NEED, "2", "semeval2010:baselines_table"),
    PaperEntry("semeval2010-table4", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    PaperEntry("semeval2010-table5", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    PaperEntry("semeval2010-table6", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    PaperEntry("semeval2010-table7", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    PaperEntry("semeval2010-table8", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    PaperEntry("semeval2010-section4", CEILING_NEED, "0.5", "semeval2010_keys:upper_bound_table"),
    PaperEntry("semeval2010-scorer", SCORER_NEED, "0.1", "semeval2010_keys:scorer_check"),
    PaperEntry("semeval2010-ranks", RANKS_NEED, "0.1", "semeval2010_ranks:ranks_tables", ("predictions", "gold")),
    PaperEntry("catseqd-oracle", "kp20k_small_test", "0.1", "catseqd:oracle_table"),
    PaperEntry("catseqd-table1", DATASETS_NEED, "0.2", "catseqd_data:datasets_table"),
    PaperEntry("catseqd-section3.3.1", NOTHING_NEEDED, "0"),
    PaperEntry("catseqd-table2", GENERATION_NEED, "60 or more", "catseqd:exhaustive_table", LISTS),
    PaperEntry("catseqd-table3", STACKEX_NEED, "60 or more", "catseqd:stackex_table", LISTS),
    PaperEntry("catseqd-table4", f"{GENERATION_NEED}; {STACKEX_NEED}", "60", "catseqd:self_terminating_table", LISTS),
    PaperEntry("catseqd-table5", GENERATION_NEED, "60", "catseqd:exhaustive_table", LISTS),
    PaperEntry("catseqd-table6", GENERATION_NEED, "60", "catseqd:exhaustive_table", LISTS),
    PaperEntry("catseqd-section6.2", GENERATION_NEED, "30", "catseqd:exhaustive_table", LISTS),
    PaperEntry("catseqd-table7", NOTHING_NEEDED, "0"),
    PaperEntry("catseqd-table8", COUNTS_NEED, "0.1", "catseqd:counts_table"),
    PaperEntry("catseqd-table9", NOTHING_NEEDED, "0"),
    PaperEntry("pubmedake-section1", "jats_samples.tar.xz", "0.1", "pubmedake_data:mesh_table"),
    PaperEntry("pubmedake-table1", f"inspec; {PUBMED_NEED}", "0.1", "pubmedake_data:datasets_table"),
    PaperEntry("pubmedake-section2.3", PUBMED_NEED, "0.1", "pubmedake_data:counts_table"),
    PaperEntry("pubmedake-table2", "pubmedake, test or sample", "0.5", "pubmedake:extractive_table"),
    PaperEntry("pubmedake-table3", "pubmedake, test or sample", "10", "pubmedake:abstractive_table", LISTS),
    PaperEntry("ngram-metrics-table1", SEMEVAL_NEED, "3", "ngram_metrics:counts_table"),
    PaperEntry("ngram-metrics-section4.1", SEMEVAL_NEED, "3", "ngram_metrics:found_table"),
    PaperEntry("ngram-metrics-section4.3", JUDGEMENTS_NEED, "0.1", "ngram_metrics_scores:scores_table"),
    PaperEntry("ngram-metrics-section5", JUDGEMENTS_NEED, "0.1", "ngram_metrics_scores:agreement_table"),
    PaperEntry("ngram-metrics-table3", JUDGEMENTS_NEED, "0.5", "ngram_metrics:correlations_table"),
    PaperEntry("ngram-metrics-table4", JUDGEMENTS_NEED, "0.5", "ngram_metrics:correlations_table"),
    PaperEntry("ngram-metrics-table5", JUDGEMENTS_NEED, "0.5", "ngram_metrics:correlations_table"),
)


def entry(name: str) -> PaperEntry:
    for one in ENTRIES:
        if one.name == name.lower():
            return one
    raise UnknownName("table", name, [one.name for one in ENTRIES])


def paper_of(name: str) -> str:
    """Return the paper of a table."""
    return next(paper for paper in PAPERS if name.startswith(f"{paper}-"))


def entries(name: str) -> list[PaperEntry]:
    """Return the table of that name, all tables of the paper of that name, or `all` tables."""
    if name.lower() in (EVERYTHING, *PAPERS):
        whole = [one for one in ENTRIES if "predictions" not in one.options or "methods" in one.options]
        return [one for one in whole if name.lower() in (EVERYTHING, paper_of(one.name))]
    return [entry(name)]


def reproduce(name: str, setting: Setting) -> Reproduced:
    """Return one table, with the published figures beside ours, and notes on rows without. Missing data are a
    `DataError`."""
    one = entry(name)
    for option in OWN_OPTIONS:
        if getattr(setting, option) and option not in one.options:
            raise ConfigError(f"{one.name} does not take --{option}")
    try:
        made = one.run(setting)
    except DataError as error:
        raise DataError(f"{one.name} needs {one.needs}: {error}") from None
    return replace(made, notes=(*made.notes, *_missing(made)))


def _missing(made: Reproduced) -> list[str]:
    """Return why systems have no figures, each reason once with all systems that it is the reason for."""
    systems: dict[str, list[str]] = {}
    for row in made.rows:
        if row.ours is None:
            systems.setdefault(reason_for(made.table.name, row.system, missing=True), []).append(row.system)
    return [f"{', '.join(names)}: {reason}" for reason, names in systems.items() if reason]
