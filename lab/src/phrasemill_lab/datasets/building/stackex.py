"""StackEx (Yuan et al., 2020, appendix C): questions of StackExchange, with their tags for keyphrases.

    report = build(["cs.stackexchange.com.7z", "ai.stackexchange.com.7z"], Path("stackex"), valid="0.05", test="0.05")

It writes `train.jsonl`, `valid.jsonl` and `test.jsonl` in our own shape, the pairs of files that sequence models read
with `layout="both"`, `rejections.jsonl` and `statistics.json`. What the paper leaves open is in
`docs/reference/datasets.md`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.text.segments import SEGMENTS
from phrasemill.types import Document
from phrasemill_lab.datasets import jsonl, pairs
from phrasemill_lab.datasets.building import posts
from phrasemill_lab.datasets.building.parts import Progress
from phrasemill_lab.datasets.building.posts import PostRow
from phrasemill_lab.datasets.building.reports import BuildReport, QuestionCounts
from phrasemill_lab.datasets.building.shuffling import Shuffled, accepted, counted, rejected, shuffled_build, sizes
from phrasemill_lab.datasets.building.sources import UNREADABLE, BuildBatch
from phrasemill_lab.datasets.preparation import lowercased, masked, segmented, split_by_presence
from phrasemill_lab.datasets.records import LayoutReading
from phrasemill_lab.datasets.writing import written

SPLITS = ("train", "valid", "test")
SUFFIXES = (posts.POSTS, posts.ARCHIVE)
HELD_OUT = "16000"  # for validation, and as many for the test
TRAINING_TOKENS, EVALUATION_TOKENS = 300, 1000
STATISTICS = "statistics.json"
CODE = {"keep": "code is text, as in the paper", "drop": "blocks of code are left out; code within a sentence stays"}
TAG_FORMS = {"words": "hyphens become spaces, as in the paper's examples", "verbatim": "tags as they are"}
LAYOUTS = {"jsonl": "JSON lines", "both": "JSON lines, and pairs of source and target files, prepared as in appendix E"}
VERSION = 1  # of the lines in a part


@dataclass(frozen=True, slots=True)
class StackExOptions:
    """What may be decided; the defaults are the paper's. 0 tokens mean no limit."""

    code: str = "keep"
    tags: str = "words"
    training_tokens: int = TRAINING_TOKENS
    evaluation_tokens: int = EVALUATION_TOKENS
    seed: int = 1

    def __post_init__(self) -> None:
        for what, value, choices in (("code", self.code, CODE), ("tags", self.tags, TAG_FORMS)):
            if value not in choices:
                raise UnknownName(f"choice for {what}", value, choices)
        if min(self.training_tokens, self.evaluation_tokens) < 0:
            raise ConfigError("a limit of tokens must be 0 (none) or more")


