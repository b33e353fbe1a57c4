"""Statistics of whole collections, of any number of documents in bounded memory: frequencies and topics."""

from phrasemill.statistics.frequencies import KIND, SHIPPED, DocumentFrequencies, load_frequencies

__all__ = ["KIND", "SHIPPED", "DocumentFrequencies", "load_frequencies"]
