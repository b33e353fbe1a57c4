"""What is counted over whole collections: document frequencies, of any number of documents in bounded memory."""

from phrasemill.statistics.frequencies import KIND, SHIPPED, DocumentFrequencies, load_frequencies

__all__ = ["KIND", "SHIPPED", "DocumentFrequencies", "load_frequencies"]