def build(
    inputs: Iterable[str | Path],
    output: Path,
    *,
    options: StackExOptions | None = None,
    valid: str = HELD_OUT,
    test: str = HELD_OUT,
    layout: str = "jsonl",
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> BuildReport:
    """Build the dataset from `Posts.xml` files, `.7z` archives of dumps, and folders of either.

    `valid` and `test` are counts, or fractions such as `"0.05"`. The same inputs, options and seed give the same bytes.
    To resume an interrupted build, repeat the command. `jobs=None` uses all cores.
    """
    options = options or StackExOptions()
    if layout not in LAYOUTS:
        raise UnknownName("layout", layout, LAYOUTS)
    wanted = ("rest", valid, test)
    sizes(10**12, wanted)  # refuses nonsense at once
    with shuffled_build(
        inputs,
        output,
        suffixes=SUFFIXES,
        batches=posts.batches,
        work=QuestionExtraction(options),
        options=("stackex", VERSION, options),
        jobs=jobs,
        progress=progress,
    ) as shuffled:
        report = _write_splits(shuffled, output, wanted)
    if layout == "both":
        for split in SPLITS:
            pairs.write(map(prepared, jsonl.read(output / f"{split}.jsonl", LayoutReading())), output / split)
    return report


@dataclass(frozen=True, slots=True)
class QuestionExtraction:
    """What a worker does with a batch."""

    options: StackExOptions

    def __call__(self, batch: BuildBatch) -> Iterator[bytes]:
        for piece in batch.pieces:
            if piece.problem:
                yield rejected(piece.name, *piece.problem)
                continue
            others: Counter[str] = Counter()
            try:
                for row in posts.rows(piece):
                    found = posts.question(row)
                    if found is None:
                        others["other posts"] += 1
                    else:
                        yield self._line(found, piece.name)
            except OSError as error:
                yield rejected(piece.name, UNREADABLE, error.strerror or str(error))
            yield counted(others)

    def _line(self, row: PostRow, name: str) -> bytes:
        source = f"{name}#{row.id}"
        if row.problem:
            return rejected(source, *row.problem)
        text = posts.plain(row.body, code=self.options.code == "keep")
        for reason, part in (("no-tags", row.tags), ("no-title", row.title), ("no-body", text)):
            if not part:
                return rejected(source, reason)
        if self.options.tags == "words":
            tags = tuple(dict.fromkeys(" ".join(tag.replace("-", " ").split()) or tag for tag in row.tags))
        else:
            tags = row.tags
        id_ = f"{posts.site(name)}-{row.id}"
        return self._accepted(Document(id_, text, row.title, references=tags), source)

    def _accepted(self, document: Document, source: str) -> bytes:
        """Keep the longer text and count presence for both lengths: the split is not known yet."""
        title, text = document.title, document.text
        ends = self._ends(title, text)
        present = {end: len(split_by_presence(replace(document, text=text[:end])).present) for end in set(ends)}
        record = {"id": document.id, "title": title, "text": text[: max(ends)], "keyphrases": document.references}
        numbers = (len(document.references), *(number for end in ends for number in (present[end], end)))
        payload = json.dumps(record, ensure_ascii=False)
        return accepted(document.id, source, numbers, payload, seed=self.options.seed)

    def _ends(self, title: str, text: str) -> tuple[int, int]:
        """Return where the text ends for training and for evaluation, so that it fits the limits with its title."""
        limits = self.options.training_tokens, self.options.evaluation_tokens
        before = len(SEGMENTS.findall(title))
        most = max(0, max(limits) - before) + 1 if any(limits) else 0
        ends = [0, *(token.end() for token in islice(SEGMENTS.finditer(text), most))]
        training, evaluation = (_end(ends, limit - before) if limit else None for limit in limits)
        whole = len(text)
        return whole if training is None else training, whole if evaluation is None else evaluation


def _end(ends: list[int], tokens: int) -> int | None:
    """Return where the first `tokens` tokens end, or None if there are no more than that."""
    return ends[max(0, tokens)] if max(0, tokens) < len(ends) - 1 else None


def _write_splits(shuffled: Shuffled, output: Path, wanted: tuple[str, ...]) -> BuildReport:
    counts: defaultdict[str, QuestionCounts] = defaultdict(QuestionCounts)
    records = iter(shuffled)
    for split, size in zip(SPLITS, sizes(shuffled.total, wanted), strict=True):
        with written(output / f"{split}.jsonl") as file:
            for record in islice(records, size):
                keyphrases, *numbers = record.numbers
                present, end = numbers[:2] if split == "train" else numbers[2:]
                longest = max(numbers[1::2])
                file.write((record.payload if end == longest else _shortened(record.payload, end)) + b"\n")
                counts[split].add(keyphrases, present)
    rows = {name: part.row() for name, part in counts.items()}
    others = {"passed over": dict(shuffled.others)}
    report = BuildReport(rows, dict(shuffled.reasons), shuffled.total, others)
    with written(output / STATISTICS) as file:
        file.write(report.json().encode())
    return report


def _shortened(payload: bytes, end: int) -> bytes:
    values = json.loads(payload)
    values["text"] = values["text"][:end]
    return json.dumps(values, ensure_ascii=False).encode()


def prepared(document: Document) -> Document:
    """Separate words, lower-case, and write numbers as `<digit>` (appendix E)."""
    return masked(lowercased(segmented(document)))
