"""PubMedAKE (Sheng, Gero and Ho, 2022, section 2): title, abstract and author keywords out of JATS articles.

    report = build(["oa_noncomm_xml.PMC000xxxxxx.tar.gz"], Path("pubmedake"), PubMedAKEOptions(seed=1))

It writes `train.json`, `validate.json` and `test.json`, which map the id of an article to `title`, `abstract`,
`keywords_in` and `keywords_not_in`; `rejections.jsonl`, `statistics.json` and `keywords.svg` (the paper's Figure 2).
What the paper leaves open, and what we do otherwise, is in `lab/data.md`.
"""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

from phrasemill.cli.options import Option
from phrasemill.errors import InputError
from phrasemill.evaluation.phrases import occurs_in
from phrasemill.evaluation.policies import Policy
from phrasemill.files.opening import open_file
from phrasemill.files.streams import LARGEST
from phrasemill.readers.archives import SUFFIXES, Damaged, is_archive, members
from phrasemill.readers.jats import Article, KeywordGroup, Refused, articles
from phrasemill_lab.datasets.building import collecting
from phrasemill_lab.datasets.building.collecting import KEEP, WHAT, BuildReport, Collection, Seed
from phrasemill_lab.datasets.writing import json_object, written

ARTICLES = (".nxml", ".xml")
SPLITS = ("train", "validate", "test")
SHARES = ("rest", "0.2", "0.2")  # 6:2:2
SMALL = range(5, 26)  # extractive keywords of an article in the small selection
FIGURE, SHOWN_KEYWORDS = "keywords.svg", range(1, 26)  # the paper's Figure 2 and its x axis
HEIGHT, COLOURS = 240, ("#0072B2", "#D55E00")
ABBREVIATIONS = "abbreviations"
RULES, PLACES = ("substring", "exact", "stem"), ("abstract", "title+abstract")
# Far beyond what articles have (the paper's maximum is 564 keywords), and bounds for what a hostile one can cost.
MOST_KEYWORDS = 5_000
LONGEST_TEXT = 1_000_000
PMC_NAME = re.compile(r"PMC\d+", re.IGNORECASE)
# Signs that have no decomposition, but an obvious spelling.
ASCII = str.maketrans("‐‑‒–—−‘’ʼ′“”″", "-" * 6 + "'" * 4 + '"' * 3)

