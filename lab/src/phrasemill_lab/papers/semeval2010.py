"""SemEval-2010 task 5 (Kim et al., 2010): its answer keys (Tables 1 and 2), baselines (Table 3), systems (4 to 8).

The baselines, KEA and Maui are trained on the training split alone; everything is scored as the task's own program
does, by the preset `semeval2010-official`, which is checked against its output for four runs. The paper does not say
whether `sensor network` and `sensor networks` are one candidate. Here they are, as everywhere in this package, and as
cross-validation on the training split prefers. Some rows show other readings: "wordings apart", and the same with only
the first of several wordings of a phrase in the list ("said once"); and classifiers that see TF×IDF cut into ranges, so
that candidates tie. Systems of your own are ranked as Tables 4 to 8 rank those that took part.
"""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import ConfigError, DataError, PhrasemillError
from phrasemill.evaluation import Answers, Score, evaluate, read_answers
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.metrics import harmonic
from phrasemill.evaluation.phrases import alternations, normaliser, occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.evaluation.similarity import exact, r_precision
from phrasemill.extractor import extract_batch
from phrasemill.files.tables import Table
from phrasemill.select import form_of
from phrasemill.statistics import DocumentFrequencies
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document, Keyphrase, Reference
from phrasemill_lab.datasets import load_dataset
from phrasemill_lab.papers.comparison import (
    ComparisonRow,
    Failure,
    Part,
    Published,
    Setting,
    counted,
    extracted,
    same,
    scored,
    trained,
)

PRESET = "semeval2010-official"
ENOUGH = 60  # for fifteen that differ
# The systems that are methods here, as they are and after training.
FIXED = {"KP-Miner": "kpminer", "learned": "learned(style='reader')"}
TRAINED = {
    "NB": "naivebayes(features='tfidf')",
    "ME": "maxent(features='tfidf')",
    "NB, more features": "naivebayes",
    "ME, more features": "maxent",
    "KEA": "kea",
    "KEA + keyphraseness": "kea(keyphraseness=True)",
    "Maui": "maui",
}
APART, ONCE = "TF×IDF, wordings apart", "TF×IDF, wordings apart, said once"
# Classifiers over ranges of one feature rank by range, whichever they are; the order of ties is not the paper's.
RANGES: dict[str, Callable[[Keyphrase], int | str]] = {
    "NB or ME, TF×IDF in ranges, ties by place": lambda phrase: phrase.spans[0].start,
    "NB or ME, TF×IDF in ranges, ties by alphabet": lambda phrase: phrase.text.lower(),
}
BASELINES = ("TF×IDF", "NB", "ME", APART, ONCE, *RANGES, *list(TRAINED)[2:])
COMPETITORS = {"KP-Miner": "KP-Miner", "Maui": "Maui", "KEA": "KEA", "learned, style reader": "learned"}
# The answer key of each table.
BY_TABLE = {
    "Table 4": "combined",
    "Table 5": "reader",
    "Table 6": "author",
    "Table 7": "combined",
    "Table 8": "reader",
}
SPLITS = {"Trial": "trial", "Training": "train", "Test": "test"}
ANNOTATORS = ("author", "reader", "combined")
CATEGORIES = "CHIJ"
ALIKE, PER_PAPER = "Test, authors and readers alike", "Test, per paper"
RUNS = "official_scores.json"
NEAR = 0.5  # of the words of the longer phrase
CEILING, READERS = "ceiling, author", "readers against authors"
CUTS = (5, 10, 15)
RANKED_BY = "F1@15"


def category(id_: str) -> str:
    """Return the ACM category of a document: `C` of `C-41`."""
    return id_.partition("-")[0]


def official(data: Path, name: str) -> Path:
    """Return the path of a file of the organisers, which has to be below a data folder."""
    path = data / "official" / "semeval2010" / name
    if not path.is_file():
        raise DataError(f"no {path}")
    return path


def read_key(data: Path, by: str, split: str = "test", *, stems: bool = True) -> Answers:
    """Return an answer key of the organisers, as stems or as written."""
    return read_answers(official(data, f"{split}.{by}.stem.final" if stems else f"{split}.{by}.final"))


def documents(setting: Setting, split: str) -> Iterator[Document]:
    """Yield the texts as they were distributed: in our JSON lines, or in the organisers' own files."""
    try:
        place, gold = setting.file(f"semeval2010_official_{split}.jsonl"), "combined"
        if split == "test":  # whose keys exist as stems only
            gold = "combined.stem"
    except DataError:
        place, gold = setting.data, "combined"
    return load_dataset("semeval2010", place, split=split, gold=gold, check="off")


