"""Keyphrases of LlamaIndex nodes as metadata, without a language model (extra `llama-index`).

    from phrasemill.integrations.llama_index import KeyphraseExtractor

    IngestionPipeline(transformations=[SentenceSplitter(), KeyphraseExtractor(top=5)])

It takes the place of LlamaIndex's own `KeywordExtractor`, which asks a language model: the key is the same,
`excerpt_keywords`, and so is the value, phrases with commas between them.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked
from phrasemill.keyphrases import Keyphrases
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

    _find: Callable[[str], Keyphrases] = PrivateAttr()

    def __init__(self, options: dict[str, Any] | None = None, **given: Any) -> None:
        ours = {name: given.pop(name) for name in OPTIONS if name in given}
        options = checked({**(options or {}), **ours})
        super().__init__(options=options, **{"show_progress": False, **given})
        self._find = Extractor(**options).find

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex stores the class."""
        return "PhrasemillKeyphraseExtractor"

    async def aextract(self, nodes: Sequence[BaseNode]) -> list[dict[str, str]]:
        """Return the metadata of each node. The work is done in a thread, so the event loop is not blocked."""
        return await asyncio.to_thread(self._extract, nodes)

    def _extract(self, nodes: Sequence[BaseNode]) -> list[dict[str, str]]:
        texts = (node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes if self._is_read(node))
        found = map(self._find, texts)
        return [
            {self.metadata_key: self.separator.join(one.text for one in next(found))} if self._is_read(node) else {}
            for node in nodes
        ]

    def _is_read(self, node: BaseNode) -> bool:
        return not self.is_text_node_only or isinstance(node, TextNode | Node)
