"""Keyphrases as lines for the bulk interface of Elasticsearch and OpenSearch.

Two lines per document: an `update` with its id, and the fields to set. A document that the index has keeps its other
fields, and one that it lacks is added. The name of the index is in the address: `POST /papers/_bulk`.
"""

import json
from collections.abc import Iterable

from phrasemill.types import Document, Keyphrase


def bulk_lines(document: Document, keyphrases: Iterable[Keyphrase]) -> str:
    """Return both lines of a document; phrases that differ only in case are listed once."""
    phrases: dict[str, str] = {}
    for one in keyphrases:
        phrases.setdefault(one.text.casefold(), one.text)
    fields = {"keyphrases": list(phrases.values()), "language": document.language}
    action = {"update": {"_id": document.id}}
    return "".join(f"{json.dumps(line)}\n" for line in (action, {"doc": fields, "doc_as_upsert": True}))
