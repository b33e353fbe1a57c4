"""Trains KEA: two features, or three, cut into ranges, and the counts that Naive Bayes needs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from phrasemill.candidates import forms
from phrasemill.lab.training.discretise import learn
from phrasemill.lab.training.examples import collect, gold_forms, require_both
from phrasemill.lab.training.trainer import Progress, quiet, tracked
from phrasemill.methods.kea import LONGEST, Kea, KeaModel, features, phrases
from phrasemill.types import Analysis, Candidates, Document


@dataclass(frozen=True, slots=True)
class KeaTrainer:
    """`keyphraseness` adds the feature of Frank et al. (1999): for documents of one field. `frequencies` is a table of
    document frequencies (`phrasemill statistics fit`) over a larger collection than these documents."""

    keyphraseness: bool = False
    frequencies: str | None = None

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> KeaModel:
        """Learn from documents with references; KEA has nothing to tune on `dev`."""
        collection = collect(
            documents, _terms, gold_forms, longest=LONGEST, progress=progress, frequencies=self.frequencies
        )
        columns: list[list[float]] = [[], [], []]
        labels: list[bool] = []
        for example in tracked(collection.examples, "measuring phrases", progress, total=len(collection.examples)):
            measured = features(example.statistics, collection.idfs(example), collection.elsewhere(example))
            for column, values in zip(columns, measured, strict=True):
                column.extend(values)
            labels += example.labels
        require_both(sum(labels), len(labels))
        used = columns if self.keyphraseness else columns[:2]
        chosen = collection.keyphraseness if self.keyphraseness else {}
        return KeaModel(collection.frequencies, chosen, learn(used, labels))

    def spec(self, model: Path) -> str:
        return repr(Kea(str(model)))


def _terms(analysis: Analysis) -> tuple[Candidates, list[str]]:
    candidates = phrases(analysis)
    return candidates, forms(candidates)
