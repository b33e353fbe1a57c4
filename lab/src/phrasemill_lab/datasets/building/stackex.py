"""StackEx (Yuan et al., 2020, appendix C): questions of StackExchange, with their tags for keyphrases.

    report = build(["cs.stackexchange.com.7z"], Path("stackex"), StackExOptions(seed=1), valid="0.05", test="0.05")

It writes `train.jsonl`, `valid.jsonl` and `test.jsonl` in our own shape, `rejections.jsonl` and `statistics.json`. What
the paper leaves open is in `lab/data.md`.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated

from phrasemill.cli.options import Option
from phrasemill.readers.archives import Damaged
from phrasemill.text.segments import SEGMENTS
from phrasemill.types import Document
from phrasemill_lab.datasets.building import collecting, posts
from phrasemill_lab.datasets.building.collecting import KEEP, WHAT, BuildReport, Collection, Seed
from phrasemill_lab.datasets.preparation import split_by_presence
from phrasemill_lab.datasets.writing import written

SPLITS = ("train", "valid", "test")
HELD_OUT = "16000"  # for validation, and as many for the test
COLUMNS = ("#Doc", "#KP", "#PreDoc", "#PreKP", "#AbsDoc", "#AbsKP")


@dataclass(frozen=True, slots=True)
class StackExOptions:
    """What may be decided; the defaults are the paper's. 0 tokens mean no limit."""

    code: Annotated[str, Option("--code CHOICE", "Blocks of code: keep or drop.", WHAT, choices=KEEP)] = "keep"
    # In words, hyphens become spaces, as in the paper's examples.
    tags: Annotated[str, Option("--tags FORM", panel=WHAT, choices=("words", "verbatim"))] = "words"
    training_tokens: Annotated[int, Option("--training-tokens N", "The longest text; 0 for all.", WHAT, least=0)] = 300
    evaluation_tokens: Annotated[int, Option("--evaluation-tokens N", "For evaluation.", WHAT, least=0)] = 1000
    seed: Seed = 1


def build(
    inputs: Iterable[str | Path],
    output: Path,
    options: StackExOptions,
    *,
    valid: str = HELD_OUT,
    test: str = HELD_OUT,
    watch: Callable[[Iterable[bytes]], Iterable[bytes]] = iter,
) -> BuildReport:
    """Build the dataset from `Posts.xml` files, `.7z` archives of dumps, and folders of either.

    `valid` and `test` are counts, or fractions such as `"0.05"`. The same inputs, options and seed give the same bytes.
    The rows pass through `watch`, for instance for a progress bar.
    """
    wanted = ("rest", valid, test)
    collecting.sizes(10**12, wanted)  # refuses nonsense at once
    found = collecting.files(inputs, (posts.POSTS, posts.ARCHIVE))
    others: Counter[str] = Counter()
    with collecting.collected(output, options.seed) as (collection, folder):
        for name, problem in found:
            try:
                if problem:
                    raise OSError(problem)
                for row in watch(posts.rows(name)):
                    post = posts.question(row)
                    if post is None:
                        others["other posts"] += 1
                    else:
                        _add(collection, post, name, options)
            except Damaged as error:
                collection.reject(name, collecting.DAMAGED, str(error))
            except posts.NotPosts as error:
                collection.reject(name, "not-posts", str(error))
            except OSError as error:
                collection.reject(name, collecting.UNREADABLE, error.strerror or str(error))
        return _write_splits(collection, folder, wanted, others)


def _add(collection: Collection, post: posts.PostRow, name: str, options: StackExOptions) -> None:
    source = f"{name}#{post.id}"
    if post.problem:
        collection.reject(source, *post.problem)
        return
    text = posts.plain(post.body, code=options.code == "keep")
    for reason, part in (("no-tags", post.tags), ("no-title", post.title), ("no-body", text)):
        if not part:
            collection.reject(source, reason)
            return
    tags = post.tags
    if options.tags == "words":
        tags = tuple(dict.fromkeys(" ".join(tag.replace("-", " ").split()) or tag for tag in tags))
    document = Document(f"{posts.site(name)}-{post.id}", text, post.title, references=tags)
    # The split is not known yet: the longer text is kept, and presence is counted for both lengths.
    ends = _ends(post.title, text, options)
    present = {end: len(split_by_presence(replace(document, text=text[:end]))[0]) for end in set(ends)}
    record = {"id": document.id, "title": post.title, "text": text[: max(ends)], "keyphrases": tags}
    numbers = (len(tags), *(number for end in ends for number in (present[end], end)))
    collection.accept(document.id, source, numbers, json.dumps(record, ensure_ascii=False))


def _ends(title: str, text: str, options: StackExOptions) -> tuple[int, int]:
    """Return where the text ends for training and for evaluation, so that it fits the limits with its title."""
    limits = options.training_tokens, options.evaluation_tokens
    before = len(SEGMENTS.findall(title))
    most = max(0, max(limits) - before) + 1 if any(limits) else 0
    ends = [0, *(token.end() for token in islice(SEGMENTS.finditer(text), most))]
    kept = [max(0, limit - before) if limit else len(ends) for limit in limits]
    # A text that fits keeps what stands after its last token.
    training, evaluation = (ends[tokens] if tokens < len(ends) - 1 else len(text) for tokens in kept)
    return training, evaluation


def _write_splits(
    collection: Collection, folder: Path, wanted: tuple[str, ...], others: Mapping[str, int]
) -> BuildReport:
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    total = collection.reject_copies()
    records = iter(collection)
    for split, size in zip(SPLITS, collecting.sizes(total, wanted), strict=True):
        with written(folder / f"{split}.jsonl") as file:
            for record in islice(records, size):
                keyphrases, *numbers = record.numbers
                present, end = numbers[:2] if split == "train" else numbers[2:]
                longest = max(numbers[1::2])
                file.write((record.payload if end == longest else _shortened(record.payload, end)) + b"\n")
                absent = keyphrases - present
                counts = (1, keyphrases, present > 0, present, absent > 0, absent)
                sums[split].update(dict(zip(COLUMNS, map(int, counts), strict=True)), squares=keyphrases**2)
    rows = {split: _row(sums[split]) for split in SPLITS if split in sums}
    report = BuildReport(rows, dict(collection.reasons), total, {"passed over": dict(others)})
    with written(folder / collecting.STATISTICS) as file:
        file.write(report.json().encode())
    return report


def _row(sums: Counter[str]) -> dict[str, float]:
    """Return the columns of Tables 1 and 8 of the paper; the variance is that of the population."""
    mean = sums["#KP"] / sums["#Doc"]
    derived = {
        "Mean": mean,
        "Var": sums["squares"] / sums["#Doc"] - mean**2,
        "%Pre": 100 * sums["#PreKP"] / sums["#KP"],
    }
    return {name: sums[name] for name in COLUMNS} | derived


def _shortened(payload: bytes, end: int) -> bytes:
    values = json.loads(payload)
    values["text"] = values["text"][:end]
    return json.dumps(values, ensure_ascii=False).encode()
