"""Fits the topic model that ships with the package, for `topicalpagerank`.

    python -m phrasemill_lab.models.topics --data DIR --output src/phrasemill/data/topics_en.safetensors

Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by online variational Bayes, over the nouns and adjectives, by
stem, of scientific abstracts and of news. Only the probabilities of words given topics are kept, one byte each.
"""

import argparse
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from phrasemill.statistics.topic_model import save
from phrasemill.statistics.topics import TOO_COMMON, bag
from phrasemill_lab.models.frequencies import documents


def fit(counts: list[Counter[str]], *, words: int, topics: int, seed: int) -> tuple[list[str], NDArray[Any]]:
    """Return the vocabulary, and the probability of each word per topic."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    spread: Counter[str] = Counter()
    for words_of in counts:
        spread.update(words_of.keys())
    common = [word for word, n in spread.most_common(words + 500) if n <= len(counts) / TOO_COMMON]
    vocabulary = sorted(common[:words])
    index = {word: i for i, word in enumerate(vocabulary)}
    rows, columns, values = [], [], []
    for row, words_of in enumerate(counts):
        for word, count in words_of.items():
            if word in index:
                rows.append(row)
                columns.append(index[word])
                values.append(count)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(counts), len(vocabulary)))
    model = LatentDirichletAllocation(
        topics, learning_method="online", batch_size=2048, max_iter=6, random_state=seed, verbose=1
    )
    model.fit(matrix)
    return vocabulary, model.components_ / model.components_.sum(axis=1, keepdims=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--words", type=int, default=8000)
    parser.add_argument("--every", type=int, default=6, help="take every n-th abstract")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    abstracts = sorted(options.data.glob("keywords/train-*.jsonl.xz"))
    news = sorted(options.data.glob("500n_kpcrowd_train.jsonl.gz"))
    sources = chain(documents(abstracts, every=options.every), documents(news, every=1))
    counts = [bag(document.content) for document in sources]
    vocabulary, probability = fit(counts, words=options.words, topics=options.topics, seed=options.seed)
    save(options.output, vocabulary, probability, options.topics)
    print(f"{len(counts):,} documents, {len(vocabulary):,} words, {options.output.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
