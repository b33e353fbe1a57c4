"""What could be tidied up among the tags of a collection.

Tags that are one word in several spellings form groups, of which the most used tag stays. Between groups, a tag that is
a slip for a more common one, a short form, or used for the same kind of documents, is proposed to join it. The rest are
tags that join two others, and tags of a single document. A tag is in one proposal only, and it never loses its target
to another one.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations

from phrasemill.errors import UnknownName
from phrasemill.kernels import hashing
from phrasemill.select import form_of
from phrasemill.tags.library import Library
from phrasemill.tags.wordings import (
    TagStyle,
    american,
    folded,
    is_misspelt,
    is_short_form,
    joined,
    same_word,
    word_form,
)
from phrasemill.text.word_frequencies import word_frequencies

KINDS = {
    "case": "written with other capitals",
    "hyphen": "written with other separators",
    "plural": "singular and plural",
    "spelling": "another spelling",
    "form": "another form of the word",
    "abbreviation": "a short form",
    "meaning": "used for the same kind of documents",
    "split": "two tags in one",
    "once": "used once",
}
MERGES = [kind for kind in KINDS if kind not in ("split", "once")]
LEAST_TYPED = 8  # letters of a tag that is a slip even if its documents have nothing in common with the right one
SAME_END = 2  # letters at the end of a slip that has the stem of the right spelling
LEAST_NEAR = 0.05  # the cosine from which initials are taken for a short form where no text defines it
RARER = 3  # a slip is used by so many times fewer documents than the right spelling, or by one
LEAST_ALIKE = 0.6  # the cosine of keyphrases from which two tags mean the same
LEAST_SHARED = 3  # keyphrases that such tags share
LEAST_USED = 3  # documents of each
MOST_TOGETHER = 0.34  # of the documents of the rarer tag that have both
MOST_TAGS = 200  # of a keyphrase that says something about its tags
JOINTS = (" & ", " and ", " + ", "/", ", ", "; ", " und ", " et ")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to replace the tag `old` with `new`: another tag, several, or none. `documents` is the number of
    documents that have it.
    """

    kind: str
    old: str
    new: tuple[str, ...]
    documents: int
    why: str

    @property
    def key(self) -> str:
        """The name by which a refused proposal is remembered."""
        return f"{self.old}\t{'+'.join(self.new)}"

    def record(self) -> dict[str, object]:
        """Return the proposal as a dictionary for JSON."""
        return asdict(self)


