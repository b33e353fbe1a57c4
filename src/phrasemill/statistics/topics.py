"""Fit a topic model for `topicalpagerank` to a collection of any size, in bounded memory.

Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by online variational Bayes (Hoffman, Blei and Bach, 2010), over
the nouns and adjectives, by stem. Documents are analysed once; their bags of words wait on disk, the vocabulary is the
commonest words by exact counts over sorted runs, and the model sees one mini-batch of bags at a time.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import DataError, MissingExtra
from phrasemill.isolated import checked_jobs
from phrasemill.kernels.graph import Words
from phrasemill.statistics import tables
from phrasemill.statistics.corpus import BATCH, FitProgress, merged_down, quiet, working_folder, written_runs
from phrasemill.statistics.topic_model import save
from phrasemill.text.analyse import analyser
from phrasemill.types import Document

TOPICS, WORDS = 50, 8000
MINI_BATCH = 2048
# A small collection is read several times, until the model has seen about ENOUGH documents.
ENOUGH, MOST_PASSES = 200_000, 10
# Words in this many documents are never too common, whatever the size of the collection.
RARE_ANYHOW = 10
# Words in more than one of this many documents (result, study) do not distinguish topics.
TOO_COMMON = 10


def fit_topics(
    documents: Iterable[Document],
    output: Path,
    *,
    topics: int = TOPICS,
    words: int = WORDS,
    passes: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    batch: int = BATCH,
    progress: FitProgress = quiet,
) -> tuple[int, list[str]]:
    """Fit the model and write it to `output`; return the number of documents, and the words of the model.

    Passes over the documents are by default more where these are few. The same documents and settings give the same
    model on one machine.
    """
    try:
        from sklearn.decomposition import LatentDirichletAllocation
    except ImportError:
        raise MissingExtra("scikit-learn", "sklearn", purpose="fitting a topic model") from None
    model = LatentDirichletAllocation(topics, batch_size=MINI_BATCH, random_state=seed)
    jobs = checked_jobs(jobs)
    with working_folder(output) as folder:
        counted = partial(progress, "reading documents")
        runs, total = written_runs(count_bags, documents, folder, batch=batch, jobs=jobs, progress=counted)
        bags = list(map(_bags_of, runs))
        vocabulary = _vocabulary(merged_down(runs, folder, jobs), total, words)
        passes = passes or max(1, min(MOST_PASSES, -(-ENOUGH // total)))
        model.total_samples = total
        for done, matrix in enumerate(_mini_batches(bags, vocabulary, passes), start=1):
            model.partial_fit(matrix)
            progress("fitting topics", min(done * MINI_BATCH, passes * total), passes * total)
    save(output, vocabulary, model.components_ / model.components_.sum(axis=1, keepdims=True), topics)
    return total, vocabulary


def count_bags(task: tuple[list[str], Path]) -> int:
    """Write the bags of some texts, one per line, and beside them a run with the number of texts of each word."""
    texts, path = task
    spread: Counter[str] = Counter()
    with _bags_of(path).open("w", encoding="utf-8", newline="\n") as file:
        for text in texts:
            words = bag(text)
            spread.update(words.keys())
            file.write(json.dumps(words) + "\n")
    tables.write_run(path, tables.in_order(spread))
    return len(texts)


def _bags_of(run: Path) -> Path:
    return run.with_name(run.name + ".bags")


def _vocabulary(runs: list[Path], documents: int, words: int) -> list[str]:
    """Return the commonest words, in order, without those that are too common to distinguish topics."""
    limit = max(documents / TOO_COMMON, RARE_ANYHOW)
    rare = ((-count, form) for form, count in tables.merged(map(tables.read_run, runs)) if count <= limit)
    chosen = sorted(form.decode() for _, form in nsmallest(words, rare))
    if not chosen:
        raise DataError("no topics to find: there are no nouns and adjectives in the documents")
    return chosen


def _mini_batches(files: list[Path], vocabulary: list[str], passes: int) -> Iterator[Any]:
    """Yield rows of counts, one per document and MINI_BATCH at a time."""
    from scipy.sparse import csr_matrix

    index = {word: i for i, word in enumerate(vocabulary)}
    for _ in range(passes):
        lines = _lines(files)
        while some := list(islice(lines, MINI_BATCH)):
            ends, columns, values = [0], [], []
            for line in some:
                known = [(index[word], count) for word, count in json.loads(line).items() if word in index]
                columns += [column for column, _ in known]
                values += [count for _, count in known]
                ends.append(len(columns))
            yield csr_matrix((values, columns, ends), shape=(len(some), len(vocabulary)))


def _lines(files: list[Path]) -> Iterator[str]:
    for path in files:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield from file


def bag(content: str) -> Counter[str]:
    """Count the nouns and adjectives of a text by stem."""
    text = analyser("en").analyse(content)
    node = Words(text.view, nouns_and_adjectives(text)).node
    return Counter(text.stems[stem] for stem, at in zip(text.stem, node, strict=True) if at >= 0)
