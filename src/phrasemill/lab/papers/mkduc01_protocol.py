"""MK-DUC-01 (Shapira et al., 2021): its scores and tables from its own published outputs.

    python -m phrasemill.lab.papers.mkduc01_protocol --data DIR

where DIR holds `mkduc01.jsonl.gz`, `duc2001.jsonl.gz` and `reference/mkduc01/`. Every number of every `scores.csv` is
computed again and compared to the printed digit; then Tables 2 to 7 are printed three ways: as published, by preset
`mkduc01-published` (first wordings only, which is how they were computed) and by `mkduc01` (substitute clusters, which
is how the paper defines them).
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path

from phrasemill.errors import InputError
from phrasemill.evaluation.aggregate import Scores, evaluate
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.formats import read_answers
from phrasemill.tables import Table

CUTS = (1, 5, 10, 15, 20)
TABLE_CUTS = (1, 5, 10, 20)
COLUMNS = {f"{ours}@{k}": f"{theirs}@{k}" for k in CUTS for ours, theirs in (
    ("R", "rec"), ("P", "prec"), ("F1", "f1"),
    ("unigram-R", "rec_unigram"), ("unigram-P", "prec_unigram"), ("unigram-F1", "f1_unigram"),
)}  # fmt: skip
COLUMNS |= {"phrase-length@M": "avg_num_tokens_in_summ", "phrases": "avg_num_kps_in_summ"}
PRINTED_DIGITS = 4
PRESETS = ("mkduc01-published", "mkduc01")
TRUNCATED = 20
# In the order of the paper. The method of Bayatmakou et al. has published scores, but no published output.
SYSTEMS = (
    "TfIdf KPMiner YAKE TextRank SingleRank TopicRank TopicalPageRank PositionRank MultipartiteRank BERTKPE CollabRank"
).split()
# Table 6 of the paper, which no file has: words a keyphrase (Concat, Merge), then per cent synonymous (Concat, Merge).
TABLE_6 = {
    "TfIdf": ("1.30", "2.22", "2", "7"),
    "KPMiner": ("1.42", "1.39", "4", "1"),
    "YAKE": ("1.99", "2.58", "9", "17"),
    "TextRank": ("3.64", "2.68", "18", "21"),
    "SingleRank": ("3.24", "2.57", "22", "23"),
    "TopicRank": ("1.51", "2.08", "4", "13"),
    "TopicalPageRank": ("3.14", "2.52", "27", "26"),
    "PositionRank": ("2.52", "2.32", "26", "25"),
    "MultipartiteRank": ("1.51", "2.12", "5", "14"),
    "BERTKPE": ("-", "2.81", "-", "19"),
    "CollabRank": ("-", "2.54", "-", "23"),
}
ON, OFF = "results_multidoc_cluster_eval", "results_multidoc_cluster_eval_off"
# Table 6 counts words on the outputs of another run than the other tables (Concat depends on a random order).
COUNTED = {"concat": f"{OFF}/results_baselines_concat_trunc20", "merge": f"{OFF}/results_baselines_merge_full"}


@dataclass(frozen=True, slots=True)
class Deviation:
    """A number that did not come out."""

    run: str
    system: str
    column: str
    published: str
    computed: float


@dataclass(frozen=True, slots=True)
class Check:
    """How many published numbers were compared, and which did not come out."""

    compared: int
    systems: int
    deviations: tuple[Deviation, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """The data at `place`, read and scored when it is asked for."""

    place: Path

    @property
    def reference(self) -> Path:
        return self.place / "reference" / "mkduc01"

    def runs(self) -> list[Path]:
        """The folders with outputs and scores, by name."""
        found = sorted(path.parent for path in self.reference.rglob("scores*.csv"))
        if not found:
            raise InputError(f"{self.reference}: no scores.csv below it")
        return found

    def published(self, run: Path) -> dict[str, dict[str, str]]:
        """The rows of the run's scores file, by system."""
        path = next(run.glob("scores*.csv"))
        with path.open(encoding="utf-8", newline="") as file:
            return {row["algorithm"]: row for row in csv.DictReader(file, skipinitialspace=True)}

    def scores(self, run: Path, system: str, preset: str) -> Scores:
        """All columns of the scores file, and the share of synonymous predictions."""
        metrics = [*COLUMNS, f"synonymous@{TRUNCATED}"]
        predictions = read_answers(run / f"{system}.json")
        return evaluate(predictions, _gold(self.place, run.name), metrics=metrics, preset=preset)

    def check(self) -> Check:
        """Compare every number of every scores file, under the preset by which they were computed."""
        compared, systems = 0, 0
        deviations = []
        for run in self.runs():
            for system, row in self.published(run).items():
                scores = self.scores(run, system, PRESETS[0])
                systems += 1
                for name, column in COLUMNS.items():
                    compared += 1
                    if not _printed_alike(scores[name], row[column]):
                        place = str(run.relative_to(self.reference))
                        deviations.append(Deviation(place, system, column, row[column], scores[name]))
        return Check(compared, systems, tuple(deviations))

    def tables(self) -> Iterator[Table]:
        """Tables 2 to 7 of the paper, each row as published and by both presets."""
        for number, metric, version in ((2, "P", "trunc20"), (3, "F1", "trunc20"), (4, "P", "full"), (5, "F1", "full")):
            yield self._baselines(number, metric, version)
        yield self._lengths()
        yield self._single_documents()

    def _baselines(self, number: int, metric: str, version: str) -> Table:
        names = [f"{prefix}{metric}@{k}" for prefix in ("", "unigram-") for k in TABLE_CUTS]
        runs = [self.reference / ON / f"results_baselines_{mode}_{version}" for mode in ("concat", "merge")]
        header = [f"{mode} {name}" for mode in ("C", "M") for name in names]
        rows: list[tuple[str, ...]] = []
        for system in SYSTEMS:
            cells = [self._cells(run, system, names) for run in runs]
            for kind in range(1 + len(PRESETS)):
                rows.append((_label(system, kind), *(cell for run in cells for cell in run[kind])))
        title = f"Table {number}: {metric} on {version} (C = Concat, M = Merge)"
        return Table(title, ("system", *header), tuple(rows))

    def _cells(self, run: Path, system: str, names: Sequence[str]) -> list[list[str]]:
        """What was published, then what each preset gives; dashes where the system has no output."""
        if not (run / f"{system}.json").exists():
            return [["-"] * len(names)] * (1 + len(PRESETS))
        row = self.published(run)[system]
        printed = [f"{100 * float(row[COLUMNS[name]]):.2f}" for name in names]
        scored = [self.scores(run, system, preset) for preset in PRESETS]
        return [printed, *([scores.score(name).shown for name in names] for scores in scored)]

    def _lengths(self) -> Table:
        rows: list[tuple[str, ...]] = []
        alike = given = 0
        for system in SYSTEMS:
            computed = (*self._words(system), *self._synonymous(system))
            rows += [(f"{system} published", *TABLE_6[system]), (f"{system} computed", *computed)]
            pairs = [pair for pair in zip(TABLE_6[system], computed, strict=True) if pair[0] != "-"]
            given, alike = given + len(pairs), alike + sum(one == other for one, other in pairs)
        header = ("system", "C words", "M words", "C % synonymous", "M % synonymous")
        title = "Table 6: words a keyphrase, and synonymous keyphrases, on trunc20"
        note = f"{alike} of {given} figures as printed; Concat was run on another random order of the documents"
        return Table(title, header, tuple(rows), (note,))

    def _words(self, system: str) -> list[str]:
        cells = []
        for mode, place in COUNTED.items():
            places = (place, f"{ON}/results_baselines_{mode}_trunc20")
            runs = [self.reference / run for run in places if (self.reference / run / f"{system}.json").exists()]
            cells.append(_rounded(self.scores(runs[0], system, PRESETS[0])["phrase-length@M"]) if runs else "-")
        return cells

    def _synonymous(self, system: str) -> list[str]:
        cells = []
        for mode in COUNTED:
            run = self.reference / ON / f"results_baselines_{mode}_trunc20"
            exists = (run / f"{system}.json").exists()
            name = f"synonymous@{TRUNCATED}"
            cells.append(f"{100 * self.scores(run, system, 'mkduc01')[name]:.0f}" if exists else "-")
        return cells

    def _single_documents(self) -> Table:
        run = self.reference / "results_singledoc"
        names = [f"{prefix}{metric}@{k}" for prefix in ("", "unigram-") for k in TABLE_CUTS for metric in ("P", "F1")]
        rows: list[tuple[str, ...]] = []
        for system in SYSTEMS:
            printed, first, _ = self._cells(run, system, names)
            scores = self.scores(run, system, PRESETS[0])
            length = float(self.published(run)[system]["avg_num_tokens_in_summ"])
            rows.append((_label(system, 0), *printed, _rounded(length)))
            rows.append((_label(system, 1), *first, _rounded(scores["phrase-length@M"])))
        return Table("Table 7: single documents of DUC-2001", ("system", *names, "words"), tuple(rows))


