"""The signature: every choice that went into a score, on one line.

    F1@5|match:stem(nltk)|avg:macro|empty:skip|den:k|dedupe:stem|docs:100|gold:4be1c0de|v:0.1.0

Two scores may be compared if their signatures are equal. What is not printed has its default: any wording finds a
cluster, each prediction earns once, repeats in the gold are dropped, missing documents score 0, all phrases count, case
and digits as `Policy`, and all documents are in English. Others are stemmed by the stemmers of their languages:
`match:stem(german)|lang:de`, or `match:stem(own)|lang:de,en` where there are several.
"""

from collections.abc import Sequence
from dataclasses import fields

from phrasemill.evaluation.metrics import Metric
from phrasemill.evaluation.phrases import ENGLISH, stemmer_of
from phrasemill.evaluation.policies import UNSTEMMED, Policy

# Policies beyond the five that are always printed; these only where they differ from the default.
FURTHER = ("credit", "wordings", "genitives", "short", "rounding", "missing", "digits", "stemmed")


def signature(
    metric: Metric, policy: Policy, *, documents: int, gold: str, languages: Sequence[str] = (ENGLISH,)
) -> str:
    """Return the signature of `metric` under `policy`, over a number of documents of the gold with this checksum."""
    stem = _stemmer(policy, languages)
    from phrasemill import __version__

    parts = [
        str(metric).partition("(")[0],
        f"match:{_match(policy, stem)}",
        *([] if set(languages) <= {ENGLISH} else [f"lang:{','.join(languages)}"]),
        f"avg:{policy.average}",
        f"empty:{policy.empty_gold}",
        f"den:{policy.denominator}",
        f"dedupe:{policy.dedupe}",
        *_further(policy, stem),
        *_parameters(metric),
        f"docs:{documents}",
        f"gold:{gold}",
        f"v:{__version__}",
    ]
    return "|".join(parts)


def _stemmer(policy: Policy, languages: Sequence[str]) -> str:
    """Return the stemmer of all documents; `own` where those of their languages differ."""
    stemmers = {stemmer_of(policy, language) for language in languages}
    return stemmers.pop() if len(stemmers) == 1 else "own"


def _match(policy: Policy, stem: str) -> str:
    if policy.match in ("cosine", "semantic"):
        from pathlib import Path

        threshold = f",{policy.threshold:g}" if policy.match == "semantic" else ""
        return f"{policy.match}({Path(policy.embeddings).name}{threshold})"
    if policy.match in UNSTEMMED:
        return policy.match
    return f"{policy.match}({stem})"


def _further(policy: Policy, stem: str) -> list[str]:
    default = Policy()
    changed = [name for name in FURTHER if getattr(policy, name) != getattr(default, name)]
    parts = [f"{name}:{getattr(policy, name)}" for name in changed]
    if policy.dedupe_gold != default.dedupe_gold:
        parts.append("golddupes:keep")
    if policy.present != default.present:
        how = f"stem({stem})" if policy.presence == "stem" else policy.presence
        parts.append(f"present:{policy.present}[{how}]")
    if policy.lowercase != default.lowercase:
        parts.append("case:keep")
    return parts


def _parameters(metric: Metric) -> list[str]:
    """Return the parameters of the metric alone, such as the bins of a calibration error."""
    shared = {"at", *(field.name for field in fields(Policy))}
    own = [field.name for field in fields(metric) if field.name not in shared]
    return [f"{name}:{getattr(metric, name)}" for name in own]
