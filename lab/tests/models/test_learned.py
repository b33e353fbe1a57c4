"""`learned_en` and `learned_multilingual` out of small data of our own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from phrasemill.kernels.shapes import ADJECTIVE, NAME, NOUN

import phrasemill as pm
import tiny_models
from made_records import write
from phrasemill.methods.learned.background import WIDTH
from phrasemill.methods.learned.model import load_model, multilingual_model
from phrasemill.methods.styles import AUTHOR, EVERYDAY, TAGS
from phrasemill_lab.models import learned, learned_multilingual, learned_sources
from phrasemill_lab.models.kinds import copies
from phrasemill_lab.models.learned_multilingual import FIRST_CLASS, LAST_CLASS, folded, words_of_keyphrases
from phrasemill_lab.models.learned_sources import COUNT, WHOLE, WORDS, marked_by_crowd
from phrasemill_lab.models.sources import Source

pytest.importorskip("lightgbm")
FILES = {
    "learned_en": {
        *learned_sources.TEST,
        *(one.file for one in (*learned_sources.TABLES, *learned_sources.SHAPES, *learned_sources.SCIENCE)),
        *(one.file for one in (*learned_sources.READERS, *learned_sources.CROWD, *learned_sources.KINDS)),
        *(one.file for one in (*learned_sources.PROSE_OTHER, *learned_sources.PROSE_NEWS, *learned_sources.held_out())),
    },
    "learned_multilingual": {
        *learned_sources.TEST,
        *(one.file for one in (*learned_multilingual.PROSE, learned_multilingual.ENGLISH)),
        *(one.file for one in (*learned_multilingual.ABSTRACTS, *learned_multilingual.OF_WORDS)),
        *(one.file for one in learned_multilingual.SCIENCE),
    },
}
MAKERS: dict[str, Any] = {"learned_en": learned, "learned_multilingual": learned_multilingual}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files that the makers read, with the same few texts under other titles."""
    folder = tmp_path_factory.mktemp("data")
    for name in set.union(*FILES.values()):
        language = name[9:11] if name.startswith("everyday/") and name[11] == "_" else "en"
        records = []
        for number, one in enumerate(tiny_models.documents()):
            keyphrases = [reference if isinstance(reference, str) else reference[0] for reference in one.references]
            record: dict[str, object] = {
                "id": one.id,
                "title": f"{one.title} {name}",
                "text": one.text,
                "language": language,
            }
            record |= {"keyphrases": keyphrases, "combined": [[phrase] for phrase in keyphrases]}
            records.append(record | {"abstract": one.text, "genre": "news" if number % 2 else "advice", "cs": True})
        write(folder / name, records)
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = learned.Stage(3, 4, 0.1)
    monkeypatch.setattr(learned, "SHARED", few)
    for module in MAKERS.values():
        monkeypatch.setattr(module, "STAGES", dict.fromkeys(module.STAGES, few))


@pytest.mark.training
@pytest.mark.parametrize("name", MAKERS)
def test_the_same_data_give_the_same_bytes(name: str, data: Path, tmp_path: Path) -> None:
    for output in ("a", "b"):
        MAKERS[name].make(data, tmp_path / output, {})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    MAKERS[name].make(data, tmp_path / "c", {"seed": 2})
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()
    model = load_model(tmp_path / "a")
    assert set(model.trees.styles) == set(MAKERS[name].STAGES)
    text = tiny_models.article("iron gate", "lock spring", "door hinge", "red kite; hot tea")
    assert pm.extract(text, method=f"learned(model={str(tmp_path / 'a')!r}, style={EVERYDAY!r})", top=3)
    if name == "learned_multilingual":  # the odds of tags are multiplied with those of the authors' choice
        numbers = model.trees.styles[AUTHOR].numbers
        assert list(model.trees.styles[TAGS].numbers[-len(numbers) :]) == list(numbers)


@pytest.mark.parametrize("name", MAKERS)
def test_the_row_names_all_files(name: str) -> None:
    table = pytest.importorskip("phrasemill_lab.models.make")
    patterns = table.read()[name]["data"]
    assert not [one for one in FILES[name] if not any(Path(one).match(pattern) for pattern in patterns)]


@pytest.mark.parametrize(
    ("key", "first", "last", "tag"),
    [
        ("wasserwerk", NOUN, NOUN, True),  # out of a keyphrase
        ("alt", ADJECTIVE, ADJECTIVE, False),  # likewise, but no noun
        ("stadt", NOUN, NOUN, False),
        ("alt wasserwerk", ADJECTIVE, NOUN, False),  # a keyphrase, but no name
        ("anna berg", NAME, NAME, True),
        ("berg anna", NAME, NAME, False),
    ],
)
def test_tags_are_nouns_out_of_keyphrases_and_names(key: str, first: int, last: int, tag: bool) -> None:
    row = np.zeros((1, WIDTH), np.float32)
    row[0, [WORDS, FIRST_CLASS, LAST_CLASS]] = len(key.split()), first, last
    assert words_of_keyphrases([key], row, {"alt wasserwerk", "anna berg"}) == [tag]


@pytest.mark.parametrize(
    ("key", "whole", "times", "chosen"),
    [
        ("salt water", 1, 1, True),
        ("salt water", 0, 5, False),
        ("salt tank", 1, 1, False),
        ("water", 1, 3, True),
        ("water", 1, 2, False),
    ],
)
def test_of_a_crowds_words_whole_phrases_and_frequent_words_count(
    key: str, whole: int, times: int, chosen: bool
) -> None:
    row = np.zeros((1, WIDTH), np.float32)
    row[0, [WORDS, WHOLE, COUNT]] = len(key.split()), whole, np.log(1 + times)
    assert marked_by_crowd([key], row, {"salt", "water"}) == [chosen]


@pytest.mark.training
def test_every_text_is_held_out_once(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german = Source("everyday/de_train.jsonl.gz", EVERYDAY)
    monkeypatch.setattr(learned_multilingual, "PROSE", (german,))
    folds = list(folded(data, 3))
    assert sorted(one.id for fold in folds for one in fold.held_out) == sorted(f"{german.file}:{n}" for n in range(12))
    folds[0].model.save(tmp_path / "fold.safetensors")
    again, shipped = load_model(tmp_path / "fold.safetensors"), multilingual_model()
    assert len(again.trees.styles[EVERYDAY].numbers) == 3, "trained anew"
    assert len(again.trees.styles[AUTHOR].numbers) == len(shipped.trees.styles[AUTHOR].numbers), "as shipped"


def test_copies_are_what_people_paste() -> None:
    made = copies(pm.Document("1", "The salt marsh needs care. " * 9, "On marshes"))
    assert set(made) == {"lower case", "capitals", "hard-wrapped", "no title", "first half"}
    assert made["capitals"].title == "ON MARSHES" and made["no title"].title == ""
    assert max(map(len, made["hard-wrapped"].text.split("\n"))) <= 72
