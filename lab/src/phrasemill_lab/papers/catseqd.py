"""Yuan et al. (2020), CatSeqD: keyphrases that models write (Tables 2 to 6), the data (Tables 1, 8), the oracle.

Rows without published figures are systems of ours.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import fmean, pvariance
from typing import Any

from phrasemill.catalogue import METHODS
from phrasemill.errors import DataError, PhrasemillError, UnknownName
from phrasemill.evaluation import Answers, Score, evaluate
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.specs import parse, split_specs
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import load_dataset, read_layout
from phrasemill_lab.papers.comparison import (
    ComparisonRow,
    Part,
    Published,
    Setting,
    counted,
    extracted,
    scored,
    trained,
)
from phrasemill_lab.papers.kept_lists import keep_lists, kept_lists

SUMMARISE = "summarise(multipartiterank)"
# The rows: the paper's name, and what it is here. {search} is `beam` (exhaustive), `greedy` or `top`; {models} is the
# folder of --models, {trained} one where KEA and Maui are trained; {style} is the style of a set's keyphrases;
# {domain} is empty for articles and `-stackex` for questions. Exhaustive decoding is the authors': a beam of 50 that
# keeps up to 500 sequences, and of 200 for single phrases.
SYSTEMS = {
    "TfIdf": "tfidf",
    "TextRank": "textrank",
    "KEA": "kea(model='{trained}/kea{domain}')",
    "Maui": "maui(model='{trained}/maui{domain}')",
    "CopyRNN*": "copyrnn(model='{models}/copyrnn{domain}', width=200)",
    "CatSeq": "catseq(model='{models}/catseq{domain}', search='{search}', kept=500)",
    "CatSeq + Orth. Reg.": "catseq(model='{models}/catseq-orthogonal{domain}', search='{search}', kept=500)",
    "CatSeq + Sem. Cov.": "catseq(model='{models}/catseq-coverage{domain}', search='{search}', kept=500)",
    "CatSeqD": "catseqd(search='{search}', kept=500)",
    "learned, style of the set": "learned(style='{extractive_style}')",
    "generator": "generator(search='{search}')",
    "generator, style of the set": "generator(style='{style}', search='{search}')",
    SUMMARISE: SUMMARISE,
}
# Where a row has another model for questions.
FOR_QUESTIONS = {"CatSeqD": "catseqd(model='{models}/catseqd{domain}', search='{search}', kept=500)"}
TRAINED = {"KEA": "kea", "Maui": "maui"}
EXTRACTORS = ("TfIdf", "TextRank", "KEA", "Maui", "learned, style of the set", SUMMARISE)
MOST = 100  # phrases of an extractor; generators give all they have


@dataclass(frozen=True, slots=True)
class PaperTestSet:
    """A file, the style of its keyphrases, the training file of KEA and Maui, and the policy for scoring it."""

    file: str
    style: str
    extractive_style: str
    training: str
    policy: dict[str, Any] = field(default_factory=dict)
    domain: str = ""


SCIENCE = "kp20k_small_train.jsonl"
SETS = {
    "KP20k": PaperTestSet("kp20k_small_test.jsonl", "author", "author", SCIENCE),
    "Inspec": PaperTestSet("deepkg_inspec_test.jsonl", "indexer", "indexer", SCIENCE),
    "Krapivin": PaperTestSet("deepkg_krapivin_test.jsonl", "author", "author", SCIENCE),
    "NUS": PaperTestSet("deepkg_nus_test.jsonl", "reader", "reader", SCIENCE),
    # Its gold is stemmed, by Porter's own algorithm: so 671 keyphrases are present, as the paper counts (Table 8).
    "SemEval": PaperTestSet(
        "deepkg_semeval_test.jsonl", "reader", "reader", SCIENCE, {"stemmed": "gold", "stemmer": "porter"}
    ),
    "StackEx": PaperTestSet(
        "stackexchange_takg_test.jsonl", "tags", "author", "stackexchange_takg_valid.jsonl", {}, "-stackex"
    ),
}
Column = tuple[str, str, str]  # the set, the metric, and which keyphrases: present, absent or all
PRESET = "yuan2020"
# The files of the other splits, where there are any.
TRAINING = {"KP20k": SCIENCE}
VALIDATION = {"KP20k": "kp20k_small_valid.jsonl", "StackEx": "stackexchange_takg_valid.jsonl"}
SEARCHES = {"greedy": "greedy", "best of a beam": "top"}
ABLATION = ("CatSeq + Orth. Reg.", "CatSeq + Sem. Cov.")
RESAMPLES = 1000


def chosen_rows(given: Iterable[str]) -> list[str]:
    """Return the rows that `--methods` names: systems of the tables, or specs of methods; others are unknown."""
    rows: list[str] = []
    for one in given:
        names = [one] if one in SYSTEMS else one.split(",")  # some rows have a comma in their name, or a star
        rows += names if all(name in SYSTEMS for name in names) else split_specs(one)
    for row in rows:
        if row not in SYSTEMS and parse(row).name not in METHODS:
            raise UnknownName("row", row, [*SYSTEMS, "any method"])
    return rows or list(SYSTEMS)


def read(setting: Setting, name: str) -> list[Document]:
    """Return the documents of a file in the data folder."""
    return list(read_layout(setting.file(name), layout="jsonl", gold="keyphrases"))


class GenerationStudy:
    """The lists and scores that all tables of one run share."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.systems = list(dict.fromkeys(chosen_rows(setting.methods)))
        self.notes: dict[str, None] = {}  # each once, however many tables have the row
        self.set, self.score = cache(self._set), cache(self._score)
        self._found: dict[tuple[str, str, str], list[Answers]] = {}

    def require(self, *names: str) -> None:
        """Raise a `DataError` where the data folder has none of these sets."""
        if all(self.set(name) is None for name in names):
            raise DataError(f"{self.setting.data}: none of {', '.join(SETS[name].file for name in names)} in it")

    def _set(self, name: str) -> list[Document] | None:
        """Return the documents of a set; None, and a note, where it is not there."""
        try:
            return read(self.setting, SETS[name].file)[: self.setting.documents]
        except DataError:
            self.notes[f"{name}: no {SETS[name].file} (plain or compressed)"] = None
            return None

    def lists(
        self, system: str, search: str, name: str, documents: list[Document], test: PaperTestSet
    ) -> list[Answers]:
        """Return the lists of a system, of each of its runs; the notes say why if there are none."""
        key = (system, search, name)
        if key not in self._found:
            self._found[key] = self._kept(*key, documents) or self._run(*key, documents, test)
        return self._found[key]

    def _kept(self, system: str, search: str, name: str, documents: list[Document]) -> list[Answers]:
        """Return the lists in the folder of --lists, or in the package where no model is given to make them again."""
        ids = [document.id for document in documents]
        if self.setting.lists and (kept := kept_lists(system, search, name, ids, self.setting.lists)):
            return kept
        kept = [] if self.setting.models else kept_lists(system, search, name, ids)
        if len(kept) > 1:
            self.notes[f"{system}: the mean of {len(kept)} runs, from kept lists; --models runs a model"] = None
        elif kept:
            self.notes[f"{system}: from kept lists (lists/ in the package); --models runs a model"] = None
        return kept

    def _run(self, system: str, search: str, name: str, documents: list[Document], test: PaperTestSet) -> list[Answers]:
        template = (FOR_QUESTIONS.get(system) if test.domain else None) or SYSTEMS.get(system, system)
        if search != "beam" and "{search}" not in template:
            return []
        models = self.setting.models
        if "{models}" in template and models is None:
            self.notes[f"{template.partition('(')[0]}{test.domain}: left out (--models is not given)"] = None
            return []
        if system in SYSTEMS:
            names = {"style": test.style, "extractive_style": test.extractive_style, "domain": test.domain}
            template = template.format(search=search, models=models, trained=self.setting.scratch, **names)
        try:
            if system in TRAINED:
                trainer = TRAINED[system]
                trained(self.setting, trainer, read(self.setting, test.training), f"{trainer}{test.domain}")
            label, top = f"{system}, {search}, {name}", MOST if system in EXTRACTORS else None
            lists = extracted(self.setting, template, documents, top=top, label=label)
        except PhrasemillError as error:
            self.notes[f"{system}{test.domain}: left out ({str(error).partition(';')[0]})"] = None
            return []
        if self.setting.lists:
            keep_lists(self.setting.lists, system, search, name, lists)
        return [Answers(system, lists)]

    def names(self, published: Sequence[str], *, generators: bool = False) -> list[str]:
        """Return the paper's systems, then the others: only `generators` where extraction is out of place."""
        hidden = {*published, *ABLATION, SUMMARISE, *(EXTRACTORS if generators else ())}
        return [*published, *(name for name in self.systems if name not in hidden)]

    def _score(self, system: str, search: str, column: Column) -> Score | None:
        """Return the score of a system; that of several runs is their mean."""
        name, metric, present = column
        gold = self.set(name)
        if gold is None or not (runs := self.lists(system, search, name, gold, SETS[name])):
            return None
        named = f"{metric}(present={present!r})" if present else metric
        scores = [
            evaluate(found, gold, metrics=[named], preset=PRESET, policy=SETS[name].policy).scores[0] for found in runs
        ]
        return replace(scores[0], value=fmean(one.value for one in scores))

    def rows(
        self, table: Published, names: Mapping[str, str], columns: Sequence[Column], search: str = "beam"
    ) -> Iterator[ComparisonRow]:
        """Yield the row of each system; `names` are those of rows, with the system of each."""
        self.require(*dict.fromkeys(name for name, _, _ in columns))
        for label, system in names.items():
            chosen = columns if system in self.systems else ()
            yield scored(label, [self.score(system, search, column) for column in chosen])


