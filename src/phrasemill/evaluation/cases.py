"""One document of one system, normalised and matched: all that a metric may look at."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import Answers, clustered
from phrasemill.evaluation.genitives import with_genitives
from phrasemill.evaluation.matching import Match, Matcher, matcher
from phrasemill.evaluation.phrases import Present, key_of, keys, occurs_in, stemmer_of
from phrasemill.evaluation.policies import Policy
from phrasemill.types import Reference


@dataclass(frozen=True, slots=True)
class Case:
    """`predicted` are keys, best first, without the repeats that the policy drops; `listed` has them all."""

    id: str
    answered: bool
    predicted: tuple[str, ...]
    gold: tuple[tuple[str, ...], ...]
    matches: tuple[Match, ...]
    listed: tuple[str, ...]
    scores: tuple[float, ...]


def cases(predictions: Answers, gold: Answers, policy: Policy, languages: Mapping[str, str]) -> Iterator[Case]:
    """Return a case for every document of the gold, in its order; `languages` has the language of each."""
    match = matcher(policy)
    builders = {one: _Builder(predictions, gold, policy, match, one) for one in dict.fromkeys(languages.values())}
    return (builders[languages[id_]].case(id_) for id_ in gold.phrases)


class _Builder:
    """The functions of `policy` for documents in one language, looked up once."""

    def __init__(self, predictions: Answers, gold: Answers, policy: Policy, match: Matcher, language: str) -> None:
        self.predictions, self.gold, self.policy, self.match, self.language = predictions, gold, policy, match, language
        self.gold_key, self.key = keys(policy, "gold", language), keys(policy, "predictions", language)
        self.repeat_key = self._repeat_key()

    def _repeat_key(self) -> Callable[[str], str] | None:
        """Return the key by which predictions are repeats; None where repeats stay."""
        if self.policy.dedupe in ("match", "none"):
            return None
        by_stem = self.policy.dedupe == "stem" and self.policy.stemmed not in ("predictions", "both")
        return key_of(self.policy, stemmer_of(self.policy, self.language) if by_stem else "none", self.language)

    def case(self, id_: str) -> Case:
        phrases = [clustered(phrase)[0] for phrase in self.predictions.phrases.get(id_, ())]
        references: Sequence[Reference] = self.gold.phrases[id_]
        if self.policy.genitives == "both":
            references = [with_genitives(clustered(reference)) for reference in references]
        scores = self.predictions.scores.get(id_, ())
        scores = scores if len(scores) == len(phrases) else ()
        listed = tuple(map(self.key, phrases))
        if self.policy.present != "all":
            present, wanted = self._present(id_), self.policy.present == "present"
            done = self.policy.stemmed in ("predictions", "both")
            kept = [i for i, phrase in enumerate(phrases) if present(phrase, done) is wanted]
            phrases, scores = [phrases[i] for i in kept], tuple(scores[i] for i in kept if scores)
            references = self._split(references, present, wanted)
        kept = self._distinct(phrases)
        predicted = tuple([self.key(phrases[i]) for i in kept])
        clusters = self._clusters(references)
        return Case(
            id=id_,
            answered=id_ in self.predictions.phrases,
            predicted=predicted,
            gold=clusters,
            matches=tuple(self.match(predicted, clusters)),
            listed=listed,
            scores=tuple([scores[i] for i in kept]) if scores else (),
        )

    def _distinct(self, phrases: Sequence[str]) -> list[int]:
        """Return the indices of the predictions that stay; those without a word never do."""
        seen: set[str] = set()
        kept = []
        for i, phrase in enumerate(phrases):
            key = self.repeat_key(phrase) if self.repeat_key else str(i)
            if key not in seen and not (phrase.isspace() or not phrase):
                seen.add(key)
                kept.append(i)
        return kept

    def _clusters(self, references: Sequence[Reference]) -> tuple[tuple[str, ...], ...]:
        clusters = [tuple(dict.fromkeys(map(self.gold_key, clustered(reference)))) for reference in references]
        if self.policy.wordings == "first":
            clusters = [cluster[:1] for cluster in clusters]
        elif self.policy.wordings == "separate":
            clusters = [(key,) for cluster in clusters for key in cluster]
        return tuple(dict.fromkeys(clusters) if self.policy.dedupe_gold else clusters)

    def _present(self, id_: str) -> Present:
        text = self.gold.texts.get(id_) or self.predictions.texts.get(id_)
        if text is None:
            raise ConfigError(f"present={self.policy.present!r} needs the text of each document; {id_!r} has none")
        return occurs_in(text, self.policy, self.language)

    def _split(self, references: Sequence[Reference], present: Present, wanted: bool) -> list[Reference]:
        """Return the gold on the wanted side; a cluster is present if any of its wordings is."""
        done = self.policy.stemmed in ("gold", "both")
        counted = 1 if self.policy.wordings == "first" else None
        return [
            reference
            for reference in references
            if any(present(wording, done) for wording in clustered(reference)[:counted]) is wanted
        ]
