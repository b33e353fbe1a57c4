"""CatSeqD (Yuan et al., "One Size Does Not Fit All: Generating and Evaluating Variable Number of Keyphrases", 2020).

CatSeq (methods/catseq.py), trained so that its phrases differ from each other: a second network keeps track of what was
written (semantic coverage), and the states in which a new phrase begins are pushed apart (orthogonal regularisation). A
model comes with the package; `docs/evidence/generation.md` describes its training and quality.
"""

from dataclasses import dataclass
from typing import ClassVar

from phrasemill.methods.catseq import CatSeq


@dataclass(frozen=True, slots=True, repr=False)
class CatSeqD(CatSeq):
    """CatSeq, trained with semantic coverage and orthogonal regularisation so that its phrases differ.

    - `model`: the file written by `phrasemill make`, instead of the model of the package phrasemill-catseqd.

    The other parameters are those of `catseq`.
    """

    name: ClassVar[str] = "catseqd"
    needs: ClassVar[str] = "English"
