"""Print how good the package is by language: detection, taggers, keyphrases of everyday texts and of people, speed.

    python -m phrasemill_lab.bench.languages --data DIR              # everything but the taggers; folds take minutes
    python -m phrasemill_lab.bench.languages --data DIR --parts people,speed --documents 200
    python -m phrasemill_lab.bench.languages --data DIR --parts taggers

Default settings: no language and no style are given. The everyday texts are annotated by a language model; the shipped
trees have learned from them, so that they are scored by cross-validation.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from phrasemill.evaluation import Score, evaluate
from phrasemill.pipeline import build, extract_batch
from phrasemill.tables import Table, as_markdown
from phrasemill.text.languages.detect import detect
from phrasemill.types import Document
from phrasemill_lab.bench import figures
from phrasemill_lab.bench.scripts import best_of, extracted
from phrasemill_lab.bench.tasks import BenchTask
from phrasemill_lab.models import accuracy, learned_multilingual, make

FOLDS = 5
RESAMPLES = 1000
ROUNDS = 3
METHODS = ("learned", "tfidf", "yake", "kpminer")
ANNOTATED = "annotated by a language model"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says: `documents` is how many of each set of people's keyphrases at most."""

    data: Path
    documents: int | None
    folds: int


def _people(name: str, title: str, metric: str = "F1@5") -> BenchTask:
    policy = {"present": "present"} if metric == "F1@5" else {}
    return BenchTask(name, title, (metric,), file=f"multilingual/{name}_valid.jsonl.gz", policy=policy)


PEOPLE = (
    _people("papyrus_fr", "French theses, authors"),
    _people("wikinews_fr", "French news, readers", "F1@10"),
    _people("taln_fr", "French papers on language, authors"),
    _people("cacic_wicc_es", "Spanish papers, authors"),
    _people("pt_bn_kp", "Portuguese broadcasts, readers", "F1@10"),
    _people("russia_today", "Russian news, editors' tags"),
    _people("csl_zh", "Chinese abstracts, authors"),
    _people("kirjastonhoitaja_fi", "Finnish questions, subject headings"),
    _people("pak2018_pl", "Polish abstracts, authors"),
)


def detection(options: Options) -> Table:
    """Return how many texts of 20 words or more are recognised, by language."""
    texts: dict[str, list[str]] = {}
    for _, code, passages in accuracy.held_out(options.data):
        texts.setdefault(code, []).extend(passages)
    rows, right, total, seconds = [], 0, 0, 0.0
    for code, passages in sorted(texts.items()):
        if not passages:
            continue
        began = time.process_time()
        found = Counter(detect(text).language for text in passages)
        seconds += time.process_time() - began
        right, total = right + found[code], total + len(passages)
        others = ", ".join(f"{other} {count}" for other, count in found.most_common() if other != code)
        rows.append((code, f"{len(passages):,}", f"{100 * found[code] / len(passages):.2f}", others))
    rows.append(("all", f"{total:,}", f"{100 * right / total:.2f}", ""))
    note = f"{1e6 * seconds / total:.0f} microseconds a text"
    header = ("language", "texts", "recognised", "taken for")
    return Table("Detection: texts recognised, %", header, tuple(rows), (note,))


def taggers(options: Options) -> Table:
    """Return the accuracy of taggers that are trained without the test sentences of their treebanks."""
    others = [row for row in make.read().values() if row["maker"].endswith("tagger_languages:make")]
    found = accuracy.measure(others, options.data)
    rows = [(one.model.removeprefix("tagger_"), f"{one.total:,}", f"{one.value:.1f}") for one in found]
    return Table("Taggers: UPOS, % of the test sentences", ("language", "tokens", "UPOS"), tuple(rows))


