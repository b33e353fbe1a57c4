"""The steward of a collection's tags: learn those that people use, suggest them first, and keep them in order."""

from phrasemill.tags.collection import Tags
from phrasemill.tags.model import Suggestion
from phrasemill.tags.review import Proposal
from phrasemill.tags.suggestions import TagSuggestions

__all__ = ["Proposal", "Suggestion", "TagSuggestions", "Tags"]
