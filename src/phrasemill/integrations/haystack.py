"""Keyphrases of Haystack documents as metadata (extra `haystack`).

from phrasemill.integrations.haystack import KeyphraseExtractor

pipeline.add_component("keyphrases", KeyphraseExtractor(top=5))
"""

import asyncio
from dataclasses import replace
from typing import Any

from phrasemill.integrations import requires
from phrasemill.integrations.metadata import KeyphraseMetadata

with requires("haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict


@component
class KeyphraseExtractor:
    """Set `keyphrases`, a list of strings, in the metadata of each document; empty for documents without text.

    `options` are those of `phrasemill.extract`. If `scores_key` is given, the scores are stored under it, in the same
    order.
    """

    def __init__(self, *, meta_key: str = "keyphrases", scores_key: str | None = None, **options: Any) -> None:
        self._metadata = KeyphraseMetadata(meta_key, scores_key, options)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dict, for `Pipeline.dumps`."""
        made = self._metadata
        plain = {name: list(value) if isinstance(value, tuple | set) else value for name, value in made.options.items()}
        return default_to_dict(self, meta_key=made.key, scores_key=made.scores_key, **plain)

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
        added = self._metadata.of(one.content or "" for one in documents)
        return [replace(one, meta=one.meta | more) for one, more in zip(documents, added, strict=True)]