def everyday(options: Options) -> Table:
    """Return the scores on everyday texts of models that have not seen them."""
    documents: list[Document] = []
    found: dict[str, list[str]] = {}
    for fold in learned_multilingual.folded(options.data, options.folds):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "learned.safetensors")
            fold.model.save(path)
            found |= extracted(_without_language(fold.held_out), f"learned(model={str(path)!r})")
        documents += fold.held_out
    rows, notes = [], []
    for code in learned_multilingual.LANGUAGES:
        spoken = [one for one in documents if one.language == code]
        lists = {one.id: found[one.id] for one in spoken}
        scores = evaluate(lists, spoken, metrics=["F1@5", "F1@10"], resamples=RESAMPLES)
        rows.append((code, str(len(spoken)), *map(_cell, scores)))
        notes.append(scores.score("F1@10").signature)
    means = [sum(float(row[column].split()[0]) for row in rows) / len(rows) for column in (2, 3)]
    rows.append(("mean", str(len(documents)), *(f"{mean:.1f}" for mean in means)))
    title = f"Everyday texts ({ANNOTATED}), {options.folds}-fold cross-validation"
    return Table(title, ("language", "texts", "F1@5", "F1@10"), tuple(rows), tuple(notes))


def people(options: Options) -> Table:
    """Return the scores of the default and of counting where people chose the keyphrases."""
    rows, notes = [], []
    for task in PEOPLE:
        loaded = task.load(options.data, options.documents)
        unlabelled = _without_language(loaded.documents)
        cells = []
        for method in METHODS:
            lists = extracted(unlabelled, method, 50)
            (score,) = evaluate(lists, loaded.gold, metrics=task.metrics, policy=task.policy, resamples=RESAMPLES)
            cells.append(_cell(score))
        notes.append(f"{task.name}: {score.signature}")
        rows.append((task.name, task.title, str(len(loaded.groups)), *task.metrics, *cells))
    header = ("set", "what", "texts", "metric", *METHODS)
    return Table("Keyphrases that people chose; F1@5 of those in the text", header, tuple(rows), tuple(notes))


def speed(options: Options) -> Table:
    """Return characters per second of processor time, beside English."""
    rates = {}
    for code in ("en", *learned_multilingual.LANGUAGES):
        file = f"everyday/{code}_train.jsonl.gz"
        documents = _without_language(BenchTask(code, code, file=file).load(options.data, 100).documents)
        rates[code] = sum(len(one.content) for one in documents) / _fastest(documents)
    rows = [(code, f"{rate / 1000:,.0f}", f"{rate / rates['en']:.2f}") for code, rate in rates.items()]
    header = ("language", "thousand characters a second", "of English")
    return Table(f"Speed of the default, detection included, on everyday texts ({ANNOTATED})", header, tuple(rows))


def _fastest(documents: Sequence[Document]) -> float:
    """Return the seconds of the fastest round; what is loaded once does not count."""
    method = build("learned")

    def work() -> object:
        return list(extract_batch(documents, method=method, top=10))

    work()
    return best_of(work, rounds=ROUNDS, clock=time.process_time)


def _without_language(documents: Sequence[Document]) -> list[Document]:
    return [replace(one, language="") for one in documents]


def _cell(score: Score) -> str:
    assert score.interval is not None
    return f"{100 * score.value:.1f} [{100 * score.interval.low:.1f}, {100 * score.interval.high:.1f}]"


PARTS = {"detection": detection, "taggers": taggers, "everyday": everyday, "people": people, "speed": speed}
USUAL = "detection,everyday,people,speed"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parts", default=USUAL, help=f"some of {', '.join(PARTS)}; by default all but taggers")
    parser.add_argument("--documents", type=int, help="of each set of people's keyphrases at most")
    parser.add_argument("--folds", type=int, default=FOLDS)
    figures.add_option(parser)
    given = parser.parse_args(arguments)
    parts = [part.strip() for part in given.parts.split(",") if part.strip()]
    for part in parts:
        if part not in PARTS:
            parser.error(f"unknown part {part!r}; choose from {', '.join(PARTS)}")
    options, made = Options(given.data, given.documents, given.folds), {}
    for part in parts:
        made[part] = PARTS[part](options)
        print(f"## {made[part].title}\n\n{as_markdown(made[part]._replace(title=''))}", flush=True)
    values = {part: figures.table(table.header, table.rows) for part, table in made.items()}
    figures.write(given.figures, values, signatures=[note for table in made.values() for note in table.notes])


if __name__ == "__main__":
    main()
