"""What a method is made of: give a `Ranker` `propose` and `score`, or both at once as `ranked`, and it extracts."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from phrasemill.candidates import including
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError
from phrasemill.select import AUTO, NO_LIMITS, Limits, Selection, as_phrases, excluded_forms, select
from phrasemill.sources import as_document
from phrasemill.specs import Specified
from phrasemill.text.analyse import analyse
from phrasemill.types import NO_PLACES, Analysis, Candidates, Document, Evidence, Keyphrase, Method, Places, Top

if TYPE_CHECKING:
    from phrasemill.vocabulary import Guide


def build(method: str | Method) -> Method:
    """Build the method that a spec names; return a method object as it is."""
    if isinstance(method, str):
        built: Method = METHODS.build(method)
        return built
    if not hasattr(method, "extract") or isinstance(method, type):
        raise ConfigError(f"method must be a spec such as 'textrank(window=5)' or a method object, got {method!r}")
    return method


_selection = lru_cache(maxsize=64, typed=True)(Selection)  # checked once for many texts


class Ranked(NamedTuple):
    """The candidates of one text and their scores; the rule by which near-duplicates are dropped where the text decides
    about it, and what a phrase costs where their number is to be found (`select.best_count`)."""

    candidates: Candidates
    scores: Sequence[float]
    redundancy: str | None = None
    price: float = 1.0


class Ranker(Specified):
    """A method that scores the candidates of one document.

    Subclasses are frozen dataclasses whose fields are the parameters; the first line of their docstring is what
    `phrasemill methods` shows. They define `propose` and `score`, or `ranked` where ranking decides what the candidates
    are. Where a parameter decides about one of the class attributes, a property takes its place.
    """

    __slots__ = ()
    # What scores are: `probability`, `log-odds`, or `any` other number; a boost acts on them accordingly.
    scale: ClassVar[str] = "any"
    # Whether part-of-speech tags matter; without them the analysis is faster.
    reads_tags: ClassVar[bool] = True
    # The rule by which the paper removes near-duplicates, unless the caller names another.
    redundancy: ClassVar[str] = "none"
    # Whether the method decides how many phrases there are, so that `top="auto"` means all of them.
    ends_itself: ClassVar[bool] = False
    # The evidence for phrases that are not in the text, of methods that return such phrases.
    absent: ClassVar[Evidence] = Evidence("absent", "the text does not say it", 0.0)

    def propose(self, analysis: Analysis) -> Candidates:
        """Return the phrases to choose among."""
        raise NotImplementedError

    def score(self, candidates: Candidates) -> Sequence[float]:
        """Return one score per candidate; higher is better."""
        raise NotImplementedError

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        """Return the candidates, in the order in which ties are broken, and their scores.

        `extra` are phrases of a vocabulary that stand in the text; a method that can score any phrase adds them to its
        candidates (`candidates.including`), and others may ignore them.
        """
        candidates = including(self.propose(analysis), extra)
        return Ranked(candidates, self.score(candidates))

    def explain(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        """Return a function from a candidate's number to its evidence: where it stands, unless a method has more."""
        return partial(_occurrences, candidates)

    def extract(
        self,
        source: Document | Analysis | str,
        /,
        *,
        top: Top = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
        redundancy: str | None = None,
        limits: Limits = NO_LIMITS,
        diversity: float = 0.0,
        guide: "Guide | None" = None,
        explain: bool = False,
    ) -> list[Keyphrase]:
        """Return the keyphrases of `source`, best first; `guide` comes from `vocabulary.guide`."""
        options = (top, threshold, as_phrases(exclude), redundancy or None, limits, diversity)
        try:
            selection = _selection(*options)
        except TypeError:  # an option that cannot be hashed, and so cannot be right
            selection = Selection(*options)
        return self.keyphrases(source, selection, guide, explain)

    def keyphrases(
        self, source: Document | Analysis | str, selection: Selection, guide: "Guide | None", explain: bool
    ) -> list[Keyphrase]:
        """Return the keyphrases of `source`, best first; the selection is checked already."""
        if selection.top == AUTO and self.ends_itself:
            selection = replace(selection, top=None)
        elif selection.top == AUTO and self.scale != "probability":
            raise ConfigError(f"top='auto' needs scores that are probabilities, such as those of learned, not {self}")
        if isinstance(source, Analysis):
            analysis = source
        else:
            document = as_document(source)
            analysis = analyse(document.content, language=document.language, tag=self.reads_tags)
        if selection.limits.replaces:
            analysis = selection.limits.reading(analysis)
        names = None
        if guide is None:
            candidates, scores, rule, price = self.ranked(analysis)
        else:
            excluded = excluded_forms(selection.exclude, analysis.language)
            candidates, scores, names, rule, price = guide.apply(
                analysis, self.ranked, scale=self.scale, exclude=excluded, limits=selection.limits
            )
            if guide.lists_phrases:
                rule, price = None, 1.0
        why = self._evidence(candidates) if explain else None
        return select(
            candidates, scores, selection, redundancy=rule or self.redundancy, price=price, names=names, explain=why
        )

    def _evidence(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        """Return what `explain` does, for absent phrases, too."""
        of_present, absent = self.explain(candidates), (self.absent,)
        return lambda c: of_present(c) if candidates.start[candidates.first[c]] < candidates.absent else absent


def _occurrences(candidates: Candidates, c: int) -> tuple[Evidence, ...]:
    """Return how often candidate `c` occurs, and where first."""
    count, first = candidates.count(c), candidates.start[candidates.first[c]]
    times = {1: "once", 2: "twice"}.get(count, f"{count:,} times")
    sentence = bisect_right(candidates.analysis.sentences, first) + 1
    return (
        Evidence("frequency", f"occurs {times} in this text", 0.0),
        Evidence("position", f"first appears in sentence {sentence:,}", 0.0),
    )
