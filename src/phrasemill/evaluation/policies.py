"""The choices that every keyphrase scorer makes, each with a name, and the protocols that make them.

Published scores disagree because these choices are hidden in a loop. Here they are parameters, they can be set by
preset, by argument and by metric (`F1@5(denominator='k')`), and they are printed in the signature of every score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import get_args

from phrasemill.errors import ConfigError, UnknownName

# The values of each choice, and what they mean; `docs/reference/metrics.md` describes the consequences.
CHOICES: dict[str, dict[str, str]] = {
    "match": {
        "exact": "the same words",
        "stem": "the same stems",
        "partial": "credit for shared stems: Dice over words (PubMedAKE, eq. 1)",
        "r-precision": "credit: shared stems / words of the longer phrase (Zesch and Gurevych, 2009)",
        "modified-r-precision": "the same, with more weight for words near the head (Kim et al., 2010)",
        "bleu": "credit: BLEU of the shorter phrase against the longer",
        "meteor": "credit: METEOR of the shorter phrase against the longer",
        "meteor-wordnet": "the same on whole words, with the synonyms of NLTK's WordNet",
        "nist": "credit: NIST of the shorter phrase against the longer, over that of the longer against itself",
        "rouge-1": "credit: ROUGE-1 F of the two phrases",
        "rouge-l": "credit: ROUGE-L F of the two phrases",
        "cosine": "credit: the cosine of the phrases' embeddings, at least 0",
        "semantic": "a cosine of embeddings of at least `threshold`; each gold keyphrase is matched once",
    },
    "credit": {
        "prediction": "each prediction earns once, from the gold keyphrase that it matches or is most similar to",
        "gold": "each gold keyphrase earns once, from the most similar of the first k predictions",
        "pairs": "every matching pair of a prediction and a gold keyphrase earns",
    },
    "digits": {"keep": "digits are kept", "mask": "words that consist of digits become <digit>"},
    "wordings": {
        "any": "any wording of a cluster matches it, once",
        "first": "only the first, preferred wording is gold",
        "separate": "every wording is a gold keyphrase of its own",
    },
    "genitives": {
        "listed": "only the wordings that the gold lists",
        "both": "`A of B` is also `B A`, `A's B` is also `A B` (Kim et al., 2010, section 2.1)",
    },
    "dedupe": {
        "stem": "predictions whose stems repeat an earlier one are dropped before the cut at k",
        "exact": "the same, for identical predictions",
        "match": "repeats stay in the list and in the denominator, but earn nothing",
        "none": "repeats stay, and each earns again",
    },
    "denominator": {
        "k": "precision divides by k, even if there are fewer",
        "predicted": "by the number of predictions, at most k",
    },
    "short": {
        "count": "lists of fewer than k predictions are scored like others",
        "zero": "such lists score 0 in P, R and F1 at k",
    },
    "rounding": {
        "none": "precision and recall are not rounded",
        "percent": "they are rounded to per cent with two decimals before F1 is computed",
    },
    "average": {
        "macro": "the mean of the documents' scores",
        "micro": "counts are pooled, then divided",
        "means": "F1 is the harmonic mean of mean precision and mean recall",
    },
    "empty_gold": {
        "skip": "documents without gold are left out",
        "zero": "documents without gold score 0",
        "one": "documents without gold score 1 if nothing was predicted, else 0",
    },
    "missing": {"zero": "documents without an answer score 0", "skip": "documents without an answer are left out"},
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
        "gold": "the gold is already stemmed",
        "predictions": "the predictions are already stemmed",
        "both": "both are already stemmed",
    },
}


# Matchings of words as they are written rather than of their stems.
UNSTEMMED = ("exact", "semantic", "cosine", "meteor-wordnet")


@dataclass(frozen=True, slots=True)
class Policy:
    """The choices of a score. The defaults are the most common ones, and follow no particular protocol."""

    match: str = "stem"
    credit: str = "prediction"
    stemmer: str = "porter"
    lowercase: bool = True
    digits: str = "keep"
    wordings: str = "any"
    genitives: str = "listed"
    dedupe: str = "stem"
    dedupe_gold: bool = True
    denominator: str = "predicted"
    short: str = "count"
    rounding: str = "none"
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
        if self.match in ("cosine", "semantic") and not self.embeddings:
            raise ConfigError("embeddings must be minilm, a folder with a model, or a file of word vectors")

    def changed(self, changes: Mapping[str, object]) -> "Policy":
        """Return a policy with these changes. A wrong name or type raises a `ConfigError`."""
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
    """A published protocol: what it is, where it is described, its choices, and their effect on scores."""

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

SEMEVAL2010 = {
    "stemmer": "porter-parts",
    "dedupe_gold": False,
    "denominator": "k",
    "average": "micro",
    "empty_gold": "zero",
}
SEMEVAL2010_METRICS = "P@5 R@5 F1@5 P@10 R@10 F1@10 P@15 R@15 F1@15"

PRESETS: dict[str, Preset] = dict(
    [
        _preset(
            "default",
            "Stems, macro average, divided by the number of predictions",
            source="Phrasemill",
            consequence="A system may gain precision by predicting fewer than k phrases.",
            metrics="P@5 R@5 F1@5 P@10 R@10 F1@10 F1@O F1@M",
        ),
        _preset(
            "semeval2010",
            "SemEval-2010 task 5 as its paper describes it",
            source="Kim et al., 2010, section 2.2",
            consequence=(
                "Micro-averages weigh documents with many keyphrases more; short lists are punished, "
                "because precision divides by k."
            ),
            metrics=SEMEVAL2010_METRICS,
            dedupe="match",
            **SEMEVAL2010,
        ),
        _preset(
            "semeval2010-official",
            "SemEval-2010 task 5 as its own program computed it",
            source="the figures that the task's program prints for four runs",
            consequence="Up to 0.8 points above semeval2010: an answer that occurs twice in the key counts twice.",
            metrics=SEMEVAL2010_METRICS,
            dedupe="none",
            credit="pairs",
            short="zero",
            rounding="percent",
            **SEMEVAL2010,
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
            "PubMedAKE: partial credit by shared stems, micro average",
            source="Sheng et al., 2022, as its Table 2 was computed; eq. 1 has credit='prediction'",
            consequence="About twice the exact score; each gold keyphrase earns its best prediction's credit.",
            metrics="P@5 R@5 F1@5 P@10 R@10 F1@10 P@15 R@15 F1@15",
            match="partial",
            credit="gold",
            stemmer="nltk",
            average="micro",
            dedupe="match",
        ),
        _preset(
            "yuan2020",
            "Keyphrase generation, OpenNMT-kpg: macro average, divided by k as in its tables, and by "
            "the number of predictions as in its eq. 5",
            source="Yuan et al., 2020, section 4 and appendix E; k as its oracle scores in section 1 show",
            consequence="Documents without (present, absent) gold are left out; fewer than k predictions are punished.",
            metrics="F1@5(present='present') F1@5(denominator='predicted',present='present') "
            "F1@10(present='present') F1@10(denominator='predicted',present='present') "
            "F1@O(present='present') F1@M(present='present') R@10(present='absent') R@50(present='absent')",
            stemmer="nltk",
            digits="mask",
            dedupe="stem",
            denominator="k",
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
