"""MK-DUC-01 (Shapira et al., 2021): Tables 2 to 6, sets of documents.

Published figures were computed on first wordings (preset mkduc01-published), and so are ours; documents are read
without headlines, as the authors' seem to have been (docs/parity.md). Methods that are not in the paper come last.
"""

from collections.abc import Sequence

from phrasemill.errors import PhrasemillError
from phrasemill.evaluation import Answers, Score, Scores, evaluate
from phrasemill.lab.datasets import load_topics
from phrasemill.lab.papers.mkduc01_protocol import COLUMNS, PRESETS, TRUNCATED
from phrasemill.lab.papers.tables import Figures, Published, Reproduced, Row, Setting, sampled, signatures_of
from phrasemill.sets import extract_set
from phrasemill.types import Document

# The paper's systems, and what they are here. The authors' TextRank ranks all runs of nouns and adjectives.
SYSTEMS = {
    "Tf-Idf": "tfidf",
    "KPMiner": "kpminer",
    "YAKE": "yake",
    "TextRank": "textrank(keep=1)",
    "SingleRank": "singlerank",
    "TopicRank": "topicrank",
    "TopicalPageRank": "topicalpagerank",
    "PositionRank": "positionrank",
    "MultipartiteRank": "multipartiterank",
    "BERT-KPE": "bertkpe(model='{models}/bertkpe')",
}
OF_SETS = {"CollabRank": "collabrank", "Bayatmakou et al.": "bayatmakou"}
OTHERS = (
    "corephrase",
    "mmr(multipartiterank)",
    "merge(learned(style='indexer'))",
    "consensus(multipartiterank)",
    "consensus",
    "consensus(style='news')",
)
OURS = "ours"
AT_20 = ("F1@20", "unigram-F1@20")
NOTE = "Documents without headlines; first wordings of the gold, as the published figures are."
METHODS_NOTE = "The lines without published figures are methods that are not in the paper."


class Study:
    """The sets with their gold, and what each method says about them, worked out once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        topics = list(load_topics("mkduc01", setting.data, check="off"))[: setting.documents]
        self.sets = {one.id: [Document(d.id, d.text, language=d.language) for d in one.documents] for one in topics}
        full = {one.id: tuple(one.references) for one in topics}
        short = {id_: references[:TRUNCATED] for id_, references in full.items()}
        self.gold = {"full": Answers("mkduc01", full), "trunc20": Answers("mkduc01", short)}
        self.notes: dict[str, None] = {}
        self._lists: dict[str, dict[str, list[str]] | None] = {}
        self._scores: dict[tuple[str, str, str], Scores] = {}

    def lists(self, method: str) -> dict[str, list[str]] | None:
        """Twenty phrases a set, or nothing where the method cannot run here."""
        if method not in self._lists:
            try:
                self._lists[method] = self._run(method)
            except PhrasemillError as error:
                self.notes[f"{method}: {error}"] = None
                self._lists[method] = None
        return self._lists[method]

    def _run(self, method: str) -> dict[str, list[str]]:
        found = {}
        for done, (name, documents) in enumerate(self.sets.items()):
            self.setting.progress(method, done, len(self.sets))
            found[name] = [phrase.text for phrase in extract_set(documents, method=method, top=TRUNCATED)]
        return found

    def scores(self, method: str, version: str, preset: str) -> Scores | None:
        lists = self.lists(method)
        if lists is None:
            return None
        key = (method, version, preset)
        if key not in self._scores:
            metrics = [*COLUMNS, f"synonymous@{TRUNCATED}"]
            self._scores[key] = evaluate(lists, self.gold[version], metrics=metrics, preset=preset)
        return self._scores[key]

    def modes(self, system: str) -> dict[str, str | None]:
        """Our Concat and our Merge of a system of the paper."""
        if system in OF_SETS:
            return {"concat": None, "merge": OF_SETS[system]}
        spec = SYSTEMS[system]
        if "{models}" not in spec:
            return {"concat": f"concat({spec})", "merge": f"merge({spec})"}
        there = self.setting.models is not None and (self.setting.models / "bertkpe").exists()
        return {"concat": None, "merge": f"merge({spec.format(models=self.setting.models)})" if there else None}


def study(setting: Setting) -> Study:
    made: Study = setting.shared("mkduc01", lambda: Study(setting))
    return made


def scores_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 2 to 5: precision or F1, by words and by phrases, on the gold in full or cut at 20."""
    made = study(setting)
    version = "full" if table.source in ("Table 4", "Table 5") else "trunc20"
    used: list[Score] = []

    def figures(modes: dict[str, str | None]) -> Figures | None:
        if not any(modes.values()):
            return None
        found: list[float | None] = []
        for column in table.columns:
            mode, metric = column.split(" ")
            method = modes[mode]
            scores = made.scores(method, version, PRESETS[0]) if method else None
            found.append(100 * scores[metric] if scores else None)
            used.extend([scores.score(metric)] if scores else [])
        return tuple(found)

    rows = [Row(name, _label(made.modes(name)), row, figures(made.modes(name))) for name, row in table.rows.items()]
    rows += [Row(method, OURS, None, figures({"concat": None, "merge": method})) for method in OTHERS]
    return _reproduced(made, table, rows, [NOTE, METHODS_NOTE], used)


