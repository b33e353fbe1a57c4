"""The tables of the papers, by name: the published figures, ours, and the difference.

`catalogue.py` lists them, `published/` has the figures as they were printed, one file per table, `comparison.py` sets
ours beside them, and the other modules carry the names of the papers or datasets.
"""

from phrasemill.lab.papers.catalogue import ENTRIES, PaperEntry, entry, reproduce
from phrasemill.lab.papers.comparison import ComparisonRow, Published, Reproduced, Setting, published

__all__ = [
    "ENTRIES",
    "ComparisonRow",
    "PaperEntry",
    "Published",
    "Reproduced",
    "Setting",
    "entry",
    "published",
    "reproduce",
]
