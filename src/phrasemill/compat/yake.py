"""YAKE's interface over our method `yake`: lower scores are better, as YAKE's own."""

from collections.abc import Iterable
from typing import Any

from phrasemill.compat import warn_ignored
from phrasemill.errors import ConfigError
from phrasemill.extractor import Extractor
from phrasemill.specs import Spec

# What the parameters were called until version 0.6.
EARLIER = {"dedupLim": "dedup_lim", "dedupFunc": "dedup_func", "windowsSize": "window_size"}


class KeywordExtractor:
    """Extract keywords as YAKE does. Parameters have the names of version 0.7; those of 0.4 also work.

    Near-duplicates are found by one measure, whatever `dedup_func` is, and all features are used. Wordings with the
    same stems count as one, so `lemmatize` has no effect.
    """

    def __init__(
        self,
        lan: str = "en",
        n: int = 3,
        dedup_lim: float = 0.9,
        dedup_func: str = "seqm",
        window_size: int = 1,
        top: int = 20,
        features: list[str] | None = None,
        stopwords: Iterable[str] | None = None,
        lemmatize: bool = False,
        lemma_aggregation: str = "min",
        lemmatizer: str = "spacy",
        **earlier: Any,
    ) -> None:
        given: dict[str, Any] = {
            "dedup_lim": dedup_lim,
            "dedup_func": dedup_func,
            "window_size": window_size,
        }
        for name, value in earlier.items():
            if name not in EARLIER:
                raise ConfigError(f"KeywordExtractor has no parameter {name!r}")
            given[EARLIER[name]] = value
        warn_ignored("KeywordExtractor", features=features, lemmatize=lemmatize)
        limit = given["dedup_lim"]
        parameters: list[tuple[str, object]] = [("longest", n), ("window", given["window_size"])]
        if limit < 1:
            parameters.append(("dedupe", float(limit)))
        self.config = {"lan": lan, "n": n, **given, "top": top, "features": features}
        self._extractor = Extractor(
            str(Spec("yake", (), tuple(parameters))),
            top=top,
            language=lan,
            stopwords=[word for word in stopwords or () if len(word.split()) == 1],  # others match no word of a text
            replace_stopwords=stopwords is not None,
            redundancy="none" if limit >= 1 else None,
        )

    def extract_keywords(self, text: str | None) -> list[tuple[str, float]]:
        """Return pairs of keyword and score, best (lowest score) first."""
        # Our score is 1 / (1 + S) of YAKE's S.
        return [(one.text, 1 / one.score - 1) for one in self._extractor.extract(text)] if text else []
