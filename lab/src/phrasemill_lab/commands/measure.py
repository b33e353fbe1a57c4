"""`measure`: quality, speed, scale, tags and other people's tools, beside targets."""

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.output import progress_bar, show_tables, write_json
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError
from phrasemill.files.tables import csv_of, rounded
from phrasemill_lab.measure import Report, results_folder, table
from phrasemill_lab.papers import agreement

GROUP_EXAMPLES = """[bold]Examples[/bold]
  phrasemill measure quality --data data/
  phrasemill measure quality --datasets my-papers.jsonl --methods learned,yake,'textrank(window=5)'
  phrasemill measure quality --data data/ --methods all --datasets inspec,duc2001 --documents 100
  phrasemill measure speed --data data/ --build before=../old/src --build after=src --save
  phrasemill measure scale engine --data data/ --sizes 100000,1000000
  phrasemill measure tools install && phrasemill measure tools --data data/"""

app = typer.Typer()
group = options.group("measure", "Measure quality, speed and scale beside targets.", GROUP_EXAMPLES)
app.add_typer(group)

Data = Annotated[Path, Option("--data -d DIR", "The folder with the datasets.")]
SomeData = Annotated[Path | None, Option("--data -d DIR", "The folder with texts. By default a text in the package.")]
Methods = Annotated[list[str] | None, Option("--methods -m SPECS", "The methods, separated by commas.")]
Documents = Annotated[int | None, Option("--documents N", "Use only the first N texts of each dataset.", least=1)]
Rounds = Annotated[int, Option("--rounds N", "How often each runs; the fastest counts.", least=1)]
Limit = Annotated[float, Option("--limit SECONDS", "Stop what takes longer, and report it as failed.", least=0)]


@dataclass(frozen=True, slots=True)
class Output:
    """Where the rows go besides the screen."""

    format: Annotated[str, Option("--format -f FORMAT", panel=OUTPUT, choices=("table", "markdown", "csv", "json"))] = (
        "table"
    )
    output: Annotated[Path | None, Option("--output -o DIR", "Write a CSV file with all rows here.", OUTPUT)] = None
    save: Annotated[bool, Option("--save", "Write it to lab/results of the checkout.", OUTPUT)] = False

    def show(self, report: Report) -> int:
        """Print a report, keep its rows where that was asked for, and return the exit code."""
        from phrasemill_lab import results

        folders = [self.output] if self.output else []
        folders += [results_folder()] if self.save else []
        rows = [{name: rounded(value) for name, value in row.items()} for row in report.rows]
        if self.format == "json":
            write_json(rows)
        elif self.format == "csv":
            print(csv_of([list(rows[0]), *(list(row.values()) for row in rows)]), end="")
        else:
            show_tables(report.tables, self.format, None)
        for folder in folders:
            print(f"written to {results.write(report.name, rows, folder=folder)}", file=sys.stderr)
        for one in report.remarks:
            complain(one)
        return int(report.failed)


command = partial(options.command, group, "")


@command(name="quality")
def quality(
    output: Output,
    data: Data = Path(),
    methods: Methods = None,
    datasets: Annotated[
        list[str] | None, Option("--datasets NAMES", "Datasets, or your own file with keyphrases. By default all.")
    ] = None,
    documents: Documents = None,
    limit: Limit = 3600,
) -> int:
    """Score methods on datasets by their own protocols, beside speed, start-up and memory.

    By default, learned and encoder; `--methods all` is every method. Neither the language nor a style is given.
    """
    from phrasemill_lab.measure.quality import measure

    with progress_bar() as progress:
        report = measure(data, methods or (), datasets or (), documents, limit, progress)
    return output.show(report)


@command(name="copies")
def copies(output: Output, data: Data = Path(), documents: Documents = 300) -> int:
    """Compare the kind and the list of a text with those of its copies: in lower case, wrapped, without title …"""
    from phrasemill_lab.measure.copies import measure

    return output.show(measure(data, documents))


@command(name="languages")
def languages(output: Output, data: Data = Path()) -> int:
    """Score learned on everyday texts in ten languages, by cross-validation; this takes minutes."""
    from phrasemill_lab.measure.languages import measure

    return output.show(measure(data))


