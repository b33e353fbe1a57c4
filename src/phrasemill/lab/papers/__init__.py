"""The tables of the papers, by name: the published figures, ours, and the difference.

`catalogue.py` lists them, `published/` has the figures as they were printed, one file a table, and the other modules
make ours: one for each paper or dataset.
"""

from phrasemill.lab.papers.catalogue import ENTRIES, Entry, entry, reproduce
from phrasemill.lab.papers.tables import Published, Reproduced, Row, Setting, published

__all__ = ["ENTRIES", "Entry", "Published", "Reproduced", "Row", "Setting", "entry", "published", "reproduce"]
