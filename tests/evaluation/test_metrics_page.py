"""docs/reference/metrics.md names everything there is."""

from pathlib import Path

import pytest

from phrasemill.evaluation import METRICS, PRESETS
from phrasemill.evaluation.policies import CHOICES
from phrasemill.evaluation.report import metric_label

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*map(metric_label, METRICS), *PRESETS, *CHOICES, *CHOICES["match"]])
def test_it_is_explained(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("name", CHOICES)
def test_the_values_of_each_choice_are_there(name: str) -> None:
    for value in CHOICES[name]:
        assert f"`{value}`" in PAGE or f"{name}='{value}'" in PAGE or f"{name}={value}" in PAGE, value
