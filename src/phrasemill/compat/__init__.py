"""The interfaces of other keyphrase tools over the methods of this one, for programs that come from them.

    from phrasemill.compat.keybert import KeyBERT
    from phrasemill.compat.yake import KeywordExtractor
    from phrasemill.compat.rake import Rake

Arguments, return types and the direction of scores are theirs; the phrases are ours. What has no meaning here is
accepted with a `PhrasemillWarning`. The pages docs/how-to/coming-from-*.md have every parameter.
"""

import warnings

from phrasemill.errors import PhrasemillWarning


def warn_ignored(owner: str, **given: object) -> None:
    """Warn of arguments that were given (are not None, False or empty) and have no effect."""
    names = [name for name, value in given.items() if value is not None and value is not False]
    if names:
        warnings.warn(f"{owner}: no effect here: {', '.join(names)}", PhrasemillWarning, stacklevel=3)