def proposals(library: Library, *, kinds: Iterable[str] | None = None) -> list[Proposal]:
    """Return the proposals in order of their kind, then of how many documents they concern."""
    wanted = list(KINDS) if kinds is None else list(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise UnknownName("kind of proposal", kind, KINDS)
    found = [one for one in _Search(library).run() if one.kind in wanted]
    order = list(KINDS)
    return sorted(found, key=lambda one: (order.index(one.kind), -one.documents, one.old))


class _Search:
    def __init__(self, library: Library) -> None:
        self._library = library
        self._counts = library.counts()
        self._old: dict[str, tuple[str, ...]] = {}  # tags that go, and what they become
        self._vectors: dict[str, dict[str, float]] = {}
        self._targets: set[str] = set()  # tags that stay because others join them

    def run(self) -> Iterator[Proposal]:
        for find in (self._spellings, self._slips, self._forms, self._short_forms, self._meanings, self._joints):
            for found in find():
                if self._is_taken(found.old) or any(one in self._old for one in found.new):
                    continue
                if found.key in self._library.refused:
                    continue
                self._old[found.old] = found.new
                self._targets.update(found.new)
                yield found
        wanted = {key.partition("\t")[0] for key in self._library.refused}  # who refuses a merge wants the tag
        for tag, count in self._counts.items():
            if count <= 1 and not self._is_taken(tag) and tag not in wanted:
                yield self._proposal("once", tag, (), "used once" if count else "never used")

    def _proposal(self, kind: str, old: str, new: tuple[str, ...], why: str) -> Proposal:
        return Proposal(kind, old, new, self._counts[old], why)

    def _is_taken(self, tag: str) -> bool:
        return tag in self._old or tag in self._targets

    def _left(self) -> list[str]:
        return [tag for tag in self._counts if tag not in self._old]

    def _spellings(self) -> Iterator[Proposal]:
        """Find tags that are one word: by case, separators, number, or British and American endings."""
        groups: dict[str, list[str]] = defaultdict(list)
        for tag in self._counts:
            groups[american(tag).replace(" ", "")].append(tag)
        separator = TagStyle.of(self._counts).separator
        for group in groups.values():
            target = min(group, key=lambda tag: (-self._counts[tag], not tag.islower(), separator not in tag, tag))
            for tag in group:
                if tag != target:
                    kind = same_word(tag, target) or "spelling"
                    yield self._proposal(kind, tag, (target,), KINDS[kind])

    def _forms(self) -> Iterator[Proposal]:
        """Find tags that differ by -ing alone."""
        groups: dict[str, list[str]] = defaultdict(list)
        for tag in self._left():
            groups[word_form(tag)].append(tag)
        for group in groups.values():
            target = min(group, key=lambda tag: (-self._counts[tag], len(tag), tag))
            yield from (self._proposal("form", tag, (target,), KINDS["form"]) for tag in group if tag != target)

    def _slips(self) -> Iterator[Proposal]:
        """Find tags that are misspelt: close to a more common one, and not words of the language themselves."""
        by_start: dict[str, list[str]] = defaultdict(list)
        for tag in self._left():
            by_start[joined(tag)[:2]].append(tag)
            by_start[joined(tag)[:1] + joined(tag)[2:3]].append(tag)
        for tag in reversed(self._left()):
            near = {*by_start[joined(tag)[:2]], *by_start[joined(tag)[:1] + joined(tag)[2:3]]} - {tag}
            common = [other for other in near if self._is_slip(tag, other)]
            if common:
                target = min(common, key=lambda one: (-self._counts[one], one))
                yield self._proposal("spelling", tag, (target,), KINDS["spelling"])

    def _is_slip(self, tag: str, other: str) -> bool:
        if not (self._is_rarer(tag, other) and is_misspelt(tag, other)):
            return False
        # The list of words has stems: `bakeing`, as `baking`, has that of `bake`. Two inflections end differently.
        if _stemmed(tag) == _stemmed(other):
            return tag[-SAME_END:] == other[-SAME_END:]
        return not _all_words(tag) and (len(joined(tag)) >= LEAST_TYPED or self._alike(tag, other) > 0)

    def _is_rarer(self, tag: str, other: str) -> bool:
        mine, others = self._counts[tag], self._counts[other]
        return mine * RARER <= others or (mine <= 1 and (others > mine or _all_words(other)))

    def _short_forms(self) -> Iterator[Proposal]:
        """Find short forms by the definitions in the texts, else by initials; of several long forms the closest."""
        defined = {folded(short): long for short, long in self._library.abbreviations.items()}
        left = self._left()
        spelt: dict[str, list[str]] = defaultdict(list)
        for tag in left:
            spelt[american(tag)].append(tag)
        by_initial: dict[str, list[str]] = defaultdict(list)
        for tag in left:
            if " " in folded(tag):
                by_initial[folded(tag)[0]].append(tag)
        for short in left:
            if not folded(short):
                continue
            meant = defined.get(folded(short), "")
            longs = [tag for tag in by_initial[folded(short)[0]] if is_short_form(short, tag)]
            stated = [tag for tag in spelt.get(american(meant), ()) if meant and tag != short]
            chosen = stated[0] if stated else max(longs, key=lambda tag: self._alike(short, tag), default="")
            if stated or (chosen and self._alike(short, chosen) >= LEAST_NEAR):
                why = f"{short} stands for {meant} in the documents" if stated else f"{short} may stand for {chosen}"
                old, new = (short, chosen) if self._counts[short] <= self._counts[chosen] else (chosen, short)
                yield self._proposal("abbreviation", old, (new,), why)

    def _meanings(self) -> Iterator[Proposal]:
        """Find pairs of tags whose documents have the same keyphrases, but that are seldom used together."""
        used = [tag for tag in self._left() if self._counts[tag] >= LEAST_USED]
        holders: dict[str, list[str]] = defaultdict(list)
        for tag in used:
            for form in self._weights(tag):
                holders[form].append(tag)
        shared: Counter[tuple[str, str]] = Counter()
        for tags in holders.values():
            if 1 < len(tags) <= MOST_TAGS:
                shared.update(combinations(sorted(tags), 2))
        scored = []
        for (a, b), count in shared.items():
            together = self._library.documents_of(a) & self._library.documents_of(b)
            if count >= LEAST_SHARED and len(together) <= MOST_TOGETHER * min(self._counts[a], self._counts[b]):
                alike = self._alike(a, b)
                if alike >= LEAST_ALIKE:
                    scored.append((alike, a, b))
        for _, a, b in sorted(scored, reverse=True):
            old, new = (a, b) if (self._counts[a], b) < (self._counts[b], a) else (b, a)
            common = (self._library.profile(a) & self._library.profile(b)).most_common(3)
            words = ", ".join(self._library.wordings[form] for form, _ in common)
            yield self._proposal("meaning", old, (new,), f"both used for {words}")

    def _alike(self, a: str, b: str) -> float:
        """Return the cosine of the keyphrases of two tags, rare ones counting more."""
        one, other = self._weights(a), self._weights(b)
        if len(one) > len(other):
            one, other = other, one
        return sum([weight * other[form] for form, weight in one.items() if form in other])

    def _weights(self, tag: str) -> dict[str, float]:
        """Return the keyphrases of a tag's documents as a vector of length 1."""
        if tag not in self._vectors:
            whole = {form: count * self._rarity(form) for form, count in self._library.profile(tag).items()}
            length = math.sqrt(sum([weight * weight for weight in whole.values()])) or 1.0
            self._vectors[tag] = {form: weight / length for form, weight in whole.items()}
        return self._vectors[tag]

    def _rarity(self, form: str) -> float:
        return math.log((len(self._library) + 1) / (self._library.support(form) + 0.5))

    def _joints(self) -> Iterator[Proposal]:
        """Find tags that are two others with something between them."""
        spelt = {american(tag): tag for tag in reversed(self._counts)}
        for tag in self._left():
            for joint in JOINTS:
                known = [spelt.get(american(part), "") for part in tag.split(joint)]
                parts = [self._old.get(part, (part,))[0] for part in known]
                if len(parts) > 1 and all(parts) and tag not in parts and len(set(parts)) == len(parts):
                    yield self._proposal("split", tag, tuple(parts), f"{' and '.join(parts)} are tags already")
                    break


@lru_cache(maxsize=100_000)
def _stemmed(tag: str) -> str:
    return " ".join(map(form_of, folded(tag).split()))


@lru_cache(maxsize=100_000)
def _all_words(tag: str) -> bool:
    """Return whether every word of a tag has its stem in the list of English words."""
    table = word_frequencies("en")
    keys: array[int] = hashing.stem_hashes(_stemmed(tag).split())
    places: Sequence[int] = hashing.find(keys, table.fingerprints)
    return all(place >= 0 for place in places)