def exhaustive_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Tables 2, 5, 6 and Section 6.2: columns of set and metric, a beam of 50."""
    study = setting.shared(GenerationStudy)
    present = {"Table 2": "present", "Table 5": "present", "Table 6": "absent", "Section 6.2": ""}[table.source]
    names = list(table.rows)
    if table.source != "Table 5":
        names = study.names(names, generators=present != "present")
    yield from study.rows(table, dict(zip(names, names, strict=True)), _columns(table, present))
    yield from study.notes


def stackex_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 3: present and absent keyphrases of questions."""
    study = setting.shared(GenerationStudy)
    columns = [("StackEx", metric, kind) for kind, metric in (column.split(" ") for column in table.columns)]
    names = study.names(list(table.rows))
    for row in study.rows(table, dict(zip(names, names, strict=True)), columns):
        if row.ours is not None and row.system in EXTRACTORS:  # which return nothing that the text does not have
            kinds = zip(row.ours, columns, strict=True)
            yield replace(row, ours=tuple([None if kind == "absent" else one for one, (_, _, kind) in kinds]))
        else:
            yield row
    yield from study.notes


def self_terminating_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 4: as many phrases as the model writes, by greedy search and by the best sequence of a beam."""
    study = setting.shared(GenerationStudy)
    systems = study.names(list(dict.fromkeys(label.split(", ")[0] for label in table.rows)), generators=True)
    for how, search in SEARCHES.items():
        yield from study.rows(table, {f"{name}, {how}": name for name in systems}, _columns(table, "present"), search)
    yield from study.notes


def datasets_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 1: documents, keyphrases per document, and the share of present ones."""
    study = setting.shared(GenerationStudy)
    study.require(*table.rows)
    for name in table.rows:
        documents = study.set(name)
        if documents is None:
            yield ComparisonRow(name)
            continue
        sizes = [len(read(setting, files[name])) if name in files else None for files in (TRAINING, VALIDATION)]
        counts = [len(one.references) for one in documents]
        present = [found for one in documents for found in _occurring(one, SETS[name].policy, one.references)]
        yield counted(name, *sizes, len(documents), fmean(counts), pvariance(counts), 100 * fmean(present))
    yield from study.notes


