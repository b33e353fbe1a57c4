"""One document of one system, normalised and matched: all that a metric may look at."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import Answers, clustered
from phrasemill.evaluation.matching import Match, Matcher, matcher
from phrasemill.evaluation.phrases import key_of, occurs_in, stemmer_of, with_genitives
from phrasemill.evaluation.policies import UNSTEMMED, Policy


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
    return (_case(id_, predictions, gold, policy, match, languages[id_]) for id_ in gold.phrases)


def _case(id_: str, predictions: Answers, gold: Answers, policy: Policy, match: Matcher, language: str) -> Case:
    gold_stemmed, stemmed = (policy.stemmed in (side, "both") for side in ("gold", "predictions"))
    stem = stemmer_of(policy, language)
    gold_key, key, repeat_key = (
        key_of(policy, "none" if as_written else stem, language)
        for as_written in (
            gold_stemmed or policy.match in UNSTEMMED,
            stemmed or policy.match in UNSTEMMED,
            stemmed or policy.dedupe != "stem",
        )
    )
    phrases = [clustered(phrase)[0] for phrase in predictions.phrases.get(id_, ())]
    clusters = [clustered(reference) for reference in gold.phrases[id_]]
    if policy.genitives == "both":
        clusters = [with_genitives(cluster) for cluster in clusters]
    # Predictions without a word never count.
    kept = [i for i, phrase in enumerate(phrases) if phrase.strip()]
    if policy.present != "all":
        text = gold.texts.get(id_) or predictions.texts.get(id_)
        if text is None:
            raise ConfigError(f"present={policy.present!r} needs the text of each document; {id_!r} has none")
        present, wanted = occurs_in(text, policy, language), policy.present == "present"
        kept = [i for i in kept if present(phrases[i], stemmed) is wanted]
        # A cluster is present if any of its wordings is.
        counted = 1 if policy.wordings == "first" else None
        clusters = [one for one in clusters if any(present(w, gold_stemmed) for w in one[:counted]) is wanted]
    if policy.dedupe not in ("match", "none"):
        kept = sorted({repeat_key(phrases[i]): i for i in reversed(kept)}.values())
    wanted_keys = [tuple(dict.fromkeys(map(gold_key, cluster))) for cluster in clusters]
    if policy.wordings == "first":
        wanted_keys = [keys[:1] for keys in wanted_keys]
    elif policy.wordings == "separate":
        wanted_keys = [(one,) for keys in wanted_keys for one in keys]
    listed = tuple(map(key, phrases))
    predicted = tuple([listed[i] for i in kept])
    found = tuple(dict.fromkeys(wanted_keys) if policy.dedupe_gold else wanted_keys)
    scores = predictions.scores.get(id_, ())
    return Case(
        id=id_,
        answered=id_ in predictions.phrases,
        predicted=predicted,
        gold=found,
        matches=tuple(match(predicted, found)),
        listed=listed,
        scores=tuple([scores[i] for i in kept]) if len(scores) == len(phrases) else (),
    )
