"""What there is to choose from: metrics, presets and policies, for `phrasemill metrics`."""

from dataclasses import asdict, fields

from phrasemill.evaluation.metrics import METRICS
from phrasemill.evaluation.policies import CHOICES, PRESETS, Policy
from phrasemill.tables import Table


def grids() -> list[Table]:
    """Three tables: the metrics, the presets, and the choices with what they mean."""
    metrics = [
        (label(e.name), f"{e.summary} Needs {e.needs}." if e.needs else e.summary, e.paper) for e in METRICS.describe()
    ]
    presets = [(p.name, p.summary, p.consequence) for p in PRESETS.values()]
    default = Policy()
    choices = [
        (f"{name}={value!r}", meaning, "default" if getattr(default, name) == value else "")
        for name, values in CHOICES.items()
        for value, meaning in values.items()
    ]
    return [
        Table("Metrics", ("name", "what it is", "paper"), tuple(metrics), words=True),
        Table("Presets", ("name", "what it is", "what that does"), tuple(presets), words=True),
        Table("Choices", ("choice", "what it means", ""), tuple(choices), words=True),
    ]


def records() -> dict[str, object]:
    """The same for programs."""
    return {
        "metrics": [{**entry._asdict(), "name": label(entry.name)} for entry in METRICS.describe()],
        "presets": [
            {
                "name": p.name,
                "summary": p.summary,
                "source": p.source,
                "consequence": p.consequence,
                "metrics": list(p.metrics),
                "policy": asdict(p.policy),
            }
            for p in PRESETS.values()
        ],
        "choices": CHOICES,
        "defaults": {field.name: field.default for field in fields(Policy)},
    }


def label(name: str) -> str:
    """How a metric is written: with `@k` where it takes a cut."""
    return f"{name}@k" if getattr(METRICS.get(name), "cuts", False) else name
