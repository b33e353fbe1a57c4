"""The system of each row of the generation tables, the test sets, and the lists of each system for each set."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill.errors import ConfigError, DataError, PhrasemillError, UnknownName
from phrasemill.evaluation import Answers, read_answers
from phrasemill.registry import METHODS, parse, split_specs
from phrasemill.types import Document, Keyphrase
from phrasemill_lab.datasets import files, read_layout
from phrasemill_lab.papers.comparison import Setting, extracted, texts
from phrasemill_lab.papers.kept_lists import kept_runs
from phrasemill_lab.training.trainer import TRAINERS

SUMMARISE = "summarise(multipartiterank)"
# The rows: the paper's name, and what it is here. {search} is `beam` (exhaustive), `greedy` or `top`; {models} is the
# folder of --models, {trained} one where KEA and Maui are trained; {style} is the style of a set's keyphrases;
# {domain} is empty for articles and `-stackex` for questions. Exhaustive decoding is the authors': a beam of 50 that
# keeps up to 500 sequences, and of 200 for single phrases.
SYSTEMS = {
    "TfIdf": "tfidf",
    "TextRank": "textrank",
    "KEA": "kea(model='{trained}/kea{domain}')",
    "Maui": "maui(model='{trained}/maui{domain}')",
    "CopyRNN*": "copyrnn(model='{models}/copyrnn{domain}', width=200)",
    "CatSeq": "catseq(model='{models}/catseq{domain}', search='{search}', kept=500)",
    "CatSeq + Orth. Reg.": "catseq(model='{models}/catseq-orthogonal{domain}', search='{search}', kept=500)",
    "CatSeq + Sem. Cov.": "catseq(model='{models}/catseq-coverage{domain}', search='{search}', kept=500)",
    "CatSeqD": "catseqd(search='{search}', kept=500)",
    "learned, style of the set": "learned(style='{extractive_style}')",
    "generator": "generator(search='{search}')",
    "generator, style of the set": "generator(style='{style}', search='{search}')",
    SUMMARISE: SUMMARISE,
}
# Where a row has another model for questions.
FOR_QUESTIONS = {"CatSeqD": "catseqd(model='{models}/catseqd{domain}', search='{search}', kept=500)"}
EXTRACTORS = ("TfIdf", "TextRank", "KEA", "Maui", "learned, style of the set", SUMMARISE)
SEARCHES = ("beam", "greedy", "top")
MOST = 100  # phrases of an extractor; generators give all they have


@dataclass(frozen=True, slots=True)
class PaperTestSet:
    """A file, the style of its keyphrases, the training file of KEA and Maui, and the policy for scoring it."""

    file: str
    style: str
    extractive_style: str
    training: str
    policy: dict[str, Any] = field(default_factory=dict)
    domain: str = ""


SCIENCE = "kp20k_small_train.jsonl"
SETS = {
    "KP20k": PaperTestSet("kp20k_small_test.jsonl", "author", "author", SCIENCE),
    "Inspec": PaperTestSet("deepkg_inspec_test.jsonl", "indexer", "indexer", SCIENCE),
    "Krapivin": PaperTestSet("deepkg_krapivin_test.jsonl", "author", "author", SCIENCE),
    "NUS": PaperTestSet("deepkg_nus_test.jsonl", "reader", "reader", SCIENCE),
    # Its gold is stemmed, by Porter's own algorithm: so 671 keyphrases are present, as the paper counts (Table 8).
    "SemEval": PaperTestSet(
        "deepkg_semeval_test.jsonl", "reader", "reader", SCIENCE, {"stemmed": "gold", "stemmer": "porter"}
    ),
    "StackEx": PaperTestSet(
        "stackexchange_takg_test.jsonl", "tags", "author", "stackexchange_takg_valid.jsonl", {}, "-stackex"
    ),
}


def chosen_rows(given: Iterable[str]) -> list[str]:
    """Return the rows that `--methods` names: systems of the tables, or specs of methods; others are unknown."""
    rows: list[str] = []
    for one in given:
        names = [one] if one in SYSTEMS else one.split(",")  # some rows have a comma in their name, or a star
        rows += names if all(name in SYSTEMS for name in names) else split_specs(one)
    for row in rows:
        if row not in SYSTEMS and parse(row).name not in METHODS:
            raise UnknownName("row", row, [*SYSTEMS, "any method"])
    return rows or list(SYSTEMS)


def read(data: Path, name: str, most: int | None = None) -> list[Document]:
    """Return the documents of a file, at most `most`."""
    return list(read_layout(files.found(data, name), layout="jsonl", gold="keyphrases"))[:most]


class Lists:
    """The lists of each system for each set: read from files, or extracted on first use."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.given = predictions(setting.predictions)
        self.notes: dict[str, None] = {}
        self.set = cache(self._set)
        self._found: dict[tuple[str, str, str], list[Answers]] = {}

    def _set(self, name: str) -> list[Document] | None:
        """Return the documents of a set; None, and a note, where it is not there."""
        try:
            return read(self.setting.data, SETS[name].file, self.setting.documents)
        except DataError:
            self._note(f"{name}: no {SETS[name].file} (plain or compressed)")
            return None

    def of(self, system: str, search: str, set_name: str) -> list[Answers]:
        """Return the lists of a system, of each of its runs; the notes say why if there are none."""
        documents = self.set(set_name)
        if documents is None:
            return []
        return self._runs(system, search, set_name, documents, SETS[set_name])

    def about(
        self, system: str, search: str, name: str, documents: list[Document], test: PaperTestSet
    ) -> Answers | None:
        """Return the lists of a system for other documents than those of a set, or None."""
        return next(iter(self._runs(system, search, name, documents, test)), None)

    def _runs(
        self, system: str, search: str, name: str, documents: list[Document], test: PaperTestSet
    ) -> list[Answers]:
        key = (system, search, name)
        if key not in self._found:
            known = self.given.get((system, search), {})
            found = {one.id: known[one.id] for one in documents if one.id in known}
            if 0 < len(found) < len(documents):
                self._note(f"{system}, {search}, {name}: {len(documents) - len(found)} documents have no list, score 0")
            if found:
                self._found[key] = [Answers(system, found)]
            else:
                kept = self._kept(system, search, name, documents)
                made = None if kept else self._run(system, search, name, documents, test)
                self._found[key] = kept or ([] if made is None else [made])
        return self._found[key]

    def _kept(self, system: str, search: str, name: str, documents: list[Document]) -> list[Answers]:
        """Return the kept lists of a system, where no model is given that could make them again."""
        if self.setting.models is not None:
            return []
        kept = kept_runs(system, search, name, [document.id for document in documents])
        if len(kept) > 1:
            self._note(f"{system}: the mean of {len(kept)} runs, from kept lists; --models runs a model")
        elif kept:
            self._note(f"{system}: from kept lists (lists/ in the package); --models runs a model")
        return kept

    def _run(
        self, system: str, search: str, name: str, documents: list[Document], test: PaperTestSet
    ) -> Answers | None:
        template = (FOR_QUESTIONS.get(system) if test.domain else None) or SYSTEMS.get(system)
        if template is None and system in {name for name, _ in self.given}:
            return None
        spec = system if template is None else self._filled(template, search, test)
        if spec is None or (template is None and search != "beam"):
            return None
        label, top = f"{system}, {search}, {name}", MOST if system in EXTRACTORS else None
        try:
            if template is not None and "{trained}" in template:
                self._train(spec.partition("(")[0], test)
            lists = extracted(self.setting, spec, documents, top=top, label=label)
        except PhrasemillError as error:
            self._note(f"{system}{test.domain}: left out ({str(error).partition(';')[0]})")
            return None
        if self.setting.save is not None:
            save_lists(self.setting.save / f"{system}.{search}.{name}.jsonl", lists)
        return Answers(system, texts(lists))

    def _filled(self, template: str, search: str, test: PaperTestSet) -> str | None:
        """Return the spec for one set; None where the system has no such search, or its model no folder."""
        if search != "beam" and "{search}" not in template:
            return None
        if "{models}" in template and self.setting.models is None:
            self._note(f"{template.partition('(')[0]}{test.domain}: left out (--models is not given)")
            return None
        names = {"style": test.style, "extractive_style": test.extractive_style, "domain": test.domain}
        return template.format(search=search, models=self.setting.models, trained=self.setting.scratch, **names)

    def _note(self, words: str) -> None:
        """Add a note once, however many tables have the row."""
        self.notes[words] = None

    def _train(self, name: str, test: PaperTestSet) -> None:
        model = self.setting.scratch / f"{name}{test.domain}"
        if not model.exists():
            TRAINERS.build(name).fit(read(self.setting.data, test.training)).save(model)


def predictions(given: Iterable[str]) -> dict[tuple[str, str], dict[str, tuple[Any, ...]]]:
    """Read lists from files, by row and search: `CatSeq=FILE` (exhaustive), `CatSeq:greedy=FILE`, `CatSeq:top=FILE`."""
    found: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = {}
    for one in given:
        name, mark, path = one.partition("=")
        system, _, search = name.partition(":")
        if not mark or (search or "beam") not in SEARCHES:
            raise ConfigError(f"--predictions takes NAME=FILE, NAME:greedy=FILE or NAME:top=FILE, got {one!r}")
        found.setdefault((system, search or "beam"), {}).update(read_answers(path).phrases)
    return found


def save_lists(path: Path, lists: Mapping[str, list[Keyphrase]]) -> None:
    """Write one line per document, as `phrasemill evaluate` and `--predictions` read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for id_, found in lists.items():
            phrases = [{"text": one.text, "score": one.score} for one in found]
            file.write(json.dumps({"id": id_, "keyphrases": phrases}) + "\n")
