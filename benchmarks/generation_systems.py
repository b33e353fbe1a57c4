"""Which system stands in which row of the generation tables, on which sets, and what it says about them."""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.errors import PhrasemillError
from phrasemill.evaluation import Answers, read_answers
from phrasemill.training.learned_sources import OPENERS, records
from phrasemill.training.trainer import TRAINERS
from phrasemill.types import Keyphrase

# The rows: the paper's name, and what it is here. {search} is `beam` (exhaustive), `greedy` or `top`; {models} is the
# folder of --models, {trained} one where KEA and Maui are trained; {style} says whose choice a set's keyphrases are;
# {domain} is empty for articles and `-stackex` for questions.
SYSTEMS = {
    "TfIdf": "tfidf",
    "TextRank": "textrank",
    "KEA": "kea(model='{trained}/kea{domain}')",
    "Maui": "maui(model='{trained}/maui{domain}')",
    "CopyRNN*": "copyrnn(model='{models}/copyrnn{domain}')",
    "CatSeq": "catseq(model='{models}/catseq{domain}', search='{search}')",
    "CatSeq + Orth. Reg.": "catseq(model='{models}/catseq-orthogonal{domain}', search='{search}')",
    "CatSeq + Sem. Cov.": "catseq(model='{models}/catseq-coverage{domain}', search='{search}')",
    "CatSeqD": "catseqd(search='{search}')",
    "learned, style of the set": "learned(style='{extractive_style}')",
    "generator": "generator(search='{search}')",
    "generator, style of the set": "generator(style='{style}', search='{search}')",
    "summarise(multipartiterank)": "summarise(multipartiterank)",
}
# Where a row has another model for questions.
FOR_QUESTIONS = {"CatSeqD": "catseqd(model='{models}/catseqd{domain}', search='{search}')"}
EXTRACTORS = ("TfIdf", "TextRank", "KEA", "Maui", "learned, style of the set", "summarise(multipartiterank)")
SEARCHES = ("beam", "greedy", "top")
MOST = 100  # phrases of an extractor; generators give all they have


@dataclass(frozen=True, slots=True)
class TestSet:
    """A file, whose choice its keyphrases are, what KEA and Maui learn from, and what scoring needs to know."""

    file: str
    style: str
    extractive_style: str
    training: str
    policy: dict[str, Any]
    domain: str = ""
    field: str = ""  # only documents in which it is true


SCIENCE = "kp20k_small_train"
SETS = {
    "KP20k": TestSet("kp20k_small_test", "author", "author", SCIENCE, {}),
    "Inspec": TestSet("deepkg_inspec_test", "indexer", "indexer", SCIENCE, {}),
    # Its gold is stemmed, by Porter's own algorithm: so 671 keyphrases are present, as the paper counts (Table 8).
    "SemEval": TestSet("deepkg_semeval_test", "reader", "reader", SCIENCE, {"stemmed": "gold", "stemmer": "porter"}),
    "StackEx": TestSet("stackexchange_takg_test", "tags", "author", "stackexchange_takg_valid", {}, "-stackex"),
    "PubMedAKE": TestSet("pubmedake_sample1000", "author", "author", SCIENCE, {}),
    "Keywords, cs": TestSet("keywords/valid", "author", "author", SCIENCE, {}, field="cs"),
}


def read(data: Path, name: str, field: str = "") -> list[pm.Document]:
    """The documents of a file; what is read is the title, a new line and the text, as in the literature."""
    found = [path for end in OPENERS if (path := data / f"{name}.jsonl{end}").exists()]
    if not found:
        raise SystemExit(f"{data / name}.jsonl.gz: no such file")
    return [
        pm.Document(
            one["id"],
            one["text"],
            one["title"],
            references=tuple(one["keyphrases"]),
            metadata={"absent": tuple(one.get("absent", ()))},
        )
        for one in records(found[0])
        if not field or one.get(field)
    ]


