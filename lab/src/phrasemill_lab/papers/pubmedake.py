"""PubMedAKE (Sheng et al., 2022): keywords that the text has (Table 2) or has not (Table 3), the data, MeSH terms."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, evaluate
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.readers import archives
from phrasemill.readers.jats import KeywordGroup, articles
from phrasemill.types import Document
from phrasemill_lab.datasets import load_dataset
from phrasemill_lab.papers.catseqd import EXTRACTORS, SCIENCE, SUMMARISE, GenerationStudy, PaperTestSet
from phrasemill_lab.papers.comparison import ComparisonRow, Part, Published, Setting, counted, extracted, scored
from phrasemill_lab.papers.kept_lists import kept_lists
from phrasemill_lab.papers.mkduc01 import SystemSpecs

PRESET = "pubmedake"
ARTICLES = "jats_samples.tar.xz"
SUFFIXES = (".nxml", ".xml")
MESH = "mesh"
# The datasets of Table 1 that load here, and their splits for training and testing.
SPLITS = {"Inspec": ("inspec", "train", "test"), "PubMedAKE": ("pubmedake", "", "sample")}
FILE = "PubMedAKE"  # in the names of kept lists
# How the columns match. Exact matching compares with keywords in their own case.
MATCHINGS = {
    "exact": "match='exact', lowercase=False",
    "stems": "match='stem'",
    "partial": "match='partial'",
}
ALIASES = {"TfIdf": "Tf-Idf"}
# What the paper leaves open. Its text names TopicalPageRank, its table TopicalRank, with the figures of TopicRank; its
# KPMiner finds so few phrases that it must have had the settings of the toolkit's example, not the defaults.
READ_AS = {"TopicalRank": "topicrank", "KPMiner": "kpminer(least=5, cutoff=200, adaptive=False)"}
OTHERS = {"TopicalPageRank": "topicalpagerank", "learned": "learned(style='author')"}
# The published row. The paper's summariser is the default of Transformers; ours is a model in --models, or the kept
# lists of a language model that comes in a package (docs/evidence/papers.md).
SUMMARY = "summary, then MultipartiteRank"
SUMMARISER = "a model's summary, then multipartiterank"
KEPT_SUMMARISER = "SmolLM2-135M-Instruct, then multipartiterank"
COMPARES = (
    "Recall compares. Precision does not: our articles have {keywords:.1f} such keywords on average, the paper's 3.0 "
    "(k times its precision over its recall at k)."
)


def extractive_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 2: precision, recall and F1 of keywords that the text has, by three ways to match."""
    documents, gold, sample = _articles(setting, "present")
    metrics = [f"{metric}({how})" for how, metric in _columns(table)]
    systems = setting.shared(SystemSpecs)
    specs = {name: READ_AS.get(name) or systems.of[ALIASES.get(name, name)] or "" for name in table.rows} | OTHERS
    yield from (sample, COMPARES.format(keywords=sum(map(len, gold.values())) / len(gold)), *systems.notes)
    for name, spec in specs.items():
        try:
            found = extracted(setting, spec, documents)
        except PhrasemillError as error:
            yield f"{spec}: {error}"
            continue
        lowered = {id_: [phrase.lower() for phrase in phrases] for id_, phrases in found.items()}
        yield scored(name, evaluate(lowered, gold, metrics=metrics, preset=PRESET), systems.shown(spec))