def lengths_table(setting: Setting, table: Published) -> Reproduced:
    """Table 6: words a keyphrase, and keyphrases that share a cluster with another."""
    made = study(setting)
    used: list[Score] = []

    def figures(modes: dict[str, str | None]) -> Figures | None:
        if not any(modes.values()):
            return None
        found: list[float | None] = []
        for column in table.columns:
            mode, what = column.split(" ", 1)
            method = modes[mode]
            scores = made.scores(method, "trunc20", PRESETS[1]) if method else None
            metric, factor = ("phrase-length@M", 1) if what == "words" else (f"synonymous@{TRUNCATED}", 100)
            found.append(factor * scores[metric] if scores else None)
            used.extend([scores.score(metric)] if scores else [])
        return tuple(found)

    rows = [Row(name, _label(made.modes(name)), row, figures(made.modes(name))) for name, row in table.rows.items()]
    rows += [Row(method, OURS, None, figures({"concat": None, "merge": method})) for method in OTHERS]
    return _reproduced(made, table, rows, [METHODS_NOTE], used)


def clusters_table(setting: Setting, table: Published) -> Reproduced:
    """At 20 by both readings of the gold: first wordings, as published, and substitute clusters."""
    made = study(setting)
    used: list[Score] = []

    def figures(method: str) -> Figures | None:
        first, clusters = (made.scores(method, "trunc20", preset) for preset in PRESETS)
        if first is None or clusters is None:
            return None
        chosen = [*(first.score(name) for name in AT_20), *(clusters.score(name) for name in AT_20)]
        chosen.append(clusters.score(f"synonymous@{TRUNCATED}"))
        used.extend(chosen)
        return tuple([100 * score.value for score in chosen])

    systems: Sequence[tuple[str, str | None]] = [
        (f"{name}, {mode}", method) for name in (*SYSTEMS, *OF_SETS) for mode, method in made.modes(name).items()
    ]
    rows = [
        Row(label, method, table.rows.get(label), figures(method)) for label, method in systems if method is not None
    ]
    rows += [Row(method, OURS, None, figures(method)) for method in OTHERS]
    return _reproduced(made, table, rows, [METHODS_NOTE], used)


def _label(modes: dict[str, str | None]) -> str:
    """What stands in the line of our figures."""
    concat, merge = modes["concat"], modes["merge"]
    if concat and merge:
        return f"concat, merge{merge.removeprefix('merge')}"
    return merge or concat or ""


def _reproduced(
    made: Study, table: Published, rows: Sequence[Row], notes: Sequence[str], used: Sequence[Score]
) -> Reproduced:
    said = [*notes, *sampled(made.setting, "sets"), *made.notes]
    return Reproduced(table, tuple(rows), tuple(said), tuple(signatures_of(used)))
