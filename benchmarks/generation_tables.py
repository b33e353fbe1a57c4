"""Tables 2 to 6 of Yuan et al. (2020), and the table of abstractive keywords of Sheng et al. (2022), from our systems;
and how they do on the computer science of our validation set.

    python benchmarks/generation_tables.py --data DIR --models DIR
    python benchmarks/generation_tables.py --data DIR --tables 4,6 --methods CatSeqD generator --markdown
    python benchmarks/generation_tables.py --data DIR --methods "generator(style='indexer')"
    python benchmarks/generation_tables.py --data DIR --save lists
    python benchmarks/generation_tables.py --data DIR --predictions 'CatSeq=lists/CatSeq.beam.KP20k.jsonl'

DIR holds the test sets, and what KEA and Maui are trained on; generation_systems.py has the table of rows and specs.
Each cell is our figure with the published one in brackets. `--models` has a folder for each model that does not ship;
where a system is not to be had there is a dash, and standard error says why. `--predictions NAME=FILE` takes lists that
were made elsewhere, in the shape that `phrasemill evaluate` reads and `--save` writes: NAME is a row, old or new, and
`NAME:greedy` and `NAME:top` are its self-terminating lists (Table 4).
"""

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import generation_paper as paper
from generation_systems import EXTRACTORS, SETS, SYSTEMS, Lists
from phrasemill.cli.formats import columns
from phrasemill.evaluation import Answers, Score, evaluate
from phrasemill.evaluation.policies import preset
from phrasemill.evaluation.presence import occurs_in

SCIENCES = ("KP20k", "Inspec", "SemEval")
ABLATION = ("CatSeq + Orth. Reg.", "CatSeq + Sem. Cov.")
SUMMARISE = "summarise(multipartiterank)"
CAPTION = """
Ours (published). Not trained on the paper's 514,000 articles of KP20k and 298,000 questions: our neural models learned
from 232,691 titles and abstracts of all sciences with author keywords and what else their recipes name; KEA and Maui
from 991 articles of KP20k, or 4,945 questions; `learned` (docs/quality.md), and a generator with a style, also from the
training splits of Inspec and SemEval. KP20k and StackEx are samples of 1,000 and 4,945 documents. Preset yuan2020.
""".strip()
PUBMEDAKE_CAPTION = """
Ours (published). Ours are of the 1,000 articles that the authors publish, and `summarise` has no model here: a summary
is made of the text's own sentences. Theirs are of 168,634 articles, by a summarisation model. Of the {gold:,} keywords
that the data call abstractive {present} do occur in title or abstract by stem; an extractor can find no others. Preset
pubmedake.
""".strip()
CS_CAPTION = (
    "Validation data: its first 500 documents were scored while models were trained; no choice was made by them."
)
UNIQUE_CAPTION = "Phrases that differ by inflection count once, and absent ones with a number are not returned: "
UNIQUE_CAPTION += "so ours are lower than a count of what the model wrote."
NOTHING = "–"