def abstractive_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 3: keywords that the text does not have."""
    study = setting.shared(GenerationStudy)
    documents, absent, sample = _articles(setting, "absent")
    gold = Answers("absent", absent, texts={document.id: document.content for document in documents})
    yield from _rows(SUMMARY, *_summarised(setting, documents), gold, table)
    for system in study.systems:
        if system not in EXTRACTORS or system == SUMMARISE:
            rules = PaperTestSet("", "author", "author", SCIENCE)
            found = next(iter(study.lists(system, "beam", FILE, documents, rules)), None)
            yield from _rows(system, "", found, gold, table)
    occur = [occurs_in(one.content, preset(PRESET).policy) for one in documents]
    present = [occurs(phrase, False) for occurs, one in zip(occur, documents, strict=True) for phrase in absent[one.id]]
    counts = f"{len(present):,} keywords that the data call abstractive {sum(present):,} do occur"
    yield from (sample, f"Of the {counts} in title or abstract by stem.", *study.notes)


def _summarised(setting: Setting, documents: list[Document]) -> tuple[str, Answers | None]:
    """Return what summarised the documents, and the phrases of the summaries."""
    if setting.models is not None and (setting.models / "summariser").is_dir():
        from phrasemill_lab.papers.summariser import ModelSummary  # PyTorch

        method = ModelSummary(model=str(setting.models / "summariser"))
        return SUMMARISER, Answers(SUMMARY, extracted(setting, method, documents, label=SUMMARISER))
    kept = kept_lists(KEPT_SUMMARISER, "beam", FILE, [document.id for document in documents])
    return KEPT_SUMMARISER, next(iter(kept), None)


def _rows(system: str, method: str, found: Answers | None, gold: Answers, table: Published) -> Iterator[ComparisonRow]:
    """Yield the rows of a system, by all its phrases and by its absent ones; without lists, what was published."""
    if found is None:
        yield ComparisonRow(system)
        return
    for kind, label in (("all", system), ("absent", f"{system}, its absent phrases only")):
        metrics = [f"{metric}({how}, present={kind!r})" for how, metric in _columns(table)]
        yield scored(label, evaluate(found, gold, metrics=metrics, preset=PRESET), method)


def _columns(table: Published) -> list[tuple[str, str]]:
    """Return how each column matches, and its metric."""
    return [(MATCHINGS[how], metric) for how, metric in (column.split(" ") for column in table.columns)]


def _articles(setting: Setting, gold: str) -> tuple[list[Document], dict[str, tuple[str, ...]], str]:
    """Return the test articles that are there, all or the authors' sample, their keywords, and a note."""
    for split in ("test", "sample"):
        try:
            found = list(load_dataset("pubmedake", setting.data, split=split, gold=gold, check="off"))
        except DataError as error:
            missing = error
            continue
        documents = found[: setting.documents]
        phrases = {one.id: tuple(map(str, one.references)) for one in documents}
        used = "the sample of 1,000 articles that the authors publish" if split == "sample" else "the whole test set"
        return documents, phrases, f"Published for the whole test set of 168,634 articles; ours are of {used}."
    raise missing


def datasets_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 1: documents, words of title and abstract, keyphrases per document, and the share of absent ones."""
    for name in table.rows:
        if name not in SPLITS:
            yield ComparisonRow(name)
            continue
        dataset, *splits = SPLITS[name]
        loaded = [list(load_dataset(dataset, setting.data, split=one, check="off")) if one else [] for one in splits]
        sizes = [len(one) if one else None for one in loaded]
        yield counted(name, *sizes, *_averages([document for one in loaded for document in one]))


def counts_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 2.3: articles and averages; of the sample only averages compare."""
    present, absent = (
        list(load_dataset("pubmedake", setting.data, split="sample", gold=one, check="off"))
        for one in ("present", "absent")
    )
    measured = {
        "present keywords": fmean([len(one.references) for one in present]),
        "absent keywords": fmean([len(one.references) for one in absent]),
        "words in titles": fmean([len(one.title.split()) for one in present]),
        "words in abstracts": fmean([len(one.text.split()) for one in present]),
        "fewest keywords": min([len(p.references) + len(a.references) for p, a in zip(present, absent, strict=True)]),
    }
    for name in table.rows:
        yield counted(name, *(measured.get(column) for column in table.columns))


def mesh_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 1: the MeSH terms of articles that carry them, scored against their authors' keywords."""
    terms: dict[str, tuple[str, ...]] = {}
    gold: dict[str, tuple[str, ...]] = {}
    total = 0
    for member in archives.members(setting.file(ARTICLES), SUFFIXES):
        total += 1
        for article in articles(member.data) if member.data else ():
            mesh = _keywords([group for group in article.groups if _is_mesh(group)])
            authors = _keywords([group for group in article.groups if not _is_mesh(group) and not group.abbreviations])
            if mesh and authors:
                terms[member.name], gold[member.name] = mesh, authors
    scores = evaluate(terms, gold, metrics=["F1@M(match='partial')"], preset=PRESET) if terms else None
    for name in table.rows:
        yield scored(name, scores)
    yield f"{len(terms)} of {total} articles have both MeSH terms and keywords of their authors."


def _averages(documents: Sequence[Document]) -> tuple[float, float, float]:
    """Return words and keyphrases per document, and the per cent of keyphrases that the text does not have."""
    if not documents:
        raise DataError("no documents")
    texts = [f"{document.title} {document.text}".lower() for document in documents]
    pairs = [
        (str(phrase).lower(), text)
        for document, text in zip(documents, texts, strict=True)
        for phrase in document.references
    ]
    absent = sum([phrase not in text for phrase, text in pairs])
    return fmean([len(text.split()) for text in texts]), len(pairs) / len(documents), 100 * absent / len(pairs)


def _is_mesh(group: KeywordGroup) -> bool:
    return MESH in group.kind.lower() or group.title.lower().startswith(MESH)


def _keywords(groups: Sequence[KeywordGroup]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([word for group in groups for word in group.keywords]))
