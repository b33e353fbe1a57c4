"""Where the models, tables and word lists are that come with the package."""

from pathlib import Path

FOLDER = Path(__file__).parent / "data"


def shipped(name: str) -> Path:
    """Return the path of the file `name` in the package's data."""
    return FOLDER / name