def within(answers: Answers, name: str) -> Answers:
    """Return the answers to the documents of one ACM category, or to all."""
    kept = {id_: phrases for id_, phrases in answers.phrases.items() if not name or category(id_) == name}
    return replace(answers, phrases=kept)


class SemevalStudy:
    """The documents and answer keys, and what is trained on them, each made once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.train = list(documents(setting, "train"))
        self.test = list(documents(setting, "test"))[: setting.documents]
        self.lists = cache(self._lists)

    def gold(self, by: str) -> Answers:
        """Return the key of the readers, of the authors or of both, as stems."""
        key = read_key(self.setting.data, by)
        ids = {document.id for document in self.test}
        return replace(key, phrases={id_: found for id_, found in key.phrases.items() if id_ in ids})

    def _spec(self, name: str) -> str:
        """Return the spec of a system, trained where it has to be."""
        if name in FIXED:
            return FIXED[name]
        if name.startswith("TF×IDF"):
            frequencies = DocumentFrequencies.fit(self.train)
            if name != "TF×IDF":  # of n-grams as they are written, in lower case
                counts = Counter(form for document in self.train for form in forms(ngrams(_apart(document))))
                frequencies = DocumentFrequencies(len(self.train), counts)
            frequencies.save(place := self.setting.scratch / f"semeval2010-{BASELINES.index(name)}")
            return f"tfidf(frequencies={str(place)!r})"
        model = trained(self.setting, TRAINED[name], self.train, f"semeval2010-{BASELINES.index(name)}")
        return f"{TRAINED[name].partition('(')[0]}(model={str(model)!r})"

    def _ranges(self, spec: str) -> list[float]:
        """Return where to cut TF×IDF to set apart keyphrases of the training split (Fayyad and Irani, 1993)."""
        from phrasemill.training.kea import cuts

        scores, labels = [], []
        for document, phrases in zip(self.train, extract_batch(self.train, method=spec, top=None), strict=True):
            gold = {form_of(wording) for one in document.references for wording in clustered(one)}
            scores += [phrase.score for phrase in phrases]
            labels += [form_of(phrase.text) in gold for phrase in phrases]
        return cuts(np.asarray(scores), np.asarray(labels))

    def _lists(self, name: str) -> dict[str, list[str]]:
        if name in RANGES:
            bounds = self._ranges(spec := self._spec("TF×IDF"))
            every = zip(self.test, extract_batch(self.test, method=spec, top=None), strict=True)
            ranked = {
                document.id: sorted(found, key=lambda one: (-bisect_right(bounds, one.score), RANGES[name](one)))
                for document, found in every
            }
            return {id_: [phrase.text for phrase in found[:ENOUGH]] for id_, found in ranked.items()}
        analyses = map(_apart, self.test) if name in (APART, ONCE) else None
        key = normaliser(preset(PRESET).policy.stemmer).key if name == ONCE else str
        lists = extracted(self.setting, self._spec(name), self.test, analyses=analyses, top=ENOUGH, label=name)
        return {id_: list({key(text): text for text in found}.values()) for id_, found in lists.items()}

    def scores(self, name: str, by: str, table: Published) -> list[Score | None]:
        """Return a score for each column, `F1@15` or `C F1@15`; None where a category has no documents."""
        found: list[Score | None] = []
        for column in table.columns:
            letter, _, metric = column.rpartition(" ")
            gold = within(self.gold(by), letter)
            lists = Answers(name, {id_: tuple(self.lists(name)[id_]) for id_ in gold.phrases})
            found.append(evaluate(lists, gold, metrics=[metric], preset=PRESET).score(metric) if gold.phrases else None)
        return found


def baselines_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 3, and below it the trained methods that the paper does not have as baselines."""
    study = setting.shared(SemevalStudy)
    for name in BASELINES:
        for by in ("reader", "combined"):
            yield scored(f"{name}, {by}", study.scores(name, by, table), _method(name))


