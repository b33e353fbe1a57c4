"""Keyphrases as features: a scikit-learn vectoriser (extra `sklearn`)."""

from collections import Counter
from collections.abc import Iterable
from inspect import Signature, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError, InputError
from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.options import DEFAULT_METHOD, OPTIONS, checked, parameters_of
from phrasemill.select import form_of
from phrasemill.sources import as_document
from phrasemill.text.analyse import analyse
from phrasemill.text.language_codes import AUTO

with requires("sklearn"):
    from scipy.sparse import csr_matrix
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted

# The parameters that are options of an extraction; the language is applied to documents before.
CHOOSING = {name: one for name, one in OPTIONS.items() if name not in ("explain", "language")}


class KeyphraseVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn documents into counts of the keyphrases of a corpus.

    `fit` extracts the `top` keyphrases of each document, and keeps those of at least `min_df` documents, at most the
    `max_features` most frequent. `transform` counts where they occur, by stem. Columns are in alphabetical order, and
    are named by the wording that was extracted most often. The other parameters are options of `phrasemill.extract`.
    """

    def __init__(
        self,
        method: str = DEFAULT_METHOD,
        *,
        min_df: int = 1,
        max_features: int | None = None,
        binary: bool = False,
        language: str = AUTO,
        **options: Any,
    ) -> None:
        checked(options, CHOOSING)
        self.method = method
        for name in CHOOSING.keys() - {"method"}:
            setattr(self, name, options.get(name, CHOOSING[name].default))
        self.min_df = min_df
        self.max_features = max_features
        self.binary = binary
        self.language = language

    def fit(self, raw_documents: Iterable[str], y: object = None) -> "KeyphraseVectorizer":
        """Learn the keyphrases of a corpus."""
        if self.min_df < 1:
            raise ConfigError(f"min_df must be at least 1, got {self.min_df}")
        find = Extractor(**{name: getattr(self, name) for name in CHOOSING}).find
        wordings: dict[str, Counter[str]] = {}
        for text in _texts(raw_documents):
            document = as_document(text, self.language)
            for phrase in find(document):
                wordings.setdefault(form_of(phrase.text, document.language), Counter())[phrase.text] += 1
        kept = [form for form, seen in wordings.items() if seen.total() >= self.min_df]
        kept.sort(key=lambda form: (-wordings[form].total(), form))
        names = {form: wordings[form].most_common(1)[0][0] for form in kept[: self.max_features]}
        ordered = sorted(names, key=lambda form: (names[form], form))
        self.vocabulary_ = {form: column for column, form in enumerate(ordered)}
        self.feature_names_ = np.array([names[form] for form in ordered], dtype=object)
        self.longest_ = max((len(form.split()) for form in ordered), default=1)
        return self

    def transform(self, raw_documents: Iterable[str]) -> csr_matrix:
        """Return counts of the learned keyphrases, one row per document."""
        check_is_fitted(self, "vocabulary_")
        rows, columns, values = [0], [], []
        for text in _texts(raw_documents):
            found = ngrams(analyse(text, language=self.language), longest=self.longest_)
            for c in range(len(found)):
                column = self.vocabulary_.get(found.form(c))
                if column is not None:
                    columns.append(column)
                    values.append(1 if self.binary else found.count(c))
            rows.append(len(columns))
        shape = (len(rows) - 1, len(self.vocabulary_))
        return csr_matrix((np.array(values, dtype=np.int64), columns, rows), shape=shape)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the wording of each column."""
        check_is_fitted(self, "vocabulary_")
        return self.feature_names_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


*_own, _ = signature(KeyphraseVectorizer.__init__).parameters.values()  # scikit-learn reads the signature
KeyphraseVectorizer.__init__.__signature__ = Signature(  # type: ignore[attr-defined]
    [*_own, *(one for one in parameters_of(CHOOSING) if one.name != "method")]
)


def _texts(raw_documents: Iterable[str]) -> Iterable[str]:
    if isinstance(raw_documents, str):
        raise InputError("expected an iterable of texts, got one text: wrap it in a list")
    return raw_documents
