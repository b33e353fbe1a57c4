"""The shipped models, and how each is made: the rows of lab/models.toml.

A row names a maker, `module:function`, which is called as `make(data, output, row)`: it reads the folder `data` and
writes the file `output`, or a folder where the model is one. See `Row` for what a row says.
"""

import hashlib
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill_lab import missing

LAB = Path(__file__).parents[3]
TABLE = LAB / "models.toml"


class Row(TypedDict, total=False):
    """What a row of models.toml says; makers read what they need."""

    name: str
    file: str  # of the model, below the root of the checkout; a folder ends in `/`
    maker: str
    each: str  # what this model is of its family: a language
    recipe: str  # a file; below lab/ in the table
    settings: dict[str, Any]  # arguments of the maker
    data: list[str]  # patterns of files below the folder of data
    source: str  # where to get data that we may not publish
    seed: int
    device: str
    minutes: float
    packages: list[str]  # `name==version`: the versions that give the bytes
    extra: str  # of phrasemill-lab, that installs them
    sha256: str  # of what the recipe gives; none where that is not the same every time
    shipped_sha256: str  # of the shipped file, where it is another
    differs: str  # why
    agrees: str  # what agrees instead


class Check(NamedTuple):
    """What a check of one model found: `same`, `differs` or `not checked`, and why."""

    name: str
    found: str
    why: str


def read(table: Path = TABLE) -> dict[str, Row]:
    """Return the rows by the names of their files. A table with `each` is a family: one row per key, which replaces
    `{}` in `file` and `data`."""
    if not table.is_file():
        raise ConfigError(
            f"{table}: no such file; phrasemill make needs a checkout of Phrasemill and pip install -e ./lab"
        )
    rows: dict[str, Row] = {}
    for common in tomllib.loads(table.read_text(encoding="utf-8")).values():
        for key, own in common.pop("each", {"": {}}).items():
            row: Row = common | own | {"each": key}
            row["file"] = row["file"].replace("{}", key)
            row["name"] = Path(row["file"]).stem
            row["data"] = [pattern.replace("{}", key) for pattern in row.get("data", [])]
            if "recipe" in row:
                row["recipe"] = str(table.parent / row["recipe"])
            rows[row["name"]] = row
    return rows


def chosen(rows: Mapping[str, Row], name: str) -> Row:
    if name not in rows:
        raise UnknownName("model", name, rows)
    return rows[name]


def require(row: Row, data: Path) -> None:
    """Raise an error if a package or a file that the model is made from is missing."""
    for package in row.get("packages", []):
        name = package.partition("==")[0]
        try:
            version(name)
        except PackageNotFoundError:
            raise missing(package, row.get("extra", "train"), f"making {row['name']}") from None
    for pattern in row["data"]:
        if not any(data.glob(pattern)):
            source = row.get("source", "lab/README.md says where to get it")
            raise InputError(f"{data}: no file {pattern}, which {row['name']} is made from ({source})")


def make(row: Row, data: Path, output: Path) -> None:
    """Make a model and write it to `output`."""
    require(row, data)
    module, _, function = row["maker"].partition(":")
    try:
        maker: Callable[[Path, Path, Row], None] = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise missing(error.name or module, row.get("extra", "train"), f"making {row['name']}") from None
    maker(data, output, row)


def digest(path: Path) -> str:
    """Return the SHA-256 of a model; of one in several files, that of the lines which `sha256sum` prints for them."""
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
    else:  # its numbered parts, too: encoder_large_en.1.safetensors
        numbered = re.compile(rf"{re.escape(path.stem)}\.\d+{re.escape(path.suffix)}")
        files = sorted(one for one in path.parent.iterdir() if one == path or numbered.fullmatch(one.name))
    root = path if path.is_dir() else path.parent
    sums = [(hashlib.sha256(one.read_bytes()).hexdigest(), one.relative_to(root).as_posix()) for one in files]
    if [name for _, name in sums] == [path.name]:
        return sums[0][0]
    return hashlib.sha256("".join(f"{found}  {name}\n" for found, name in sums).encode()).hexdigest()


def check(rows: list[Row], data: Path) -> Iterator[Check]:
    """Make each model again that a processor makes and whose data are there; compare it, and the shipped file."""
    for row in rows:
        name, wanted = row["name"], row.get("sha256")
        shipped = TABLE.parents[1] / row["file"]
        if digest(shipped) != row.get("shipped_sha256", wanted):
            yield Check(name, "differs", f"the shipped file {row['file']} is not that of models.toml")
            continue
        if row["device"] != "cpu" or not wanted:
            yield Check(name, "not checked", row.get("differs", f"is made on {row['device']}"))
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, Path(row["file"]).name)
            try:
                require(row, data)
            except (ConfigError, InputError) as error:
                yield Check(name, "not checked", str(error))
                continue
            make(row, data, made)
            if digest(made) == wanted:
                yield Check(
                    name, "same", ("differs" in row and f"but the shipped file is another: {row['differs']}") or ""
                )
            else:
                pairs = [package.partition("==")[::2] for package in row.get("packages", [])]
                other = [f"{one} {version(one)}, not {pinned}" for one, pinned in pairs if version(one) != pinned]
                why = f"made with {', '.join(other)}" if other else "the same versions of packages, and other bytes"
                yield Check(name, "differs", why)