def systems_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Tables 4 to 8: all systems as published; beside KP-Miner and Maui, ours by that name; the default last."""
    study = setting.shared(SemevalStudy)
    rows = {label: ComparisonRow(label) for label in table.rows}
    for label, name in COMPETITORS.items():
        try:
            rows[label] = scored(label, study.scores(name, BY_TABLE[table.source], table), _method(name))
        except PhrasemillError as error:
            yield f"{label}: {error}"
    yield from rows.values()
    if " " in table.columns[0]:  # as the paper prints them: the systems in order within each category
        columns = {
            column[0]: [
                (name, figure)
                for label, row in rows.items()
                for name, figures in ((label, table.rows.get(label)), (f"our {label}", row.ours))
                if figures is not None and (figure := figures[i]) is not None
            ]
            for i, column in enumerate(table.columns)
        }
        yield within_categories(f"{table.name}: ranks with ours among them", columns)


def within_categories(title: str, columns: Mapping[str, Sequence[tuple[str, float]]]) -> Table:
    """Return the systems of each rank in each category with their F-scores; those that tie stay in the order given."""
    ranked = [
        [f"{name} ({figure:.1f}%)" for name, figure in sorted(found, key=lambda one: -round(one[1], 10))]
        for found in columns.values()
    ]
    rows = [(str(rank), *cells) for rank, cells in enumerate(zip(*ranked, strict=False), start=1)]
    return Table(title, ("rank", *(f"group {name}" for name in columns)), tuple(rows))


def ranks_tables(setting: Setting, table: Published) -> Iterator[Part]:
    """Rank the systems of `--predictions` by each answer key of `--gold`, by default those in the data folder."""
    if not setting.predictions:
        raise ConfigError(f"{table.name} requires --predictions: one file per system")
    keys = setting.gold or [official(setting.data, f"test.{by}.stem.final") for by in ("combined", "reader")]
    systems = []
    for given in setting.predictions:
        name, mark, path = given.partition("=")
        systems.append(replace(read_answers(path), name=name) if mark else read_answers(given))
    if len({system.name for system in systems}) < len(systems):
        raise DataError("two systems have the same name; ranks need different ones")
    for key in keys:
        yield from rank_tables(systems, read_answers(key))


def rank_tables(systems: Sequence[Answers], gold: Answers) -> list[Table]:
    """Return precision, recall and F-score at 5, 10 and 15, best F-score at 15 first; and the ranks in categories.

    "In the case of a tie in F-score, we ordered teams by descending F-score over all the data."
    """
    names = [f"{metric}@{k}" for k in CUTS for metric in ("P", "R", "F1")]
    every = [(evaluate(system, gold, preset=PRESET), system) for system in systems]
    every.sort(key=lambda one: -round(one[0][RANKED_BY], 12))
    rows = [
        (system.name, str(rank), *(f"{100 * scores[name]:.1f}%" for name in names))
        for rank, (scores, system) in enumerate(every, start=1)
    ]
    columns = {
        name: [
            (system.name, 100 * evaluate(within(system, name), within(gold, name), preset=PRESET)[RANKED_BY])
            for _, system in every
        ]
        for name in sorted({category(id_) for id_ in gold.phrases})
    }
    ranked = Table(f"Systems over {gold.name}, ranked by {RANKED_BY}", ("system", "rank", *names), tuple(rows))
    return [ranked, within_categories(f"Ranks within categories over {gold.name}", columns)]


def _method(name: str) -> str:
    return "tfidf" if "TF×IDF" in name else FIXED.get(name) or TRAINED.get(name, "")


def _apart(document: Document) -> Analysis:
    return analyse(document.content, stem="none", tag=False)


def documents_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 1: documents per ACM category and split."""
    for label in table.rows:
        counts = Counter(map(category, read_key(setting.data, "combined", SPLITS[label]).phrases))
        yield counted(label, counts.total(), *(counts[letter] for letter in CATEGORIES))


def keyphrases_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 2: keyphrases per split and annotator; from section 2.1, those that authors and readers share; from section
    4, those per paper."""
    for label in table.rows:
        keys = [read_key(setting.data, by, SPLITS.get(label, "test")) for by in ANNOTATORS]
        author, reader, combined = map(_size, keys)
        if label == ALIKE:
            yield counted(label, author + reader - combined, None, None)
        elif label == PER_PAPER:
            yield counted(label, author / len(keys[0].phrases), reader / len(keys[1].phrases), None)
        else:
            yield counted(label, author, reader, combined)
    author_key, reader_key = (read_key(setting.data, by) for by in ("author", "reader"))
    shared = evaluate(reader_key, author_key, metrics=["R@M"], preset="semeval2010")["R@M"] * _size(author_key)
    yield f"By stems {shared:.0f} are alike."


def _size(key: Answers) -> int:
    return sum(map(len, key.phrases.values()))


def present_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 2.1: the share of keyphrases that occur in the papers, and the genitives that the keys list."""
    for split, label in (("test", "{by}"), ("train", "{by}: training papers, words as written")):
        for by in table.rows:
            yield counted(label.format(by=by), 100 * present_share(setting, by, split))
    keys = [read_key(setting.data, "combined", split) for split in ("train", "test")]
    listed, made, silent = genitive_counts([one for key in keys for group in key.phrases.values() for one in group])
    yield (
        f"Of the {listed} genitives with a second wording in the combined keys of training and test the rule of "
        f"`genitives='both'` generates {made}; {silent} others have none in the keys."
    )


