"""Models by folds have not seen the texts that they are measured on."""

import gzip
import json
from pathlib import Path

import pytest

from phrasemill.methods.learned.model import load_model
from phrasemill.methods.styles import AUTHOR, EVERYDAY
from phrasemill_lab.models.learned import Stage
from phrasemill_lab.training import learned_folds
from phrasemill_lab.training.sources import Source

pytest.importorskip("lightgbm")
pytestmark = pytest.mark.training

TEXT = "Die Stadtwerke sanieren das Wasserwerk am Hafen. Das Wasserwerk {} liefert Trinkwasser für die ganze Stadt."


def test_every_text_is_held_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with gzip.open(tmp_path / "de.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(12):
            record = {"id": str(number), "language": "de", "title": "", "text": TEXT.format(number)}
            file.write(json.dumps(record | {"keyphrases": [["Wasserwerk"], ["Trinkwasser"]]}) + "\n")
    german = Source("de.jsonl.gz", EVERYDAY)
    monkeypatch.setattr(learned_folds, "PROSE", (german,))
    monkeypatch.setattr(learned_folds, "ENGLISH", german)
    monkeypatch.setattr(learned_folds, "STAGES", {EVERYDAY: Stage(3, 4, 0.1)})
    folds = list(learned_folds.folded(tmp_path, 3))
    assert sorted(one.id for fold in folds for one in fold.held_out) == sorted(f"de.jsonl.gz:{n}" for n in range(12))
    folds[0].model.save(tmp_path / "fold.safetensors")
    again = load_model(tmp_path / "fold.safetensors")
    assert len(again.trees.styles[EVERYDAY].numbers) == 3, "trained anew"
    shipped = learned_folds.multilingual_model()
    assert len(again.trees.styles[AUTHOR].numbers) == len(shipped.trees.styles[AUTHOR].numbers), "as shipped"
