"""Tables 2 to 6 of MK-DUC-01 (Shapira et al., 2021) from our own extractors, the paper's figures beside them.

    python benchmarks/sets_tables.py --data DIR

DIR holds mkduc01.jsonl.gz, duc2001.jsonl.gz and reference/mkduc01/. Each baseline has two rows: as published, and ours
by the protocol with which the published figures were computed (preset mkduc01-published: first wordings only). The
methods that are not in the paper come last, ours at the bottom. A last table has F1@20 and unigram-F1@20 by both
presets, with the difference to the paper. Documents are read without headlines, as the authors' seem to have been
(docs/parity.md); --headlines reads them.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.formats import read_answers
from phrasemill.evaluation.mkduc01 import COLUMNS, ON, TABLE_6, TABLE_CUTS, TRUNCATED, Study

# The paper's systems, and what they are here. The authors' TextRank ranks all runs of nouns and adjectives.
BASELINES = {
    "TfIdf": "tfidf",
    "KPMiner": "kpminer",
    "YAKE": "yake",
    "TextRank": "textrank(keep=1)",
    "SingleRank": "singlerank",
    "TopicRank": "topicrank",
    "TopicalPageRank": "topicalpagerank",
    "PositionRank": "positionrank",
    "MultipartiteRank": "multipartiterank",
}
# The output of Bayatmakou et al. is not among the published files; these are the paper's rows.
BAYATMAKOU = {
    "P": (3.33, 4.00, 3.00, 2.17),
    "unigram-P": (27.78, 22.24, 18.67, 14.19),
    "F1": (0.32, 1.60, 2.00, 2.17),
    "unigram-F1": (3.57, 11.29, 15.04, 16.31),
}
BAYATMAKOU_6 = ("-", "3.00", "-", "0")
OTHERS = (
    "corephrase",
    "mmr(multipartiterank)",
    "merge(learned(style='news'))",
    "merge(learned(style='indexer'))",
    "consensus(multipartiterank)",
    "consensus",
)
PRESETS = ("mkduc01-published", "mkduc01")
VERSIONS = ("trunc20", "full")

Lists = dict[str, list[str]]


def topics(data: Path, headlines: bool) -> dict[str, list[pm.Document]]:
    def records(name: str) -> list[dict[str, Any]]:
        with gzip.open(data / name, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    articles = {one["id"]: one for one in records("duc2001.jsonl.gz")}
    return {
        topic["id"]: [
            pm.Document(i, articles[i]["text"], articles[i]["title"] if headlines else "") for i in topic["doc_ids"]
        ]
        for topic in records("mkduc01.jsonl.gz")
    }


class Tables:
    def __init__(self, data: Path, *, headlines: bool, consensus: str) -> None:
        self.study = Study(data)
        self.sets = topics(data, headlines)
        self.gold = {
            "trunc20": read_answers(data / "mkduc01.jsonl.gz", top=TRUNCATED),
            "full": read_answers(data / "mkduc01.jsonl.gz"),
        }
        self.consensus = consensus
        self.lists: dict[str, Lists] = {}
        self._scored: dict[tuple[str, str, str], Any] = {}

    def run(self, method: str) -> Lists:
        if method not in self.lists:
            found = {name: pm.extract_set(documents, method=method, top=20) for name, documents in self.sets.items()}
            self.lists[method] = {name: [phrase.text for phrase in phrases] for name, phrases in found.items()}
        return self.lists[method]

    def scores(self, method: str, version: str, preset: str) -> Any:
        key = (method, version, preset)
        if key not in self._scored:
            gold: Answers = self.gold[version]
            metrics = [*COLUMNS, f"synonymous@{TRUNCATED}"]
            self._scored[key] = evaluate(self.run(method), gold, metrics=metrics, preset=preset)
        return self._scored[key]

    def published(self, system: str, mode: str, version: str, names: list[str]) -> list[float | None]:
        if system == "Bayatmakou":
            found = [BAYATMAKOU[name.split("@")[0]][TABLE_CUTS.index(int(name.split("@")[1]))] for name in names]
            return [one if mode == "merge" else None for one in found]
        run = self.study.reference / ON / f"results_baselines_{mode}_{version}"
        row = self.study.published(run).get(system)
        return [100 * float(row[COLUMNS[name]]) if row else None for name in names]

    def ours(self, method: str | None, version: str, names: list[str], preset: str) -> list[float | None]:
        if method is None:
            return [None] * len(names)
        scores = self.scores(method, version, preset)
        return [100 * scores[name] for name in names]

    def systems(self) -> list[tuple[str, str | None, str | None]]:
        """Each system of the paper with our Concat and our Merge of it."""
        both = [(system, f"concat({spec})", f"merge({spec})") for system, spec in BASELINES.items()]
        return [*both, ("CollabRank", None, "collabrank"), ("Bayatmakou", None, "bayatmakou")]

    def table(self, number: int, metric: str, version: str) -> None:
        names = [f"{prefix}{metric}@{k}" for prefix in ("", "unigram-") for k in TABLE_CUTS]
        print(f"\n## Table {number}: {metric} on {version} (C = Concat, M = Merge)\n")
        print("| system | " + " | ".join(f"{mode} {name}" for mode in "CM" for name in names) + " |")
        print("|---" * (1 + 2 * len(names)) + "|")
        for system, concat, merge in self.systems():
            theirs = [self.published(system, mode, version, names) for mode in ("concat", "merge")]
            line(f"{system} published", *theirs)
            line(f"{system} ours", *(self.ours(one, version, names, PRESETS[0]) for one in (concat, merge)))
        for method in (*OTHERS, self.consensus):
            empty: list[float | None] = [None] * len(names)
            for preset, what in zip(PRESETS, ("first wording", "clusters"), strict=True):
                line(f"`{method}` {what}", empty, self.ours(method, version, names, preset))

    def lengths(self) -> None:
        print("\n## Table 6: words a keyphrase, and synonymous keyphrases, on trunc20\n")
        print("| system | C words | M words | C % synonymous | M % synonymous |\n|---|---|---|---|---|")
        for system, *modes in self.systems():
            printed = BAYATMAKOU_6 if system == "Bayatmakou" else TABLE_6[system]
            print(f"| {system} published | " + " | ".join(printed) + " |")
            line(f"{system} ours", *zip(*map(self._length, modes), strict=True))
        for method in (*OTHERS, self.consensus):
            line(f"`{method}`", *zip((None, None), self._length(method), strict=True))

    def _length(self, method: str | None) -> tuple[float | None, float | None]:
        if method is None:
            return None, None
        scores = self.scores(method, "trunc20", PRESETS[1])
        return scores["phrase-length@M"], 100 * scores[f"synonymous@{TRUNCATED}"]

    def summary(self) -> None:
        names = ["F1@20", "unigram-F1@20"]
        print("\n## At 20 on trunc20, against the paper\n")
        print(
            "| system | F1 published | F1 ours | difference | unigram published | unigram ours | difference "
            "| F1 clusters | unigram clusters | % synonymous |\n" + "|---" * 10 + "|"
        )
        for system, *modes in self.systems():
            for mode, method in zip(("concat", "merge"), modes, strict=True):
                if method is not None:
                    theirs = self.published(system, mode, "trunc20", names)
                    self._summary(f"{system} `{method}`", method, theirs)
        for method in (*OTHERS, self.consensus):
            self._summary(f"`{method}`", method, [None, None])

    def _summary(self, label: str, method: str, theirs: list[float | None]) -> None:
        names = ["F1@20", "unigram-F1@20"]
        first = self.ours(method, "trunc20", names, PRESETS[0])
        clusters = self.ours(method, "trunc20", names, PRESETS[1])
        cells: list[float | None] = []
        for old, new in zip(theirs, first, strict=True):
            cells += [old, new, None if old is None or new is None else new - old]
        line(label, cells, clusters, [self._length(method)[1]])


def line(label: str, *cells: Any) -> None:
    every = [cell for group in cells for cell in group]
    print(f"| {label} | " + " | ".join("-" if cell is None else f"{cell:.2f}" for cell in every) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--headlines", action="store_true", help="read headlines, too")
    parser.add_argument(
        "--consensus", default="consensus(style='news')", metavar="SPEC", help="our method, at the bottom"
    )
    parser.add_argument("--summary", action="store_true", help="only the last table")
    options = parser.parse_args()
    tables = Tables(options.data, headlines=options.headlines, consensus=options.consensus)
    if not options.summary:
        for number, metric, version in ((2, "P", "trunc20"), (3, "F1", "trunc20"), (4, "P", "full"), (5, "F1", "full")):
            tables.table(number, metric, version)
        tables.lengths()
    tables.summary()


if __name__ == "__main__":
    main()
