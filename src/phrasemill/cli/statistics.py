"""`statistics`: tables over whole collections, for the methods that compare a document with others."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import app, options
from phrasemill.cli.extract import Language
from phrasemill.cli.options import Option
from phrasemill.cli.output import facts, progress_bar, size, writable
from phrasemill.cli.reading import Failures, Inputs, each_readable, is_pipe, mappings
from phrasemill.errors import ConfigError, InputError
from phrasemill.readers.failures import EarlyFailures
from phrasemill.text.language_codes import language_code
from phrasemill.text.languages.detect import language_of
from phrasemill.types import Document

if TYPE_CHECKING:
    from phrasemill.statistics import DocumentFrequencies

FIT_EXAMPLES = """[bold]Examples[/bold]
  phrasemill statistics fit papers/ more.parquet -o df.safetensors --minimum 5 --jobs 4
  phrasemill extract paper.txt -m 'tfidf(frequencies="df.safetensors")'
  phrasemill statistics fit corpus.jsonl.gz -o topics.safetensors --kind topics --topics 100"""
MERGE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill statistics merge part-*.safetensors -o df.safetensors --minimum 20"""
KINDS = ("frequencies", "topics")
TABLE, TOPICS = "Document frequencies", "Topics"
OUTPUT_HELP = "The table to write, a safetensors file."
CORPUS_HELP = "Files and folders, as for run; - reads standard input."
MINIMUM_HELP = "Drop phrases that occur in fewer documents than this."
PASSES_HELP = "The number of passes over the documents. By default it depends on how many there are."

group = options.group("statistics", "Count document frequencies, or fit topic models, over collections of any size.")
app.add_typer(group)

Output = Annotated[Path | None, Option("--output -o TABLE", OUTPUT_HELP, options.OUTPUT)]


@options.command(group, FIT_EXAMPLES)
def fit(
    *,
    corpus: Annotated[list[str] | None, Option("CORPUS", CORPUS_HELP)] = None,
    output: Output = None,
    kind: Annotated[str, Option("--kind KIND", choices=KINDS)] = "frequencies",
    longest: Annotated[int | None, Option("--longest N", "The most words in a phrase (3).", TABLE, least=1)] = None,
    minimum: Annotated[int | None, Option("--minimum N", MINIMUM_HELP, TABLE, least=1)] = None,
    topics: Annotated[int | None, Option("--topics N", "The number of topics (50).", TOPICS, least=1)] = None,
    words: Annotated[int | None, Option("--words N", "The size of the vocabulary (8000).", TOPICS, least=1)] = None,
    passes: Annotated[int | None, Option("--passes N", PASSES_HELP, TOPICS, least=1)] = None,
    seed: Annotated[int | None, Option("--seed N", "The random seed (0).", TOPICS, least=0)] = None,
    language: Language = None,
    inputs: Inputs,
    jobs: Annotated[int | None, Option("--jobs -j N", "Worker processes, or all.", least=1, none="all")] = None,
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
    code = language and language_code(language)
    if kind == "topics" and code not in (None, "en"):
        raise ConfigError(f"topics are fitted to nouns and adjectives, which are known in English only, not {code!r}")
    failures, others = Failures(), 0

    def documents() -> Iterator[Document]:
        nonlocal others
        for document in _documents(corpus, inputs, failures):
            if code or language_of(document) == "en":
                yield document
            else:
                others += 1

    with progress_bar() as progress:
        if kind == "topics":
            from phrasemill.statistics.topics import TOPICS as DEFAULT
            from phrasemill.statistics.topics import fit_topics

            count, found = fit_topics(documents(), target, **given, jobs=checked_jobs(jobs), progress=progress)
            some = ", ".join(found[:: max(1, len(found) // 5)][:5])
            lines = [("documents", f"{count:,}"), ("topics", f"{topics or DEFAULT:,}")]
            lines.append(("words", f"{len(found):,}, such as {some}"))
        else:
            from phrasemill.statistics.corpus import fit_frequencies

            given |= {"least": given.pop("minimum", 1), "jobs": checked_jobs(jobs)}
            table = fit_frequencies(documents(), target, language=code or "en", progress=progress, **given)
            lines = _described(table)
    if others:
        lines.append(("left out", f"{others:,} in other languages; --language counts them as one"))
    if failures.count:
        lines.append(("could not be read", f"{failures.count:,}"))
    facts([*lines, ("table", f"{target}, {size(target)}")])
    method = "topicalpagerank(model" if kind == "topics" else "tfidf(frequencies"
    print(f"\nphrasemill extract FILE --method '{method}=\"{target}\")'")
    return 1 if failures.count else 0


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


def _documents(names: list[str], inputs: Inputs, failures: Failures) -> Iterator[Document]:
    """Yield the documents of pipes, one after the other, and then those of all files as one corpus."""
    from phrasemill.engine.inputs import CorpusInputs, Reading, Unread

    early, mapped, found = EarlyFailures(), mappings(), False

    def failed(error: object) -> None:
        failures(error)
        early.failed(str(error))

    read = partial(inputs.documents, report=failed, mapped=mapped)
    parts: list[Iterable[Document | Unread]] = [each_readable([*filter(is_pipe, names)], read, failures)]
    if files := [name for name in names if not is_pipe(name)]:
        corpus = CorpusInputs(files, Reading(inputs.format, inputs.columns, inputs.largest))
        corpus.snapshot()  # names that do not exist are an error before hours of work
        parts.append(corpus.documents(mapped))
    for one in chain.from_iterable(parts):
        if isinstance(one, Unread):
            failed(one.reason)
            continue
        early.read()
        found = True
        yield one
    if failures.count and not found:
        raise InputError("nothing could be read")


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
