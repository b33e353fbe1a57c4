"""PubMedAKE (Sheng, Gero and Ho, 2022, section 2): title, abstract and author keywords out of JATS articles.

    report = build(["oa_noncomm_xml.PMC000xxxxxx.tar.gz"], Path("pubmedake"), seed=1)

It writes `train.json`, `validate.json` and `test.json`, which map the id of an article to `title`, `abstract`,
`keywords_in` and `keywords_not_in`; `rejections.jsonl`, `statistics.json` and `keywords.svg` (the paper's Figure 2).
What the paper leaves open, and what we do otherwise, is in `docs/reference/datasets.md`.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from phrasemill.errors import UnknownName
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import CHOICES, Policy
from phrasemill.readers import archives
from phrasemill.readers.jats import Article, KeywordGroup, Refused, articles
from phrasemill_lab.datasets.building import sources
from phrasemill_lab.datasets.building.parts import Progress
from phrasemill_lab.datasets.building.reports import ArticleCounts, BuildReport
from phrasemill_lab.datasets.building.shuffling import Shuffled, accepted, rejected, shuffled_build, sizes
from phrasemill_lab.datasets.building.sources import BuildBatch
from phrasemill_lab.datasets.writing import json_object, written

ARTICLES = (".nxml", ".xml")
SPLITS = ("train", "validate", "test")
SHARES = ("rest", "0.2", "0.2")  # 6:2:2
SMALL = range(5, 26)  # extractive keywords of an article in the small selection
STATISTICS, FIGURE = "statistics.json", "keywords.svg"
NORMAL_FORMS = {
    "none": "text as it is, as in the published files",
    "lower": "lower-case",
    "ascii": "lower-case, accents and other signs brought to ASCII or dropped",
}
PLACES = {"abstract": "only the abstract", "title+abstract": "title and abstract"}
ABBREVIATIONS = "abbreviations"
VERSION = 1  # of the lines in a part
# Far beyond what articles have (the paper's maximum is 564 keywords), and bounds for what a hostile one can cost.
MOST_KEYWORDS = 5_000
LONGEST_TEXT = 1_000_000
PMC_NAME = re.compile(r"PMC\d+", re.IGNORECASE)
# Signs that have no decomposition, but an obvious spelling.
ASCII = str.maketrans("‐‑‒–—−‘’ʼ′“”″", "-" * 6 + "'" * 4 + '"' * 3)


@dataclass(frozen=True, slots=True)
class PubMedAKEOptions:
    """What may be decided; the defaults are the paper's, but for abbreviations, which it takes for keywords."""

    skip_groups: tuple[str, ...] = (ABBREVIATIONS,)  # kinds of keyword groups
    normalise: str = "none"
    presence: str = "substring"
    inside: str = "abstract"
    repeats: str = "keep"
    seed: int = 1

    def __post_init__(self) -> None:
        for what, value, choices in (
            ("normalisation", self.normalise, NORMAL_FORMS),
            ("presence", self.presence, CHOICES["presence"]),
            ("place", self.inside, PLACES),
            ("treatment of repeats", self.repeats, ("keep", "drop")),
        ):
            if value not in choices:
                raise UnknownName(what, value, choices)


