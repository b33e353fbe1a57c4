"""PubMedAKE (Sheng et al., 2022): the data, Table 1 and Section 2.3, and MeSH terms as keywords, Section 1."""

from collections.abc import Sequence
from statistics import fmean

from phrasemill.errors import DataError
from phrasemill.evaluation import evaluate
from phrasemill.readers import archives
from phrasemill.readers.jats import KeywordGroup, articles
from phrasemill.types import Document
from phrasemill_lab.datasets import files, load_dataset
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting, scored_row

PRESET = "pubmedake"
ARTICLES = "jats_samples.tar.xz"
SUFFIXES = (".nxml", ".xml")
MESH = "mesh"
# The datasets of Table 1 that load here, and their splits for training and testing.
SPLITS = {"Inspec": ("inspec", "train", "test"), "PubMedAKE": ("pubmedake", "", "sample")}
SAMPLE = "Ours of PubMedAKE are of the sample of 1,000 articles that the authors publish."


def datasets_table(setting: Setting, table: Published) -> Reproduced:
    """Table 1: documents, words of title and abstract, keyphrases per document, and the share of absent ones."""
    setting.refuse_sample(f"{table.name} is about whole datasets")
    rows = []
    for name, figures in table.rows.items():
        ours: Figures | None = None
        if name in SPLITS:
            dataset, *splits = SPLITS[name]
            loaded = [
                list(load_dataset(dataset, setting.data, split=one, check="off")) if one else [] for one in splits
            ]
            sizes = [float(len(one)) if one else None for one in loaded]
            ours = (*sizes, *_averages([document for one in loaded for document in one]))
        rows.append(ComparisonRow(name, "", figures, ours))
    return Reproduced(table, tuple(rows), (SAMPLE,))


def counts_table(setting: Setting, table: Published) -> Reproduced:
    """Section 2.3: articles and averages; of the sample only averages compare."""
    setting.refuse_sample(f"{table.name} is about whole datasets")
    ((name, figures),) = table.rows.items()
    kinds = ("present", "absent")
    gold = [list(load_dataset("pubmedake", setting.data, split="sample", gold=one, check="off")) for one in kinds]
    keywords = [fmean([len(document.references) for document in documents]) for documents in gold]
    each = [sum([len(one.references) for one in pair]) for pair in zip(*gold, strict=True)]
    words = [fmean([len(part.split()) for part in parts]) for parts in zip(*map(_parts, gold[0]), strict=True)]
    measured = dict(
        zip(
            ("present keywords", "absent keywords", "words in titles", "words in abstracts", "fewest keywords"),
            (*keywords, *words, float(min(each))),
            strict=True,
        )
    )
    ours = tuple([measured.get(column) for column in table.columns])
    return Reproduced(table, (ComparisonRow(name, "", figures, ours),), (SAMPLE,))


def mesh_table(setting: Setting, table: Published) -> Reproduced:
    """Section 1: the MeSH terms of articles that carry them, scored against their authors' keywords."""
    terms: dict[str, tuple[str, ...]] = {}
    gold: dict[str, tuple[str, ...]] = {}
    total = 0
    for member in archives.members(files.found(setting.data, ARTICLES), SUFFIXES):
        total += 1
        for article in articles(member.data) if member.data else ():
            mesh = _keywords([group for group in article.groups if _is_mesh(group)])
            authors = _keywords([group for group in article.groups if not _is_mesh(group) and not group.abbreviations])
            if mesh and authors:
                terms[member.name], gold[member.name] = mesh, authors
    note = f"{len(terms)} of {total} articles have both MeSH terms and keywords of their authors."
    scores = evaluate(terms, gold, metrics=["F1@M(match='partial')"], preset=PRESET) if terms else None
    ((name, figures),) = table.rows.items()
    return Reproduced(table, (scored_row(name, "", figures, scores),), (note,))


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


def _parts(document: Document) -> tuple[str, str]:
    return document.title, document.text


def _is_mesh(group: KeywordGroup) -> bool:
    return MESH in group.kind.lower() or group.title.lower().startswith(MESH)


def _keywords(groups: Sequence[KeywordGroup]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([word for group in groups for word in group.keywords]))
