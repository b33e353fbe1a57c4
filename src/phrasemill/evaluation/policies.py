"""The choices that every keyphrase scorer makes, each with a name, and the protocols that make them.

Published scores disagree because these choices are hidden in a loop. Here they are parameters, they can be set by
preset, by argument and by metric (`F1@5(denominator='k')`), and they are printed in the signature of every score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import get_args

from phrasemill.errors import ConfigError, UnknownName

# The values of each choice, and what they mean; `docs/metrics.md` describes the consequences.
CHOICES: dict[str, dict[str, str]] = {
    "match": {
        "exact": "the same words",
        "stem": "the same stems",
        "partial": "credit for shared stems: Dice over words (PubMedAKE, eq. 1)",
        "r-precision": "credit: shared stems / words of the longer phrase (Zesch and Gurevych, 2009)",
        "modified-r-precision": "the same, words nearer the head weigh more (Kim et al., 2010)",
        "bleu": "credit: BLEU of the shorter phrase against the longer",
        "meteor": "credit: METEOR of the shorter phrase against the longer",
        "nist": "credit: NIST of the shorter phrase against the longer, over that of the longer against itself",
        "rouge-1": "credit: ROUGE-1 F of the two phrases",
        "rouge-l": "credit: ROUGE-L F of the two phrases",
        "semantic": "embeddings with a cosine of at least `threshold`, each gold keyphrase once",
    },
    "digits": {"keep": "as they are", "mask": "words of digits only become <digit>"},
    "wordings": {
        "any": "any wording of a cluster or alternation finds it, once",
        "first": "only the first, preferred wording is gold",
        "separate": "every wording is a gold keyphrase of its own",
    },
    "dedupe": {
        "stem": "predictions whose stems repeat an earlier one are dropped before the cut at k",
        "exact": "the same, for identical predictions",
        "match": "repeats stay in the list and in the denominator, but earn nothing",
        "none": "repeats stay, and each earns again",
    },
    "denominator": {"k": "precision divides by k, even if fewer came", "predicted": "by how many came, at most k"},
    "average": {
        "macro": "the mean of the documents' scores",
        "micro": "counts are pooled, then divided",
        "means": "F1 is the harmonic mean of mean precision and mean recall",
    },
    "empty_gold": {
        "skip": "documents without gold are left out",
        "zero": "they score 0",
        "one": "they score 1 if nothing was predicted, else 0",
    },
    "missing": {"zero": "documents that a system has no answer for score 0", "skip": "they are left out"},
    "present": {
        "all": "all gold and all predictions",
        "present": "only those that occur in the text",
        "absent": "only those that do not",
    },
    "presence": {
        "stem": "the stems occur in a row in the stemmed text",
        "exact": "the words occur in a row in the lower-cased text",
        "substring": "the characters occur in the lower-cased text, even within words",
    },
    "stemmed": {
        "none": "neither side is stemmed yet",
        "gold": "the gold is stemmed already",
        "predictions": "the predictions are",
        "both": "both are",
    },
}


@dataclass(frozen=True, slots=True)
class Policy:
    """One way to score. The defaults are the most common ones, not a protocol of anybody's."""

    match: str = "stem"
    stemmer: str = "porter"
    lowercase: bool = True
    digits: str = "keep"
    wordings: str = "any"
    dedupe: str = "stem"
    dedupe_gold: bool = True
    denominator: str = "predicted"
    average: str = "macro"
    empty_gold: str = "skip"
    missing: str = "zero"
    present: str = "all"
    presence: str = "stem"
    stemmed: str = "none"
    embeddings: str = "minilm"
    threshold: float = 0.8

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UnknownName(name, str(getattr(self, name)), choices)
        if not 0 < self.threshold <= 1:
            raise ConfigError(f"threshold must be above 0 and at most 1, got {self.threshold}")
        if self.match == "semantic" and not self.embeddings:
            raise ConfigError("embeddings must be minilm, a folder with a model, or a file of word vectors")

    def changed(self, changes: Mapping[str, object]) -> "Policy":
        """Return a policy with some choices changed; a wrong name or type is a `ConfigError`."""
        known = {field.name: field.type for field in fields(self)}
        for name, value in changes.items():
            if name not in known:
                raise UnknownName("policy", name, known)
            wanted = get_args(known[name]) or (known[name],)
            if type(value) not in wanted and not (type(value) is int and float in wanted):
                raise ConfigError(f"policy {name} cannot be {value!r}")
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Preset:
    """A published protocol: what it is, where it is described, how it chooses, and what that does to scores."""

    name: str
    summary: str
    source: str
    consequence: str
    policy: Policy
    metrics: tuple[str, ...]


