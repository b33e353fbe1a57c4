"""How a text fares in other forms: its recognised kind, and how many of its ten keyphrases its copies share.

Copies are in lower case, in capitals, hard-wrapped, without title, without the last half. No test split is here; the
recogniser of kinds has learned from the sources that are marked.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from phrasemill.errors import PhrasemillError
from phrasemill.extractor import extract_batch
from phrasemill.methods.learned import kind_of
from phrasemill.methods.learned.kinds import NAMES
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER
from phrasemill.select import form_of
from phrasemill.text.analyse import analyse
from phrasemill.types import Document
from phrasemill_lab.measure import Report, Row, table, targets, verdict
from phrasemill_lab.models.kinds import COPIES, copies
from phrasemill_lab.models.sources import Source

LEARNED = " *"  # marks what the recogniser has learned from
TEXTS = {
    "Inspec": Source("inspec_dev.jsonl.gz", INDEXER),
    "author keywords": Source("keywords/valid.jsonl.xz", AUTHOR),
    "KP20k": Source("kp20k_small_valid.jsonl.gz", AUTHOR),
    "Krapivin, abstracts": Source("krapivin_train.jsonl.gz", AUTHOR, first=1700, part="abstract"),
    "Krapivin, papers": Source("krapivin_train.jsonl.gz", AUTHOR, first=1700),
    "PubMed, abstracts": Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850, part="abstract"),
    "PubMed, papers": Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850),
    "Papyrus, theses": Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, first=1000),
    "CSTR, reports" + LEARNED: Source("cstr_train.jsonl.gz", AUTHOR),
    "SemEval-2010" + LEARNED: Source("semeval2010_train.jsonl.gz", READER, gold="combined"),
    "500N-KPCrowd": Source("500n_kpcrowd_test.jsonl.gz", NEWS),
    "WikiNews" + LEARNED: Source("multilingual/wikinews_en_rated.jsonl.gz", NEWS),
    "everyday, news": Source("everyday/en_dev.jsonl.gz", NEWS, where={"genre": "news"}),
    "everyday, other": Source("everyday/en_dev.jsonl.gz", EVERYDAY, without={"genre": "news"}),
    "everyday, short": Source("everyday/short_en_dev.jsonl.gz", EVERYDAY),
}
AIMED = "everyday, other"


def measure(data: Path, documents: int | None) -> Report:
    """Return in how many texts of each source the kind is right, and how alike texts and their copies are."""
    rows: list[Row] = []
    for title, source in TEXTS.items():
        try:
            some = list(islice(source.numbered_documents(data), documents))
        except PhrasemillError:  # it is not at hand
            continue
        kinds, lists = _kinds(some), _lists(some)
        right = [kind == NAMES[source.style] for kind in kinds]
        head: Row = {"texts": title, "documents": len(some)}
        rows.append(head | {"copy": "", "kind_right": _percent(right), "kind_same": None, "shared_of_10": None})
        for name in COPIES:
            pairs = [(i, made[name]) for i, one in enumerate(some) if name in (made := copies(one))]
            if not pairs:
                continue
            copied = [one for _, one in pairs]
            same = [kind == kinds[i] for (i, _), kind in zip(pairs, _kinds(copied), strict=True)]
            shared = [len(lists[i] & found) for (i, _), found in zip(pairs, _lists(copied), strict=True)]
            mean = sum(shared) / len(shared)
            rows.append(head | {"copy": name, "kind_right": None, "kind_same": _percent(same), "shared_of_10": mean})
    if not rows:
        raise PhrasemillError(f"{data}: none of the texts is there")
    aims = targets("copies")
    for row in rows:
        target = aims.get(str(row["copy"])) if row["texts"] == AIMED else None
        row["target"] = target
        row["verdict"] = "" if target is None else verdict(float(str(row["shared_of_10"])), target)
    note = f"{LEARNED.strip()} the recogniser of kinds has learned from these"
    return Report("copies", rows, [table("The kind and the keyphrases of texts and of their copies", rows, (note,))])


def _kinds(documents: Sequence[Document]) -> list[str]:
    return [kind_of(analyse(one.content, language=one.language)) for one in documents]


def _lists(documents: Sequence[Document]) -> list[set[str]]:
    """Return the forms of ten keyphrases of each text."""
    return [{form_of(one.text) for one in found} for found in extract_batch(documents, top=10)]


def _percent(right: Sequence[bool]) -> float:
    return 100 * sum(right) / len(right)
