"""SemEval-2010 task 5 (Kim et al., 2010): what its answer keys alone show, and the task's own scorer.

Tables 1 and 2 count documents and keyphrases. Section 2.1 says how many keyphrases occur in the papers and which
wordings are accepted, section 4 what a system could reach at most and how well readers find the authors' keyphrases.
The scorer is checked against the figures that the task's program printed for four runs.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from phrasemill.errors import DataError
from phrasemill.evaluation import Answers, evaluate, read_answers
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.genitives import alternations
from phrasemill.evaluation.metrics import harmonic
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.evaluation.similarity import exact, r_precision
from phrasemill.types import Reference
from phrasemill_lab.datasets.semeval2010 import category
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting, scored_row
from phrasemill_lab.papers.semeval2010 import PRESET, documents, official, official_key

SPLITS = {"Trial": "trial", "Training": "train", "Test": "test"}
ANNOTATORS = ("author", "reader", "combined")
CATEGORIES = "CHIJ"
ALIKE, PER_PAPER = "Test, authors and readers alike", "Test, per paper"
RUNS = "official_scores.json"
NEAR = 0.5  # of the words of the longer phrase
KEYS_NOTE = "Ours are of the keys that were released after the task, in which interchangeable wordings count once."
ALIKE_NOTE = (
    "Alike are the keyphrases that the combined key lists once: authors plus readers minus combined. By stems "
    "{shared:.0f} are alike; the others are in the combined key twice."
)
PRESENT_NOTE = (
    "A keyphrase of the test papers occurs if its stems stand in a row. The paper does not say what it counts; its "
    "shares lie between those of stems and those of words as written."
)
CEILING, READERS = "ceiling, author", "readers against authors"
READINGS_NOTE = (
    "The paper does not say what it counts as covered. By the task's own matching readers cover half of what it "
    "prints. The nearest reading that we found is of the trial papers: phrases that share at least half the words of "
    "the longer one, averaged over papers. It is the best of some 12,000 combinations of split, overlap, threshold and "
    "average that we tried against the published figures, so it may be chance."
)


def read_key(data: Path, by: str, split: str, *, stems: bool = True) -> Answers:
    """Return an answer key of the organisers, as stems or as written."""
    path = official_key(data, by, split) if stems else official(data, f"{split}.{by}.final")
    if not path.is_file():
        raise DataError(f"no {path}")
    return read_answers(path)


def documents_table(setting: Setting, table: Published) -> Reproduced:
    """Table 1: documents per ACM category and split."""
    setting.refuse_sample(f"{table.name} counts whole splits")
    rows = []
    for label, figures in table.rows.items():
        counts = Counter(map(category, read_key(setting.data, "combined", SPLITS[label]).phrases))
        ours = (float(counts.total()), *(float(counts[letter]) for letter in CATEGORIES))
        rows.append(ComparisonRow(label, "", figures, ours))
    return Reproduced(table, tuple(rows))


def keyphrases_table(setting: Setting, table: Published) -> Reproduced:
    """Table 2: keyphrases per split and annotator; from section 2.1, those that authors and readers share; from section
    4, those per paper."""
    setting.refuse_sample(f"{table.name} counts whole splits")
    rows = []
    for label, figures in table.rows.items():
        keys = [read_key(setting.data, by, SPLITS.get(label, "test")) for by in ANNOTATORS]
        author, reader, combined = (float(_size(key)) for key in keys)
        ours: Figures = author, reader, combined
        if label == ALIKE:
            ours = author + reader - combined, None, None
        elif label == PER_PAPER:
            ours = author / len(keys[0].phrases), reader / len(keys[1].phrases), None
        rows.append(ComparisonRow(label, "", figures, ours))
    author_key, reader_key = (read_key(setting.data, by, "test") for by in ("author", "reader"))
    shared = evaluate(reader_key, author_key, metrics=["R@M"], preset="semeval2010")["R@M"] * _size(author_key)
    return Reproduced(table, tuple(rows), (KEYS_NOTE, ALIKE_NOTE.format(shared=shared)))


def _size(key: Answers) -> int:
    return sum(map(len, key.phrases.values()))


def present_table(setting: Setting, table: Published) -> Reproduced:
    """Section 2.1: the share of keyphrases that occur in the papers, and the genitives that the keys list."""
    rows = [
        ComparisonRow(label, "", table.rows.get(label), (100 * present_share(setting, by, split),))
        for split in ("test", "train")
        for by in table.rows
        for label in [by if split == "test" else f"{by}: training papers, words as written"]
    ]
    keys = [read_key(setting.data, "combined", split) for split in ("train", "test")]
    listed, made, silent = genitive_counts([one for key in keys for group in key.phrases.values() for one in group])
    note = (
        f"Of the {listed} genitives with a second wording in the combined keys of training and test the rule of "
        f"`genitives='both'` generates {made}; {silent} others have none in the keys."
    )
    return Reproduced(table, tuple(rows), (PRESENT_NOTE, note, *setting.sample_note()))


def present_share(setting: Setting, by: str, split: str = "test") -> float:
    """Return the share of the keyphrases of the authors or the readers of which any wording is in the paper.

    Test keys exist as stems, and are looked for among the paper's stems; training keys are looked for as written.
    """
    stems = split == "test"
    key = read_key(setting.data, by, split, stems=stems)
    policy = replace(preset(PRESET).policy, presence="stem" if stems else "exact")
    found = []
    for document in list(documents(setting.data, split))[: setting.documents]:
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


def upper_bound_table(setting: Setting, table: Published) -> Reproduced:
    """Section 4: the most that a system can reach over the authors' keyphrases, and what readers reach."""
    share = present_share(setting, "author")
    bounds = {CEILING: (share, 1.0)}
    for split in ("test", "trial"):
        author, reader = (read_key(setting.data, by, split) for by in ("author", "reader"))
        for how, least in (("exact", 1.0), ("near-misses", NEAR)):
            name = READERS if (split, how) == ("test", "exact") else f"{READERS}: {split}, {how}"
            bounds[name] = coverage(reader, author, least, macro=how != "exact")
    rows = [
        ComparisonRow(name, "", table.rows.get(name), tuple(100 * one for one in (r, p, harmonic(p, r))))
        for name, (r, p) in bounds.items()
    ]
    return Reproduced(table, tuple(rows), (READINGS_NOTE, *setting.sample_note()))


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