def build(
    inputs: Iterable[str | Path],
    output: Path,
    *,
    options: PubMedAKEOptions | None = None,
    small: bool = False,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> BuildReport:
    """Build the dataset from files, folders and archives; the same inputs, options and seed give the same bytes.

    `small` also writes the selection of articles with 5 to 25 extractive keywords. `jobs=None` uses all cores. A build
    that was killed resumes when it is started again.
    """
    options = options or PubMedAKEOptions()
    with shuffled_build(
        inputs,
        output,
        suffixes=(*ARTICLES, *archives.SUFFIXES),
        batches=lambda found: sources.batches(found, ARTICLES),
        work=ArticleExtraction(options),
        options=("pubmedake", VERSION, options),
        jobs=jobs,
        progress=progress,
    ) as shuffled:
        return _write_splits(shuffled, output, small=small)


@dataclass(frozen=True, slots=True)
class ArticleExtraction:
    """What a worker does with a batch."""

    options: PubMedAKEOptions

    def __call__(self, batch: BuildBatch) -> Iterator[bytes]:
        for piece in batch.pieces:
            data = sources.content(piece, archives.LARGEST)
            if isinstance(data, tuple):
                yield rejected(piece.name, *data)
                continue
            try:
                found = articles(data)
            except Refused as error:
                yield rejected(piece.name, error.reason, error.detail)
                continue
            for number, article in enumerate(found, start=1):
                yield self._line(article, piece.name if len(found) == 1 else f"{piece.name}#{number}")

    def _line(self, article: Article, source: str) -> bytes:
        title, abstract = self._normal(article.title), self._normal(article.abstract)
        keywords = self._keywords(article.groups)
        for reason, part in (("no-title", title), ("no-abstract", abstract), ("no-keywords", keywords)):
            if not part:
                return rejected(source, reason)
        if len(keywords) > MOST_KEYWORDS or len(title) + len(abstract) > LONGEST_TEXT:
            return rejected(source, sources.TOO_LARGE, f"{len(keywords):,} keywords, {len(abstract):,} characters")
        text = abstract if self.options.inside == "abstract" else f"{title}\n{abstract}"
        present = occurs_in(text, Policy(presence=self.options.presence))
        inside: list[str] = []
        outside: list[str] = []
        for keyword in keywords:
            (inside if present(keyword, False) else outside).append(keyword)
        record = {"title": title, "abstract": abstract, "keywords_in": inside, "keywords_not_in": outside}
        numbers = (len(inside), len(outside), len(title.split()), len(abstract.split()))
        payload = json.dumps(record, ensure_ascii=False)
        return accepted(identity(article, source), source, numbers, payload, seed=self.options.seed)

    def _keywords(self, groups: Iterable[KeywordGroup]) -> list[str]:
        found = [self._normal(word) for group in groups if not self._skipped(group) for word in group.keywords]
        found = [word for word in found if word]
        if self.options.repeats == "drop":
            first: dict[str, str] = {}
            for word in found:
                first.setdefault(word.lower(), word)
            return list(first.values())
        return found

    def _skipped(self, group: KeywordGroup) -> bool:
        skipped = self.options.skip_groups
        return group.kind.lower() in skipped or (ABBREVIATIONS in skipped and group.abbreviations)

    def _normal(self, text: str) -> str:
        if self.options.normalise == "none":
            return text
        text = text.lower()
        if self.options.normalise == "ascii":
            text = unicodedata.normalize("NFKD", text.translate(ASCII)).encode("ascii", "ignore").decode("ascii")
        return " ".join(text.split())


def identity(article: Article, source: str) -> str:
    """Return the PMC id; else that in the file's name, the PubMed id, the DOI, the publisher's id, the file's name."""
    ids, name = article.ids, source.replace("\\", "/").rpartition("/")[2].rpartition(":")[2]
    for kind in ("pmc", "pmcid"):
        digits = ids.get(kind, "").upper().removeprefix("PMC")
        if digits.isdigit():
            return f"PMC{digits}"
    if found := PMC_NAME.search(name):
        return found[0].upper()
    if pmid := ids.get("pmid", ""):
        return f"PMID{pmid}"
    return ids.get("doi", "") or ids.get("publisher-id", "") or name.rpartition(".")[0] or name


def _write_splits(shuffled: Shuffled, output: Path, *, small: bool) -> BuildReport:
    """Write the splits and what lies beside them, each file whole or not at all."""
    counts: defaultdict[str, ArticleCounts] = defaultdict(ArticleCounts)
    records = iter(shuffled)
    for split, size in zip(SPLITS, sizes(shuffled.total, SHARES), strict=True):
        with ExitStack() as stack:
            write = stack.enter_context(json_object(output / f"{split}.json"))
            write_small = stack.enter_context(json_object(output / f"small_{split}.json")) if small else None
            for record in islice(records, size):
                write(record.id, record.payload)
                counts[split].add(record.numbers)
                if write_small and record.numbers[0] in SMALL:
                    write_small(record.id, record.payload)
                    counts[f"small_{split}"].add(record.numbers)
    large = {name: one for name, one in counts.items() if name in SPLITS}
    whole = ArticleCounts.sum(large.values())  # the small selection repeats some articles
    parts = large | {"all": whole} | counts
    report = BuildReport(
        {name: part.row() for name, part in parts.items()},
        dict(shuffled.reasons),
        whole.articles,
        {"articles by keywords": whole.histogram()},
    )
    for name, text in ((STATISTICS, report.json()), (FIGURE, whole.figure())):
        with written(output / name) as file:
            file.write(text.encode())
    return report
