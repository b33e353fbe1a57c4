"""From a dataset's name and a folder to its documents: find the files, read them, compare counts and checksums."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.files.streams import ENDINGS
from phrasemill.types import Document
from phrasemill_lab.datasets.building.grouping import DocumentSet, by_topic
from phrasemill_lab.datasets.catalog import Dataset, Form, Split, dataset
from phrasemill_lab.datasets.duc import DOCUMENTS, TAR, TOPIC
from phrasemill_lab.datasets.layouts import FILE, FOLDER, find_layout, guess
from phrasemill_lab.datasets.problems import DatasetProblem, Malformed, Problems, warn_of
from phrasemill_lab.datasets.records import LayoutReading

CHECKS = {"report": "report", "refuse": "refuse", "off": "skip"}
IN_JSON = {"json", "jsonl"}


@dataclass(frozen=True, slots=True)
class DatasetSource:
    """What is read at once: a file or folder in a layout, and the split it holds."""

    layout: str
    path: Path
    split: Split | None


def load_dataset(
    name: str,
    root: str | Path,
    *,
    split: str | None = None,
    layout: str | None = None,
    gold: str | None = None,
    on_error: str = "refuse",
    check: str = "report",
    report: Callable[[DatasetProblem], None] = warn_of,
) -> Iterator[Document]:
    """Return a stream of the documents of the dataset `name`, from its files below the folder `root` or from one file.

    Without `split`, all splits are read; a document that is in two comes once, and its metadata names the split. `gold`
    chooses among several golds (`author`, `reader` …). `on_error` sets what happens to a malformed record (`refuse`,
    `skip`, `report`), and `check` what happens if counts or checksums differ from the published ones (`report`,
    `refuse`, `off`). `report` is called with each problem; by default it warns. Missing files are an error that names
    them.
    """
    entry = dataset(name)
    if check not in CHECKS:
        raise UnknownName("check", check, CHECKS)
    checks = Problems(CHECKS[check], report)
    problems = Problems(on_error, report)
    found = sources(entry, Path(root), split=split, layout=layout)
    return _documents(entry, found, gold, problems, checks)


def read_layout(
    path: str | Path,
    *,
    layout: str | None = None,
    gold: str | None = None,
    on_error: str = "refuse",
    report: Callable[[DatasetProblem], None] = warn_of,
) -> Iterator[Document]:
    """Return the documents in one file or folder of any layout, guessed where it is not given; a stream."""
    path = Path(path)
    reading = LayoutReading(Problems(on_error, report), gold)
    chosen = find_layout(layout or guess(path))
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    if chosen.unit == (FILE if path.is_dir() else FOLDER):
        wanted = "a file" if chosen.unit == FILE else "a folder"
        raise ConfigError(f"{path}: layout {chosen.name} is {wanted}")
    return chosen.read(path, reading)


def load_topics(
    name: str,
    root: str | Path,
    *,
    documents: Iterable[Document] | None = None,
    top: int | None = None,
    on_error: str = "refuse",
    check: str = "report",
    report: Callable[[DatasetProblem], None] = warn_of,
) -> Iterator[DocumentSet]:
    """Yield the topics of a dataset as document sets: those of `mkduc01` with their gold, others by `topic`, without.

    The documents of `mkduc01` are those of `duc2001` below the same root, or `documents`; `on_error` also decides
    what happens where one of a topic is not among them. `top` is the most gold keyphrases to keep per topic (the
    paper's Trunc-20).
    """
    topics = load_dataset(name, root, on_error=on_error, check=check, report=report)
    if dataset(name).name != "mkduc01":
        yield from by_topic(topics)
        return
    if documents is None:
        documents = load_dataset("duc2001", root, on_error=on_error, check=check, report=report)
    problems = Problems(on_error, report)
    by_id: dict[str, Document] = {}
    groups: dict[object, list[str]] = {}
    for document in documents:
        by_id[document.id] = document
        groups.setdefault(document.metadata.get(TOPIC), []).append(document.id)
    for topic in topics:
        ids = topic.metadata.get(DOCUMENTS)
        named = ids if isinstance(ids, list) and ids else groups.get(topic.id, [])
        missing = ", ".join(id_ for id_ in named if id_ not in by_id)
        if missing or not named:
            problems.add(root, f"topic {topic.id}: not in DUC-2001 as it is here: {missing or 'all of its documents'}")
        found = tuple(by_id[id_] for id_ in named if id_ in by_id)
        if found:
            yield DocumentSet(topic.id, found, topic.references[:top])


def sources(entry: Dataset, root: Path, *, split: str | None = None, layout: str | None = None) -> list[DatasetSource]:
    """Return where the chosen splits are below `root`; raise an error that names what was looked for."""
    if root.is_file():
        guessed, named = _seen_from_name(entry, root)
        return [DatasetSource(layout or guessed or guess(root), root, entry.split(split) if split else named)]
    if not root.is_dir():
        raise DataError(f"{root}: no such folder")
    forms = [form for form in entry.forms if layout in (None, form.layout)]
    if not forms:
        raise UnknownName(f"layout of {entry.name}", str(layout), [form.layout for form in entry.forms])
    wanted = [entry.split(split)] if split else entry.splits
    found = {one.name: _find(entry, forms, one, root) for one in wanted}
    kept = [one for one in wanted if split or not (one.part_of and found.get(one.part_of))]
    listed = [source for one in kept for source in found[one.name]]
    if not listed:
        looked_for = [place for form in forms for one in wanted for place in _places(entry, form, one)]
        raise DataError(
            f"{root}: no files of {entry.name}{f' ({split})' if split else ''}; looked for {_shortened(looked_for)}"
        )
    return listed


def _shortened(places: list[str], most: int = 12) -> str:
    different = list(dict.fromkeys(place for place in places if not place.endswith(ENDINGS)))
    rest = f" and {len(different) - most} more" if len(different) > most else ""
    return ", ".join(different[:most]) + rest + " (files may be compressed)"


def _seen_from_name(entry: Dataset, path: Path) -> tuple[str | None, Split | None]:
    """Return layout and split of a file that one of the dataset's own patterns fits."""
    for form in entry.forms:
        for one in entry.splits:
            if find_layout(form.layout).unit == FILE and any(path.match(place) for place in _places(entry, form, one)):
                return _of_file(entry, form, path), one
    return None, None


def _places(entry: Dataset, form: Form, split: Split) -> list[str]:
    """Return the patterns of `form` with the names of `split` in them; those without a name hold the first split."""
    named = [place for place in form.places if "{split}" in place]
    unnamed = [place for place in form.places if "{split}" not in place] if split is entry.splits[0] else []
    return unnamed + [place.format(split=name) for name in (split.name, *split.also) for place in named]


def _find(entry: Dataset, forms: list[Form], split: Split, root: Path) -> list[DatasetSource]:
    """Return the first form whose files are there."""
    for form in forms:
        for place in _places(entry, form, split):
            files = sorted(path for path in root.glob(place) if path.is_file())
            if not files:
                continue
            units = files if find_layout(form.layout).unit == FILE else list(dict.fromkeys(map(_unit, files)))
            return [DatasetSource(_of_file(entry, form, unit), unit, split) for unit in units]
    return []


def _unit(path: Path) -> Path:
    """Return the folder of a text or a list of keyphrases; an archive or a JSON file stands for itself."""
    return path if path.suffix == ".json" or TAR.search(path.name) else path.parent


def _of_file(entry: Dataset, form: Form, path: Path) -> str:
    """Return the layout of a file that `form` found; look inside where the dataset has both layouts in JSON."""
    if form.layout in IN_JSON and {one.layout for one in entry.forms} >= IN_JSON:
        with suppress(DataError, Malformed):  # its reader reports what is wrong
            return guess(path)
    return form.layout


def _documents(
    entry: Dataset, found: list[DatasetSource], gold: str | None, problems: Problems, checks: Problems
) -> Iterator[Document]:
    counts: dict[str, tuple[int, int]] = {}
    for source in found:
        _compare_checksums(entry, source, checks)
        name = source.split.name if source.split else ""
        reading = LayoutReading(problems, gold, name, entry.gold[0] if entry.gold else None)
        seen: set[str] = set()
        documents, keyphrases = counts.get(name, (0, 0))
        for document in find_layout(source.layout).read(source.path, reading):
            if document.id in seen:
                problems.add(source.path, f"the id {document.id!r} comes twice")
                continue
            seen.add(document.id)
            documents, keyphrases = documents + 1, keyphrases + len(document.references)
            known = {"split": name} if name else {}
            if entry.name == "semeval2010":  # the letter before the number is the class of the ACM
                known["category"] = document.id.partition("-")[0]
            yield replace(document, metadata=known | dict(document.metadata))
        counts[name] = documents, keyphrases
    for split, path in {source.split: source.path for source in found if source.split}.items():
        documents, keyphrases = counts[split.name]
        if split.documents not in (None, documents):
            here = f"{split.documents:,} documents, here are {documents:,}"
        elif gold is None and split.keyphrases not in (None, keyphrases):
            here = f"{split.keyphrases:,} keyphrases, here are {keyphrases:,}"
        else:
            continue
        checks.add(path, f"{entry.name} {split.name} has {here}")


def _compare_checksums(entry: Dataset, source: DatasetSource, checks: Problems) -> None:
    if checks.policy == "skip":
        return
    for path in [source.path] if source.path.is_file() else _beside(source, entry.files):
        if path.name in entry.files:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != entry.files[path.name]:
                    checks.add(path, "differs from the published file of this name: the SHA-256 differs")


def _beside(source: DatasetSource, names: Iterable[str]) -> list[Path]:
    """Return the files of the split by these names in, above or beside its folder, such as its answer keys."""
    wanted = [name for name in names if source.split and name.startswith(f"{source.split.name}.")]
    above = source.path.parent
    places = [[source.path / name, above / name, *above.glob(f"*/{name}")] for name in wanted]
    return sorted({path for found in places for path in found if path.is_file()})
