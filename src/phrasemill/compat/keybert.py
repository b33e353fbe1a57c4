"""KeyBERT's interface. By default `learned` finds the phrases, which needs no model; `method=` names another."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phrasemill.compat import warn_ignored
from phrasemill.errors import ConfigError
from phrasemill.extractor import extract
from phrasemill.keyphrases import Keyphrases, marked_spans
from phrasemill.options import DEFAULT_METHOD
from phrasemill.ranker import build
from phrasemill.select import unlike
from phrasemill.types import Keyphrase, Method

Keywords = list[tuple[str, float]]
THEIR_MODEL = "all-MiniLM-L6-v2"
DIGITS = 4  # of a score, as KeyBERT rounds it


class KeyBERT:
    """Extract keywords as KeyBERT does.

    `model` may be the folder of a sentence-transformers model, which `embedrank` then uses. Any other value has no
    effect, because the default method needs no such model. `method` is a spec, and overrides both.
    """

    def __init__(self, model: Any = THEIR_MODEL, llm: object = None, *, method: str | Method | None = None) -> None:
        if llm is not None:
            raise ConfigError("KeyBERT: a language model is a method here, not an argument; leave out llm")
        folder = isinstance(model, str | Path) and Path(model).is_dir()
        if method is None:
            method = f"embedrank(model={str(model)!r})" if folder else DEFAULT_METHOD
        if not folder and model != THEIR_MODEL:
            warn_ignored("KeyBERT", model=model)
        self.method = build(method)

    def extract_keywords(
        self,
        docs: str | list[str],
        candidates: list[str] | None = None,
        keyphrase_ngram_range: tuple[int, int] = (1, 1),
        stop_words: str | list[str] | None = "english",
        top_n: int = 5,
        min_df: int = 1,
        use_maxsum: bool = False,
        use_mmr: bool = False,
        diversity: float = 0.5,
        nr_candidates: int = 20,
        vectorizer: Any = None,
        highlight: bool = False,
        seed_keywords: list[str] | list[list[str]] | None = None,
        doc_embeddings: object = None,
        word_embeddings: object = None,
        threshold: float | None = None,
    ) -> Any:
        """Return a list of (keyword, score) for one document, and a list of such lists for several."""
        warn_ignored("KeyBERT", doc_embeddings=doc_embeddings, word_embeddings=word_embeddings)
        if vectorizer is not None:
            keyphrase_ngram_range, stop_words = vectorizer.ngram_range, vectorizer.stop_words
            min_df = vectorizer.min_df if isinstance(vectorizer.min_df, int) else min_df
        maxsum = use_maxsum and not use_mmr
        if maxsum and nr_candidates < top_n:
            raise ConfigError(f"KeyBERT: nr_candidates must be at least top_n, got {nr_candidates} and {top_n}")
        texts = [docs] if isinstance(docs, str) else list(docs)
        lowered = [text.lower() for text in texts] if min_df > 1 else []
        shortest, longest = keyphrase_ngram_range
        options: dict[str, Any] = {
            "method": self.method,
            "candidates": candidates,
            "shortest": shortest,
            "longest": longest,
            "stopwords": stop_words if isinstance(stop_words, list | tuple | set | frozenset) else (),
            "diversity": diversity if use_mmr else 0.0,
        }
        wanted = nr_candidates if maxsum else top_n
        found: list[Keyphrases] = []
        for text, seeds in zip(texts, _seeds(seed_keywords, len(texts)), strict=True):
            listed = extract(text, top="all" if min_df > 1 else wanted, boost=seeds, **options)
            if min_df > 1:
                common = (one for one in listed if sum(one.text.lower() in text for text in lowered) >= min_df)
                listed = Keyphrases(common)[:wanted]
            found.append(_unlike(listed, top_n) if maxsum else listed)
        if len(found) == 1:  # as KeyBERT does, also for a list of one
            if highlight:
                _print(texts[0], found[0])
            return _pairs(found[0])
        return [_pairs(one) for one in found]

    def extract_embeddings(self, *_: object, **__: object) -> None:
        """Raise a `ConfigError`: the methods compute embeddings themselves."""
        raise ConfigError("KeyBERT: embeddings are made inside the methods here; leave out extract_embeddings")


def _pairs(keyphrases: Sequence[Keyphrase]) -> Keywords:
    return [(one.text.lower(), round(one.score, DIGITS)) for one in keyphrases]


def _seeds(given: Sequence[str] | Sequence[Sequence[str]] | None, documents: int) -> list[list[str]]:
    """Return the seed keywords of each document: one list for all of them, or one for each."""
    if not given:
        return [[]] * documents
    if isinstance(given[0], str):
        return [[str(one) for one in given]] * documents
    if len(given) != documents:
        raise ConfigError(f"KeyBERT: seed_keywords has {len(given)} lists for {documents} documents")
    return [list(one) for one in given]


def _unlike(keyphrases: Keyphrases, count: int) -> Keyphrases:
    """Return those of the best phrases that have the fewest words in common, KeyBERT's max-sum in our terms."""
    words = [one.text.lower().split() for one in keyphrases]
    chosen = unlike(words, [one.score for one in keyphrases], weight=1.0, most=count)
    return Keyphrases(keyphrases[i] for i in chosen)


def _print(text: str, keyphrases: Keyphrases) -> None:
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    for (start, end), _ in marked_spans(keyphrases):
        shown.stylize("black on bright_yellow", start, end)
    Console(highlight=False).print(shown)
