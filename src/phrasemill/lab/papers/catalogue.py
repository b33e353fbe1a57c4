"""The tables that can be made again: what each needs, about how long it takes, and what makes it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.lab.papers.tables import Published, Reproduced, Setting, published

PACKAGE = "phrasemill.lab.papers"
SETS_NEED = "mkduc01 and duc2001"
SEMEVAL_NEED = "semeval2010, train and test, with the answer keys"
GENERATION_NEED = "kp20k_small_test, deepkg_inspec_test, deepkg_semeval_test; --models for CatSeq and CopyRNN"
STACKEX_NEED = "stackexchange_takg_test and _valid; --models for CatSeq, CatSeqD and CopyRNN"
COUNTS_NEED = "kp20k_small_test, deepkg_inspec_test, deepkg_semeval_test, stackexchange_takg_test"
JUDGEMENTS_NEED = "termith_eval_judged; the extra metrics"


@dataclass(frozen=True, slots=True)
class Entry:
    """One table: `made_by` is `module:function`, `generation` says that rows can be chosen."""

    name: str
    needs: str
    minutes: str
    made_by: str
    generation: bool = False

    @property
    def table(self) -> Published:
        return published(self.name)

    def run(self, setting: Setting) -> Reproduced:
        module, _, name = self.made_by.partition(":")
        make: Callable[[Setting, Published], Reproduced] = getattr(import_module(f"{PACKAGE}.{module}"), name)
        return make(setting, self.table)


ENTRIES = (
    Entry("mkduc01-table2", SETS_NEED, "1", "mkduc01:scores_table"),
    Entry("mkduc01-table3", SETS_NEED, "1", "mkduc01:scores_table"),
    Entry("mkduc01-table4", SETS_NEED, "1", "mkduc01:scores_table"),
    Entry("mkduc01-table5", SETS_NEED, "1", "mkduc01:scores_table"),
    Entry("mkduc01-table6", SETS_NEED, "1", "mkduc01:lengths_table"),
    Entry("mkduc01-at20", SETS_NEED, "1", "mkduc01:clusters_table"),
    Entry("mkduc01-table7", "duc2001", "2", "single_documents:duc2001_table"),
    Entry("semeval2010-table3", SEMEVAL_NEED, "2", "semeval2010:baselines_table"),
    Entry("semeval2010-table4", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    Entry("semeval2010-table5", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    Entry("semeval2010-table6", SEMEVAL_NEED, "1", "semeval2010:systems_table"),
    Entry("catseqd-table2", GENERATION_NEED, "60 or more", "generation:exhaustive_table", True),
    Entry("catseqd-table3", STACKEX_NEED, "60 or more", "generation:stackex_table", True),
    Entry("catseqd-table4", f"{GENERATION_NEED}; {STACKEX_NEED}", "60", "generation:self_terminating_table", True),
    Entry("catseqd-table5", GENERATION_NEED, "60", "generation:exhaustive_table", True),
    Entry("catseqd-table6", GENERATION_NEED, "60", "generation:exhaustive_table", True),
    Entry("catseqd-section6.2", GENERATION_NEED, "30", "generation:exhaustive_table", True),
    Entry("catseqd-table8", COUNTS_NEED, "0.1", "generation:counts_table"),
    Entry("pubmedake-table2", "pubmedake, test or sample", "0.5", "single_documents:pubmedake_table"),
    Entry("pubmedake-table3", "pubmedake, test or sample", "10", "generation:abstractive_table", True),
    Entry("ngram-metrics-table3", JUDGEMENTS_NEED, "0.5", "ngram_metrics:overall_table"),
    Entry("ngram-metrics-table4", JUDGEMENTS_NEED, "0.5", "ngram_metrics:kinds_table"),
    Entry("ngram-metrics-table5", JUDGEMENTS_NEED, "0.5", "ngram_metrics:kinds_table"),
)


def entry(name: str) -> Entry:
    for one in ENTRIES:
        if one.name == name.lower():
            return one
    raise UnknownName("table", name, [one.name for one in ENTRIES])


def reproduce(name: str, setting: Setting) -> Reproduced:
    """One table, with the published figures beside ours; what is missing is an error that says what it needs."""
    one = entry(name)
    if (setting.methods or setting.predictions or setting.save) and not one.generation:
        raise ConfigError(f"rows of {one.name} cannot be chosen: --methods, --predictions and --save are for catseqd")
    try:
        return one.run(setting)
    except DataError as error:
        raise DataError(f"{one.name} needs {one.needs}: {error}") from None
