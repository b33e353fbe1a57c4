"""The names and synonyms of tags, and which of them a text uses."""

from typing import NamedTuple

import numpy as np

from phrasemill.tags.features import PAIR, Features, Form, forms
from phrasemill.tags.index import Index, idf
from phrasemill.tags.library import Library


class Named(NamedTuple):
    """How a text names a tag."""

    form: Form
    synonym: bool
    times: int
    place: int
    salience: float


class TagNames:
    """The names and synonyms of all tags of a collection as texts in one language write them."""

    def __init__(self, library: Library, index: Index, language: str) -> None:
        self._by_feature: dict[int, list[tuple[int, Form, bool]]] = {}
        words, tags = [], []
        for number, (name, synonyms) in enumerate(library.synonyms.items()):
            own = forms(name, language)
            for form in own:
                self._by_feature.setdefault(form.features[0], []).append((number, form, False))
            for synonym in synonyms:
                for form in forms(synonym, language):
                    self._by_feature.setdefault(form.features[0], []).append((number, form, True))
            for word in sorted(set(own[0].single)) if own else ():
                words.append(word)
                tags.append(number)
        rarity = idf(index.find(np.asarray(words, np.uint32))[1], max(index.documents, 1))
        whole = np.bincount(tags, rarity) if tags else np.zeros(0)
        self._by_word: dict[int, list[tuple[int, float]]] = {}
        for word, tag, rare in zip(words, tags, rarity.tolist(), strict=True):
            self._by_word.setdefault(word, []).append((tag, rare / float(whole[tag])))

    def named(self, features: Features) -> dict[int, Named]:
        """Return the tags that a text names: by their own name rather than a synonym, by the longest form."""
        place = {hashed: i for i, hashed in enumerate(features.hashes.tolist())}
        found: dict[int, Named] = {}
        for hashed in place:
            for tag, form, synonym in self._by_feature.get(hashed, ()):
                at = [place.get(feature, -1) for feature in form.features]
                if min(at) < 0:
                    continue
                known = found.get(tag)
                if known is None or (synonym, -len(form.words)) < (known.synonym, -len(known.form.words)):
                    count, where = int(features.counts[at].min()), int(features.places[at].max())
                    found[tag] = Named(form, synonym, count, where, float(features.salience[at].min()) / 255)
        return found

    def shared(self, features: Features) -> dict[int, float]:
        """Return what share of its words each tag has in common with a text, rare words counting more."""
        found: dict[int, float] = {}
        for hashed in features.hashes[(features.hashes & PAIR) == 0].tolist():
            for tag, share in self._by_word.get(hashed, ()):
                found[tag] = found.get(tag, 0.0) + share
        return found
