"""What is printed about the recognition of kinds, and about lists by the protocol of zero-shot papers."""

import gzip
import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill.types import Document
from phrasemill_lab.bench import kinds, zeroshot
from phrasemill_lab.models.kinds import copies


def test_each_copy_of_each_source_has_a_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made_datasets.coast(tmp_path)
    monkeypatch.setattr(kinds, "TEXTS", [one for one in kinds.TEXTS if one.source.file == "everyday/en_dev.jsonl.gz"])
    kinds.main(["--data", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "| texts | documents | right | lower case | capitals | hard-wrapped | no title | first half |" in shown
    assert "| everyday, news | 1 | " in shown and "| everyday, other | 2 | " in shown


def test_copies_say_the_same_in_another_form() -> None:
    document = Document("1", "Dune grass holds sand. " * 5, "Dunes")
    made = copies(document)
    assert made["lower case"].content == document.content.lower()
    assert made["capitals"].content == document.content.upper()
    assert made["hard-wrapped"].text.split() == document.text.split() and "\n" in made["hard-wrapped"].text
    assert made["no title"].content == document.text
    assert document.text.startswith(made["first half"].text) and len(made["first half"].text) == 57
    assert "no title" not in copies(Document("2", document.text))


def test_zero_shot_papers_pool_counts_over_all_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five phrases of each of two texts: of one all are gold, of the other none of thirty. Hyphens are spaces."""
    (tmp_path / "zeroshot").mkdir()
    text = "Salt-water wells, dune grass, tidal power, coastal roads and fishing boats."
    right = ["salt water wells", "dune-grass", "tidal power", "coastal roads", "fishing boats"]
    rows = [{"doc": text, "label": right}, {"doc": text, "label": [f"harbour {number}" for number in range(30)]}]
    for name in zeroshot.FILES:
        with gzip.open(tmp_path / "zeroshot" / f"{name}_MAX512.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    zeroshot.main(["--data", str(tmp_path), "firstphrases"])
    shown = capsys.readouterr().out
    assert "| texts | method | F1@5 | F1@10 | F1@15 |" in shown
    assert f"| DUC2001 | firstphrases | {200 * 5 / (10 + 35):.1f} |" in shown