# The name of a file, and its bytes or why there are none.
Content = tuple[str, bytes | tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PubMedAKEOptions:
    """What may be decided; the defaults are the paper's, but for abbreviations, which it takes for keywords."""

    skip_groups: Annotated[str, Option("--skip-groups KINDS", "Kinds to leave out; or none.", WHAT)] = ABBREVIATIONS
    # ascii is lower-case, too; what has no spelling in ASCII is dropped.
    normalise: Annotated[str, Option("--normalise FORM", panel=WHAT, choices=("none", "lower", "ascii"))] = "none"
    presence: Annotated[
        str, Option("--presence RULE", "Extractive by substring, exact or stem.", WHAT, choices=RULES)
    ] = "substring"
    inside: Annotated[
        str, Option("--inside PLACE", "Extractive in abstract or title+abstract.", WHAT, choices=PLACES)
    ] = "abstract"
    repeats: Annotated[str, Option("--repeats CHOICE", "Repeats: keep or drop.", WHAT, choices=KEEP)] = "keep"
    seed: Seed = 1


def build(
    inputs: Iterable[str | Path],
    output: Path,
    options: PubMedAKEOptions,
    *,
    small: bool = False,
    watch: Callable[[Iterable[Content]], Iterable[Content]] = iter,
) -> BuildReport:
    """Build the dataset from files, folders and archives; the same inputs, options and seed give the same bytes.

    `small` also writes the selection of articles with 5 to 25 extractive keywords. The files pass through `watch`,
    for instance for a progress bar.
    """
    found = collecting.files(inputs, (*ARTICLES, *SUFFIXES))
    with collecting.collected(output, options.seed) as (collection, folder):
        for name, data in watch(contents(found)):
            try:
                if isinstance(data, tuple):
                    raise Refused(*data)
                listed = list(articles(data))
            except Refused as error:
                collection.reject(name, error.reason, error.detail)
                continue
            for number, article in enumerate(listed, start=1):
                _add(collection, article, name if len(listed) == 1 else f"{name}#{number}", options)
        return _write_splits(collection, folder, small=small)


def contents(found: Iterable[tuple[str, str]]) -> Iterator[Content]:
    """Yield the bytes of each file and of each file in an archive, or a reason and a detail why there are none."""
    for name, problem in found:
        try:
            if problem:
                yield name, (collecting.UNREADABLE, problem)
            elif is_archive(name):
                for member in members(Path(name), ARTICLES):
                    without = (collecting.TOO_LARGE, "a file in the archive")
                    if member.problem:
                        without = collecting.DAMAGED, member.problem
                    yield f"{name}:{member.name}", without if member.data is None else member.data
            else:
                with open_file(name) as file:
                    data = file.read(LARGEST + 1)
                yield name, data if len(data) <= LARGEST else (collecting.TOO_LARGE, f"more than {LARGEST >> 20} MiB")
        except (Damaged, OSError, InputError) as error:
            kind = collecting.DAMAGED if is_archive(name) else collecting.UNREADABLE
            yield name, (kind, getattr(error, "strerror", None) or str(error))


def _add(collection: Collection, article: Article, source: str, options: PubMedAKEOptions) -> None:
    title, abstract = _normal(article.title, options), _normal(article.abstract, options)
    keywords = _keywords(article.groups, options)
    for reason, part in (("no-title", title), ("no-abstract", abstract), ("no-keywords", keywords)):
        if not part:
            collection.reject(source, reason)
            return
    if len(keywords) > MOST_KEYWORDS or len(title) + len(abstract) > LONGEST_TEXT:
        collection.reject(source, collecting.TOO_LARGE, f"{len(keywords):,} keywords, {len(abstract):,} characters")
        return
    text = abstract if options.inside == "abstract" else f"{title}\n{abstract}"
    present = occurs_in(text, Policy(presence=options.presence))
    inside: list[str] = []
    outside: list[str] = []
    for keyword in keywords:
        (inside if present(keyword, False) else outside).append(keyword)
    record = {"title": title, "abstract": abstract, "keywords_in": inside, "keywords_not_in": outside}
    numbers = (len(inside), len(outside), len(title.split()), len(abstract.split()))
    collection.accept(identity(article, source), source, numbers, json.dumps(record, ensure_ascii=False))


def _keywords(groups: Iterable[KeywordGroup], options: PubMedAKEOptions) -> list[str]:
    skipped = {kind.strip().lower() for kind in options.skip_groups.split(",")} - {"", "none"}
    kept = (
        group
        for group in groups
        if group.kind.lower() not in skipped and not (ABBREVIATIONS in skipped and group.abbreviations)
    )
    found = [normal for group in kept for word in group.keywords if (normal := _normal(word, options))]
    if options.repeats == "keep":
        return found
    first: dict[str, str] = {}
    for word in found:
        first.setdefault(word.lower(), word)
    return list(first.values())


def _normal(text: str, options: PubMedAKEOptions) -> str:
    if options.normalise == "none":
        return text
    text = text.lower()
    if options.normalise == "ascii":
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


def _row(numbers: Sequence[tuple[int, ...]]) -> dict[str, float]:
    """Return the columns of Table 1 of the paper: means over articles, whose words are those of the abstract."""
    inside, outside, title, abstract = map(sum, zip(*numbers, strict=True)) if numbers else (0, 0, 0, 0)
    keywords = [one[0] + one[1] for one in numbers]
    return {
        "articles": len(numbers),
        "title words": _share(title, len(numbers)),
        "abstract words": _share(abstract, len(numbers)),
        "keywords": _share(inside + outside, len(numbers)),
        "extractive": _share(inside, len(numbers)),
        "abstractive": _share(outside, len(numbers)),
        "% abstractive": _share(100 * outside, inside + outside),
        "least keywords": min(keywords, default=0),
        "most keywords": max(keywords, default=0),
    }


def _figure(histogram: Mapping[str, Counter[int]], articles: int) -> str:
    """Draw Figure 2: how many of a hundred articles have each number of extractive and abstractive keywords."""
    highest = max((_share(max(one.values(), default=0), articles) for one in histogram.values()), default=0.0) or 1.0
    parts = []
    for i, (kind, counts) in enumerate(histogram.items()):
        for number in SHOWN_KEYWORDS:
            share = _share(counts[number], articles)
            place = f'x="{24 * number + 9 * i}" y="{HEIGHT * (1 - share / highest):.1f}" width="8"'
            tip = f"<title>{kind} keywords, {number}: {100 * share:.2f}</title>"
            parts.append(f'<rect {place} height="{HEIGHT * share / highest:.1f}" fill="{COLOURS[i]}">{tip}</rect>')
        label = f"% of the articles have so many {kind} keywords, at most {100 * highest:.1f}"
        parts.append(f'<text x="24" y="{HEIGHT + 36 + 16 * i}" fill="{COLOURS[i]}">{label}</text>')
    parts += [f'<text x="{24 * number}" y="{HEIGHT + 16}">{number}</text>' for number in SHOWN_KEYWORDS]
    size = f'viewBox="0 0 {24 * (len(SHOWN_KEYWORDS) + 2)} {HEIGHT + 60}" font-family="sans-serif" font-size="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n' + "\n".join(parts) + "\n</svg>\n"


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def _write_splits(collection: Collection, folder: Path, *, small: bool) -> BuildReport:
    numbers: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    total = collection.reject_copies()
    records = iter(collection)
    for split, size in zip(SPLITS, collecting.sizes(total, SHARES), strict=True):
        with ExitStack() as stack:
            write = stack.enter_context(json_object(folder / f"{split}.json"))
            write_small = stack.enter_context(json_object(folder / f"small_{split}.json")) if small else None
            for record in islice(records, size):
                write(record.id, record.payload)
                numbers[split].append(record.numbers)
                if write_small and record.numbers[0] in SMALL:
                    write_small(record.id, record.payload)
                    numbers[f"small_{split}"].append(record.numbers)
    large = {name: numbers[name] for name in SPLITS if name in numbers}
    every = [one for found in large.values() for one in found]
    rows = {name: _row(found) for name, found in (large | {"all": every} | numbers).items()}
    histogram = {kind: Counter(one[i] for one in every) for i, kind in enumerate(("extractive", "abstractive"))}
    sorted_histogram = {
        kind: {str(number): counts[number] for number in sorted(counts)} for kind, counts in histogram.items()
    }
    report = BuildReport(rows, dict(collection.reasons), total, {"articles by keywords": sorted_histogram})
    for name, text in ((collecting.STATISTICS, report.json()), (FIGURE, _figure(histogram, len(every)))):
        with written(folder / name) as file:
            file.write(text.encode())
    return report