def _preset(
    name: str, summary: str, *, source: str, consequence: str, metrics: str, **choices: object
) -> tuple[str, Preset]:
    return name, Preset(name, summary, source, consequence, Policy().changed(choices), tuple(metrics.split()))


MKDUC01 = {
    "stemmer": "nltk",
    "dedupe": "match",
    "dedupe_gold": False,
    "denominator": "predicted",
    "empty_gold": "zero",
    "missing": "skip",
}
MKDUC01_METRICS = "P@1 P@5 P@10 P@20 F1@5 F1@10 F1@20 unigram-P@20 unigram-F1@20"

PRESETS: dict[str, Preset] = dict(
    [
        _preset(
            "default",
            "Stems, macro, divided by what came",
            source="Phrasemill",
            consequence="A system may gain precision by predicting fewer than k phrases.",
            metrics="P@5 R@5 F1@5 P@10 R@10 F1@10 F1@O F1@M",
        ),
        _preset(
            "semeval2010",
            "SemEval-2010 task 5, official",
            source="Kim et al., 2010, section 2.2",
            consequence="Micro-averages weigh documents with many keyphrases more; short answers are punished (k).",
            metrics="P@5 R@5 F1@5 P@10 R@10 F1@10 P@15 R@15 F1@15",
            stemmer="porter-parts",
            dedupe="match",
            dedupe_gold=False,
            denominator="k",
            average="micro",
            empty_gold="zero",
        ),
        _preset(
            "mkduc01",
            "MK-DUC-01 as its paper defines it: substitute clusters",
            source="Shapira et al., 2021, appendix A",
            consequence="A second wording of the same cluster, or a repeat, counts as wrong.",
            metrics=MKDUC01_METRICS,
            wordings="any",
            **MKDUC01,
        ),
        _preset(
            "mkduc01-published",
            "MK-DUC-01 as its tables were computed: first wordings only",
            source="the published outputs and scores.csv files",
            consequence="Lower than mkduc01: other wordings of a cluster count as wrong.",
            metrics=MKDUC01_METRICS,
            wordings="first",
            **MKDUC01,
        ),
        _preset(
            "pubmedake",
            "PubMedAKE: partial credit by shared stems, micro",
            source="Sheng et al., 2022, eq. 1; averaging inferred from its Table 2",
            consequence="About twice the exact score; many predictions near one keyphrase all earn recall.",
            metrics="P@5 R@5 F1@5 P@10 R@10 F1@10 P@15 R@15 F1@15",
            match="partial",
            stemmer="nltk",
            average="micro",
            dedupe="none",
        ),
        _preset(
            "yuan2020",
            "Keyphrase generation, OpenNMT-kpg: macro, divided by what came",
            source="Yuan et al., 2020, section 4 and appendix E",
            consequence="Documents without (present, absent) gold are left out; fewer predictions are not punished.",
            metrics="F1@5(present='present') F1@10(present='present') F1@O(present='present') F1@M(present='present') "
            "R@10(present='absent') R@50(present='absent')",
            stemmer="nltk",
            digits="mask",
            dedupe="stem",
            denominator="predicted",
            average="macro",
            empty_gold="skip",
        ),
        _preset(
            "chan2019",
            "Keyphrase generation by Chan et al.: padded to 5, harmonic mean of means",
            source="Chan et al., 2019, and its evaluate_prediction.py",
            consequence="Documents without gold count as 0; F1 of means is not the mean of F1.",
            metrics="F1@5(present='present') F1@M(present='present') F1@5(present='absent') F1@M(present='absent')",
            stemmer="nltk",
            digits="mask",
            dedupe="stem",
            denominator="k",
            average="means",
            empty_gold="zero",
        ),
    ]
)


def preset(name: str) -> Preset:
    """Return the preset called `name`."""
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]
