"""The choices that every keyphrase scorer makes, each with a name, and the published protocols that make them.

Published scores disagree because these choices are hidden in a loop. Here they are fields of `Policy`, declared once:
metrics, signatures, the command, HTTP and docs/reference/scores.md follow from them. They can be set by preset
(data/scoring.toml), by argument and by metric (`F1@5(denominator='k')`), and are printed in the signature of a score.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.models import shipped


def _choice(default: str, *, late: bool = False, named: bool = False, **values: str) -> Any:
    """Declare a choice among `values`, with what each means; an underscore in a value stands for a hyphen.

    A `late` choice matters only after predictions and gold are matched. A `named` one is in signatures, by its name,
    where it differs from the default; others have a place of their own there.
    """
    meanings = {value.replace("_", "-"): words for value, words in values.items()}
    return field(default=default, metadata={"values": meanings, "late": late, "named": named})


@dataclass(frozen=True, slots=True)
class Policy:
    """The choices of a score. The defaults are the most common ones, and follow no particular protocol."""

    match: str = _choice(
        "stem",
        exact="the same words",
        stem="the same stems",
        partial="credit for shared stems: Dice over words (PubMedAKE, eq. 1)",
        r_precision="credit: shared stems / words of the longer phrase (Zesch and Gurevych, 2009)",
        modified_r_precision="the same, with more weight for words near the head (Kim et al., 2010)",
        bleu="credit: BLEU of the shorter phrase against the longer",
        meteor="credit: METEOR of the shorter phrase against the longer",
        meteor_wordnet="the same on whole words, with the synonyms of NLTK's WordNet",
        nist="credit: NIST of the shorter phrase against the longer, over that of the longer against itself",
        rouge_1="credit: ROUGE-1 F of the two phrases",
        rouge_l="credit: ROUGE-L F of the two phrases",
        cosine="credit: the cosine of the phrases' embeddings, at least 0",
        semantic="a cosine of embeddings of at least `threshold`; each gold keyphrase is matched once",
    )
    credit: str = _choice(
        "prediction",
        named=True,
        prediction="each prediction earns once, from the gold keyphrase that it matches or is most similar to",
        gold="each gold keyphrase earns once, from the most similar of the first k predictions",
        pairs="every matching pair of a prediction and a gold keyphrase earns",
    )
    stemmer: str = "porter"
    lowercase: bool = True
    hyphens: str = _choice("keep", named=True, keep="hyphens are part of words", space="hyphens are spaces")
    digits: str = _choice(
        "keep", named=True, keep="digits are kept", mask="words that consist of digits become <digit>"
    )
    wordings: str = _choice(
        "any",
        named=True,
        any="any wording of a cluster matches it, once",
        first="only the first, preferred wording is gold",
        separate="every wording is a gold keyphrase of its own",
    )
    genitives: str = _choice(
        "listed",
        named=True,
        listed="only the wordings that the gold lists",
        both="`A of B` is also `B A`, `A's B` is also `A B` (Kim et al., 2010, section 2.1)",
    )
    dedupe: str = _choice(
        "stem",
        stem="predictions whose stems repeat an earlier one are dropped before the cut at k",
        exact="the same, for identical predictions",
        spelling="identical predictions are dropped; others earn even for one gold keyphrase",
        match="repeats stay in the list and in the denominator, but earn nothing",
        none="repeats stay, and each earns again",
    )
    dedupe_gold: bool = True
    denominator: str = _choice(
        "predicted",
        late=True,
        k="precision divides by k, even if there are fewer",
        predicted="by the number of predictions, at most k",
    )
    short: str = _choice(
        "count",
        late=True,
        named=True,
        count="lists of fewer than k predictions are scored like others",
        zero="such lists score 0 in P, R and F1 at k",
    )
    rounding: str = _choice(
        "none",
        late=True,
        named=True,
        none="precision and recall are not rounded",
        percent="they are rounded to per cent with two decimals before F1 is computed",
    )
    average: str = _choice(
        "macro",
        late=True,
        macro="the mean of the documents' scores",
        micro="counts are pooled, then divided",
        means="F1 is the harmonic mean of mean precision and mean recall",
    )
    empty_gold: str = _choice(
        "skip",
        late=True,
        skip="documents without gold are left out",
        zero="documents without gold score 0",
        one="documents without gold score 1 if nothing was predicted, else 0",
    )
    missing: str = _choice(
        "zero",
        late=True,
        named=True,
        zero="documents without an answer score 0",
        skip="documents without an answer are left out",
    )
    present: str = _choice(
        "all",
        all="all gold and all predictions",
        present="only those that occur in the text",
        absent="only those that do not",
    )
    presence: str = _choice(
        "stem",
        stem="the stems occur in a row in the stemmed text",
        exact="the words occur in a row in the lower-cased text",
        substring="the characters occur in the lower-cased text, even within words",
    )
    stemmed: str = _choice(
        "none",
        named=True,
        none="neither side is stemmed yet",
        gold="the gold is already stemmed",
        predictions="the predictions are already stemmed",
        both="both are already stemmed",
    )
    embeddings: str = "minilm"
    threshold: float = 0.8

    def __post_init__(self) -> None:
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                raise UnknownName(name, str(getattr(self, name)), values)
        if not 0 < self.threshold <= 1:
            raise ConfigError(f"threshold must be above 0 and at most 1, got {self.threshold}")
        if self.match in ("cosine", "semantic") and not self.embeddings:
            raise ConfigError("embeddings must be minilm, a folder with a model, or a file of word vectors")

    def changed(self, changes: Mapping[str, object]) -> "Policy":
        """Return a policy with these changes. A wrong name or type raises a `ConfigError`."""
        if not changes:
            return self
        known = {field.name: field.type for field in fields(self)}
        for name, value in changes.items():
            if name not in known:
                raise UnknownName("policy", name, known)
            if type(value) is not known[name] and not (type(value) is int and known[name] is float):
                raise ConfigError(f"policy {name} cannot be {value!r}")
        return replace(self, **changes)  # type: ignore[arg-type]

    def before_matching(self) -> "Policy":
        """Return the policy without the late choices: metrics that agree on the rest share matches."""
        late: dict[str, Any] = {one.name: one.default for one in fields(self) if one.metadata.get("late")}
        return replace(self, **late)


# The values of each choice, and what they mean; docs/reference/metrics.md describes the consequences.
CHOICES: dict[str, Mapping[str, str]] = {
    one.name: one.metadata["values"] for one in fields(Policy) if "values" in one.metadata
}
# Matchings of words as they are written rather than of their stems.
UNSTEMMED = ("exact", "semantic", "cosine", "meteor-wordnet")


@dataclass(frozen=True, slots=True)
class Preset:
    """A published protocol: what it is, where it is described, its choices, and their effect on scores."""

    name: str
    summary: str
    source: str
    consequence: str
    policy: Policy
    metrics: tuple[str, ...]


def _presets() -> dict[str, Preset]:
    made: dict[str, Preset] = {}
    for name, row in tomllib.loads(shipped("scoring.toml").read_text(encoding="utf-8")).items():
        like = made.get(row.pop("like", ""))
        policy = (like.policy if like else Policy()).changed(row.pop("policy", {}))
        metrics = tuple(row.pop("metrics", "").split()) or (like.metrics if like else ())
        made[name] = Preset(name, **row, policy=policy, metrics=metrics)
    return made


PRESETS = _presets()


def preset(name: str) -> Preset:
    """Return the preset called `name`."""
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]
