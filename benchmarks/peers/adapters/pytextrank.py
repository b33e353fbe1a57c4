"""PyTextRank, a component of spaCy: https://pypi.org/project/pytextrank/.

The time is that of the whole pipeline of the spaCy model.
"""

from collections.abc import Callable

REQUIREMENTS = ("pytextrank==3.3.0", "spacy==3.8.18")
LICENCE = "MIT"
VARIANTS = {"textrank": "textrank", "positionrank": "positionrank", "topicrank": "topicrank"}
MODEL = "--spacy-model"


def extractor(variant: str, model: str) -> Callable[[str], list[str]]:
    import pytextrank  # noqa: F401  registers its components
    import spacy

    pipeline = spacy.load(model)
    pipeline.add_pipe(variant)
    return lambda text: [phrase.text for phrase in pipeline(text)._.phrases[:10]]
