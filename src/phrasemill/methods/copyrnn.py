"""CopyRNN (Meng et al., "Deep Keyphrase Generation", ACL 2017), as Yuan et al. (2020) train it.

CatSeq's network (methods/catseq.py), trained to write one phrase at a time. All keyphrases come from one beam search:
each hypothesis is a phrase, ranked by its probability, and the caller decides how many to take. Meng et al. use a width
of 200.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.errors import ConfigError
from phrasemill.methods.catseq import CatSeq
from phrasemill.specs import AtMost, OneOf


@dataclass(frozen=True, slots=True, repr=False)
class CopyRNN(CatSeq):
    """Generate keyphrases, present and absent, one at a time with a recurrent network.

    - `search`: as in `catseq`; only `beam` gives more than one phrase.

    The other parameters are those of `catseq`. Scores are probabilities.
    """

    name: ClassVar[str] = "copyrnn"
    paper: ClassVar[str] = "Meng et al., 2017"

    search: Annotated[str, OneOf("beam", "greedy")] = "beam"
    length: Annotated[int, AtMost(1_000)] = 8
    order: Annotated[str, OneOf("appearance", "best", "total")] = "best"

    def __post_init__(self) -> None:
        CatSeq.__post_init__(self)
        if self.no_repeat_phrase:
            raise ConfigError("copyrnn writes one phrase at a time; no_repeat_phrase is for catseq and catseqd")
