"""Document frequencies: they add up, in memory as in runs and tables on disk, and make rare phrases weigh more."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.errors import ConfigError, DataError, ModelError
from phrasemill.statistics import DocumentFrequencies, corpus, frequencies, load_frequencies, tables
from phrasemill.statistics.corpus import fit_frequencies
from phrasemill.statistics.frequencies import merge_tables
from phrasemill.types import Document

WORDS = ("river", "salt", "pump", "well", "aquifer", "naïve", "évolution", "水位", "of", "the", "42")
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
collections = st.lists(texts, max_size=8)
COUNTS = st.dictionaries(st.text("abcé水𝒜 ", min_size=1, max_size=5), st.integers(1, 1000), max_size=150)
TABLES = st.builds(
    DocumentFrequencies, documents=st.integers(0, 50), counts=COUNTS, least=st.integers(1, 5), short=st.integers(0, 5)
)
unhurried = settings(max_examples=40, deadline=None)


def documents(contents: list[str]) -> list[Document]:
    return [Document(str(number), text) for number, text in enumerate(contents)]


DOCUMENTS = documents(["Graph theory. Graphs and graph theory.", "Trees. A graph of trees.", "Something else."])


def test_documents_are_counted_not_occurrences() -> None:
    table = DocumentFrequencies.fit(DOCUMENTS)
    counts = [table.counts[form] for form in ("graph", "graph theori", "graph of tree")]
    assert (table.documents, counts) == (3, [2, 1, 1])
    assert table.idfs(["graph", "never seen"]) == [math.log(4) - math.log(3), math.log(4)]
    pruned = table.prune(2)
    assert "graph theori" not in pruned.counts
    assert pruned.idf("graph theori") == pytest.approx(math.log(4 / 2)), "dropped forms count as one below those kept"


def test_the_shipped_table_knows_common_words() -> None:
    table = load_frequencies()
    assert table.documents > 50_000
    assert table.idf("result") < table.idf("neural network") < table.idf("quantum chromodynam")


@unhurried
@given(parts=st.lists(collections, min_size=1, max_size=3), batch=st.integers(1, 60), least=st.integers(1, 3))
def test_fitting_and_merging_on_disk_is_counting_in_memory(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]], batch: int, least: int
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    paths = [folder / str(number) for number in range(len(parts))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "FAN_IN", 2)
        for path, part in zip(paths, parts, strict=True):
            assert fit_frequencies(documents(part), path, batch=batch) == DocumentFrequencies.fit(documents(part))
    whole = DocumentFrequencies.fit(documents([text for part in parts for text in part]))
    assert reduce(DocumentFrequencies.merge, [DocumentFrequencies.fit(documents(part)) for part in parts]) == whole
    assert merge_tables(paths, folder / "all", least=least) == whole.prune(least)
    merge_tables(paths[::-1], folder / "reversed", least=least)
    assert (folder / "all").read_bytes() == (folder / "reversed").read_bytes()
    assert sorted(one.name for one in folder.iterdir()) == sorted([*(p.name for p in paths), "all", "reversed"])


@unhurried
@given(some=st.lists(COUNTS, max_size=5))
def test_merged_runs_and_tables_are_the_sum(
    tmp_path_factory: pytest.TempPathFactory, some: list[dict[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    for number, counts in enumerate(some):
        tables.write_run(folder / f"run{number}", tables.in_order(counts))
        DocumentFrequencies(1000, counts).save(folder / f"table{number}")
    runs = list(tables.merged(tables.read_run(folder / f"run{number}") for number in range(len(some))))
    naive: Counter[str] = sum(map(Counter, some), Counter())
    assert [(form.decode(), count) for form, count in runs] == sorted(naive.items())
    if some:
        merged = merge_tables([folder / f"table{number}" for number in range(len(some))], folder / "all")
        assert merged.counts == naive


@unhurried
@given(three=st.lists(TABLES, min_size=3, max_size=3))
def test_merging_is_associative_and_commutative(three: list[DocumentFrequencies]) -> None:
    a, b, c = three
    assert a.merge(b).merge(c) == a.merge(b.merge(c))
    assert a.merge(b) == b.merge(a)


@unhurried
@given(parts=st.lists(st.tuples(COUNTS, st.integers(1, 400)), min_size=2, max_size=4), least=st.integers(1, 1000))
def test_the_bounds_of_merged_pruned_tables_hold(parts: list[tuple[dict[str, int], int]], least: int) -> None:
    merged = reduce(DocumentFrequencies.merge, [DocumentFrequencies(9, counts).prune(limit) for counts, limit in parts])
    true: Counter[str] = sum([Counter(counts) for counts, _ in parts], Counter())
    for table in (merged, merged.prune(least)):
        for form, count in true.items():
            if form in table.counts:
                assert table.counts[form] <= count <= table.counts[form] + table.short
            else:
                assert count < table.least


@unhurried
@given(counts=COUNTS, asked=st.lists(st.text("abcé水𝒜 ", max_size=5)))
def test_a_table_on_disk_answers_like_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, counts: dict[str, int], asked: list[str]
) -> None:
    path = tmp_path_factory.mktemp("table") / "df"
    table = DocumentFrequencies(2000, counts, least=2, short=1)
    table.save(path)
    assert DocumentFrequencies.load(path) == table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "MOST_IN_MEMORY", -1)
        mapped = DocumentFrequencies.load(path)
    assert isinstance(mapped.counts, tables.MappedCounts)
    assert mapped == table
    assert mapped.idfs([*counts, *asked]) == table.idfs([*counts, *asked])


def test_tables_larger_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {f"form {number:05}": number + 1 for number in range(0, 3000, 3)}
    DocumentFrequencies(5000, counts).save(tmp_path / "df")
    monkeypatch.setattr(frequencies, "MOST_IN_MEMORY", 10)
    monkeypatch.setattr(tables, "BLOCK", 100)
    mapped = DocumentFrequencies.load(tmp_path / "df").counts
    assert (len(mapped), list(mapped)) == (1000, sorted(counts))
    assert {n: mapped.get(f"form {n:05}") for n in range(3000)} == {n: counts.get(f"form {n:05}") for n in range(3000)}
    assert "form" not in mapped and "zebra" not in mapped


def test_processes_and_batches_do_not_show(tmp_path: Path) -> None:
    contents = documents([f"{WORDS[i % 5]} {WORDS[i % 7]} {WORDS[i % 4]}" for i in range(60)])
    fit_frequencies(contents, tmp_path / "one")
    fit_frequencies(contents, tmp_path / "two", jobs=2, batch=100)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_halves_of_characters_do_no_harm(tmp_path: Path) -> None:
    assert fit_frequencies(documents(["salt \ud800water wells"]), tmp_path / "df").counts["salt"] == 1


def test_what_cannot_be(tmp_path: Path) -> None:
    fr, en = DocumentFrequencies.fit([], language="fr"), DocumentFrequencies.fit([])
    fr.save(tmp_path / "fr")
    en.save(tmp_path / "en")
    with pytest.raises(DataError, match="languages"):
        en.merge(fr)
    with pytest.raises(DataError, match="cannot be merged"):
        merge_tables([tmp_path / "en", tmp_path / "fr"], tmp_path / "both")
    with pytest.raises(ConfigError, match="no tables to merge"):
        merge_tables([], tmp_path / "none")
    with pytest.raises(ConfigError, match="jobs"):
        fit_frequencies([], tmp_path / "df", jobs=0)
    with pytest.raises(ConfigError, match="at least 1"):
        fit_frequencies([], tmp_path / "df", least=0)


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "df"
    DocumentFrequencies(9, {"salt": 3, "well": 5}).save(path)
    whole = path.read_bytes()
    for forms in (b"well\nsalt", b"salt\nsalt"):
        path.write_bytes(whole.replace(b"salt\nwell", forms))
        with pytest.raises(ModelError, match="not in order"):
            merge_tables([path], tmp_path / "merged")
    for forms in (b"salt well", b"s\nlt\nwell"):
        path.write_bytes(whole.replace(b"salt\nwell", forms))
        for read in (DocumentFrequencies.load, lambda path: merge_tables([path], tmp_path / "merged")):
            with pytest.raises(ModelError, match="damaged"):
                read(path)
    assert [one.name for one in tmp_path.iterdir()] == ["df"]


def test_nothing_is_left_of_a_count_that_failed(tmp_path: Path) -> None:
    (tmp_path / "df").write_bytes(b"older")

    def failing() -> Iterator[Document]:
        yield Document("1", "salt wells")
        raise DataError("the disk is gone")

    with pytest.raises(DataError, match="the disk is gone"):
        fit_frequencies(failing(), tmp_path / "df")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("df", b"older")]