class Printer:
    """Tables as Markdown or in columns, and the signatures of all that they hold."""

    def __init__(self, *, markdown: bool, most: int | None) -> None:
        self.markdown, self.most = markdown, most
        self.signatures: dict[str, None] = {}

    def table(self, title: str, caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        kept = [row for row in rows if any(cell != NOTHING for cell in row[1:])]
        caption = f"Only the first {self.most} documents of each set. {caption}" if self.most else caption
        print(f"\n### {title}\n\n{caption}\n" if self.markdown else f"\n{title}\n{caption}\n")
        if self.markdown:
            lines = [head, ["---", *["---:"] * (len(head) - 1)], *kept]
            print("\n".join("| " + " | ".join(line) + " |" for line in lines), flush=True)
        else:
            print(columns([tuple(head), *map(tuple, kept)]), end="", flush=True)

    def cells(self, scores: Sequence[Score] | None, published: Sequence[float | None]) -> list[str]:
        """`ours (published)`, or one of the two."""
        for score in scores or ():
            self.signatures[score.signature] = None
        mine = [f"{100 * one.value if one.metric.share else one.value:.1f}" for one in scores or ()]
        theirs = ["" if one is None else f" ({one:.1f})" for one in published]
        return [ours + other for ours, other in zip(mine or [NOTHING] * len(theirs), theirs, strict=True)]

    def end(self) -> None:
        print("\n### Signatures\n" if self.markdown else "\nSignatures\n")
        alike: dict[str, list[str]] = {}
        for signature in self.signatures:
            metric, _, choices = signature.partition("|")
            alike.setdefault(choices, []).append(metric)
        for choices, metrics in alike.items():
            line = f"{', '.join(dict.fromkeys(metrics))}|{choices}"
            print(f"- `{line}`" if self.markdown else line)


class Tables:
    """`systems` are the rows that are wanted, names of `SYSTEMS` or specs."""

    def __init__(self, lists: Lists, printer: Printer, systems: Sequence[str]) -> None:
        self.lists, self.printer, self.systems = lists, printer, systems
        self.all = {
            "2": self.table_2,
            "3": self.table_3,
            "4": self.table_4,
            "5": self.table_5,
            "6": self.table_6,
            "6.2": self.unique,
            "pubmedake": self.pubmedake,
            "cs": self.computer_science,
        }

    def rows(self, published: Iterable[str], *, generators: bool = False) -> list[str]:
        """The paper's systems, and then what else is wanted: only `generators` where extraction is out of place."""
        known = list(published)
        hidden = {*known, *ABLATION, SUMMARISE, *(EXTRACTORS if generators else ())}
        theirs = [name for name in known if name in self.systems or name not in SYSTEMS]
        return [*theirs, *(name for name in self.systems if name not in hidden)]

    def scores(self, system: str, search: str, name: str, metrics: Sequence[str], present: str) -> list[Score] | None:
        found = self.lists.of(system, search, name) if system in self.systems else None
        if found is None:
            return None
        named = [f"{metric}(present={present!r})" if present else metric for metric in metrics]
        gold, policy = self.lists.set(name), SETS[name].policy
        return list(evaluate(found, gold, metrics=named, preset="yuan2020", policy=policy))

    def over_sets(
        self,
        title: str,
        rows: Iterable[str],
        figures: paper.Figures,
        metrics: Sequence[str],
        present: str,
        caption: str = CAPTION,
    ) -> None:
        """A table with some metrics for each of the scientific sets."""
        table = []
        for system in rows:
            row = [system]
            for name in SCIENCES:
                known = figures.get(system, {}).get(name, (None,) * len(metrics))
                row += self.printer.cells(self.scores(system, "beam", name, metrics, present), known)
            table.append(row)
        self.printer.table(
            title, caption, ["system", *(f"{name} {one}" for name in SCIENCES for one in metrics)], table
        )

    def table_2(self) -> None:
        title = "Table 2: F1 of present keyphrases, exhaustive decoding"
        self.over_sets(title, self.rows(paper.TABLE_2), paper.TABLE_2, paper.PRESENT, "present")

    def table_3(self) -> None:
        rows = []
        for system in self.rows(paper.TABLE_3):
            known = paper.TABLE_3.get(system, (None,) * 5)
            present = self.scores(system, "beam", "StackEx", paper.PRESENT, "present")
            silent = system in EXTRACTORS
            absent = None if silent else self.scores(system, "beam", "StackEx", paper.ABSENT, "absent")
            cells = self.printer.cells(present, known[:3]) + self.printer.cells(absent, known[3:])
            rows.append([system, *cells])
        head = ["system", *(f"present {one}" for one in paper.PRESENT), *(f"absent {one}" for one in paper.ABSENT)]
        self.printer.table("Table 3: StackExchange, exhaustive decoding", CAPTION, head, rows)

    def table_4(self) -> None:
        names, rows = ("KP20k", "StackEx"), []
        for search, title in (("greedy", "greedy"), ("top", "best of a beam")):
            figures = paper.TABLE_4[search]
            for system in self.rows(figures, generators=True):
                row = [f"{system}, {title}"]
                for name in names:
                    known = figures.get(system, {}).get(name, (None, None))
                    row += self.printer.cells(self.scores(system, search, name, paper.SELF, "present"), known)
                rows.append(row)
        head = ["system", *(f"{name} {metric}" for name in names for metric in paper.SELF)]
        self.printer.table("Table 4: F1 of present keyphrases, self-terminating decoding", CAPTION, head, rows)

    def table_5(self) -> None:
        rows = [name for name in paper.TABLE_5 if name in self.systems]
        self.over_sets("Table 5: F1@O of present keyphrases, ablation", rows, paper.TABLE_5, ("F1@O",), "present")

    def table_6(self) -> None:
        rows = self.rows(paper.TABLE_6, generators=True)
        title = "Table 6: recall of absent keyphrases, exhaustive decoding"
        self.over_sets(title, rows, paper.TABLE_6, paper.ABSENT, "absent")

    def unique(self) -> None:
        rows = self.rows(paper.UNIQUE, generators=True)
        title = "Section 6.2: different phrases a document, exhaustive decoding"
        self.over_sets(title, rows, paper.UNIQUE, ("unique",), "", f"{UNIQUE_CAPTION} {CAPTION}")

    def computer_science(self) -> None:
        rows, name = [], "Keywords, cs"
        for system in [one for one in self.systems if one not in ABLATION and one != SUMMARISE]:
            row = self.printer.cells(self.scores(system, "beam", name, paper.PRESENT, "present"), (None,) * 3)
            silent = system in EXTRACTORS
            absent = None if silent else self.scores(system, "beam", name, paper.ABSENT, "absent")
            row += self.printer.cells(absent, (None,) * 2)
            row += self.printer.cells(self.scores(system, "greedy", name, paper.SELF, "present"), (None,) * 2)
            rows.append([system, *row])
        head = ["system", *(f"present {one}" for one in paper.PRESENT), *(f"absent {one}" for one in paper.ABSENT)]
        head += [f"greedy {one}" for one in paper.SELF]
        self.printer.table("Computer science in keywords/valid, author keywords", CS_CAPTION, head, rows)

    def pubmedake(self) -> None:
        documents = self.lists.set("PubMedAKE")
        absent = {document.id: tuple(map(str, document.metadata["absent"])) for document in documents}  # type: ignore[call-overload]
        gold = Answers("absent", absent, texts={document.id: document.content for document in documents})
        caption = PUBMEDAKE_CAPTION.format(gold=sum(map(len, absent.values())), present=_present(gold))
        systems = [name for name in self.systems if name not in EXTRACTORS or name == SUMMARISE]
        for match, title in (("stem", "by stems"), ("partial", "by shared stems")):
            rows = []
            for system in systems:
                found = self.lists.of(system, "beam", "PubMedAKE")
                known = paper.PUBMEDAKE.get(system, {}).get(match, (None,) * len(paper.CUTS))
                for present, label in (("all", system), ("absent", f"{system}, its absent phrases only")):
                    metrics = [f"{metric}(match={match!r}, present={present!r})" for metric in paper.CUTS]
                    scores = None if found is None else list(evaluate(found, gold, metrics=metrics, preset="pubmedake"))
                    published = known if present == "all" else (None,) * len(paper.CUTS)
                    rows.append([label, *self.printer.cells(scores, published)])
            head = ["system", *paper.CUTS]
            self.printer.table(f"Sheng et al., Table 3: abstractive keywords, {title}", caption, head, rows)


def _present(gold: Answers) -> int:
    """How many gold keyphrases occur in their texts."""
    policy = preset("pubmedake").policy
    tests = {id_: occurs_in(text, policy) for id_, text in gold.texts.items()}
    return sum([tests[id_](str(phrase), False) for id_, phrases in gold.phrases.items() for phrase in phrases])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="folder with those models that do not ship")
    parser.add_argument("--tables", default="2,3,4,5,6,6.2,pubmedake,cs", help="which (default: %(default)s)")
    parser.add_argument("--methods", nargs="+", metavar="NAME|SPEC", help="which rows, or specs for rows of their own")
    parser.add_argument("--predictions", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write the lists there")
    parser.add_argument(
        "--documents", type=int, metavar="N", help="only the first so many of each set, to try things out"
    )
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        shared = {"models": options.models, "save": options.save, "most": options.documents}
        lists = Lists(options.data, Path(folder), given=options.predictions, **shared)
        given = [name for name, _ in lists.given]
        printer = Printer(markdown=options.markdown, most=options.documents)
        tables = Tables(lists, printer, list(dict.fromkeys([*(options.methods or SYSTEMS), *given])))
        for name in options.tables.split(","):
            if name not in tables.all:
                raise SystemExit(f"no table {name!r}; there are {', '.join(tables.all)}")
            tables.all[name]()
        printer.end()


if __name__ == "__main__":
    main()