def scorer_check(setting: Setting, table: Published) -> Reproduced:
    """Compare every figure that the task's program printed for four runs with ours, to the last digit."""
    setting.refuse_sample(f"{table.name} is over whole runs")
    path = official(setting.data, RUNS)
    if not path.is_file():
        raise DataError(f"no {path}")
    figures: dict[str, Figures] = {}
    rows, equal, every = [], 0, 0
    for number, run in enumerate(json.loads(path.read_text(encoding="utf-8"))["systems"], start=1):
        printed = {name: float(figure) for name, figure in run["F"].items()}
        scores = {
            by: evaluate(run["predictions"], read_key(setting.data, by, "test"), preset=PRESET) for by in ANNOTATORS
        }
        ours = {name: scores[by].score(f"F1@{k}") for name in printed for by, k in [name.split("@")]}
        equal += sum(ours[name].shown == f"{figure:.2f}" for name, figure in printed.items())
        every += len(printed)
        figures[f"run {number}"] = theirs = tuple([printed[column] for column in table.columns])
        rows.append(scored_row(f"run {number}", PRESET, theirs, [ours[column] for column in table.columns]))
    note = f"{equal} of {every} figures of the task's program come out to the last digit"
    return Reproduced(replace(table, rows=figures), tuple(rows), (note,), failed=equal < every)
