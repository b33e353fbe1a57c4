"""Recipes: everything that a network depends on besides the data, in one TOML file per model (`lab/recipes/`)."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import torch

from phrasemill.errors import ConfigError, InputError
from phrasemill.types import Document
from phrasemill_lab.models.loop import Schedule
from phrasemill_lab.models.sources import Source, titles

Made = TypeVar("Made")
DATA = ("train", "valid", "first", "then", "more", "unlabelled")
SCHEDULES = ("training", "teacher-first", "teacher-then", "first", "then")  # all but one are of the encoder


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a recipe says: `sources` are the lists under [data], `schedules` the tables `training`, or the encoder's."""

    model: str
    seed: int
    device: str
    network: Mapping[str, Any]
    sources: Mapping[str, tuple[Source, ...]]
    held_out: tuple[str, ...]  # files whose titles are left out of training
    schedules: Mapping[str, Schedule]

    def documents(self, data: Path, part: str) -> Iterator[tuple[Source, Iterator[Document]]]:
        """Yield the documents of each source of `train` or `valid`."""
        left_out = titles(data, self.held_out) if part == "train" else frozenset()
        for source in self.sources[part]:
            yield source, source.documents(data, left_out)


def load(row: Mapping[str, Any], *models: str) -> Recipe:
    """Return the recipe of a row of models.toml, with the row's seed and device; it must be one of these models."""
    path, device = Path(row["recipe"]), row["device"]
    try:
        table = _table(path)
        data = table["data"]
        _require_known(data, [*DATA, "held_out"])
        _require_known(table, ["model", "network", "data", *SCHEDULES])
        recipe = Recipe(
            model=table["model"],
            seed=row["seed"],
            device=device,
            network=table.get("network", {}),
            sources={name: tuple([settings(Source, one) for one in data.get(name, ())]) for name in DATA},
            held_out=tuple(data.get("held_out", ())),
            schedules={name: settings(Schedule, table[name]) for name in SCHEDULES if name in table},
        )
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device {device!r} is not available: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: not a recipe ({error})") from None
    if recipe.model not in models:
        raise ConfigError(f"{path}: a recipe for {recipe.model!r}, not for {' or '.join(models)}")
    return recipe


def weights_beside(output: Path) -> Path:
    """Return where training keeps the best weights in 32 bits; its losses and scores are beside them."""
    return output.with_name(output.name + ".training") / "best.safetensors"


def settings(kind: type[Made], values: Mapping[str, Any], **known: Any) -> Made:
    """Return the settings of a network (a dataclass) that a recipe gives, over those that are `known`."""
    _require_known(values, [one.name for one in fields(kind)])  # type: ignore[arg-type]
    return kind(**{**known, **values})


def _table(path: Path) -> dict[str, Any]:
    """Return the content of a recipe over that of the recipe that it names as its `base`, section by section."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    base = table.pop("base", None)
    found = _table(path.with_name(base)) if base else {}
    for name, value in table.items():
        found[name] = {**found.get(name, {}), **value} if isinstance(value, dict) else value
    return found


def _require_known(values: Mapping[str, Any], known: list[str]) -> None:
    if unknown := sorted(set(values) - set(known)):
        raise ConfigError(f"unknown setting {unknown[0]!r}; choose from {', '.join(known)}")
