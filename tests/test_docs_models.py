"""Every file that ships has a card and a line in NOTICE, and both agree."""

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "evidence" / "models.md").read_text(encoding="utf-8")
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
SHIPPED = sorted(
    {
        re.sub(r"\.\d+\.", ".", path.name) + "/" * path.is_dir()  # a model of several files, or a folder, is one
        for folder in (ROOT / "src" / "phrasemill" / "data", *ROOT.glob("weights/*/src/*"))
        for path in folder.iterdir()
        if path.suffix != ".py" and path.name != "__pycache__"
    }
)
CARDS = dict(re.findall(r"^## `([^`]+)`\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))
# Written here, or figures of our own: no model.
NO_MODELS = (
    "example.txt",
    "languages.txt",
    "stopwords_en.txt",
    "language_*.toml",
    "methods.toml",
    "method_facts.json",
    "scoring.toml",
)
LICENCES = ("CC BY-SA 4.0", "CC BY 2.5", "Apache License 2.0", "LGPL-LR", "ODbL", "BSD", "MIT")


def entries() -> dict[str, str]:
    """The entries of NOTICE by the names of files, several of which may stand in one heading."""
    found = {}
    for names, text in re.findall(
        r"^((?:[\w*]+(?:\.\w+|/)(?:, )?)+)\n((?:    .*\n|\n(?=    ))+)", NOTICE, flags=re.MULTILINE
    ):
        found |= {name: " ".join(text.split()) for name in names.split(", ")}
    return found


def named(file: str, patterns: object) -> list[str]:
    """The name that fits a file best: its own, or else a pattern."""
    fits = [one for one in patterns if fnmatch(file, one)]  # type: ignore[attr-defined]
    return [one for one in fits if one == file] or fits


@pytest.mark.parametrize("file", SHIPPED)
def test_every_file_is_in_notice_and_every_model_has_a_card(file: str) -> None:
    assert len(named(file, entries())) == 1
    if named(file, NO_MODELS):
        assert any(f"`{pattern}`" in PAGE for pattern in NO_MODELS if fnmatch(file, pattern))
    else:
        assert len(named(file, CARDS)) == 1


@pytest.mark.parametrize("name", CARDS)
def test_cards_and_notice_agree(name: str) -> None:
    card, entry = " ".join(CARDS[name].split()), entries()[name]
    assert any(fnmatch(file, name) for file in SHIPPED)
    for licence in LICENCES:
        assert licence in card or licence not in entry, licence
    made, command = re.search(r"Made by: (.+)", entry), re.search(r"\*\*Made by\*\*: `([^`]+)`", card)
    assert made is not None and command is not None
    assert command[1] == made[1]


@pytest.mark.parametrize("name", CARDS)
def test_cards_are_complete(name: str) -> None:
    for line in ("Licences of the data", "Bad at", "Made by"):
        assert f"- **{line}**: " in CARDS[name]
    assert re.search(r"- \*\*(Trained on|Counted over|Computed from)\*\*: ", CARDS[name])
    if "eyphrases" in CARDS[name].partition("Bad at")[0] and "everyday texts" in CARDS[name]:
        assert "**a language model** for the everyday texts" in CARDS[name]
