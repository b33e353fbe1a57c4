"""The sets of MK-DUC-01 for scripts that try things on them; `phrasemill reproduce mkduc01-at20` prints tables."""

from pathlib import Path

import phrasemill as pm
from phrasemill.lab.datasets import load_topics
from phrasemill.lab.papers.mkduc01 import PRESETS

__all__ = ["PRESETS", "topics"]


def topics(data: Path, headlines: bool) -> dict[str, list[pm.Document]]:
    """The documents of each topic, with or without their headlines."""
    return {
        topic.id: [pm.Document(one.id, one.text, one.title if headlines else "") for one in topic.documents]
        for topic in load_topics("mkduc01", data)
    }
