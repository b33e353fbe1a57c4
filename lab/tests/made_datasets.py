"""Small datasets in the layouts of the public ones, of texts that we wrote."""

import gzip
import json
from pathlib import Path

TEXTS = {
    "wells": (
        "Salt water in coastal wells",
        "When pumps draw too much groundwater, salt water moves inland. Coastal wells then deliver salt water.",
        ["salt water", "coastal wells", "groundwater"],
    ),
    "dunes": (
        "Dune grass",
        "Dune grass holds sand. Where dune grass is planted, coastal dunes grow and protect the villages behind them.",
        ["dune grass", "coastal dunes", "planting"],
    ),
    "tides": (
        "Tidal power",
        "A tidal barrage stores sea water at high tide. Tidal power is predictable, and turbines turn twice a day.",
        ["tidal power", "tidal barrage", "turbines"],
    ),
}


def records() -> list[dict[str, object]]:
    return [
        {"id": id_, "title": title, "text": text, "keyphrases": gold, "topic": "coast"}
        for id_, (title, text, gold) in TEXTS.items()
    ]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def coast(folder: Path) -> Path:
    """Inspec, DUC-2001 with one topic, MK-DUC-01 over it, SemEval-2010 in both versions, everyday texts: all alike."""
    write(folder / "inspec_test.jsonl", records())
    write(folder / "duc2001.jsonl", records())
    topic = {
        "id": "coast",
        "title": "",
        "text": "",
        "doc_ids": list(TEXTS),
        "clusters": [["salt water"], ["dune grass"]],
    }
    write(folder / "mkduc01.jsonl", [topic | {"keyphrases": ["salt water", "dune grass"]}])
    stems = [["salt water"], ["coastal well", "well"]]
    papers = [
        row | {"combined": [["salt water"], ["coastal wells", "wells"]], "keyphrases": ["salt water"]}
        for row in records()
    ]
    write(folder / "semeval2010_test.jsonl", [paper | {"combined_stem": stems} for paper in papers])
    write(folder / "semeval2010_official_test.jsonl", [paper | {"combined.stem": stems} for paper in papers[:2]])
    genres = {"wells": "news", "dunes": "blog", "tides": "blog"}
    prose = [row | {"genre": genres[str(row["id"])], "grades": [2, 2, 1]} for row in records()]
    (folder / "everyday").mkdir()
    with gzip.open(folder / "everyday" / "en_dev.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in prose)
    return folder
