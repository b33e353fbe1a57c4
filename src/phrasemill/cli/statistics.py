"""`statistics`: tables over whole collections, for the methods that compare a document with others."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.extract_options import Language, ReadingOptions
from phrasemill.cli.formats import size, writable
from phrasemill.cli.options import Option
from phrasemill.cli.progress import progress_bar
from phrasemill.cli.reading import Failures, Inputs, Mappings, is_pipe
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import align
from phrasemill.readers.failures import EarlyFailures
from phrasemill.text.language_codes import language_code
from phrasemill.text.languages.detect import language_of

if TYPE_CHECKING:
    from phrasemill.statistics import DocumentFrequencies
    from phrasemill.statistics.corpus import FitProgress
    from phrasemill.types import Document

FIT_EXAMPLES = """[bold]Examples[/bold]
  phrasemill statistics fit corpus.jsonl.gz -o df.safetensors
  phrasemill statistics fit papers/ more.parquet -o df.safetensors --minimum 5 --jobs 4
  phrasemill statistics fit articles.csv -o df.safetensors --columns 'text=body' --language fr --longest 5
  phrasemill statistics fit corpus.jsonl.gz -o topics.safetensors --kind topics --topics 100
  phrasemill extract paper.txt -m 'tfidf(frequencies="df.safetensors")'
  phrasemill extract paper.txt -m 'topicalpagerank(model="topics.safetensors")'
  phrasemill train 'kea(frequencies="df.safetensors")' --data papers.jsonl -o kea.model"""
MERGE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill statistics merge machine1.safetensors machine2.safetensors -o df.safetensors
  phrasemill statistics merge part-*.safetensors -o df.safetensors --minimum 20"""
SHOW_EXAMPLES = """[bold]Examples[/bold]
  phrasemill statistics show df.safetensors
  phrasemill statistics show df.safetensors 'neural networks' 'results'"""
KINDS = ("frequencies", "topics")
TABLE, TOPICS = "Document frequencies", "Topics"
OUTPUT_HELP = "The table to write, a safetensors file."
CORPUS_HELP = "Files and folders, as for run; - reads standard input."
PASSES_HELP = "The number of passes over the documents. By default it depends on how many there are."

app = typer.Typer()
group = options.group("statistics", "Count document frequencies, or fit topic models, over collections of any size.")
app.add_typer(group)

Output = Annotated[Path | None, Option("--output -o TABLE", OUTPUT_HELP, options.OUTPUT)]
Minimum = Annotated[int, Option("--minimum N", "Drop phrases that occur in fewer documents than this.", TABLE, least=1)]


@options.command(group, FIT_EXAMPLES)
def fit(
    *,
    corpus: Annotated[list[str] | None, Option("CORPUS", CORPUS_HELP)] = None,
    output: Output = None,
    kind: Annotated[str, Option("--kind KIND", choices=KINDS)] = "frequencies",
    longest: Annotated[int, Option("--longest N", "The most words in a phrase.", TABLE, least=1)] = 3,
    minimum: Minimum = 1,
    topics: Annotated[int | None, Option("--topics N", "The number of topics. Default: 50.", TOPICS, least=1)] = None,
    words: Annotated[
        int | None, Option("--words N", "The size of the model's vocabulary. Default: 8000.", TOPICS, least=1)
    ] = None,
    passes: Annotated[int | None, Option("--passes N", PASSES_HELP, TOPICS, least=1)] = None,
    seed: Annotated[int | None, Option("--seed N", "The random seed. Default: 0.", TOPICS, least=0)] = None,
    language: Language = None,
    reading: ReadingOptions,
    jobs: Annotated[
        int | None, Option("--jobs -j N", "The number of worker processes; all for one per core.", least=1, none="all")
    ] = None,
) -> int:
    """Count document frequencies, or fit a topic model, over a corpus of any size.

    Counts are exact at any size. What does not fit in memory is sorted on disk, beside the table, and merged.
    """
    from phrasemill.isolated import checked_jobs

    if not corpus:
        raise ConfigError("statistics fit needs a CORPUS: files or folders with documents")
    target, processes = _target(output), checked_jobs(jobs)
    given = {"topics": topics, "words": words, "passes": passes, "seed": seed}
    settings = {name: value for name, value in given.items() if value is not None}
    counted = longest, minimum
    source = _Documents(corpus, reading.inputs(), None if language is None else language_code(language))
    with progress_bar() as progress:
        if kind == "topics":
            if counted != (3, 1):
                raise ConfigError("--longest and --minimum are for document frequencies; leave them out, or --kind")
            lines, use = _fit_topics(source, target, settings, processes, progress)
        else:
            if settings:
                raise ConfigError(f"--{next(iter(settings))} is for topics; add --kind topics")
            lines, use = _fit_frequencies(source, target, counted, processes, progress)
    print(align([*lines, *source.lines(), ("table", f"{target}, {size(target)}")]), end="")
    print(f"\nphrasemill extract FILE --method '{use}'")
    return 1 if source.failures.count else 0


