"""Documents made ready for training and comparison, as the generation literature does it (Yuan et al., 2020, app. E).

Each function takes a document and gives a new one; they compose:

    documents = map(ordered, map(masked, map(lowercased, map(segmented, documents))))

Presence is the scorer's own (`evaluation.phrases`): stems in a row, by NLTK's Porter stemmer, numbers masked.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import ABSENT, place_in
from phrasemill.evaluation.policies import preset
from phrasemill.text.segments import mask_digits, segment
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.records import STEMMED

PROTOCOL = "yuan2020"


@dataclass(frozen=True, slots=True)
class PreparedGold:
    """The references of a document, apart: present ones by first occurrence, absent ones in the order given."""

    present: tuple[Reference, ...]
    absent: tuple[Reference, ...]


def split_by_presence(document: Document) -> PreparedGold:
    """Split references by whether they occur in title and text; a cluster occurs where its first wording does."""
    place = place_in(document.content, preset(PROTOCOL).policy)
    stemmed = bool(document.metadata.get(STEMMED))
    found: list[tuple[int, Reference]] = []
    absent: list[Reference] = []
    for reference in document.references:
        wordings = clustered(reference)
        places = [where for where in [place(one, stemmed) for one in wordings] if where != ABSENT]
        if places:
            found.append((min(places), reference))
        else:
            absent.append(reference)
    found.sort(key=lambda one: one[0])
    return PreparedGold(tuple([reference for _, reference in found]), tuple(absent))


def ordered(document: Document) -> Document:
    """Return the references as a target: present ones by first occurrence, then absent ones in the order given."""
    gold = split_by_presence(document)
    return replace(document, references=(*gold.present, *gold.absent))


def lowercased(document: Document) -> Document:
    return rewritten(document, str.lower)


def masked(document: Document) -> Document:
    """Write words of digits as `<digit>`, so that `3.5` is `<digit>.<digit>`; digits among letters stay (`b2b`)."""
    return rewritten(document, mask_digits)


def segmented(document: Document) -> Document:
    """Separate words and punctuation; hyphens and other joints become spaces, as in the files of Meng et al. (2017)."""
    return rewritten(document, segment)


def rewritten(document: Document, change: Callable[[str], str]) -> Document:
    """Apply `change` to title, text and references; references that become empty or repeat are left out."""
    references: dict[Reference, None] = {}
    for reference in document.references:
        wordings = clustered(reference)
        kept = tuple(dict.fromkeys(filter(None, map(change, wordings))))
        if kept:
            references[kept if len(kept) > 1 else kept[0]] = None
    return replace(document, title=change(document.title), text=change(document.text), references=tuple(references))