class Lists:
    """What each system says about each set: made when first asked for, or given."""

    def __init__(
        self,
        data: Path,
        trained: Path,
        *,
        models: Path | None,
        given: Iterable[str],
        save: Path | None,
        most: int | None,
    ) -> None:
        self.data, self.trained, self.models, self.save, self.most = data, trained, models, save, most
        self.given = predictions(given)
        self._sets: dict[str, list[pm.Document]] = {}
        self._said: set[tuple[str, str]] = set()
        self._found: dict[tuple[str, str, str], Answers | None] = {}

    def set(self, name: str) -> list[pm.Document]:
        if name not in self._sets:
            self._sets[name] = read(self.data, SETS[name].file, SETS[name].field)[: self.most]
        return self._sets[name]

    def of(self, system: str, search: str, set_name: str) -> Answers | None:
        """The lists of a system, or None if there are none; standard error then says why."""
        key = (system, search, set_name)
        if key not in self._found:
            known = self.given.get((system, search), {})
            found = {one.id: known[one.id] for one in self.set(set_name) if one.id in known}
            if 0 < len(found) < len(self.set(set_name)):
                missing = len(self.set(set_name)) - len(found)
                print(f"{system}, {search}, {set_name}: {missing} documents have no list and score 0", file=sys.stderr)
            self._found[key] = Answers(system, found) if found else self._run(*key)
        return self._found[key]

    def _run(self, system: str, search: str, set_name: str) -> Answers | None:
        test = SETS[set_name]
        template = (FOR_QUESTIONS.get(system) if test.domain else None) or SYSTEMS.get(system)
        if template is None and system in {name for name, _ in self.given}:
            return None
        spec = system if template is None else self._filled(template, search, test)
        if spec is None or (template is None and search != "beam"):
            return None
        documents = self.set(set_name)
        try:
            if template is not None and "{trained}" in template:
                self._train(spec.partition("(")[0], test)
            lists = list(pm.extract_batch(documents, method=spec, top=MOST if system in EXTRACTORS else None))
        except PhrasemillError as error:
            self._left_out(system, str(error).partition(";")[0])
            return None
        if self.save is not None:
            save_lists(self.save / f"{system}.{search}.{set_name}.jsonl", documents, lists)
        texts = [tuple([one.text for one in found]) for found in lists]
        return Answers(system, dict(zip([document.id for document in documents], texts, strict=True)))

    def _filled(self, template: str, search: str, test: TestSet) -> str | None:
        """The spec for one set; None where the system has no such search, or its model no folder."""
        if search != "beam" and "{search}" not in template:
            return None
        if "{models}" in template and self.models is None:
            self._left_out(template.partition("(")[0] + test.domain, "--models is not given")
            return None
        names = {"style": test.style, "extractive_style": test.extractive_style, "domain": test.domain}
        return template.format(search=search, models=self.models, trained=self.trained, **names)

    def _left_out(self, name: str, reason: str) -> None:
        """Say once why a row has no figures of ours."""
        if (name, reason) not in self._said:
            self._said.add((name, reason))
            print(f"{name}: left out ({reason})", file=sys.stderr, flush=True)

    def _train(self, name: str, test: TestSet) -> None:
        model = self.trained / f"{name}{test.domain}"
        if not model.exists():
            TRAINERS.build(name).fit(read(self.data, test.training)).save(model)


def predictions(given: Iterable[str]) -> dict[tuple[str, str], dict[str, tuple[Any, ...]]]:
    """Lists from files, by row and search: `CatSeq=FILE` (exhaustive), `CatSeq:greedy=FILE`, `CatSeq:top=FILE`."""
    found: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = {}
    for one in given:
        name, mark, path = one.partition("=")
        system, _, search = name.partition(":")
        if not mark or (search or "beam") not in SEARCHES:
            raise SystemExit(f"--predictions takes NAME=FILE, NAME:greedy=FILE or NAME:top=FILE, got {one!r}")
        try:
            found.setdefault((system, search or "beam"), {}).update(read_answers(path).phrases)
        except PhrasemillError as error:
            raise SystemExit(str(error)) from None
    return found


def save_lists(path: Path, documents: Iterable[pm.Document], lists: Iterable[list[Keyphrase]]) -> None:
    """One line a document, as `phrasemill evaluate` and `--predictions` read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for document, found in zip(documents, lists, strict=True):
            phrases = [{"text": one.text, "score": one.score} for one in found]
            file.write(json.dumps({"id": document.id, "keyphrases": phrases}) + "\n")
