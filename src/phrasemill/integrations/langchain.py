"""Keyphrases of LangChain documents as metadata (extra `langchain`).

from phrasemill.integrations.langchain import KeyphraseTransformer

KeyphraseTransformer(top=5).transform_documents(documents)
"""

from collections.abc import Sequence
from typing import Any

from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked

with requires("langchain"):
    from langchain_core.documents import BaseDocumentTransformer, Document


class KeyphraseTransformer(BaseDocumentTransformer):  # type: ignore[misc]
    """Add the keyphrases of documents, as a list of strings, to the metadata of copies.

    `options` are those of `phrasemill.extract`. If `scores_key` is given, the scores are stored under it, in the same
    order.
    """

    def __init__(self, *, metadata_key: str = "keyphrases", scores_key: str | None = None, **options: Any) -> None:
        self.metadata_key = metadata_key
        self.scores_key = scores_key
        self._find = Extractor(**checked(options)).find

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return copies of the documents with keyphrases. The documents themselves do not change."""
        changed = []
        for document, found in zip(documents, map(self._find, (one.page_content for one in documents)), strict=True):
            added: dict[str, Any] = {self.metadata_key: [one.text for one in found]}
            if self.scores_key is not None:
                added[self.scores_key] = [one.score for one in found]
            changed.append(document.model_copy(update={"metadata": {**document.metadata, **added}}))
        return changed
