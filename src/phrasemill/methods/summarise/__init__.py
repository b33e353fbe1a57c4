"""Summarise, then extract (Sheng, Gero and Ho, "PubMedAKE", CIKM 2022, section 3.3).

The document is summarised, and another method, MultipartiteRank as in the paper, finds the keyphrases of the summary.
A summary that a model wrote says things in words of its own: phrases that the document has come back with all their
places in the document, in the document's wording, and the others are absent. Without a model the summary is made of
the document's own sentences (mead.py), and every phrase is present.

The paper used the default model of the Transformers library of its day, with summaries of 50 to 200 words; there is no
default here, because nothing is ever downloaded. Lengths are counted in the model's pieces, as that library does, and
in words where there is no model. Documents that are longer than the model reads at once are summarised part by part
(seq2seq.py). Scores are those of the method inside.
"""

from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import ConfigError
from phrasemill.methods.multipartiterank import MultipartiteRank
from phrasemill.methods.parameters import at_least, positive_share
from phrasemill.methods.phrase_matching import ground, phrases_of
from phrasemill.methods.summarise import mead
from phrasemill.ranker import Ranker, build
from phrasemill.text.analyse import analyse
from phrasemill.types import NO_PLACES, NUMBER, WORD, Analysis, Candidates, Evidence, Method, Places

PAPERS_METHOD = MultipartiteRank()


@dataclass(frozen=True, slots=True, repr=False)
class Summarise(Ranker):
    """Run another method on a summary of the text.

    - `method`: the method to run.
    - `model`: a folder with a Transformers model for summarisation, or one with a chat template. Without a model,
      the summary consists of the best sentences of the text.
    - `shortest`: the fewest words in the summary; with a model, pieces.
    - `longest`: the most words in the summary; with a model, pieces.
    - `share`: without a model, the share of the text's words in the summary, within these limits.
    - `window`: with a model, how many pieces it reads at once; by default as in its files.
    - `prefix`: with a model, what to put before the text; by default as in its files. A chat model is asked in
      English.
    """

    name: ClassVar[str] = "summarise"
    paper: ClassVar[str] = "Sheng et al., 2022"
    needs: ClassVar[str] = "English; for a model extra summarise"
    absent: ClassVar[Evidence] = Evidence("summary", "stands in the summary, not in the text", 0.0)

    method: Method | str = PAPERS_METHOD
    model: str | None = None
    shortest: int = 50
    longest: int = 200
    share: float = 0.5
    window: int | None = None
    prefix: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", build(self.method))
        if not 1 <= self.shortest <= self.longest:
            raise ConfigError(f"shortest must be from 1 to longest, got {self.shortest} and {self.longest}")
        positive_share(share=self.share)
        if self.window is not None:
            at_least(1, window=self.window)
        if self.model is None and (self.window is not None or self.prefix is not None):
            raise ConfigError("window and prefix are for a summarisation model; give a model, too")

    @property
    def reads_tags(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.method, "reads_tags", True))

    @property
    def redundancy(self) -> str:  # type: ignore[override]
        return str(getattr(self.method, "redundancy", "none"))

    def summary(self, analysis: Analysis) -> Analysis:
        """Return the summary that the other method reads."""
        if self.model is None:
            words = sum([1 for kind in analysis.kind if kind & (WORD | NUMBER)])
            return mead.summary(analysis, most=min(max(int(self.share * words), self.shortest), self.longest))
        from phrasemill.methods.summarise.seq2seq import load_summariser

        text = load_summariser(self.model).summary(
            analysis, shortest=self.shortest, longest=self.longest, window=self.window, prefix=self.prefix
        )
        return analyse(text, language=analysis.language, tag=self.reads_tags)

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        """The keyphrases of the summary; absent ones stand below the text (methods/phrase_matching.py)."""
        summary = self.summary(analysis)
        found = build(self.method).extract(summary, top=None, redundancy="none")
        return ground(phrases_of(found, summary), analysis)
