"""Fits the topic model that ships with the package, for `topicalpagerank`.

    python -m phrasemill.training.topics --data DIR --output src/phrasemill/data/topics_en.safetensors

Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by online variational Bayes, over the nouns and adjectives, by
stem, of scientific abstracts and of news. Only the probabilities of words given topics are kept, one byte each.
"""

import argparse
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from phrasemill import tensors
from phrasemill.candidates import nouns_and_adjectives
from phrasemill.kernels import graph
from phrasemill.methods.topicalpagerank import KIND, LEVELS, LOWEST
from phrasemill.text.analyse import analyser
from phrasemill.training.frequencies import documents
from phrasemill.types import Document


def bags(sources: Iterator[Document]) -> Iterator[Counter[str]]:
    """The nouns and adjectives of each document, counted by stem."""
    analyse = analyser("en").analyse
    for document in sources:
        text = analyse(document.content)
        allowed = nouns_and_adjectives(text)
        node, _ = graph.words(text.stem, text.kind, text.tag, allowed, len(text.stems))
        yield Counter(text.stems[stem] for stem, at in zip(text.stem, node, strict=True) if at >= 0)


def fit(counts: list[Counter[str]], *, words: int, topics: int, seed: int) -> tuple[list[str], "array[int]"]:
    """The vocabulary, and for each word of it in turn one byte a topic: the logarithm of its probability there."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    spread: Counter[str] = Counter()
    for bag in counts:
        spread.update(bag.keys())
    # Words of more than a tenth of the documents (result, study) tell no topics apart.
    common = [word for word, n in spread.most_common(words + 500) if n <= len(counts) / 10]
    vocabulary = sorted(common[:words])
    index = {word: i for i, word in enumerate(vocabulary)}
    rows, columns, values = [], [], []
    for row, bag in enumerate(counts):
        for word, count in bag.items():
            if word in index:
                rows.append(row)
                columns.append(index[word])
                values.append(count)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(counts), len(vocabulary)))
    model = LatentDirichletAllocation(
        topics, learning_method="online", batch_size=2048, max_iter=6, random_state=seed, verbose=1
    )
    model.fit(matrix)
    probability = model.components_ / model.components_.sum(axis=1, keepdims=True)
    scaled = 1 - np.log(np.maximum(probability, LOWEST)) / np.log(LOWEST)
    return vocabulary, array("B", np.rint(scaled.T * (LEVELS - 1)).astype("uint8").tobytes())


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
    counts = [*bags(documents(abstracts, every=options.every)), *bags(documents(news, every=1))]
    vocabulary, levels = fit(counts, words=options.words, topics=options.topics, seed=options.seed)
    buffers = {"words": array("B", "\n".join(vocabulary).encode()), "levels": levels}
    tensors.save(options.output, buffers, {"kind": KIND, "language": "en", "topics": str(options.topics)})
    print(f"{len(counts):,} documents, {len(vocabulary):,} words, {options.output.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