def _label(system: str, kind: int) -> str:
    return f"{system} {('published', 'first wording', 'clusters')[kind]}"


@cache
def _gold(place: Path, run: str) -> Answers:
    if run == "results_singledoc":
        return read_answers(place / "duc2001.jsonl.gz")
    return read_answers(place / "mkduc01.jsonl.gz", top=TRUNCATED if run.endswith("trunc20") else None)


def _printed_alike(value: float, published: str) -> bool:
    """Whether `value` prints as `published`; some rows leave out trailing noughts."""
    return f"{value:.{PRINTED_DIGITS}f}" == f"{float(published):.{PRINTED_DIGITS}f}"


def _rounded(value: float) -> str:
    """Two digits as the paper has them: rounded from the four of the scores files, halves up."""
    four = Decimal(f"{value:.{PRINTED_DIGITS}f}")
    return str(four.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check every number and print every table; the exit code is 1 if a number did not come out."""
    from argparse import ArgumentParser

    from phrasemill.tables import RENDERERS, render

    parser = ArgumentParser(prog="phrasemill.lab.papers.mkduc01_protocol", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with mkduc01.jsonl.gz and reference/")
    parser.add_argument("--format", choices=sorted(RENDERERS), default="table")
    parser.add_argument("--check", action="store_true", help="compare the numbers, leave out the tables")
    options = parser.parse_args(arguments)
    study = Study(options.data)
    check = study.check()
    for grid in () if options.check else study.tables():
        print(render(grid, options.format))
    for d in check.deviations:
        print(f"{d.run} {d.system} {d.column}: published {d.published}, computed {d.computed:.6f}")
    equal = check.compared - len(check.deviations)
    print(f"{equal} of {check.compared} published numbers of {check.systems} systems come out to the last digit")
    return 1 if check.deviations else 0


if __name__ == "__main__":
    import sys

    from phrasemill.errors import PhrasemillError

    try:
        sys.exit(main())
    except PhrasemillError as error:
        print(f"phrasemill: {error}", file=sys.stderr)
        sys.exit(2)
