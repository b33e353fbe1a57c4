"""`train`: a method's model out of documents with known keyphrases."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import app, options
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import facts, progress_bar, size, writable
from phrasemill.errors import ConfigError
from phrasemill.specs import parse

if TYPE_CHECKING:
    from phrasemill.training.trainer import Progress
    from phrasemill.types import Document

EXAMPLES = """[bold]Examples[/bold]
  phrasemill train 'kea(keyphraseness=True)' --data papers.jsonl.gz --dev more.jsonl -o kea.model
  phrasemill train 'maui(vocabulary="terms.ttl")' --data papers.jsonl -o maui.model
  phrasemill extract paper.txt -m 'kea(model="kea.model")'"""
CUTS = (5, 10)
NEURAL = ("bertkpe", "catseq", "catseqd", "copyrnn", "encoder", "generator")

METHOD_HELP = "The method to train, with settings if needed: kea, learned, maui, maxent, naivebayes."
DATA_HELP = "Documents with keyphrases, as JSON lines (id, title, text, keyphrases). May be repeated."
DEV_HELP = "Documents held out of training, for early stopping and to score the model at the end. May be repeated."
OUTPUT_HELP = "The file to write the model to."


def _trainers() -> list[str]:
    from phrasemill.training.trainer import TRAINERS

    return TRAINERS.names()


@options.command(app, EXAMPLES)
def train(
    *,
    method: Annotated[str, Option("METHOD", METHOD_HELP, complete=_trainers)],
    data: Annotated[list[str] | None, Option("--data -d FILE", DATA_HELP, INPUT)] = None,
    dev: Annotated[list[str] | None, Option("--dev FILE", DEV_HELP, INPUT)] = None,
    output: Annotated[Path | None, Option("--output -o MODEL", OUTPUT_HELP, OUTPUT)] = None,
) -> int:
    """Train a method on your own documents."""
    name = parse(method).name
    if name in NEURAL:
        raise ConfigError(f"networks such as {name} are trained by phrasemill make, in the package phrasemill-lab")
    from phrasemill.training.trainer import TRAINERS, read_documents

    trainer = TRAINERS.build(method)
    if not data:
        raise ConfigError("train requires --data FILE: documents with keyphrases, as JSON lines")
    if not output:
        raise ConfigError("train requires --output MODEL, the file to write the model to")
    writable(output)
    kept = list(chain.from_iterable(map(read_documents, dev or [])))
    with progress_bar() as progress:
        model = trainer.fit(chain.from_iterable(map(read_documents, data)), dev=kept, progress=progress)
        model.save(output)
        lines = [*model.summary().items(), ("model", f"{output}, {size(output)}")]
        spec = trainer.spec(output)
        if kept:
            lines.append(("on --dev", _scores(spec, kept, progress)))
    facts(lines)
    quoted = f'"{spec}"' if "'" in spec else f"'{spec}'"
    print(f"\nphrasemill extract FILE --method {quoted}")
    return 0


def _scores(spec: str, documents: "list[Document]", progress: "Progress") -> str:
    from phrasemill.evaluation import evaluate
    from phrasemill.extractor import extract_batch
    from phrasemill.training.trainer import tracked

    watched = tracked(documents, "scoring on dev", progress, total=len(documents))
    lists = list(extract_batch(watched, method=spec, top=max(CUTS)))
    metrics = [f"F1@{cut}" for cut in CUTS]
    scores = evaluate(
        {one.id: listed for one, listed in zip(documents, lists, strict=True)}, documents, metrics=metrics
    )
    return ", ".join(f"{metric} {100 * scores[metric]:.1f}" for metric in metrics)
