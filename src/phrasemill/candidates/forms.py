"""The forms of candidates, all at once; candidates of further forms."""

from array import array

from phrasemill.kernels import spans
from phrasemill.types import Candidates, Places


def forms(candidates: Candidates) -> list[str]:
    """What `Candidates.form` gives for each candidate."""
    text = candidates.analysis
    return spans.forms(candidates.first, candidates.start, candidates.end, text.stem, list(text.stems))


def including(candidates: Candidates, places: Places) -> Candidates:
    """Return the candidates and, in text order with them, those forms of `places` that are not among them."""
    if not places:
        return candidates
    known = set(forms(candidates))
    missing = [place for form, found in places.items() if form not in known for place in found]
    if not missing:
        return candidates
    every = sorted([*zip(candidates.start, candidates.end, strict=True), *missing])
    start, end = (array("i", column) for column in zip(*every, strict=True))
    return Candidates(candidates.analysis, *spans.group(candidates.analysis.stem, start, end))
