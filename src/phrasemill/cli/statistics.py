"""`statistics`: tables over whole collections, for the methods that compare a document with others."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.extract_options import Language
from phrasemill.cli.options import Option
from phrasemill.cli.output import facts, size, writable
from phrasemill.cli.progress import progress_bar
from phrasemill.cli.reading import Failures, Inputs, Mappings, each_readable, is_pipe
from phrasemill.errors import ConfigError, InputError
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
LONGEST_HELP = "The most words in a phrase. Default: 3."
MINIMUM_HELP = "Drop phrases that occur in fewer documents than this."
WORDS_HELP = "The size of the model's vocabulary. Default: 8000."
PASSES_HELP = "The number of passes over the documents. By default it depends on how many there are."

app = typer.Typer()
group = options.group("statistics", "Count document frequencies, or fit topic models, over collections of any size.")
app.add_typer(group)

Output = Annotated[Path | None, Option("--output -o TABLE", OUTPUT_HELP, options.OUTPUT)]


@options.command(group, FIT_EXAMPLES)
def fit(
    *,
    corpus: Annotated[list[str] | None, Option("CORPUS", CORPUS_HELP)] = None,
    output: Output = None,
    kind: Annotated[str, Option("--kind KIND", choices=KINDS)] = "frequencies",
    longest: Annotated[int | None, Option("--longest N", LONGEST_HELP, TABLE, least=1)] = None,
    minimum: Annotated[int | None, Option("--minimum N", MINIMUM_HELP, TABLE, least=1)] = None,
    topics: Annotated[int | None, Option("--topics N", "The number of topics. Default: 50.", TOPICS, least=1)] = None,
    words: Annotated[int | None, Option("--words N", WORDS_HELP, TOPICS, least=1)] = None,
    passes: Annotated[int | None, Option("--passes N", PASSES_HELP, TOPICS, least=1)] = None,
    seed: Annotated[int | None, Option("--seed N", "The random seed. Default: 0.", TOPICS, least=0)] = None,
    language: Language = None,
    inputs: Inputs,
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
    target = _target(output)
    settings = {
        "frequencies": {"longest": longest, "minimum": minimum},
        "topics": {"topics": topics, "words": words, "passes": passes, "seed": seed},
    }
    given = {name: value for name, value in settings.pop(kind).items() if value is not None}
    for other, unused in settings.items():
        for name, value in unused.items():
            if value is not None:
                raise ConfigError(f"--{name} is for {other}; leave it out, or add --kind {other}")
    source = _Corpus(corpus, inputs, None if language is None else language_code(language))
    with progress_bar() as progress:
        if kind == "topics":
            lines, method = _fit_topics(source, target, given, checked_jobs(jobs), progress), "topicalpagerank(model="
        else:
            from phrasemill.statistics.corpus import fit_frequencies

            given |= {"least": given.pop("minimum", 1), "jobs": checked_jobs(jobs)}
            found = fit_frequencies(source, target, language=source.language, progress=progress, **given)
            lines, method = _described(found), "tfidf(frequencies="
    if source.others:
        lines.append(("left out", f"{source.others:,} in other languages; --language counts them as one"))
    if source.failures.count:
        lines.append(("could not be read", f"{source.failures.count:,}"))
    facts([*lines, ("table", f"{target}, {size(target)}")])
    print(f"\nphrasemill extract FILE --method '{method}\"{target}\")'")
    return 1 if source.failures.count else 0


@options.command(group, MERGE_EXAMPLES)
def merge(
    tables: Annotated[list[Path] | None, Option("TABLE", "Tables of document frequencies.")] = None,
    output: Output = None,
    minimum: Annotated[int, Option("--minimum N", MINIMUM_HELP, TABLE, least=1)] = 1,
) -> int:
    """Add up tables of document frequencies, for instance from several machines or several days.

    The result is the same in any order, and the same as counting all documents at once.
    """
    from phrasemill.statistics.frequencies import merge_tables

    if not tables:
        raise ConfigError("statistics merge needs tables: those that phrasemill statistics fit made")
    target = _target(output)
    facts([*_described(merge_tables(tables, target, least=minimum)), ("table", f"{target}, {size(target)}")])
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
    facts(lines)
    return 0


class _Corpus:
    """The documents of a corpus in one language; what cannot be read is printed, and counted."""

    def __init__(self, names: list[str], inputs: Inputs, language: str | None) -> None:
        self.names, self.inputs, self.language = names, inputs, language or "en"
        self.forced, self.others = language is not None, 0
        self.failures, self._mapped, self._early = Failures(), Mappings(), EarlyFailures()

    def __iter__(self) -> "Iterator[Document]":
        found = False
        for document in self._documents():
            self._early.read()
            found = True
            if self.forced or language_of(document) == self.language:
                yield document
            else:
                self.others += 1
        if self.failures.count and not found:
            raise InputError("nothing could be read")

    def _documents(self) -> "Iterator[Document]":
        """Pipes one after the other, then all files as one corpus."""
        from phrasemill.engine.inputs import CorpusInputs, Reading, Unread

        read = partial(self.inputs.documents, report=self._failed, mapped=self._mapped)
        yield from each_readable([*filter(is_pipe, self.names)], read, self.failures)
        files = [name for name in self.names if not is_pipe(name)]
        if not files:
            return
        how = self.inputs
        corpus = CorpusInputs(files, Reading(how.format, how.columns, how.largest))
        corpus.snapshot()  # names that do not exist are an error before hours of work
        for document in corpus.documents(self._mapped):
            if isinstance(document, Unread):
                self._failed(document.reason)
            else:
                yield document

    def _failed(self, error: object) -> None:
        self.failures(error)
        self._early.failed(str(error))


def _fit_topics(
    source: _Corpus, target: Path, settings: dict[str, int], jobs: int, progress: "FitProgress"
) -> list[tuple[str, str]]:
    from phrasemill.statistics.topics import TOPICS, fit_topics

    if source.language != "en":
        raise ConfigError(
            f"topics are fitted to nouns and adjectives, which are known in English only, not {source.language!r}"
        )
    documents, words = fit_topics(source, target, **settings, jobs=jobs, progress=progress)
    some = ", ".join(words[:: max(1, len(words) // 5)][:5])
    topics = f"{settings.get('topics', TOPICS):,}"
    return [("documents", f"{documents:,}"), ("topics", topics), ("words", f"{len(words):,}, such as {some}")]


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
