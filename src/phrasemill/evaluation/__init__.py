"""Scores that can be checked: every choice has a name, and is printed with the number.

`evaluate(predictions, gold, metrics=["F1@5"], preset="yuan2020")` returns `Scores`; docs/reference/metrics.md
explains each metric, preset and pitfall.
"""

from phrasemill.evaluation.answers import Answers, read_answers
from phrasemill.evaluation.metrics import METRICS
from phrasemill.evaluation.policies import PRESETS, Policy, Preset
from phrasemill.evaluation.scores import Interval, Score, Scores, evaluate
from phrasemill.evaluation.significance import Difference, compare

__all__ = [
    "METRICS",
    "PRESETS",
    "Answers",
    "Difference",
    "Interval",
    "Policy",
    "Preset",
    "Score",
    "Scores",
    "compare",
    "evaluate",
    "read_answers",
]
