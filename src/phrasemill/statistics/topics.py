"""Fit a topic model for `topicalpagerank` to a collection of any size, in bounded memory.

Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by online variational Bayes (Hoffman, Blei and Bach, 2010), over
the nouns and adjectives, by stem. Documents are analysed once; their bags of words wait on disk, the vocabulary is the
commonest words by exact counts over sorted runs, and the model sees one mini-batch of bags at a time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError, DataError, MissingExtra
from phrasemill.kernels.graph import Words
from phrasemill.statistics import runs
from phrasemill.statistics.corpus import BATCH, FitProgress, merged_down, quiet, working_folder, written_runs
from phrasemill.statistics.topic_model import save
from phrasemill.text.analyse import analyser
from phrasemill.types import Document
from phrasemill.workers import checked_jobs

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINI_BATCH = 2048
# A small collection is read several times, until the model has seen about ENOUGH documents.
ENOUGH, MOST_PASSES = 200_000, 10
# Words in this many documents are never too common, whatever the size of the collection.
RARE_ANYHOW = 10
# Words in more than one of this many documents (result, study) do not distinguish topics.
TOO_COMMON = 10


@dataclass(frozen=True, slots=True)
class TopicSettings:
    """The number of `topics` and `words`; `passes` over the documents, by default depending on their number; and the
    `seed` of the initial model."""

    topics: int = 50
    words: int = 8000
    passes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("topics", "words", "passes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"{name} must be at least 1, got {value}")
        if self.seed < 0:
            raise ConfigError(f"seed must be at least 0, got {self.seed}")

    def passes_over(self, documents: int) -> int:
        return self.passes or max(1, min(MOST_PASSES, -(-ENOUGH // documents)))


@dataclass(frozen=True, slots=True)
class FittedTopics:
    """The number of documents that a model was fitted to, and its words."""

    documents: int
    words: tuple[str, ...]


def fit_topics(
    documents: Iterable[Document],
    output: Path,
    *,
    settings: TopicSettings,
    jobs: int = 1,
    batch: int = BATCH,
    progress: FitProgress = quiet,
) -> FittedTopics:
    """Fit the model and write it to `output`; the same documents and settings give the same model on one machine."""
    model = _model(settings)
    jobs = checked_jobs(jobs)
    with working_folder(output) as folder:
        counted = partial(progress, "reading documents")
        found, total = written_runs(count_bags, documents, folder, batch=batch, jobs=jobs, progress=counted)
        bag_files = [_bags_of(path) for path in found]
        vocabulary = _vocabulary(merged_down(found, folder, jobs), total, settings.words)
        passes = settings.passes_over(total)
        model.total_samples = total
        for done, matrix in enumerate(_mini_batches(bag_files, vocabulary, passes), start=1):
            model.partial_fit(matrix)
            progress("fitting topics", min(done * MINI_BATCH, passes * total), passes * total)
    save(output, vocabulary, _probabilities(model), settings.topics)
    return FittedTopics(total, tuple(vocabulary))


def _model(settings: TopicSettings) -> Any:
    try:
        from sklearn.decomposition import LatentDirichletAllocation
    except ImportError:
        raise MissingExtra("scikit-learn", "sklearn", purpose="fitting a topic model") from None
    return LatentDirichletAllocation(settings.topics, batch_size=MINI_BATCH, random_state=settings.seed)


def _probabilities(model: Any) -> "NDArray[Any]":
    probabilities: NDArray[Any] = model.components_ / model.components_.sum(axis=1, keepdims=True)
    return probabilities


def count_bags(task: tuple[list[str], Path]) -> tuple[Path, int]:
    """Write the bags of some texts, one per line, and beside them a run with the number of texts of each word."""
    texts, path = task
    spread: Counter[str] = Counter()
    with _bags_of(path).open("w", encoding="utf-8", newline="\n") as file:
        for text in texts:
            words = bag(text)
            spread.update(words.keys())
            file.write(" ".join(f"{word} {count}" for word, count in words.items()) + "\n")
    runs.write_run(path, runs.blocks_of(spread))
    return path, len(texts)


def _bags_of(run: Path) -> Path:
    return run.with_name(run.name + ".bags")


def _vocabulary(paths: list[Path], documents: int, words: int) -> list[str]:
    """Return the commonest words, in order, without those that are too common to distinguish topics."""
    limit = max(documents / TOO_COMMON, RARE_ANYHOW)
    counted = (
        (-count, form)
        for forms, counts in runs.merged([runs.read_run(path) for path in paths])
        for form, count in zip(forms, counts, strict=True)
        if count <= limit
    )
    chosen = sorted(form.decode() for _, form in nsmallest(words, counted))
    if not chosen:
        raise DataError("no topics to find: there are no nouns and adjectives in the documents")
    return chosen


def _mini_batches(files: list[Path], vocabulary: list[str], passes: int) -> Iterator[Any]:
    from scipy.sparse import csr_matrix

    index = {word: i for i, word in enumerate(vocabulary)}
    for _ in range(passes):
        lines = _lines(files)
        while some := list(islice(lines, MINI_BATCH)):
            ends, columns, values = [0], [], []
            for line in some:
                parts = line.split(" ")
                for word, count in zip(parts[::2], parts[1::2], strict=False):
                    if word in index:
                        columns.append(index[word])
                        values.append(int(count))
                ends.append(len(columns))
            yield csr_matrix((values, columns, ends), shape=(len(some), len(vocabulary)))


def _lines(files: list[Path]) -> Iterator[str]:
    for path in files:
        with path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n")


def bag(content: str) -> Counter[str]:
    """Count the nouns and adjectives of a text by stem."""
    text = analyser("en").analyse(content)
    node = Words(text.view, nouns_and_adjectives(text)).node
    return Counter(text.stems[stem] for stem, at in zip(text.stem, node, strict=True) if at >= 0)
