"""`train`: a method's model out of documents with known keyphrases."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.progress import progress_bar
from phrasemill.errors import ConfigError, InputError
from phrasemill.registry import parse
from phrasemill.tables import align

if TYPE_CHECKING:
    from types import ModuleType

    from phrasemill.lab.training.trainer import Progress
    from phrasemill.types import Document

EXAMPLES = """[bold]Examples[/bold]
  phrasemill train kea --data papers.jsonl -o kea.model
  phrasemill train 'kea(keyphraseness=True)' --data papers.jsonl.gz --dev more.jsonl -o kea.model
  phrasemill train 'maui(vocabulary="terms.ttl")' --data papers.jsonl -o maui.model
  phrasemill extract paper.txt -m 'kea(model="kea.model")'
  phrasemill train catseqd --recipe recipes/catseqd.toml --data DIR -o catseqd-model --device cuda
  phrasemill train encoder --recipe recipes/encoder.toml --data DIR -o encoder-model --device cuda
  phrasemill train 'bertkpe(encoder="roberta-base")' --recipe recipes/bertkpe.toml --data DIR -o bertkpe-model"""
CUTS = (5, 10)
TRAINED_BY = {"bertkpe": "jointkpe", "encoder": "encoder"}
WITH_DATA = ("bertkpe", "encoder")  # read the documents themselves, not examples prepared earlier
WITH_RECIPE = ("bertkpe", "catseq", "catseqd", "copyrnn", "encoder", "generator")


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(train)


def _trainers() -> list[str]:
    from phrasemill.lab.training.trainer import TRAINERS

    return TRAINERS.names()


Method = Annotated[
    str,
    typer.Argument(
        metavar="METHOD",
        help="What to train, with settings if needed: kea, maui, maxent, naivebayes …",
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
        help="Documents with keyphrases, as lines of JSON (id, title, text, keyphrases); repeatable.",
        show_default=False,
        rich_help_panel=options.INPUT,
    ),
]
Dev = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        help="Documents kept out of training, to stop in time and to score the model at the end; repeatable.",
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
        help="The file or folder to write the model to.",
        show_default=False,
        rich_help_panel=options.OUTPUT,
    ),
]

RecipeFile = Annotated[
    str | None,
    typer.Option(
        "--recipe",
        metavar="FILE",
        help="For neural models: a TOML file as in recipes/; --data is then a folder.",
        show_default=False,
        rich_help_panel=options.NEURAL,
    ),
]
Prepared = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="The folder for prepared examples, which are reused (default: prepared/ in the output folder).",
        show_default=False,
        rich_help_panel=options.NEURAL,
    ),
]
Device = Annotated[
    str,
    typer.Option(metavar="NAME", help="cpu, cuda, cuda:1 …", rich_help_panel=options.NEURAL),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", metavar=options.FLAG, help="Resume from the last checkpoint.", rich_help_panel=options.NEURAL
    ),
]
Part = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Train one part of the encoder, so that folds can be trained in parallel: first, fold-0 …",
        show_default=False,
        rich_help_panel=options.NEURAL,
    ),
]


def train(
    method: Method,
    data: Data = None,
    dev: Dev = None,
    output: Output = None,
    recipe: RecipeFile = None,
    prepared: Prepared = None,
    device: Device = "cpu",
    resume: Resume = False,
    part: Part = None,
) -> int:
    """Train a method on your own documents."""
    from phrasemill.lab.training.trainer import TRAINERS

    name = parse(method).name
    if part and name != "encoder":
        raise ConfigError(f"--part requires the method encoder, got {method}")
    if recipe or name in WITH_RECIPE:
        return _train_by_recipe(method, data, output, recipe, prepared, device=device, resume=resume, part=part)
    trainer = TRAINERS.build(method)
    if not data:
        raise ConfigError("train requires --data FILE: documents with keyphrases, as lines of JSON")
    if not output:
        raise ConfigError("train requires --output MODEL: where the model goes")
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
    print(align(lines), end="")
    print(f"\nphrasemill extract FILE --method {_quoted(spec)}")
    return 0


def _train_by_recipe(
    method: str,
    data: list[str] | None,
    output: str | None,
    recipe: str | None,
    prepared: str | None,
    *,
    device: str,
    resume: bool,
    part: str | None,
) -> int:
    spec = parse(method)
    if not recipe:
        raise ConfigError(f"train {spec.name} requires --recipe FILE, such as recipes/{spec.name}.toml")
    if not output:
        raise ConfigError("train requires --output DIR: where the model goes")
    if not data and spec.name in WITH_DATA:
        raise ConfigError(f"train {spec.name} requires --data DIR: the folder with the files that its recipe names")
    folder = Path(output)
    ready = Path(prepared) if prepared else folder / "prepared"
    if spec.name == "encoder":
        return _train_encoder(Path(recipe), Path((data or [""])[0]), ready, folder, device, resume, part)
    from phrasemill.lab.training.generation_examples import prepare
    from phrasemill.lab.training.recipes import load_recipe

    plan = load_recipe(Path(recipe))
    if plan.model != spec.name:
        raise ConfigError(f"{recipe} is a recipe for {plan.model}, not for {spec.name}")
    if spec.values:
        raise ConfigError(f"write settings of {spec.name} as name=value, got {spec.values[0]!r}")
    plan = replace(plan, network={**plan.network, **dict(spec.options)})
    trainer = _trainer_of(plan.model)
    trainer.check(plan, device)
    if data and spec.name in WITH_DATA:
        ready = Path(data[0])  # read as it is
    elif data:
        with progress_bar() as progress:
            prepare(plan, Path(data[0]), ready, progress)
    summary = trainer.train(plan, ready, folder, device=device, resume=resume)
    shown = ("parameters", "updates", "best F1@O", "seconds", "device")
    print(align([(name, str(summary[name])) for name in shown]), end="")
    return 0


def _train_encoder(
    recipe: Path, data: Path, prepared: Path, folder: Path, device: str, resume: bool, part: str | None
) -> int:
    from phrasemill.lab.training.recipes import load_encoder_recipe

    plan = load_encoder_recipe(recipe)
    done = _trainer_of("encoder").train(plan, data, prepared, folder, device=device, resume=resume, part=part)
    print(align([("part", name) for name in done]), end="")
    if (folder / "runtime.safetensors").exists():
        print(f"\nphrasemill extract FILE --method {_quoted(f'encoder(model={str(folder)!r})')}")
    return 0


def _trainer_of(model: str) -> "ModuleType":
    """Return the module that trains a model by its recipe."""
    from importlib import import_module

    from phrasemill.errors import MissingExtra

    try:
        return import_module(f"phrasemill.lab.training.{TRAINED_BY.get(model, 'generators')}")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "torch", "neural", purpose="training neural models") from None


def size(path: Path) -> str:
    """Return the size of a file, or of all files in a folder, with its unit."""
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    count = sum(one.stat().st_size for one in files)
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


def _documents(names: Sequence[str]) -> "Iterator[Document]":
    from phrasemill.lab.datasets import read_layout

    for name in names:
        yield from read_layout(name)


def _scores(spec: str, documents: "list[Document]", progress: "Progress") -> str:
    from phrasemill.evaluation import evaluate
    from phrasemill.lab.training.trainer import tracked
    from phrasemill.pipeline import extract_batch

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
