"""A dataset in numbers, as the papers' tables give them, from one pass over its documents.

Table 8 of Yuan et al. (2020) has the columns #Doc #KP #PreDoc #PreKP #AbsDoc #AbsKP, their Table 1 mean, variance (of
the population) and the share of present keyphrases. A cluster of wordings counts as one keyphrase; its first wording is
measured. Words are what stands between spaces. Documents without a text (the topics of MK-DUC-01) count in neither
present nor absent keyphrases.
"""

from collections import Counter
from statistics import fmean, pvariance

from phrasemill.evaluation.answers import clustered
from phrasemill.types import Document
from phrasemill_lab.datasets.preparation import split_by_presence


class Counting:
    """Counts documents; `numbers` are by the names that `dataset show` prints."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._unique: set[str] = set()
        self._keyphrases: list[int] = []  # per document
        self._words = [0, 0]  # of documents, of keyphrases

    def add(self, document: Document) -> None:
        firsts = [" ".join(clustered(reference)[0].lower().split()) for reference in document.references]
        self._keyphrases.append(len(firsts))
        self._unique.update(firsts)
        self._words[0] += len(document.content.split())
        self._words[1] += sum(len(first.split()) for first in firsts)
        known = document.content.strip()
        present, absent = map(len, split_by_presence(document)) if known else (0, 0)
        self._counts.update(
            {
                "repeated": len(firsts) - len(set(firsts)),
                "without": not firsts,
                "#PreDoc": present > 0,
                "#PreKP": present,
                "#AbsDoc": absent > 0,
                "#AbsKP": absent,
                "clusters": sum(len(clustered(reference)) > 1 for reference in document.references),
            }
        )

    @property
    def numbers(self) -> dict[str, float]:
        counts, documents, keyphrases = self._counts, len(self._keyphrases), sum(self._keyphrases)
        known = counts["#PreKP"] + counts["#AbsKP"]
        return {
            "documents": documents,
            "keyphrases": keyphrases,
            "different keyphrases": len(self._unique),
            "keyphrases per document": fmean(self._keyphrases),
            "their variance": pvariance(self._keyphrases),
            "words per document": self._words[0] / documents,
            "words per keyphrase": self._words[1] / keyphrases if keyphrases else 0.0,
            "documents with present keyphrases": counts["#PreDoc"],
            "present keyphrases": counts["#PreKP"],
            "documents with absent keyphrases": counts["#AbsDoc"],
            "absent keyphrases": counts["#AbsKP"],
            "% present": 100 * counts["#PreKP"] / known if known else 0.0,
            "absent per document": counts["#AbsKP"] / documents,
            "keyphrases with other wordings": counts["clusters"],
            "documents without keyphrases": counts["without"],
            "keyphrases that repeat another of their document": counts["repeated"],
        }
