"""The script behind the picture of the generation page, on documents that are made here."""

from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[1] / "benchmarks"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(SCRIPTS)

    def load(name: str) -> ModuleType:
        return __import__(name)

    return load


def test_the_picture_of_decoder_states(scripts: Any) -> None:
    module = scripts("decoder_states")
    source = np.random.default_rng(1)
    apart = np.concatenate([source.normal(10 * i, 0.1, (12, 4)) * [1, -1, 1, -1] for i in (-1, 1)])
    panels = [module.panel(apart, seed=3) for _ in range(2)]
    assert np.array_equal(panels[0].points, panels[1].points), "a seed gives one picture"
    assert panels[0].points.min() >= 0 and panels[0].points.max() <= 1
    assert panels[0].cosine == pytest.approx((2 * 66 - 144) / (12 * 23), abs=0.01), "two bundles that point apart"
    drawn = ElementTree.fromstring(module.picture({"Cat & Seq": panels, "CatSeqD": panels[:1]}))
    assert len(drawn.findall(f"{SVG}path")) == len(drawn.findall(f"{SVG}rect")) == 3
    assert drawn.findall(f"{SVG}path")[0].get("d", "").count("M") == 24
    assert "Cat & Seq" in [text.text for text in drawn.findall(f"{SVG}text")]
    with pytest.raises(SystemExit, match="too few"):
        module.panel(apart[:3])
