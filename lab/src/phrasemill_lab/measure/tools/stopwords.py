"""Our stopwords, for tools whose own are a download; contests.py names the file."""

import os
from pathlib import Path


def english() -> list[str]:
    """Return the words of the file, without its comments."""
    lines = Path(os.environ["PHRASEMILL_STOPWORDS"]).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]
