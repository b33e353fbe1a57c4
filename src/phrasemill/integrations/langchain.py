"""Keyphrases of LangChain documents as metadata (extra `langchain`).

from phrasemill.integrations.langchain import KeyphraseTransformer

KeyphraseTransformer(top=5).transform_documents(documents)
"""

from collections.abc import Sequence
from typing import Any

from phrasemill.integrations import requires
from phrasemill.integrations.metadata import KeyphraseMetadata

with requires("langchain"):
    from langchain_core.documents import BaseDocumentTransformer, Document


class KeyphraseTransformer(BaseDocumentTransformer):  # type: ignore[misc]
    """Add the keyphrases of documents, as a list of strings, to the metadata of copies.

    `options` are those of `phrasemill.extract`. If `scores_key` is given, the scores are stored under it, in the same
    order.
    """

    def __init__(self, *, metadata_key: str = "keyphrases", scores_key: str | None = None, **options: Any) -> None:
        self._metadata = KeyphraseMetadata(metadata_key, scores_key, options)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return copies of the documents with keyphrases. The documents themselves do not change."""
        added = self._metadata.of(one.page_content for one in documents)
        return [
            one.model_copy(update={"metadata": one.metadata | more}) for one, more in zip(documents, added, strict=True)
        ]