@command(name="speed")
def speed(
    output: Output,
    what: Annotated[list[str] | None, Option("WHAT", "Any of start, rate, growth and threads. By default all.")] = None,
    data: SomeData = None,
    methods: Methods = None,
    build: Annotated[
        list[str] | None, Option("--build NAME=FOLDER", "The src folder of a build; they take turns. May be repeated.")
    ] = None,
    documents: Annotated[int, Option("--documents N", "How many texts.", least=1)] = 300,
    largest: Annotated[float, Option("--largest N", "For growth: megabytes of the largest text.", least=0)] = 5,
    rounds: Rounds = 5,
) -> int:
    """Measure start-up, texts per second, growth with the length of a text, and threads."""
    from phrasemill_lab.measure.speed import Speed

    wanted = Speed(data, methods or [], build or [], documents, largest, rounds)
    return max([output.show(report) for report in wanted.reports(what or [])])


@command(name="scale")
def scale(
    output: Output,
    what: Annotated[str, Option("WHAT", "engine, service, simulation, statistics or words.")],
    data: Data = Path(),
    sizes: Annotated[str | None, Option("--sizes NUMBERS", "Documents, parts of a run, or distinct words.")] = None,
    jobs: Annotated[str, Option("--jobs NUMBERS", "Numbers of processes, separated by commas.")] = "1,2",
    rounds: Rounds = 3,
    clients: Annotated[int, Option("--clients N", "For service: how many at once.", least=1)] = 200,
    seconds: Annotated[float, Option("--seconds SECONDS", "For service: how long.", least=0)] = 30,
) -> int:
    """Measure large corpora, the service under load, statistics of a corpus, and a text of distinct words."""
    from phrasemill_lab.measure import scale, service

    if what == "service":
        return output.show(service.measure(clients, seconds, jobs))
    return output.show(scale.measure(what, data, sizes, jobs, rounds))


@command(name="tags")
def tags(
    output: Output,
    data: Data = Path(),
    annif: Annotated[
        str | None, Option("--annif PYTHON", "A Python that has Annif; without it, our model alone.")
    ] = None,
    split: Annotated[str, Option("--split NAME", choices=("dev", "test"))] = "dev",
) -> int:
    """Compare our tag model with Annif's backends."""
    from phrasemill_lab.measure.tags import measure

    return output.show(measure(data, annif, split))


@command(name="tools")
def tools(
    output: Output,
    names: Annotated[list[str] | None, Option("NAME", "Which tools; `install` first to install them.")] = None,
    data: SomeData = None,
    methods: Methods = None,
    cache: Annotated[Path | None, Option("--cache DIR", "The folder of their environments.")] = None,
    documents: Annotated[int, Option("--documents N", "How many abstracts.", least=1)] = 200,
    rounds: Rounds = 5,
    limit: Limit = 30,
) -> int:
    """Compare other people's extractors with ours, in turns: start-up, texts per second, memory, F1@10.

    `phrasemill measure tools install` makes one environment for each, outside of the checkout.
    """
    from phrasemill_lab.measure.tools import compare, environments

    folder, chosen = cache or environments.CACHE, list(names or [])
    if chosen[:1] == ["install"]:
        return environments.install(chosen[1:], folder)
    found = compare.measure(chosen, methods or [], data, folder, documents, rounds, limit)
    return max([output.show(report) for report in found])


options.command(group, agreement.EXAMPLES, name="agreement")(agreement.agreement)


@command(name="accuracy")
def accuracy(
    output: Output,
    names: Annotated[list[str] | None, Option("MODEL", "Taggers, segmenters and the detector. By default all.")] = None,
    data: Data = Path(),
) -> int:
    """Measure tags, words and languages of held-out texts; most models are trained anew for it, which takes minutes."""
    from phrasemill_lab.models import accuracy, make

    rows = make.read()
    wanted = [make.chosen(rows, name) for name in names or rows]
    found = [one._asdict() for one in accuracy.measure(wanted, data)]
    if not found:
        raise ConfigError(f"no measure for {', '.join(names or rows)}: name a tagger, a segmenter or the detector")
    return output.show(Report("accuracy", found, [table("Accuracy in per cent", found)]))


@command(name="guard")
def guard(
    output: Output,
    write: Annotated[bool, Option("--write", "Write a new baseline, when a change is intended.")] = False,
) -> int:
    """Count calls and instructions of each method, and compare them with lab/baseline.json."""
    from phrasemill_lab.measure.guard import check

    return output.show(check(write=write))


@command(name="facts")
def facts(
    speeds: Annotated[Path | None, Option("--speeds FILE", "The file `speed.csv` of `measure tools`.")] = None,
    scores: Annotated[Path | None, Option("--scores FILE", "Rows of `measure quality` on the two datasets.")] = None,
) -> int:
    """Write the figures of `phrasemill methods` (method_facts.json) from rows that were measured."""
    from phrasemill_lab.measure.facts import write

    return write(speeds, scores)
