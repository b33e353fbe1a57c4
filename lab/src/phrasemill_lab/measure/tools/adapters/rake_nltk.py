"""rake-nltk: https://pypi.org/project/rake-nltk/.

Its default tokenisers and stopwords are downloads of NLTK; here it has tokenisers that need none, and our stopwords.
"""

import re
from collections.abc import Callable

REQUIREMENTS = ("rake-nltk==1.0.6",)
LICENCE = "MIT"
VARIANTS = {"rake": "rake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from nltk.tokenize import wordpunct_tokenize
    from rake_nltk import Rake
    from stopwords import english

    rake = Rake(
        stopwords=set(english()),
        sentence_tokenizer=lambda text: re.split(r"(?<=[.!?])\s+", text),
        word_tokenizer=wordpunct_tokenize,
    )

    def extract(text: str) -> list[str]:
        rake.extract_keywords_from_text(text)
        return list(rake.get_ranked_phrases()[:10])

    return extract
