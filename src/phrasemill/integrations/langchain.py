"""Keyphrases of LangChain documents as metadata (extra `langchain`).

from phrasemill.integrations.langchain import KeyphraseTransformer

KeyphraseTransformer(top=5).transform_documents(documents)
"""

from collections.abc import Sequence
from typing import Any

from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked
from phrasemill.options import ExtractOptions
from phrasemill.pipeline import prepared

with requires("langchain"):
    from langchain_core.documents import BaseDocumentTransformer, Document


class KeyphraseTransformer(BaseDocumentTransformer):  # type: ignore[misc]
    """Returns copies of documents with their keyphrases, a list of strings, in the metadata.

    `options` are those of `phrasemill.extract`. `scores_key`, if given, gets the scores, in the same order.
    """

    def __init__(self, *, metadata_key: str = "keyphrases", scores_key: str | None = None, **options: Any) -> None:
        self.metadata_key = metadata_key
        self.scores_key = scores_key
        self._find = prepared(ExtractOptions(**checked(options)))

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return the documents with keyphrases; those given stay as they are."""
        changed = []
        for document, found in zip(documents, self._find.many(one.page_content for one in documents), strict=True):
            added: dict[str, Any] = {self.metadata_key: [one.text for one in found]}
            if self.scores_key is not None:
                added[self.scores_key] = [one.score for one in found]
            changed.append(document.model_copy(update={"metadata": {**document.metadata, **added}}))
        return changed
