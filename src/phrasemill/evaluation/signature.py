"""The signature: every choice that went into a score, on one line.

    F1@5|match:stem(nltk)|avg:macro|empty:skip|den:k|dedupe:stem|docs:100|gold:4be1c0de|v:0.1.0

Two scores may be compared if their signatures are equal. What is not printed has its default: any wording finds a
cluster, each prediction earns once, repeats in the gold are dropped, missing documents score 0, all phrases count, case
and digits as `Policy`, and all documents are in English. Others are stemmed by the stemmers of their languages:
`match:stem(german)|lang:de`, or `match:stem(own)|lang:de,en` where there are several.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from phrasemill.evaluation.metrics import Metric
from phrasemill.evaluation.phrases import ENGLISH, stemmer_of
from phrasemill.evaluation.policies import UNSTEMMED, Policy


def signature(
    metric: Metric, policy: Policy, *, documents: int, gold: str, languages: Sequence[str] = (ENGLISH,)
) -> str:
    """Return the signature of `metric` under `policy`, over a number of documents of the gold with this checksum."""
    from phrasemill import __version__

    stemmers = {stemmer_of(policy, language) for language in languages}
    stem = stemmers.pop() if len(stemmers) == 1 else "own"
    parts = [
        str(metric).partition("(")[0],
        f"match:{_match(policy, stem)}",
        *([] if set(languages) <= {ENGLISH} else [f"lang:{','.join(languages)}"]),
        f"avg:{policy.average}",
        f"empty:{policy.empty_gold}",
        f"den:{policy.denominator}",
        f"dedupe:{policy.dedupe}",
        *_further(policy, stem),
        *(f"{name}:{metric.parameter(name)}" for name in metric.parameters),
        f"docs:{documents}",
        f"gold:{gold}",
        f"v:{__version__}",
    ]
    return "|".join(parts)


def _match(policy: Policy, stem: str) -> str:
    if policy.match in ("cosine", "semantic"):
        threshold = f",{policy.threshold:g}" if policy.match == "semantic" else ""
        return f"{policy.match}({Path(policy.embeddings).name}{threshold})"
    return policy.match if policy.match in UNSTEMMED else f"{policy.match}({stem})"


def _further(policy: Policy, stem: str) -> list[str]:
    """Return the choices that are printed only where they differ from the default."""
    named = [one.name for one in fields(policy) if one.metadata.get("named")]
    parts = [f"{name}:{value}" for name in named if (value := getattr(policy, name)) != getattr(Policy(), name)]
    if not policy.dedupe_gold:
        parts.append("golddupes:keep")
    if policy.present != "all":
        how = f"stem({stem})" if policy.presence == "stem" else policy.presence
        parts.append(f"present:{policy.present}[{how}]")
    if not policy.lowercase:
        parts.append("case:keep")
    return parts


def grouped(notes: Iterable[str]) -> list[str]:
    """Join the signatures of metrics that share all choices into one line; leave other notes as they are."""
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        name, bar, choices = note.partition("|")
        groups.setdefault(("", choices) if bar else (note, ""), []).append(name)
    return [words or f"{' '.join(dict.fromkeys(names))}|{choices}" for (words, choices), names in groups.items()]
