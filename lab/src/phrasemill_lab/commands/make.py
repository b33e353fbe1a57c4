"""`make`: a shipped model, made again."""

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.errors import ConfigError
from phrasemill.files.tables import align
from phrasemill_lab.models import make as models

EXAMPLES = """[bold]Examples[/bold]
  phrasemill make
  phrasemill make tagger --data DIR
  phrasemill make encoder_en --data DIR --device cuda --seed 2 -o encoder.safetensors
  phrasemill make catseqd_en --recipe lab/recipes/copyrnn.toml --data DIR -o copyrnn.safetensors
  phrasemill make --check tagger topics_en --data DIR"""
HEADER = ("model", "file", "command", "device", "minutes", "bytes")
CHECK_HELP = (
    "Make models again and compare the bytes: those named, or all that a processor makes from the data at hand."
)
RECIPE_HELP = "Make a network of this kind from a recipe of your own, as in lab/recipes."
OUTPUT_HELP = "The file to write. Default: the file's name in this folder, if there is none of that name."

app = typer.Typer()


@options.command(app, EXAMPLES)
def make(
    names: Annotated[
        list[str] | None, Option("MODEL", "The model, as in the list that the command alone prints.")
    ] = None,
    data: Annotated[
        Path | None, Option("--data -d DIR", "The folder with the data that the model needs.", INPUT)
    ] = None,
    check: Annotated[bool, Option("--check", CHECK_HELP, INPUT)] = False,
    seed: Annotated[
        int | None, Option("--seed N", "Another seed than that of the shipped file.", INPUT, least=0)
    ] = None,
    recipe: Annotated[Path | None, Option("--recipe FILE", RECIPE_HELP, INPUT)] = None,
    device: Annotated[str | None, Option("--device NAME", "The device to train on: cpu, cuda …", INPUT)] = None,
    table: Annotated[Path, Option("--table FILE", "Rows in place of those of lab/models.toml.", INPUT)] = models.TABLE,
    output: Annotated[Path | None, Option("--output -o FILE", OUTPUT_HELP, OUTPUT)] = None,
) -> int:
    """Make a shipped model again, or list them all."""
    rows = models.read(table)
    if not names and not check:
        print(align([HEADER, *map(_listed, rows.values())], right=[4]), end="")
        return 0
    if data is None:
        raise ConfigError("make requires --data DIR, the folder with the data that the model needs")
    if not data.is_dir():
        raise ConfigError(f"{data}: no such folder")
    wanted = [models.chosen(rows, name) for name in names or rows]
    if check:
        return _checked(wanted, data, named=bool(names))
    if len(wanted) > 1:
        raise ConfigError(f"make makes one model at a time, got {', '.join(names or ())}")
    row = wanted[0]
    row |= {"seed": row.get("seed", 0) if seed is None else seed, "device": device or row["device"]}
    if recipe is not None:
        if "recipe" not in row:
            raise ConfigError(f"{row['name']} is not made from a recipe")
        row |= {"recipe": str(recipe), "data": []}
        row.pop("sha256", None)
    target = output or Path(Path(row["file"]).name)
    if output is None and target.exists():
        raise ConfigError(f"{target} exists; name the file to write with -o")
    began = time.perf_counter()
    models.make(row, data, target)
    made = models.digest(target)
    said = f", {'the bytes of' if made == row['sha256'] else 'not those of'} models.toml" if "sha256" in row else ""
    print(f"{target}: {made}{said}")
    print(f"{(time.perf_counter() - began) / 60:.1f} minutes", file=sys.stderr)
    return 0


def _listed(row: models.Row) -> tuple[str, ...]:
    bytes_ = "same" if "differs" not in row else f"differ: {row['differs']}"
    command = f"phrasemill make {row['name']} --data DIR"
    return (
        row["name"],
        row["file"],
        command,
        row["device"],
        f"{row['minutes']:g}" if "minutes" in row else "–",
        bytes_,
    )


def _checked(rows: list[models.Row], data: Path, *, named: bool) -> int:
    """Print the outcomes as they come; return 1 if a model differs, or if one that was named could not be checked."""
    found = Counter[str]()
    for one in models.check(rows, data):
        found[one.found] += 1
        print(f"{one.name}: {one.found}{one.why and f' ({one.why})'}", flush=True)
    if found.total() == found["not checked"]:
        raise ConfigError(f"{data}: no model could be checked with the data and packages at hand")
    return 1 if found["differs"] or (named and found["not checked"]) else 0
