"""PubMedAKE (Sheng et al., 2022): Table 2, keywords that the text has, and Table 3, keywords that it does not have."""

from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, evaluate
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill.types import Document
from phrasemill_lab.datasets import load_dataset
from phrasemill_lab.papers.catseqd import GenerationStudy
from phrasemill_lab.papers.catseqd_systems import EXTRACTORS, SCIENCE, SUMMARISE, PaperTestSet
from phrasemill_lab.papers.comparison import (
    ComparisonRow,
    Published,
    Reproduced,
    Setting,
    extracted,
    scored_row,
    texts,
)
from phrasemill_lab.papers.kept_lists import kept_lists
from phrasemill_lab.papers.mkduc01 import SystemSpecs

PRESET = "pubmedake"
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
SUMMARISER = "summarise(multipartiterank, model='{models}/summariser')"
KEPT_SUMMARISER = "SmolLM2-135M-Instruct, then multipartiterank"
NOTE = (
    "The paper does not say how it averages; ours are micro-averages, which fit its figures. Our phrases are "
    "lower-cased, as its toolkit's are; exact matching compares them with keywords in their own case. Partial matching "
    "sums over the keywords, each with its most similar phrase, as the published figures do; eq. 1 has it the other "
    "way round."
)
COMPARES = (
    "Recall compares. Precision does not: our articles have {keywords:.1f} such keywords on average, the paper's 3.0 "
    "(k times its precision over its recall at k)."
)
ABSENT_NOTE = (
    "Of the {gold:,} keywords that the data call abstractive {present:,} do occur in title or abstract by stem; "
    "an extractor can find no others. summarise(multipartiterank) makes summaries of the text's own sentences."
)


def extractive_table(setting: Setting, table: Published) -> Reproduced:
    """Table 2: precision, recall and F1 of keywords that the text has, by three ways to match."""
    documents, gold, sample = _articles(setting, "present")
    metrics = [f"{metric}({how})" for how, metric in _columns(table)]
    systems = setting.shared(SystemSpecs)
    specs = {name: READ_AS.get(name) or systems.of(ALIASES.get(name, name)) or "" for name in table.rows} | OTHERS
    keywords = sum(map(len, gold.values())) / len(gold)
    notes = [sample, NOTE, COMPARES.format(keywords=keywords), *systems.notes, *setting.sample_note()]
    rows = []
    for name, spec in specs.items():
        try:
            found = texts(extracted(setting, spec, documents))
        except PhrasemillError as error:
            notes.append(f"{spec}: {error}")
            continue
        lowered = {id_: [phrase.lower() for phrase in phrases] for id_, phrases in found.items()}
        scores = evaluate(lowered, gold, metrics=metrics, preset=PRESET)
        rows.append(scored_row(name, systems.shown(spec), table.rows.get(name), scores))
    return Reproduced(table, tuple(rows), tuple(notes))


def abstractive_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: keywords that the text does not have."""
    study = setting.shared(GenerationStudy)
    documents, absent, sample = _articles(setting, "absent")
    gold = Answers("absent", absent, texts={document.id: document.content for document in documents})
    rows = _rows(SUMMARY, *_summarised(setting, documents), gold, table)
    for system in study.systems:
        if system not in EXTRACTORS or system == SUMMARISE:
            rules = PaperTestSet("", "author", "author", SCIENCE)
            rows += _rows(system, "", study.lists.about(system, "beam", FILE, documents, rules), gold, table)
    present = sum([_present(document.content, absent[document.id]) for document in documents])
    counts = ABSENT_NOTE.format(gold=sum(map(len, absent.values())), present=present)
    return Reproduced(table, tuple(rows), (sample, counts, *setting.sample_note(), *study.lists.notes))


def _summarised(setting: Setting, documents: list[Document]) -> tuple[str, Answers | None]:
    """Return what summarised the documents, and the phrases of the summaries."""
    if setting.models is not None and (setting.models / "summariser").is_dir():
        spec = SUMMARISER.format(models=setting.models)
        return SUMMARISER, Answers(SUMMARY, texts(extracted(setting, spec, documents)))
    return KEPT_SUMMARISER, kept_lists(KEPT_SUMMARISER, "beam", FILE, [document.id for document in documents])


def _rows(system: str, method: str, found: Answers | None, gold: Answers, table: Published) -> list[ComparisonRow]:
    """Return the rows of a system, by all its phrases and by its absent ones; without lists, what was published."""
    if found is None:
        return [ComparisonRow(system, "", table.rows[system])] if system in table.rows else []
    rows = []
    for kind, label in (("all", system), ("absent", f"{system}, its absent phrases only")):
        metrics = [f"{metric}({how}, present={kind!r})" for how, metric in _columns(table)]
        scores = evaluate(found, gold, metrics=metrics, preset=PRESET)
        rows.append(scored_row(label, method, table.rows.get(label), scores))
    return rows


def _present(text: str, phrases: tuple[str, ...]) -> int:
    occurs = occurs_in(text, preset(PRESET).policy)
    return sum([occurs(phrase, False) for phrase in phrases])


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
