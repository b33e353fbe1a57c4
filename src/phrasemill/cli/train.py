"""`train`: a method's model out of documents with known keyphrases."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import formats, options
from phrasemill.cli.progress import progress_bar
from phrasemill.errors import ConfigError, InputError

if TYPE_CHECKING:
    from phrasemill.training.trainer import Progress
    from phrasemill.types import Document

EXAMPLES = """[bold]Examples[/bold]
  phrasemill train kea --data papers.jsonl -o kea.model
  phrasemill train 'kea(keyphraseness=True)' --data papers.jsonl.gz --dev more.jsonl -o kea.model
  phrasemill train 'maui(vocabulary="terms.ttl")' --data papers.jsonl -o maui.model
  phrasemill extract paper.txt -m 'kea(model="kea.model")'"""
CUTS = (5, 10)


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(train)


def _trainers() -> list[str]:
    from phrasemill.training.trainer import TRAINERS

    return TRAINERS.names()


Method = Annotated[
    str,
    typer.Argument(
        metavar="METHOD",
        help="What to train, with its settings if you like: kea, maui, maxent, naivebayes …",
        autocompletion=_trainers,
        show_default=False,
    ),
]
Data = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        "-d",
        metavar="FILE",
        help="Documents with keyphrases, as lines of JSON (id, title, text, keyphrases); may be given several times.",
        show_default=False,
        rich_help_panel=options.INPUT,
    ),
]
Dev = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="More of them, kept out of training: to stop in time, and to score the model at the end.",
        show_default=False,
        rich_help_panel=options.INPUT,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="MODEL",
        help="Where the model goes.",
        show_default=False,
        rich_help_panel=options.OUTPUT,
    ),
]


def train(method: Method, data: Data = None, dev: Dev = None, output: Output = None) -> int:
    """Train a method on your own documents, and say how it went."""
    from phrasemill.training.trainer import TRAINERS

    trainer = TRAINERS.build(method)
    if not data:
        raise ConfigError("train needs --data FILE: documents with keyphrases, as lines of JSON")
    if not output:
        raise ConfigError("train needs --output MODEL: where the model goes")
    target = Path(output)
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"{target}: {'is a folder' if target.is_dir() else 'there is no such folder'}")
    kept = list(_documents(dev or []))
    with progress_bar() as progress:
        model = trainer.fit(_documents(data), dev=kept, progress=progress)
        model.save(target)
        lines = [*model.summary().items(), ("model", f"{target}, {size(target)}")]
        spec = trainer.spec(target)
        if kept:
            lines.append(("on --dev", _scores(spec, kept, progress)))
    print(formats.columns(lines), end="")
    print(f"\nphrasemill extract FILE --method {_quoted(spec)}")
    return 0


def size(path: Path) -> str:
    """The size of a file, or of the files in a folder, as people write it."""
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    count = sum(one.stat().st_size for one in files)
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


def _documents(names: Sequence[str]) -> "Iterator[Document]":
    from phrasemill.datasets import read_layout

    for name in names:
        yield from read_layout(name)


def _scores(spec: str, documents: "list[Document]", progress: "Progress") -> str:
    from phrasemill.evaluation import evaluate
    from phrasemill.pipeline import extract_batch
    from phrasemill.training.trainer import tracked

    watched = tracked(documents, "scoring on dev", progress, total=len(documents))
    found = {
        document.id: listed
        for document, listed in zip(documents, extract_batch(watched, method=spec, top=max(CUTS)), strict=True)
    }
    metrics = [f"F1@{cut}" for cut in CUTS]
    scores = evaluate(found, documents, metrics=metrics)
    return ", ".join(f"{metric} {100 * scores[metric]:.1f}" for metric in metrics)


def _quoted(spec: str) -> str:
    return '"' + spec + '"' if "'" in spec else f"'{spec}'"
