"""Keyphrases of LlamaIndex nodes as metadata, without a language model (extra `llama-index`).

    from phrasemill.integrations.llama_index import KeyphraseExtractor

    IngestionPipeline(transformations=[SentenceSplitter(), KeyphraseExtractor(top=5)])

It takes the place of LlamaIndex's own `KeywordExtractor`, which asks a language model: the key is the same,
`excerpt_keywords`, and so is the value, phrases with commas between them.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from phrasemill.integrations import requires
from phrasemill.integrations.metadata import KeyphraseMetadata
from phrasemill.options import OPTIONS

with requires("llama-index"):
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.extractors import BaseExtractor
    from llama_index.core.schema import BaseNode, MetadataMode, Node, TextNode


class KeyphraseExtractor(BaseExtractor):  # type: ignore[misc]
    """Set `excerpt_keywords` of each node. `options` are those of `phrasemill.extract`.

    Only the text of a node is read, not its metadata, which LlamaIndex adds for language models.
    """

    options: dict[str, Any] = Field(default_factory=dict, description="Options of phrasemill.extract.")
    metadata_key: str = Field(default="excerpt_keywords", description="Where the keyphrases go.")
    separator: str = Field(default=", ", description="What stands between two keyphrases.")

    _metadata: KeyphraseMetadata = PrivateAttr()

    def __init__(self, options: dict[str, Any] | None = None, **given: Any) -> None:
        ours = {name: given.pop(name) for name in OPTIONS if name in given}
        metadata = KeyphraseMetadata("phrases", None, {**(options or {}), **ours})
        super().__init__(options=metadata.options, **{"show_progress": False, **given})
        self._metadata = metadata

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex stores the class."""
        return "PhrasemillKeyphraseExtractor"

    async def aextract(self, nodes: Sequence[BaseNode]) -> list[dict[str, str]]:
        """Return the metadata of each node. The work is done in a thread, so the event loop is not blocked."""
        return await asyncio.to_thread(self._extract, nodes)

    def _extract(self, nodes: Sequence[BaseNode]) -> list[dict[str, str]]:
        read = [node for node in nodes if not self.is_text_node_only or isinstance(node, TextNode | Node)]
        found = self._metadata.of(node.get_content(metadata_mode=MetadataMode.NONE) for node in read)
        joined = {id(node): self.separator.join(more["phrases"]) for node, more in zip(read, found, strict=True)}
        return [{self.metadata_key: joined[id(node)]} if id(node) in joined else {} for node in nodes]