def counts_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 8: documents and keyphrases, present and absent by the paper's own rule."""
    study = setting.shared(GenerationStudy)
    study.require(*[name for name in table.rows if name in SETS])
    for name in table.rows:
        documents = study.set(name) if name in SETS else _duc(setting)
        policy = SETS[name].policy if name in SETS else {}
        yield ComparisonRow(name) if documents is None else counted(name, *_counts(documents, policy))
    yield from study.notes


def oracle_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 1: what an oracle scores at 5 and at 10, with both denominators."""
    study = setting.shared(GenerationStudy)
    study.require("KP20k")
    documents = study.set("KP20k") or []
    oracle = {document.id: document.references for document in documents}
    for label, denominator in (("oracle", "k"), ("oracle, by eq. 5", "predicted")):
        policy = {"denominator": denominator}
        scores = evaluate(oracle, documents, metrics=table.columns, preset=PRESET, policy=policy, resamples=RESAMPLES)
        yield scored(label, scores, f"denominator={denominator!r}")
        if label in table.rows:
            ranges = [(one.name, one.interval) for one in scores if one.interval]
            shown = ", ".join(f"{name} [{100 * r.low:.1f}, {100 * r.high:.1f}]" for name, r in ranges)
            yield f"95 % intervals of ours: {shown}."


def _duc(setting: Setting) -> list[Document] | None:
    try:
        return list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    except DataError:
        return None


def _columns(table: Published, present: str) -> list[Column]:
    return [(name, metric, present) for name, _, metric in (column.partition(" ") for column in table.columns)]


def _counts(documents: Sequence[Document], policy: dict[str, Any]) -> list[int]:
    """Return the documents and keyphrases; then documents with present ones, those, and the same of absent ones."""
    each = [_occurring(one, policy, dict.fromkeys(map(str, one.references))) for one in documents]
    present = [sum(found) for found in each]
    absent = [len(found) - sum(found) for found in each]
    counts = [len(documents), sum(present) + sum(absent)]
    for found in (present, absent):
        counts += [sum([count > 0 for count in found]), sum(found)]
    return counts


def _occurring(document: Document, changes: dict[str, Any], phrases: Iterable[Reference]) -> list[bool]:
    """Return of each keyphrase whether it is in the text, by the paper's own rule."""
    occurs = occurs_in(document.content, preset(PRESET).policy.changed(changes))
    return [occurs(str(phrase), changes.get("stemmed") == "gold") for phrase in phrases]
