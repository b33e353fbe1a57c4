"""Makes the tables of statistics: document frequencies and topics of English, and word frequencies of 20 languages."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from phrasemill.kernels.words import normalise

from phrasemill.errors import DataError
from phrasemill.kernels import hashing
from phrasemill.statistics import DocumentFrequencies
from phrasemill.statistics.topic_model import save
from phrasemill.statistics.topics import TOO_COMMON, bag
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.text.word_frequencies import SCALE, WordFrequencies
from phrasemill.types import Document
from phrasemill_lab.models.make import Row
from phrasemill_lab.models.sources import matching, read_records, word_frequencies


def documents(data: Path, pattern: str, *, every: int = 1) -> Iterator[Document]:
    """Yield every `every`-th record of the files."""
    records = (record for path in matching(data, pattern) for record in read_records(path))
    for number, record in enumerate(records, start=1):
        if number % every == 0:
            yield Document(str(number), record.get("text", ""), record.get("title", ""))


def frequencies(data: Path, output: Path, row: Row) -> None:
    """Count the documents in which each phrase occurs, and keep the phrases of `least` documents or more."""
    found = chain.from_iterable(documents(data, pattern) for pattern in row["data"])
    table = DocumentFrequencies.fit(found).prune(row["settings"]["least"])
    if not table.counts:
        raise DataError(f"{data}: no phrase occurs in {row['settings']['least']} documents of {', '.join(row['data'])}")
    table.save(output)


def topics(data: Path, output: Path, row: Row) -> None:
    """Fit topics (latent Dirichlet allocation, online variational Bayes) to the stems of nouns and adjectives of every
    `every`-th abstract and of all news."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    settings = row["settings"]
    abstracts, news = row["data"]
    counts = [
        bag(one.content) for one in chain(documents(data, abstracts, every=settings["every"]), documents(data, news))
    ]
    spread = Counter(word for words in counts for word in words)
    size = settings["words"]  # in the most documents, but not in too many
    vocabulary = sorted([word for word, n in spread.most_common(size + 500) if n <= len(counts) / TOO_COMMON][:size])
    if not vocabulary:
        raise DataError(f"{data}: the documents of {abstracts} and {news} have no words to fit topics to")
    index = {word: i for i, word in enumerate(vocabulary)}
    cells = [(row, index[word], n) for row, words in enumerate(counts) for word, n in words.items() if word in index]
    rows, columns, values = zip(*cells, strict=True)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(counts), len(vocabulary)))
    options = {"learning_method": "online", "batch_size": 2048, "max_iter": 6, "random_state": row["seed"]}
    model = LatentDirichletAllocation(settings["topics"], **options).fit(matrix)
    save(output, vocabulary, model.components_ / model.components_.sum(axis=1, keepdims=True), settings["topics"])


def words(data: Path, output: Path, row: Row) -> None:
    """Compute how frequent stems are from the word list of wordfreq."""
    language = row["each"]
    stem = stemmer(default_stemmer(language))
    shares: defaultdict[str, float] = defaultdict(float)
    for word, share in word_frequencies(language).items():
        shares[stem(normalise(word).lower())] += share
    best = sorted(shares, key=lambda one: (-shares[one], one))[: row["settings"]["most"]]
    rarity = array("B", [min(255, round(-math.log(min(shares[one], 1.0)) * SCALE)) for one in best])
    WordFrequencies.of(hashing.stem_hashes(best), rarity).save(output, language)
