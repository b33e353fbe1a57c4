"""Our stopwords, for peers whose own are a download."""

from pathlib import Path

FILE = Path(__file__).parents[3] / "src" / "phrasemill" / "data" / "stopwords_en.txt"


def english() -> list[str]:
    """Return the words of the file, without its comments."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]