def present_share(setting: Setting, by: str, split: str = "test") -> float:
    """Return the share of the keyphrases of the authors or the readers of which any wording is in the paper.

    Test keys exist as stems, and are looked for among the paper's stems; training keys are looked for as written.
    """
    stems = split == "test"
    key = read_key(setting.data, by, split, stems=stems)
    policy = replace(preset(PRESET).policy, presence="stem" if stems else "exact")
    found = []
    for document in list(documents(setting, split))[: setting.documents]:
        occurs = occurs_in(document.content, policy)
        found += [any(occurs(one, stems) for one in clustered(group)) for group in key.phrases[document.id]]
    return fmean(found)


def genitive_counts(groups: Iterable[Reference]) -> tuple[int, int, int]:
    """Return how many `A of B` have other wordings, how many of these all come by rule, and how many have none."""
    listed = made = silent = 0
    for group in groups:
        first, *others = clustered(group)
        if others:
            listed += 1
            made += set(others) <= set(alternations(first))
        else:
            silent += len(alternations(first)) > 1
    return listed, made, silent


def upper_bound_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 4: the most that a system can reach over the authors' keyphrases, and what readers reach."""
    bounds = {CEILING: (present_share(setting, "author"), 1.0)}
    for split in ("test", "trial"):
        author, reader = (read_key(setting.data, by, split) for by in ("author", "reader"))
        for how, least in (("exact", 1.0), ("near-misses", NEAR)):
            name = READERS if (split, how) == ("test", "exact") else f"{READERS}: {split}, {how}"
            bounds[name] = coverage(reader, author, least, macro=how != "exact")
    for name, (r, p) in bounds.items():
        yield counted(name, 100 * r, 100 * p, 100 * harmonic(p, r))


def coverage(reader: Answers, author: Answers, least: float, *, macro: bool) -> tuple[float, float]:
    """Return which share of the authors' keyphrases readers cover, and that number over the readers' keyphrases.

    A keyphrase is covered by the same one or, where `least` is below 1, by one with that share of the words of the
    longer of the two.
    """
    counts = [
        (_covered(wanted, reader.phrases.get(id_, ()), least), len(wanted), len(reader.phrases.get(id_, ())))
        for id_, wanted in author.phrases.items()
    ]
    if macro:
        recalls = [covered / gold for covered, gold, _ in counts if gold]
        return fmean(recalls), fmean([covered / given for covered, _, given in counts if given])
    covered, gold, given = map(sum, zip(*counts, strict=True))
    return covered / gold, covered / given


def _covered(wanted: Sequence[Reference], given: Sequence[Reference], least: float) -> int:
    offered = [wording.split() for group in given for wording in clustered(group)]
    similar = exact if least == 1 else r_precision
    return sum(
        any(similar(wording.split(), other) >= least for wording in clustered(group) for other in offered)
        for group in wanted
    )


def scorer_check(setting: Setting, table: Published) -> Iterator[Part]:
    """Compare every figure that the task's program printed for four runs with ours, to the last digit."""
    runs = json.loads(official(setting.data, RUNS).read_text(encoding="utf-8"))["systems"]
    columns = [column.split("@") for column in table.columns]
    equal = 0
    for number, run in enumerate(runs, start=1):
        scores = {by: evaluate(run["predictions"], read_key(setting.data, by), preset=PRESET) for by in ANNOTATORS}
        printed = tuple([float(run["F"][column]) for column in table.columns])
        row = scored(f"run {number}", [scores[by].score(f"F1@{k}") for by, k in columns], PRESET, printed)
        equal += sum(map(same, printed, [one or 0.0 for one in row.ours or ()], table.decimals))
        yield row
    every = len(runs) * len(columns)
    note = f"{equal} of {every} figures of the task's program come out to the last digit"
    yield note if equal == every else Failure(note)
