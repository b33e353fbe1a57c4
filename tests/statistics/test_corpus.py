"""Counting in bounded memory: runs and tables on disk say what a dictionary would have said."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.errors import ConfigError, DataError, ModelError
from phrasemill.statistics import DocumentFrequencies, frequencies, runs
from phrasemill.statistics.corpus import fit_frequencies
from phrasemill.statistics.frequencies import merge_tables
from phrasemill.statistics.tables import MappedCounts
from phrasemill.types import Document

WORDS = ("river", "salt", "pump", "well", "aquifer", "naïve", "évolution", "水位", "of", "the", "42")
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
collections = st.lists(texts, max_size=8)
COUNTS = st.dictionaries(st.text("abcé水𝒜 ", min_size=1, max_size=5), st.integers(1, 1000), max_size=40)


def documents(contents: list[str]) -> list[Document]:
    return [Document(str(number), text) for number, text in enumerate(contents)]


@settings(max_examples=40, deadline=None)
@given(parts=st.lists(collections, min_size=1, max_size=3), batch=st.integers(1, 60), least=st.integers(1, 3))
def test_fitting_and_merging_on_disk_is_counting_in_memory(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]], batch: int, least: int
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    paths = [folder / str(number) for number in range(len(parts))]
    for path, part in zip(paths, parts, strict=True):
        assert fit_frequencies(documents(part), path, batch=batch) == DocumentFrequencies.fit(documents(part))
    whole = DocumentFrequencies.fit(documents([text for part in parts for text in part])).prune(least)
    assert merge_tables(paths, folder / "all", least=least) == whole
    merge_tables(paths[::-1], folder / "reversed", least=least)
    assert (folder / "all").read_bytes() == (folder / "reversed").read_bytes()
    assert sorted(one.name for one in folder.iterdir()) == sorted([*(p.name for p in paths), "all", "reversed"])


@settings(max_examples=60, deadline=None)
@given(sources=st.lists(COUNTS, max_size=6))
def test_merged_runs_are_the_sum(tmp_path_factory: pytest.TempPathFactory, sources: list[dict[str, int]]) -> None:
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "BLOCK", 3)
        for number, counts in enumerate(sources):
            runs.write_run(folder / str(number), runs.blocks_of(counts))
        blocks = list(runs.merged([runs.read_run(folder / str(number)) for number in range(len(sources))]))
    found = [(form.decode(), count) for forms, counts in blocks for form, count in zip(forms, counts, strict=True)]
    naive: Counter[str] = Counter()
    for counts in sources:
        naive.update(counts)
    assert found == sorted(naive.items())


@settings(max_examples=60, deadline=None)
@given(
    tables=st.lists(
        st.builds(
            DocumentFrequencies,
            documents=st.integers(0, 50),
            counts=COUNTS,
            least=st.integers(1, 5),
            short=st.integers(0, 5),
        ),
        min_size=3,
        max_size=3,
    )
)
def test_merging_is_associative_and_commutative(tables: list[DocumentFrequencies]) -> None:
    a, b, c = tables
    assert a.merge(b).merge(c) == a.merge(b.merge(c))
    assert a.merge(b) == b.merge(a)


@settings(max_examples=60, deadline=None)
@given(parts=st.lists(st.tuples(COUNTS, st.integers(1, 400)), min_size=2, max_size=4), least=st.integers(1, 1000))
def test_the_bounds_of_merged_pruned_tables_hold(parts: list[tuple[dict[str, int], int]], least: int) -> None:
    pruned = [DocumentFrequencies(1000, counts).prune(limit) for counts, limit in parts]
    merged = pruned[0]
    for one in pruned[1:]:
        merged = merged.merge(one)
    true: Counter[str] = Counter()
    for counts, _ in parts:
        true.update(counts)
    for table in (merged, merged.prune(least)):
        for form, count in true.items():
            if form in table.counts:
                assert table.counts[form] <= count <= table.counts[form] + table.short
            else:
                assert count < table.least


def test_more_runs_than_one_merge_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "FAN_IN", 2)
    contents = documents([f"{WORDS[i % 5]} {WORDS[i % 3]} {WORDS[i % 4]}" for i in range(17)])
    assert fit_frequencies(contents, tmp_path / "df", batch=1) == DocumentFrequencies.fit(contents)


def test_processes_and_batches_do_not_show(tmp_path: Path) -> None:
    contents = documents([f"{WORDS[i % 5]} {WORDS[i % 7]} {WORDS[i % 4]}" for i in range(60)])
    fit_frequencies(contents, tmp_path / "one")
    fit_frequencies(contents, tmp_path / "two", jobs=2, batch=100)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_halves_of_characters_do_no_harm(tmp_path: Path) -> None:
    table = fit_frequencies([Document("1", "salt \ud800water wells")], tmp_path / "df")
    assert table.counts["salt"] == 1


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, asked=st.lists(st.text("abcé水𝒜 ", max_size=5)))
def test_a_table_on_disk_answers_like_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, counts: dict[str, int], asked: list[str]
) -> None:
    path = tmp_path_factory.mktemp("table") / "df"
    table = DocumentFrequencies(2000, counts)
    table.save(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "MOST_IN_MEMORY", -1)
        mapped = DocumentFrequencies.load(path)
    assert isinstance(mapped.counts, MappedCounts)
    assert mapped == table
    assert mapped.idfs([*counts, *asked]) == table.idfs([*counts, *asked])


def test_a_mapped_table_of_many_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {f"form {number:05}": number + 1 for number in range(0, 3000, 3)}
    DocumentFrequencies(5000, counts).save(tmp_path / "df")
    monkeypatch.setattr(frequencies, "MOST_IN_MEMORY", 10)
    mapped = DocumentFrequencies.load(tmp_path / "df").counts
    assert len(mapped) == 1000
    assert list(mapped) == sorted(counts)
    for number in range(3000):
        assert mapped.get(f"form {number:05}") == counts.get(f"form {number:05}")
    assert "form" not in mapped
    assert "zebra" not in mapped


def test_npz_is_numpys_own(tmp_path: Path) -> None:
    import numpy as np

    table = fit_frequencies(documents(["salt wells", "salt water"]), tmp_path / "df.npz")
    assert table == DocumentFrequencies.fit(documents(["salt wells", "salt water"]))
    with np.load(tmp_path / "df.npz", allow_pickle=False) as archive:
        assert (
            dict(zip(archive["forms"].tobytes().decode().split("\n"), archive["counts"], strict=True)) == table.counts
        )
    merged = merge_tables([tmp_path / "df.npz", tmp_path / "df.npz"], tmp_path / "twice.npz")
    assert merged.counts["salt"] == 4
    (tmp_path / "broken.npz").write_bytes((tmp_path / "df.npz").read_bytes()[:200])
    with pytest.raises(ModelError, match="not a document frequencies file"):
        DocumentFrequencies.load(tmp_path / "broken.npz")


def test_what_cannot_be(tmp_path: Path) -> None:
    DocumentFrequencies.fit([], language="fr").save(tmp_path / "fr")
    DocumentFrequencies.fit([]).save(tmp_path / "en")
    with pytest.raises(DataError, match="cannot be merged"):
        merge_tables([tmp_path / "en", tmp_path / "fr"], tmp_path / "both")
    with pytest.raises(ConfigError, match="no tables to merge"):
        merge_tables([], tmp_path / "none")
    with pytest.raises(ConfigError, match="jobs"):
        fit_frequencies([], tmp_path / "df", jobs=0)
    with pytest.raises(ConfigError, match="at least 1"):
        fit_frequencies([], tmp_path / "df", least=0)


def test_nothing_is_left_of_a_count_that_failed(tmp_path: Path) -> None:
    (tmp_path / "df").write_bytes(b"older")

    def failing() -> Iterator[Document]:
        yield Document("1", "salt wells")
        raise DataError("the disk is gone")

    with pytest.raises(DataError, match="the disk is gone"):
        fit_frequencies(failing(), tmp_path / "df")
    assert [path.name for path in tmp_path.iterdir()] == ["df"]
    assert (tmp_path / "df").read_bytes() == b"older"
