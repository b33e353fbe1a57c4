"""The forms of candidates, all at once."""

from phrasemill.kernels import spans
from phrasemill.types import Candidates


def forms(candidates: Candidates) -> list[str]:
    """What `Candidates.form` gives for each candidate."""
    text = candidates.analysis
    return spans.forms(candidates.first, candidates.start, candidates.end, text.stem, list(text.stems))
