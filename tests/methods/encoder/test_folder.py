"""`encoder(model="FOLDER")` with a Transformers folder: any language, no training."""

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import phrasemill as pm
import tiny_bert
from phrasemill.errors import ModelError
from phrasemill.methods.encoder import folder
from phrasemill.text.analyse import analyse

pytest.importorskip("tokenizers")

GERMAN = (
    "Die Stadtwerke sanieren das Wasserwerk am Hafen. Das Wasserwerk sichert die Trinkwasserversorgung, und die "
    "Stadtwerke erneuern auch die Pumpen. Der Gemeinderat lobte die Pumpen."
)


class Pointer:
    """An encoder for which one phrase means the same as the text, and all others nothing of it."""

    def __init__(self, phrase: str) -> None:
        self.phrase = phrase

    def encode(self, texts: Sequence[str]) -> "np.ndarray":
        return np.array([[1, 0] if text == self.phrase or len(text) > 60 else [0, 1] for text in texts], np.float32)


def test_a_phrase_that_is_closer_to_the_text_moves_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = [one.text for one in pm.extract(GERMAN, top=8)]
    last = before[-1]
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(folder, "load_encoder", lambda name: Pointer(last))
    after = [one.text for one in pm.extract(GERMAN, method=f"encoder(model={str(tmp_path)!r})", top=8)]
    assert after.index(last) < before.index(last)
    assert [one for one in after if one != last] == [one for one in before if one != last]


def test_a_bert_folder_reads_another_language_without_a_warning(tmp_path: Path) -> None:
    model = tiny_bert.make(tmp_path / "bert")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pm.extract(GERMAN, method=f"encoder(model={str(model)!r})", explain=True)
    assert found and all(0 < one.score < 1 and one.evidence for one in found)
    assert [one.score for one in found] == sorted([one.score for one in found], reverse=True)


def test_another_architecture_is_refused_by_name(tmp_path: Path) -> None:
    made = tiny_bert.make(tmp_path / "model")
    (made / "config.json").write_text('{"model_type": "electra"}', encoding="utf-8")
    with pytest.raises(ModelError, match="a model of the type 'electra'; only BERT is read"):
        pm.extract(GERMAN, method=f"encoder(model={str(made)!r})")


def test_a_damaged_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(ModelError, match=tmp_path.name):
        pm.extract(GERMAN, method=f"encoder(model={str(tmp_path)!r})")


def test_a_long_text_is_embedded_in_parts_of_whole_words() -> None:
    text = "Wasserwerk und Hafen. " * 400
    parts = folder.parts_of(analyse(text, language="de"))
    assert "".join(parts) == text[: len("".join(parts))]
    assert len(parts) == -(-len(text) // folder.PART) and all(len(part) <= folder.PART for part in parts)
