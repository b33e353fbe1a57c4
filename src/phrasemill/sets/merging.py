"""The automatic merging and reranking of Shapira et al. (2021), sections 3 and 4, as pure functions.

A word scores the share of the set's documents that it occurs in (averaged with its share of the reference summaries,
where there are any), a phrase the mean over its words. Lists of phrases become one list without duplicates and without
phrases that no document holds, best first. Of two phrases of which one holds all words of the other, in any order, the
longer stays; of two with the same words, the one that is earlier in the list.

Words are stems throughout, and a phrase's form is its stems, joined by spaces. The paper leaves open which of several
wordings of one form stays (here the first), and how ties are broken (here by order of arrival). With the lists that
the authors publish for single documents these rules give about 90 % of the phrases in the lists that they publish for
sets; theirs sometimes keep a phrase beside a longer one.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from phrasemill.selection import form_of
from phrasemill.text.analyse import analyse


class Merged(NamedTuple):
    """A phrase of the merged list: its wording, its stemmed form and its score."""

    text: str
    form: str
    score: float


def stem_text(text: str, language: str = "en") -> list[str]:
    """The stems of a text, in order, punctuation included."""
    analysis = analyse(text, language=language, tag=False)
    return [analysis.stems[stem] for stem in analysis.stem]


def document_frequencies(documents: Iterable[AbstractSet[str]]) -> dict[str, float]:
    """For each word the share of `documents`, each a set of words, that hold it."""
    counts: dict[str, int] = {}
    total = 0
    for words in documents:
        total += 1
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return {word: count / total for word, count in counts.items()}


def word_scores(documents: Iterable[AbstractSet[str]], summaries: Iterable[AbstractSet[str]] = ()) -> dict[str, float]:
    """Each word's document frequency, averaged with that over `summaries` where there are any."""
    scores = document_frequencies(documents)
    summed = document_frequencies(summaries)
    if not summed:
        return scores
    return {word: (score + summed.get(word, 0.0)) / 2 for word, score in scores.items()}


def phrase_score(form: str, scores: Mapping[str, float]) -> float:
    """The mean score of the words of `form`; words that no document holds count 0."""
    words = form.split()
    return sum([scores.get(word, 0.0) for word in words]) / len(words) if words else 0.0


def first_wordings(lists: Iterable[Iterable[str]], language: str = "en") -> dict[str, str]:
    """The distinct forms of the phrases in `lists`, each with the wording that came first."""
    wordings: dict[str, str] = {}
    for phrases in lists:
        for phrase in phrases:
            form = form_of(phrase, language)
            if form:
                wordings.setdefault(form, phrase)
    return wordings


def occurring(forms: Iterable[str], documents: Sequence[Sequence[str]]) -> list[str]:
    """Those of `forms` whose stems stand in a row in at least one of `documents`, each a list of stems."""
    texts = [f" {' '.join(document)} " for document in documents]
    return [form for form in forms if any(f" {form} " in text for text in texts)]


def drop_contained(forms: Sequence[str]) -> list[str]:
    """`forms` without those whose words another has all of: the longer stays, of equals the earlier."""
    bags = [frozenset(form.split()) for form in forms]
    lengths = [len(form.split()) for form in forms]
    holders: dict[str, list[int]] = {}
    for i, bag in enumerate(bags):
        for word in bag:
            holders.setdefault(word, []).append(i)
    return [form for i, form in enumerate(forms) if not _held(i, bags, lengths, holders)]


def _held(i: int, bags: list[frozenset[str]], lengths: list[int], holders: dict[str, list[int]]) -> bool:
    bag, length = bags[i], lengths[i]
    rarest = min((holders[word] for word in bag), key=len, default=[])
    return any(j != i and bag <= bags[j] and (lengths[j] > length or (lengths[j] == length and j < i)) for j in rarest)


def merge_lists(
    lists: Iterable[Iterable[str]],
    documents: Sequence[str],
    *,
    summaries: Sequence[str] = (),
    language: str = "en",
) -> list[Merged]:
    """One ranked list out of the phrase lists of several documents; `documents` and `summaries` are texts."""
    texts = [stem_text(document, language) for document in documents]
    scores = word_scores(map(set, texts), [set(stem_text(summary, language)) for summary in summaries])
    wordings = first_wordings(lists, language)
    return [Merged(wordings[form], form, score) for form, score in rerank(occurring(wordings, texts), scores)]


def rerank(forms: Iterable[str], scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Distinct `forms` by score, best first, without those contained in others."""
    scored = {form: phrase_score(form, scores) for form in forms}
    ranked = sorted(scored, key=lambda form: -scored[form])
    return [(form, scored[form]) for form in drop_contained(ranked)]
