"""Model files: whatever is wrong with one is one line, and nothing is read from it."""

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import phrasemill as pm
import tiny_models
from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.methods.kea import KeaModel
from phrasemill.methods.learned.model import load_model
from phrasemill.methods.maui import MauiModel
from phrasemill.methods.ngram_classifiers import NgramModel
from phrasemill.methods.onnx_file import open_model
from phrasemill.models import checksum, kept, reading, shipped
from phrasemill.statistics import DocumentFrequencies
from phrasemill.statistics.topic_model import TopicModel
from phrasemill.text import word_frequencies
from phrasemill.text.languages import detect
from phrasemill.text.languages.segmentation import SUMMED, Segmenter
from phrasemill.text.tag import TABLES, load_tagger
from phrasemill_lab.networks import onnx_files

Load = Callable[[Path], Any]
Columns = dict[str, "array[Any]"]

# How each kind is opened, what its metadata call it, and one that ships.
SHIPPED: dict[str, tuple[Load, str, str]] = {
    "detector": (detect.load, "language detector", "language_detector"),
    "frequencies": (DocumentFrequencies.load, "document frequencies", "frequencies_en"),
    "learned": (load_model, "learned model", "learned_multilingual"),
    "segmenter": (Segmenter.load, "segmenter", "segmenter_zh"),
    "tagger": (load_tagger, "tagger", "tagger_de"),
    "topics": (TopicModel.load, "topic model", "topics_en"),
    "words": (word_frequencies.load, "word frequencies", "words_ja"),
}
TRAINED: dict[str, Load] = {
    "kea": KeaModel.load,
    "maui": MauiModel.load,
    "naivebayes": partial(NgramModel.load, method="naivebayes"),
}
LOADERS: dict[str, tuple[Load, str]] = {
    **{name: (load, kind) for name, (load, kind, _) in SHIPPED.items()},
    **{name: (load, f"{name} model") for name, load in TRAINED.items()},
    "network": (partial(open_model, kind="toy model"), "toy model"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A sound file of each kind."""
    folder = tmp_path_factory.mktemp("models")
    tiny_models.make(folder)
    weights = {"weights": np.ones((2, 3), np.float32)}
    onnx_files.write(folder / "network", "toy model", {}, weights, "some words", {"about": "toys"})
    return {name: folder / name for name in LOADERS} | {
        name: shipped(f"{file}.safetensors") for name, (_, _, file) in SHIPPED.items()
    }


def taken(path: Path) -> tuple[Columns, dict[str, str], dict[str, tuple[int, ...]]]:
    """What is in a file, so that it can be written again with changes."""
    file = models.load(path)
    columns = {name: array(view.format, view.tobytes()) for name, view in file.buffers.items()}
    return columns, dict(file.metadata), dict(file.shapes)


def refused(load: Load, path: Path, message: str = "model|unfit") -> None:
    with pytest.raises(ModelError, match=message) as error:
        load(path)
    said = str(error.value)
    assert "\n" not in said and len(said) < 400 + len(str(path)) and path.name in said


@pytest.mark.parametrize("name", LOADERS)
def test_what_is_no_file_of_its_kind_is_refused(name: str, whole: Mapping[str, Path], tmp_path: Path) -> None:
    load, kind = LOADERS[name]
    content, path = whole[name].read_bytes(), tmp_path / "model"
    load(whole[name])
    refused(load, path, "no such file")
    refused(load, tmp_path, re.escape(f"not a {kind} file"))
    for length in (0, 7, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        refused(load, path, re.escape(f"not a {kind} file"))
    for header in (b"[]", b"[" * 9999, b"{not json", b'{"__metadata__": 5}', b'{"__metadata__": {"kind": 5}}'):
        path.write_bytes(len(header).to_bytes(8, "little") + header)
        refused(load, path, re.escape(f"not a {kind} file"))
    for entry, message in (([0, 9], "items is cut off"), ([0, 2], "items is of another shape")):
        header = json.dumps({"items": {"dtype": "U8", "shape": [9], "data_offsets": entry}}).encode()
        path.write_bytes(len(header).to_bytes(8, "little") + header + b"milk")
        refused(load, path, message)
    columns, metadata, shapes = taken(whole[name])
    models.save(path, columns, {**metadata, "kind": "shopping list"}, shapes)
    refused(load, path, re.escape(f"not a {kind} file (it says 'shopping list')"))


@pytest.mark.parametrize("name", LOADERS)
def test_columns_and_metadata_are_needed(name: str, whole: Mapping[str, Path], tmp_path: Path) -> None:
    load, path = LOADERS[name][0], tmp_path / "model"
    columns, metadata, shapes = taken(whole[name])
    for column in columns:
        if (name, column) == ("frequencies", "index"):  # older tables have none
            continue
        models.save(path, {one: columns[one] for one in columns if one != column}, metadata, shapes)
        refused(load, path)
        other = array({"B": "b", "I": "i", "i": "I", "f": "I"}.get(columns[column].typecode, "B"))
        other.frombytes(columns[column].tobytes())
        if name in SHIPPED:  # the others have a checksum, and columns that may be of several types
            models.save(path, {**columns, column: other}, metadata)
            refused(load, path)
    optional = {"about", "language", "least", "longest", "features", "kinds"}
    for key in metadata.keys() - optional:
        models.save(path, columns, {one: metadata[one] for one in metadata if one != key}, shapes)
        refused(load, path)


@pytest.mark.parametrize("name", LOADERS)
def test_changed_bytes_are_refused_or_harmless(name: str, whole: Mapping[str, Path], tmp_path: Path) -> None:
    load = LOADERS[name][0]
    content = whole[name].read_bytes()
    size = 8 + int.from_bytes(content[:8], "little")
    for seed in range(40):
        random, changed = Random(seed), bytearray(content)
        for _ in range(random.choice((1, 2, 20))):
            place = random.randrange(8) if seed % 10 == 0 else random.randrange(size if seed % 3 else len(content))
            changed[place] = random.choice((changed[place] ^ 1 << random.randrange(8), random.randrange(256)))
        (tmp_path / "model").write_bytes(changed)
        try:
            load(tmp_path / "model")
        except ModelError as error:
            assert "\n" not in str(error), seed


@pytest.mark.parametrize("name", ["segmenter", "tagger", *TRAINED, "network"])
def test_a_checksum_notices_one_byte(name: str, whole: Mapping[str, Path], tmp_path: Path) -> None:
    content = bytearray(whole[name].read_bytes())
    content[-1] ^= 1
    (tmp_path / "model").write_bytes(content)
    refused(LOADERS[name][0], tmp_path / "model", r"damaged \(its checksum does not fit\)")


def test_files_of_another_version_say_what_to_do(whole: Mapping[str, Path], tmp_path: Path) -> None:
    for name, advice in (("kea", "train it again: phrasemill train kea"), ("network", "export it again")):
        columns, metadata, shapes = taken(whole[name])
        models.save(tmp_path / "old", columns, {**metadata, "version": "0"}, shapes)
        refused(LOADERS[name][0], tmp_path / "old", f"made by another version; {advice}")
        models.save(tmp_path / "old", columns, {**metadata, "version": "9" * 5000}, shapes)
        refused(LOADERS[name][0], tmp_path / "old", "version is '999")
    columns, metadata, _ = taken(whole["learned"])
    models.save(tmp_path / "old", columns, {**metadata, "features": "count,rate"})
    refused(load_model, tmp_path / "old", "trained by another version, with other features; train it again")


def full(column: "array[Any]") -> None:
    """Leave no place free in a hash table: a search for what is not there would never end."""
    column[:] = array(column.typecode, [1]) * len(column)


def longer(column: "array[Any]") -> None:
    column.append(0)


def shortened(column: "array[Any]") -> None:
    column.pop()


def changed(column: "array[Any]") -> None:
    column[len(column) // 2] = 127


def filled(column: "array[Any]") -> None:
    column[:] = array(column.typecode, b"\x7f" * column.itemsize * len(column))


def highest(column: "array[Any]") -> None:
    column[0] = {"B": 255, "i": 2**31 - 1}[column.typecode]


UNFIT: list[tuple[str, str | None, Callable[["array[Any]"], None] | None, dict[str, str]]] = [
    ("detector", "Latin weights", longer, {}),
    ("detector", "Latin bias", longer, {}),
    *(("detector", None, None, one) for one in ({"Latin bits": "20"}, {"Latin bits": "9" * 18}, {"scripts": "Latn"})),
    *(("detector", None, None, {"scale": one}) for one in ("0", "-1", "nan", "inf", "twelve")),
    ("words", "rarity", longer, {}),
    ("words", "fingerprints", full, {}),
    ("topics", "levels", longer, {}),
    ("topics", "words", highest, {}),
    *(("topics", None, None, {"topics": one}) for one in ("0", "49", "fifty", "9" * 5000)),
    ("frequencies", "counts", longer, {}),
    ("frequencies", "forms", highest, {}),
    ("frequencies", None, None, {"documents": "many"}),
    ("learned", "trees.feature", highest, {}),
    ("learned", "styles.author", highest, {}),
    ("learned", "trees.leaf", longer, {}),
    ("learned", "kinds.words", longer, {}),
    ("learned", "shapes.codes", highest, {}),
    ("learned", "words.fingerprints", longer, {}),
    *(("learned", None, None, {"kinds": one}) for one in ("author reader", "author")),
    *(("learned", None, None, {"stops": one}) for one in ("{", "{}", '{"author": 5}')),
    ("learned", None, None, {"calibration": "{}"}),
    *(("segmenter", column, shortened, {}) for column in SUMMED),
    *(("segmenter", column, filled, {}) for column in SUMMED[:4]),
    ("segmenter", None, None, {"tags": "NOUN VERB"}),
    *(("tagger", column, shortened, {}) for column in TABLES),
    *(("tagger", column, changed, {}) for column in ("buckets", "offsets", "counts", "tags", "lexicon_buckets")),
    *(("tagger", None, None, one) for one in ({"tags": ""}, {"tags": "A " * 48}, {"columns": "4"}, {"columns": "x"})),
]


@pytest.mark.parametrize(("name", "column", "damage", "changes"), UNFIT)
def test_parts_that_do_not_fit_together_are_refused(
    name: str,
    column: str | None,
    damage: Callable[["array[Any]"], None] | None,
    changes: dict[str, str],
    whole: Mapping[str, Path],
    tmp_path: Path,
) -> None:
    columns, metadata, _ = taken(whole[name])
    if column is not None and damage is not None:
        damage(columns[column])
    if "checksum" in metadata:
        metadata["checksum"] = models.checksum_of_columns(columns, {"tagger": TABLES, "segmenter": SUMMED}[name])
    models.save(tmp_path / "unfit", columns, metadata | changes)
    refused(LOADERS[name][0], tmp_path / "unfit", "damaged")


def test_what_a_reader_finds_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "list"
    columns = {"items": array("B", b"milk"), "prices": array("d", [1.5])}
    models.save(path, columns, {"kind": "list", "version": "3", "checksum": checksum(columns)})
    sound = {"version": 3, "checksum": lambda file: checksum(file.buffers)}
    with reading(path, "list", {"items": "B"}, optional={"prices": "d", "notes": "B"}, **sound) as file:  # type: ignore[arg-type]
        assert bytes(file["items"]) == b"milk" and file.number("version") == 3
    for wrong, message in (
        ({"columns": {"notes": "B"}}, "notes is missing"),
        ({"columns": {"items": "I"}}, "items is of another type"),
        ({"optional": {"prices": "f"}}, "prices is of another type"),
        ({"version": 2, "again": "buy it"}, "made by another version; buy it"),
        ({"checksum": lambda file: "1", "again": "buy it"}, r"damaged \(its checksum does not fit\); buy it"),
    ):
        with pytest.raises(ModelError, match=f"{path}: .*{message}"), reading(path, "list", **wrong):  # type: ignore[arg-type]
            pass
    for error in (ValueError("no\nbread"), KeyError("bread"), RuntimeError("no bread"), ZeroDivisionError("bread")):
        with pytest.raises(ModelError, match=f"{path}: damaged, or of another version .*bread"), reading(path, "list"):
            raise error
    with pytest.raises(pm.ConfigError), reading(path, "list"):
        raise pm.ConfigError("this is not the file's fault")


def test_a_file_is_read_once_unless_it_changes(tmp_path: Path) -> None:
    path, read = tmp_path / "model", []

    def reader(path: Path, more: str) -> Iterator[str]:
        read.append(more)
        return iter(path.read_text())

    path.write_text("one")
    assert kept(path, reader, "a") is kept(path, reader, "a") is not kept(path, reader, "b")
    assert read == ["a", "b"]
    path.write_text("another")
    assert "".join(kept(path, reader, "a")) == "another" and read == ["a", "b", "a"]
    with pytest.raises(ModelError, match="nowhere: buy one"):
        kept(tmp_path / "nowhere", reader, "a", absent="buy one")
    with pytest.raises(ModelError, match="model: damaged, or of another version"):
        kept(path, json.loads)


def test_a_file_that_is_several_is_read_as_one(tmp_path: Path) -> None:
    path, other = tmp_path / "model.safetensors", tmp_path / "model.1.safetensors"
    models.save(path, {"a": array("B", b"1")}, {"kind": "toy", "parts": "1"})
    with pytest.raises(ModelError, match=r"model\.1\.safetensors: no such file"):
        models.load(path, kind="toy")
    models.save(other, {"b": array("I", [2])}, {"kind": "part of a toy"})
    assert [*models.load(path, kind="toy").buffers] == ["a", "b"]
