"""Tokens per second of the whole analysis on one core, beside spaCy's tokeniser in the same run.

python lab/benchmarks/analysis_speed.py --data DIR [--peers .peers/bin/python]
"""

import json
import subprocess
from array import array
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from phrasemill.kernels import columns, sentences, tokens
from phrasemill.text.analyse import Analyser
from phrasemill.text.tokenise import ABBREVIATIONS, TABLE, classify
from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import ROUNDS, MarkdownRows, best_of, parser, seconds_of, write_figures

SPACY = """
import json, sys, time, spacy
texts = json.load(open(sys.argv[1]))
tokenise = spacy.blank("en").tokenizer
count = sum(len(tokenise(text)) for text in texts)
best = 1e9
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    for text in texts:
        tokenise(text)
    best = min(best, time.perf_counter() - start)
print(json.dumps([spacy.__version__, count, best]))
"""


def steps(analyser: Analyser, documents: list[str]) -> dict[str, Callable[[], object]]:
    """Return each step of `Analyser.analyse` over all documents, on the inputs that the step before made."""
    lexicon = analyser._lexicons.borrow()
    bounds = [tokens.tokenise(text, TABLE, classify, ABBREVIATIONS) for text in documents]
    types = [lexicon.types(text, start, end) for text, (start, end, _) in zip(documents, bounds, strict=True)]
    ends = [
        sentences.split(text, start, end, gap, kinds, lexicon.role)
        for text, (start, end, gap), kinds in zip(documents, bounds, types, strict=True)
    ]
    tags = [array("B", bytes(len(kinds))) for kinds in types]
    tagger = lexicon.tagger
    assert tagger is not None
    return {
        "tokenise": lambda: [tokens.tokenise(text, TABLE, classify, ABBREVIATIONS) for text in documents],
        "look up types": lambda: [
            lexicon.types(text, bound[0], bound[1]) for text, bound in zip(documents, bounds, strict=True)
        ],
        "split sentences": lambda: [
            sentences.split(text, start, end, gap, kinds, lexicon.role)
            for text, (start, end, gap), kinds in zip(documents, bounds, types, strict=True)
        ],
        "tag": lambda: list(map(tagger.tag, types, ends, tags)),
        "number words and stems": lambda: [
            columns.within_document(
                *(kinds, lexicon.word, lexicon.stem, lexicon.kind), lexicon.texts, lexicon.texts, lexicon.scratch
            )
            for kinds in types
        ],
    }


def spacy_tokeniser(python: Path, documents: list[str]) -> tuple[str, int, float]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(documents), encoding="utf-8")
        done = subprocess.run([python, "-c", SPACY, path, str(ROUNDS)], capture_output=True, text=True, check=True)
    version, count, seconds = json.loads(done.stdout)
    return version, count, seconds


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=1000)
    options.add_argument("--peers", type=Path, help="a Python that has spaCy")
    given = options.parse_args()
    documents = texts(given.data, given.pattern, given.documents)
    analyser = Analyser()
    counts: list[int] = []
    first = seconds_of(lambda: counts.extend(len(analyser.analyse(text)) for text in documents))
    count = sum(counts)
    seconds = best_of(lambda: [analyser.analyse(text) for text in documents])
    print(f"{len(documents)} documents, {count:,} tokens\n")
    rows = MarkdownRows("what", "tokens/s", "ns/token", name="analysis")

    def add(what: str, taken: float, count: int = count) -> None:
        rows.add(what, f"{count / taken:,.0f}", f"{taken / count * 1e9:.0f}")

    add("whole analysis, every word type new to the process", first)
    add("**whole analysis**", seconds)
    for name, work in steps(analyser, documents).items():
        add(f"… {name}", best_of(work))
    if given.peers:
        version, others, peer = spacy_tokeniser(given.peers, documents)
        add(f"spaCy {version}, tokeniser alone", peer, others)
        print(f"\nWhole analysis against spaCy's tokeniser, for the same texts: {peer / seconds:.1f} times as fast.")
    write_figures(given.figures)


if __name__ == "__main__":
    main()