@options.command(group, MERGE_EXAMPLES)
def merge(
    tables: Annotated[list[Path] | None, Option("TABLE", "Tables of document frequencies.")] = None,
    output: Output = None,
    minimum: Minimum = 1,
) -> int:
    """Add up tables of document frequencies, for instance from several machines or several days.

    The result is the same in any order, and the same as counting all documents at once.
    """
    from phrasemill.statistics.frequencies import merge_tables

    if not tables:
        raise ConfigError("statistics merge needs tables: those that phrasemill statistics fit made")
    target = _target(output)
    table = merge_tables(tables, target, least=minimum)
    print(align([*_described(table), ("table", f"{target}, {size(target)}")]), end="")
    return 0


@options.command(group, SHOW_EXAMPLES)
def show(
    table: Annotated[Path, Option("TABLE", "A table of document frequencies.")],
    phrases: Annotated[list[str] | None, Option("PHRASE", "Print in how many documents this phrase occurs.")] = None,
) -> int:
    """Describe a table, and print in how many documents each phrase occurs."""
    from phrasemill.select import form_of
    from phrasemill.statistics import DocumentFrequencies

    found = DocumentFrequencies.load(table)
    lines = _described(found)
    for phrase in phrases or []:
        count = found.counts.get(form_of(phrase, found.language))
        lines.append((phrase, f"{count:,}" if count is not None else f"fewer than {found.least:,}"))
    print(align(lines), end="")
    return 0


class _Documents:
    """The documents of a corpus in one language; what cannot be read is printed, and counted."""

    def __init__(self, names: list[str], inputs: Inputs, language: str | None) -> None:
        self.names, self.inputs = names, inputs
        self.language = language or "en"
        self.forced = language is not None
        self.found = self.others = 0
        self.failures, self._mapped, self._early = Failures(), Mappings(), EarlyFailures()

    def __iter__(self) -> "Iterator[Document]":
        for document in self._read():
            self._early.read()
            self.found += 1
            if self.forced or language_of(document) == self.language:
                yield document
            else:
                self.others += 1
        if self.failures.count and not self.found:
            raise InputError("nothing could be read")

    def _read(self) -> "Iterator[Document]":
        """Pipes one after the other, then all files as one corpus."""
        for name in filter(is_pipe, self.names):
            yield from self._piped(name)
        files = [name for name in self.names if not is_pipe(name)]
        if not files:
            return
        from phrasemill.engine.inputs import CorpusInputs

        inputs = self.inputs
        corpus = CorpusInputs(files, format=inputs.format, columns=inputs.columns, largest=inputs.largest)
        corpus.snapshot()
        for record in corpus.records(self._mapped):
            if record.document is None:
                self._fail(record.reason)
            else:
                yield record.document

    def _piped(self, name: str) -> "Iterator[Document]":
        try:
            yield from self.inputs.documents(name, report=lambda error: self._fail(str(error)), mapped=self._mapped)
        except InputError as error:
            if not self.found and not self.failures.count:
                raise
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        self.failures(reason)
        self._early.failed(reason)

    def lines(self) -> list[tuple[str, str]]:
        found = []
        if self.others:
            found.append(("left out", f"{self.others:,} in other languages; --language counts them as one"))
        if self.failures.count:
            found.append(("could not be read", f"{self.failures.count:,}"))
        return found


def _fit_frequencies(
    source: _Documents, target: Path, counted: tuple[int, int], jobs: int, progress: "FitProgress"
) -> tuple[list[tuple[str, str]], str]:
    from phrasemill.statistics.corpus import fit_frequencies

    longest, least = counted
    found = fit_frequencies(
        source, target, language=source.language, longest=longest, least=least, jobs=jobs, progress=progress
    )
    return _described(found), f'tfidf(frequencies="{target}")'


def _fit_topics(
    source: _Documents, target: Path, settings: dict[str, int], jobs: int, progress: "FitProgress"
) -> tuple[list[tuple[str, str]], str]:
    from phrasemill.statistics.topics import TOPICS, fit_topics

    if source.language != "en":
        raise ConfigError(
            f"topics are fitted to nouns and adjectives, which are known in English only, not {source.language!r}"
        )
    documents, words = fit_topics(source, target, **settings, jobs=jobs, progress=progress)
    some = ", ".join(words[:: max(1, len(words) // 5)][:5])
    lines = [("documents", f"{documents:,}"), ("topics", f"{settings.get('topics', TOPICS):,}")]
    lines.append(("words", f"{len(words):,}, such as {some}"))
    return lines, f'topicalpagerank(model="{target}")'


def _described(table: "DocumentFrequencies") -> list[tuple[str, str]]:
    lines = [
        ("documents", f"{table.documents:,}"),
        ("phrases", f"{len(table.counts):,}, of up to {table.longest} words"),
        ("language", table.language),
    ]
    if table.least > 1:
        lines.append(("left out", f"phrases of fewer than {table.least:,} documents"))
    if table.short:
        lines.append(("exact", f"within {table.short:,}: tables that had been pruned were merged"))
    return lines


def _target(output: Path | None) -> Path:
    if output is None:
        raise ConfigError("statistics needs --output TABLE, the file to write")
    if output.suffix == ".npz":
        raise ConfigError("tables and topic models are safetensors files; name it so, as in -o df.safetensors")
    return writable(output)
