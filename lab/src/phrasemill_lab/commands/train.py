"""`train`: a method's model out of documents with known keyphrases."""

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phrasemill.cli import options
from phrasemill.cli.formats import size, writable
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.progress import progress_bar
from phrasemill.errors import ConfigError
from phrasemill.registry import parse
from phrasemill.tables import align

if TYPE_CHECKING:
    from types import ModuleType

    from phrasemill.training.trainer import Progress
    from phrasemill.types import Document

EXAMPLES = """[bold]Examples[/bold]
  phrasemill train kea --data papers.jsonl -o kea.model
  phrasemill train 'kea(keyphraseness=True)' --data papers.jsonl.gz --dev more.jsonl -o kea.model
  phrasemill train 'maui(vocabulary="terms.ttl")' --data papers.jsonl -o maui.model
  phrasemill extract paper.txt -m 'kea(model="kea.model")'
  phrasemill train catseqd --recipe lab/recipes/catseqd.toml --data DIR -o catseqd-model --device cuda
  phrasemill train encoder --recipe lab/recipes/encoder.toml --data DIR -o encoder-model --device cuda
  phrasemill train 'bertkpe(encoder="roberta-base")' --recipe lab/recipes/bertkpe.toml --data DIR -o bertkpe-model"""
NEURAL = "Neural models"
CUTS = (5, 10)
TRAINED_BY = {"bertkpe": "jointkpe", "encoder": "encoder"}
WITH_DATA = ("bertkpe", "encoder")  # read the documents themselves, not examples prepared earlier
WITH_RECIPE = ("bertkpe", "catseq", "catseqd", "copyrnn", "encoder", "generator")


METHOD_HELP = "The method to train, with settings if needed: kea, maui, maxent, naivebayes …"
DATA_HELP = "Documents with keyphrases, as JSON lines (id, title, text, keyphrases). May be repeated."
DEV_HELP = "Documents held out of training, for early stopping and to score the model at the end. May be repeated."
OUTPUT_HELP = "The file or folder to write the model to."
RECIPE_HELP = "The recipe, a TOML file as in lab/recipes/. --data is then a folder."
PREPARED_HELP = "The folder for prepared examples, which are reused. Default: prepared/ in the output folder."
PART_HELP = "Train only this part of the encoder (first, fold-0 …), so that parts can be trained in parallel."

app = typer.Typer()


def _trainers() -> list[str]:
    from phrasemill.training.trainer import TRAINERS

    return TRAINERS.names()


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """The options of models that are trained by a recipe."""

    recipe: Annotated[Path | None, Option("--recipe FILE", RECIPE_HELP, NEURAL)] = None
    prepared: Annotated[Path | None, Option("--prepared DIR", PREPARED_HELP, NEURAL)] = None
    device: Annotated[str, Option("--device NAME", "The device to train on: cpu, cuda, cuda:1 …", NEURAL)] = "cpu"
    resume: Annotated[bool, Option("--resume", "Resume from the last checkpoint.", NEURAL)] = False
    part: Annotated[str | None, Option("--part NAME", PART_HELP, NEURAL)] = None


@options.command(app, EXAMPLES)
def train(
    *,
    method: Annotated[str, Option("METHOD", METHOD_HELP, complete=_trainers)],
    data: Annotated[list[str] | None, Option("--data -d FILE", DATA_HELP, INPUT)] = None,
    dev: Annotated[list[str] | None, Option("--dev FILE", DEV_HELP, INPUT)] = None,
    output: Annotated[Path | None, Option("--output -o MODEL", OUTPUT_HELP, OUTPUT)] = None,
    by_recipe: RecipeOptions,
) -> int:
    """Train a method on your own documents."""
    from phrasemill.training.trainer import TRAINERS
    from phrasemill_lab.datasets import read_layout

    name = parse(method).name
    if by_recipe.part and name != "encoder":
        raise ConfigError(f"--part requires the method encoder, got {method}")
    if by_recipe.recipe or name in WITH_RECIPE:
        return _train_by_recipe(method, data, output, by_recipe)
    trainer = TRAINERS.build(method)
    if not data:
        raise ConfigError("train requires --data FILE: documents with keyphrases, as JSON lines")
    if not output:
        raise ConfigError("train requires --output MODEL, the file to write the model to")
    target = writable(output)
    kept = list(chain.from_iterable(map(read_layout, dev or [])))
    with progress_bar() as progress:
        model = trainer.fit(chain.from_iterable(map(read_layout, data)), dev=kept, progress=progress)
        model.save(target)
        lines = [*model.summary().items(), ("model", f"{target}, {size(target)}")]
        spec = trainer.spec(target)
        if kept:
            lines.append(("on --dev", _scores(spec, kept, progress)))
    print(align(lines), end="")
    print(f"\nphrasemill extract FILE --method {_quoted(spec)}")
    return 0


def _train_by_recipe(method: str, data: list[str] | None, output: Path | None, given: RecipeOptions) -> int:
    spec = parse(method)
    if not given.recipe:
        raise ConfigError(f"train {spec.name} requires --recipe FILE, such as recipes/{spec.name}.toml")
    if not output:
        raise ConfigError("train requires --output DIR, the folder to write the model to")
    if not data and spec.name in WITH_DATA:
        raise ConfigError(f"train {spec.name} requires --data DIR: the folder with the files that its recipe names")
    source = Path(data[0]) if data else None
    prepared = given.prepared or output / "prepared"
    how: dict[str, Any] = {"device": given.device, "resume": given.resume}
    if spec.name == "encoder":
        return _train_encoder(given.recipe, source, prepared, output, part=given.part, **how)
    from phrasemill_lab.training.generation_examples import prepare
    from phrasemill_lab.training.recipes import load_recipe

    plan = load_recipe(given.recipe)
    if plan.model != spec.name:
        raise ConfigError(f"{given.recipe} is a recipe for {plan.model}, not for {spec.name}")
    if spec.values:
        raise ConfigError(f"write settings of {spec.name} as name=value, got {spec.values[0]!r}")
    plan = replace(plan, network={**plan.network, **dict(spec.options)})
    trainer = _trainer_of(plan.model)
    trainer.check(plan, given.device)
    if source and spec.name in WITH_DATA:
        prepared = source  # read as it is
    elif source:
        with progress_bar() as progress:
            prepare(plan, source, prepared, progress)
    summary = trainer.train(plan, prepared, output, **how)
    shown = ("parameters", "updates", "best F1@O", "seconds", "device")
    print(align([(name, str(summary[name])) for name in shown]), end="")
    return 0


def _train_encoder(recipe: Path, source: Path | None, prepared: Path, output: Path, **how: Any) -> int:
    from phrasemill_lab.training.recipes import load_encoder_recipe

    done = _trainer_of("encoder").train(load_encoder_recipe(recipe), source, prepared, output, **how)
    print(align([("part", name) for name in done]), end="")
    if (output / "runtime.safetensors").exists():
        print(f"\nphrasemill extract FILE --method {_quoted(f'encoder(model={str(output)!r})')}")
    return 0


def _trainer_of(model: str) -> "ModuleType":
    """Return the module that trains a model by its recipe."""
    from importlib import import_module

    from phrasemill.errors import MissingExtra

    try:
        return import_module(f"phrasemill_lab.training.{TRAINED_BY.get(model, 'generators')}")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "torch", "train", purpose="training neural models") from None


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
