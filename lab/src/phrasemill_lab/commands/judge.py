"""`judge`: ask a person to grade near-misses."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import INPUT, OUTPUT, Option

if TYPE_CHECKING:
    from phrasemill_lab.papers.grading import GradeSheet

EXAMPLES = """[bold]Examples[/bold]
  phrasemill judge gold.jsonl --annotator anna -o grades.jsonl --most 200
  phrasemill judge pairs.jsonl --annotator ben -o grades.jsonl
  phrasemill meta-evaluate grades.jsonl"""
PAIRS_HELP = "JSON lines: pairs of a keyphrase and a candidate, or documents with keyphrases to make near-misses from."
RULES_HELP = "The tag patterns of candidates: 1 (noun phrases), 2 (with a prepositional phrase) or 1+2."
CANDIDATES = "Candidates"
STOP = "q"

app = typer.Typer()


@options.command(app, EXAMPLES)
def judge(
    pairs: Annotated[Path, Option("PAIRS", PAIRS_HELP)],
    annotator: Annotated[str, Option("--annotator -a NAME", "The name of the person who grades.", INPUT)],
    output: Annotated[Path, Option("--output -o FILE", "The file of grades, to which new ones are added.", OUTPUT)],
    most: Annotated[int | None, Option("--most N", "Grade a random sample of at most N pairs.", INPUT, least=1)] = None,
    seed: Annotated[int, Option("--seed N", "The random seed of the sample.", INPUT)] = 1,
    rules: Annotated[str, Option("--rules NAME", RULES_HELP, CANDIDATES)] = "1+2",
    simplex: Annotated[int, Option("--simplex N", "The lowest frequency of single words.", CANDIDATES, least=1)] = 2,
    phrases: Annotated[int, Option("--phrases N", "The lowest frequency of longer phrases.", CANDIDATES, least=1)] = 1,
) -> int:
    """Ask a person to grade near-misses from 0 to 4. To resume, repeat the command."""
    from phrasemill_lab.papers.grading import read_pairs, read_sheet
    from phrasemill_lab.papers.near_misses import CandidateSelection

    sheet = read_sheet(output)
    sheet.add(read_pairs(pairs, CandidateSelection(rules, simplex, phrases), most=most, seed=seed))
    _ask(sheet, annotator, output)
    left = len(sheet.left(annotator))
    print(f"{len(sheet.grades) - left} of {len(sheet.grades)} pairs graded by {annotator}", file=sys.stderr)
    return 0


def _ask(sheet: "GradeSheet", annotator: str, output: Path) -> None:
    """Ask for the missing grades, and save after each, until all are given or the person stops."""
    from phrasemill_lab.papers.grading import GRADES, HIGHEST, LOWEST

    meaning = "; ".join(f"{grade}: {words}" for grade, words in GRADES.items() if words)
    print(f"How similar in meaning are the two? {LOWEST} to {HIGHEST} ({meaning}). {STOP} stops.")
    sheet.save(output)
    left = sheet.left(annotator)
    for number, pair in enumerate(left, start=1):
        print(f"\n{number} of {len(left)}\n  keyphrase  {pair[0]}\n  candidate  {pair[1]}")
        grade = _grade(list(GRADES))
        if grade is None:
            return
        sheet.grades[pair][annotator] = grade
        sheet.save(output)


def _grade(allowed: list[int]) -> int | None:
    """Read a grade from standard input; None at its end, or where the person stops."""
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer == STOP:
            return None
        if answer in map(str, allowed):
            return int(answer)
        print(f"Type a number from {allowed[0]} to {allowed[-1]}, or {STOP}.")
