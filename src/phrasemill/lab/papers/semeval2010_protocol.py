"""SemEval-2010 task 5 (Kim et al., 2010): the official protocol, and its rank tables.

    python -m phrasemill.lab.papers.semeval2010_protocol runs/*.txt \\
        --gold test.combined.stem.final --gold test.reader.stem.final

For each gold file there is a table of the systems by micro-averaged F-score over the first 15 candidates (Tables 4 to 6
of the paper) and one of their ranks within each ACM category (Tables 7 and 8). Categories are the first letter of the
document's id. Gold keys are stemmed by Porter's algorithm and have `+` between interchangeable wordings.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import DataError
from phrasemill.evaluation.aggregate import Scores, evaluate
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.formats import read_answers
from phrasemill.tables import Table

PRESET = "semeval2010"
CUTS = (5, 10, 15)
RANKED_BY = "F1@15"
OF = re.compile(r"(?P<a>\S+(?: \S+)*?) of (?P<b>\S.*)")
GENITIVE = re.compile(r"(?P<a>\S+?)(?:'s|’s|s'|s’)(?= )")


def alternations(phrase: str) -> tuple[str, ...]:
    """`phrase` and its other genitive forms: `A of B` is also `B A`, `A's B` is also `A B` (section 2.1).

    The organisers left out those that mean something else (`matter of fact`), by committee; that is not done here, so
    this is for gold of one's own. The official files have their alternations.
    """
    found = [phrase]
    if parts := OF.fullmatch(phrase):
        found.append(f"{parts['b']} {parts['a']}")
    plain = GENITIVE.sub(lambda m: m["a"] + ("s" if m[0][-1] in "'’" else ""), phrase)
    return tuple(dict.fromkeys([*found, plain]))


def category(id_: str) -> str:
    """The ACM category of a document: `C` of `C-41`."""
    return id_.partition("-")[0]


def rank_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """Precision, recall and F-score at 5, 10 and 15, best F-score at 15 first (Tables 4 to 6)."""
    ranked = ranking(systems, gold)
    names = [f"{metric}@{k}" for k in CUTS for metric in ("P", "R", "F1")]
    rows = [
        (scores.system, str(rank), *(f"{100 * scores[name]:.1f}%" for name in names))
        for rank, scores in enumerate(ranked, start=1)
    ]
    return Table(f"Systems over {gold.name}, ranked by {RANKED_BY}", ("system", "rank", *names), tuple(rows))


def category_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """The systems of each rank in each category, with their F-scores at 15 (Tables 7 and 8).

    "In the case of a tie in F-score, we ordered teams by descending F-score over all the data."
    """
    overall = [scores.system for scores in ranking(systems, gold)]
    order = sorted(systems, key=lambda system: overall.index(system.name))
    names = sorted({category(id_) for id_ in gold.phrases})
    columns = []
    for name in names:
        ranked = ranking(order, _within(gold, name), answers_to=name)
        columns.append([f"{scores.system} ({100 * scores[RANKED_BY]:.1f}%)" for scores in ranked])
    rows = [(str(rank), *cells) for rank, cells in enumerate(zip(*columns, strict=True), start=1)]
    return Table(f"Ranks within categories over {gold.name}", ("rank", *(f"group {n}" for n in names)), tuple(rows))


def ranking(systems: Sequence[Answers], gold: Answers, *, answers_to: str = "") -> list[Scores]:
    """The systems' scores, best first; systems that tie stay in the order given."""
    if len({system.name for system in systems}) < len(systems):
        raise DataError("two systems have the same name; ranks need different ones")
    inside = [_within(system, answers_to) if answers_to else system for system in systems]
    scored = [evaluate(system, gold, preset=PRESET) for system in inside]
    return sorted(scored, key=lambda scores: -round(scores[RANKED_BY], 12))


def _within(answers: Answers, name: str) -> Answers:
    return replace(answers, phrases={id_: p for id_, p in answers.phrases.items() if category(id_) == name})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a rank table and a category table for each gold file."""
    from argparse import ArgumentParser

    from phrasemill.tables import RENDERERS, render

    parser = ArgumentParser(
        prog="phrasemill.lab.papers.semeval2010_protocol", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("systems", nargs="+", type=Path, help="answers of the systems, in any format")
    parser.add_argument("--gold", action="append", required=True, type=Path, help="the answer keys; may be repeated")
    parser.add_argument("--format", choices=sorted(RENDERERS), default="table")
    options = parser.parse_args(arguments)
    systems = [read_answers(path) for path in options.systems]
    for path in options.gold:
        gold = read_answers(path)
        print(render(rank_table(systems, gold), options.format))
        print(render(category_table(systems, gold), options.format))
    return 0


if __name__ == "__main__":
    import sys

    from phrasemill.errors import PhrasemillError

    try:
        sys.exit(main())
    except PhrasemillError as error:
        print(f"phrasemill: {error}", file=sys.stderr)
        sys.exit(2)
