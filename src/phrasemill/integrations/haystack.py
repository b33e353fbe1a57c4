"""Keyphrases of Haystack documents as metadata (extra `haystack`).

from phrasemill.integrations.haystack import KeyphraseExtractor

pipeline.add_component("keyphrases", KeyphraseExtractor(top=5))
"""

import asyncio
from dataclasses import replace
from typing import Any

from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked

with requires("haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict


@component
class KeyphraseExtractor:
    """Set `keyphrases`, a list of strings, in the metadata of each document; empty for documents without text.

    `options` are those of `phrasemill.extract`. If `scores_key` is given, the scores are stored under it, in the same
    order.
    """

    def __init__(self, *, meta_key: str = "keyphrases", scores_key: str | None = None, **options: Any) -> None:
        self.meta_key = meta_key
        self.scores_key = scores_key
        self.options = checked(options)
        self._find = Extractor(**self.options).find

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dict, for `Pipeline.dumps`."""
        plain = {name: list(value) if isinstance(value, tuple | set) else value for name, value in self.options.items()}
        return default_to_dict(self, meta_key=self.meta_key, scores_key=self.scores_key, **plain)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "KeyphraseExtractor":
        """Build the component from what `to_dict` returns."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return copies of the documents with their keyphrases."""
        return {"documents": self._with_keyphrases(documents)}

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    async def run_async(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Do the same as `run` in a thread, so that the event loop is not blocked."""
        return {"documents": await asyncio.to_thread(self._with_keyphrases, documents)}

    def _with_keyphrases(self, documents: list[Document]) -> list[Document]:
        changed = []
        for document, found in zip(documents, map(self._find, (one.content or "" for one in documents)), strict=True):
            added: dict[str, Any] = {self.meta_key: [one.text for one in found]}
            if self.scores_key is not None:
                added[self.scores_key] = [one.score for one in found]
            changed.append(replace(document, meta={**document.meta, **added}))
        return changed
