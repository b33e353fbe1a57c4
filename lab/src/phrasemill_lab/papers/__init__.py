"""The tables of the papers, by name: the published figures, ours, and the difference.

`tables.toml` lists them, `published/` has the figures as they were printed, one file per table, and `comparison.py`
sets ours beside them. `verdicts.py` makes one table per paper of all figures, from those that were measured last
(`measured/`) and from `reasons.toml`; `lists/` has the output of models that do not ship. The other modules carry the
names of the papers; `agreement.py` is the command of `phrasemill measure` that correlates metrics with people.
"""

from phrasemill_lab.papers.catalogue import ENTRIES, PAPERS, entries, reproduce
from phrasemill_lab.papers.comparison import Reproduced, Setting, published

__all__ = ["ENTRIES", "PAPERS", "Reproduced", "Setting", "entries", "published", "reproduce"]
