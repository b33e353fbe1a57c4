"""Fits the topic model that ships with the package, for `topicalpagerank`.

    python -m phrasemill.training.topics --data DIR --output src/phrasemill/data/topics_en.safetensors

Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by online variational Bayes, over the nouns and adjectives, by
stem, of scientific abstracts and of news. Only the probabilities of words given topics are kept, one byte each.
"""

import argparse
from array import array
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill import tensors
from phrasemill.candidates import nouns_and_adjectives
from phrasemill.kernels import graph
from phrasemill.methods.topicalpagerank import KIND, LEVELS, LOWEST
from phrasemill.text.analyse import analyser
from phrasemill.training.frequencies import documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Words of more than one in so many documents (result, study) tell no topics apart.
TOO_COMMON = 10


def bag(content: str) -> Counter[str]:
    """The nouns and adjectives of a text, counted by stem."""
    text = analyser("en").analyse(content)
    allowed = nouns_and_adjectives(text)
    node, _ = graph.words(text.stem, text.kind, text.tag, allowed, len(text.stems))
    return Counter(text.stems[stem] for stem, at in zip(text.stem, node, strict=True) if at >= 0)


def fit(counts: list[Counter[str]], *, words: int, topics: int, seed: int) -> "tuple[list[str], NDArray[Any]]":
    """The vocabulary, and for each topic the probability of each word."""
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


def save(path: Path, vocabulary: list[str], probability: "NDArray[Any]", topics: int) -> None:
    """Write the model: for each word in turn one byte a topic, the logarithm of its probability there."""
    import numpy as np

    scaled = 1 - np.log(np.maximum(probability, LOWEST)) / np.log(LOWEST)
    levels = array("B", np.rint(scaled.T * (LEVELS - 1)).astype("uint8").tobytes())
    buffers = {"words": array("B", "\n".join(vocabulary).encode()), "levels": levels}
    tensors.save(path, buffers, {"kind": KIND, "language": "en", "topics": str(topics)})


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
