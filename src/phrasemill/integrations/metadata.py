"""Keyphrases as metadata of documents: what LangChain, Haystack and LlamaIndex share."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from phrasemill.extractor import Extractor
from phrasemill.integrations.columns import checked


class KeyphraseMetadata:
    """Makes metadata of texts: their keyphrases under `key`, and the scores in the same order under `scores_key`, if
    there is one. `options` are those of `phrasemill.extract`.
    """

    def __init__(self, key: str, scores_key: str | None, options: Mapping[str, Any]) -> None:
        self.key, self.scores_key, self.options = key, scores_key, checked(options)
        self._find = Extractor(**self.options).find

    def of(self, texts: Iterable[str]) -> Iterator[dict[str, list[Any]]]:
        """Yield the metadata of each text."""
        for found in map(self._find, texts):
            scores = {} if self.scores_key is None else {self.scores_key: [one.score for one in found]}
            yield {self.key: [one.text for one in found], **scores}
