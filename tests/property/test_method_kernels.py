"""The kernels of the extractors equal naive code written out."""

import math
import re
import statistics
from array import array
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, combinations, groupby, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from phrasemill.kernels import clusters, graph, lda, rake, spans, topics, yake
from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD

# A vocabulary of eight: two stopwords, four other words, a comma, a number.
KINDS = [WORD | STOPWORD, WORD | STOPWORD, WORD, WORD, WORD, WORD, 0, NUMBER]
STOP, WORDS = 2, len(KINDS)
repeatable = settings(deadline=None, derandomize=True)


def integers(values: object) -> "array[int]":
    return array("i", values)


def real(values: object) -> "array[float]":
    return array("d", values)


@st.composite
def texts(draw) -> tuple["array[int]", "array[int]", "array[int]"]:
    """`word`, `kind` and `sentences` as an analysis has them; now and then empty, one token, or stopwords alone."""
    vocabulary = draw(st.sampled_from([range(WORDS), range(STOP), range(STOP, WORDS)]))
    word = draw(st.lists(st.sampled_from(vocabulary), max_size=40))
    cases = st.sampled_from([0, 0, CAPITAL, CAPITAL | UPPER])
    kind = [KINDS[w] | (draw(cases) if KINDS[w] & WORD else 0) for w in word]
    inner = draw(st.sets(st.integers(1, max(len(word) - 1, 1)), max_size=6)) if len(word) > 1 else set()
    return integers(word), array("B", kind), integers([*sorted(inner), len(word)] if word else [])


def by_sentence(sentences: "array[int]") -> list[range]:
    return [range(a, b) for a, b in pairwise([0, *sentences])]


@st.composite
def places(draw) -> tuple["array[int]", "array[int]", "array[int]"]:
    """Candidates without overlaps, as `types.Candidates` has them: `first`, `start` and `end`."""
    drawn = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 3)), max_size=25))
    found: dict[int, list[tuple[int, int]]] = {}
    position = 0
    for form, gap, length in drawn:
        found.setdefault(form, []).append((position + gap, position + gap + length))
        position += gap + length
    first = [0]
    for group in found.values():
        first.append(first[-1] + len(group))
    bounds = [place for group in found.values() for place in group]
    return integers(first), integers([a for a, _ in bounds]), integers([b for _, b in bounds])


@st.composite
def places_with_topics(draw) -> tuple["array[int]", ...]:
    """The same, with a topic for each candidate, numbered by first candidate."""
    columns = draw(places())
    numbers: dict[int, int] = {}
    labels = [draw(st.integers(0, 3)) for _ in range(len(columns[0]) - 1)]
    return *columns, integers([numbers.setdefault(label, len(numbers)) for label in labels])


# Topics.

Partition = frozenset[frozenset[int]]
# No average of a few Jaccard similarities equals one of these, so that nothing depends on rounding.
limits = st.sampled_from([0.1003, 0.2603, 0.5003, 0.9003])
stem_sets = st.frozensets(st.integers(0, 11), min_size=1, max_size=8)


def jaccard(a: frozenset[int], b: frozenset[int]) -> Fraction:
    return Fraction(len(a & b), len(a | b))


def reachable(stems: list[frozenset[int]], least: float) -> set[Partition]:
    """Where average linkage can end: where several pairs are equally close, any of them may be merged first."""
    ends: set[Partition] = set()
    todo: set[Partition] = {frozenset(frozenset([i]) for i in range(len(stems)))}
    while todo:
        partition = todo.pop()
        similar = {
            (a, b): sum(jaccard(stems[i], stems[j]) for i in a for j in b) / (len(a) * len(b))
            for a, b in combinations(partition, 2)
        }
        best = max(similar.values(), default=Fraction(-1))
        if best < least:
            ends.add(partition)
        else:
            todo |= {partition - {a, b} | {a | b} for (a, b), value in similar.items() if value == best}
    return ends


def partition_of(labels: "array[int]") -> Partition:
    return frozenset(frozenset(i for i, other in enumerate(labels) if other == label) for label in set(labels))


def columns_of(stems: Iterable[Iterable[int]]) -> tuple["array[int]", ...]:
    """A text that has candidates with these stems, one after the other, each at one place."""
    lists = [list(one) for one in stems]
    ends = list(accumulate(map(len, lists)))
    flat = integers([stem for one in lists for stem in one])
    return integers(range(len(lists) + 1)), integers([0, *ends][: len(lists)]), integers(ends), flat


@repeatable
@given(st.lists(stem_sets, max_size=6), limits)
def test_cluster_is_average_linkage(stems: list[frozenset[int]], least: float) -> None:
    columns = columns_of(stems)
    found = clusters.cluster(*columns, least)
    assert partition_of(found) in reachable(stems, least)


@repeatable
@given(st.lists(stem_sets, min_size=2, max_size=6), limits)
def test_cluster_is_what_scipy_finds(stems: list[frozenset[int]], least: float) -> None:
    assume(len(reachable(stems, least)) == 1)
    distances = [float(1 - jaccard(a, b)) for a, b in combinations(stems, 2)]
    expected = fcluster(linkage(distances, method="average"), 1 - least, criterion="distance")
    assert partition_of(clusters.cluster(*columns_of(stems), least)) == partition_of(expected.tolist())


@repeatable
@given(st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=4).map(tuple), max_size=60), st.floats(0.01, 1))
def test_cluster_of_many(lists: list[tuple[int, ...]], least: float) -> None:
    columns = columns_of(lists)
    found = clusters.cluster(*columns, least)
    assert list(dict.fromkeys(found)) == list(range(len(set(found)))), "numbered by first candidate"
    sets = [frozenset(one) for one in lists]
    same = {(i, j) for i, j in combinations(range(len(sets)), 2) if sets[i] == sets[j]}
    assert all(found[i] == found[j] for i, j in same)
    for a, b in combinations(partition_of(found), 2):
        alike = sum(jaccard(sets[i], sets[j]) for i in a for j in b) / (len(a) * len(b))
        assert alike < least + 1e-9, "no two topics could still be merged"


def naive_nearness(
    first: "array[int]", start: "array[int]", end: "array[int]", a: int, b: int, widest: int = 1000
) -> float:
    total = 0.0
    for i in range(first[a], first[a + 1]):
        for j in range(first[b], first[b + 1]):
            earlier, later = sorted([(start[i], end[i]), (start[j], end[j])])
            if i != j and later[0] - earlier[0] <= widest:
                total += 1 / (later[0] - (earlier[1] - 1))
    return total


def near(columns: tuple["array[int]", ...], widest: int = 1000, used: int = 0) -> "array[float]":
    """The matrix of `nearness`, in room for `used` numbers that was used before."""
    room = real([-1.0] * used)
    topics.nearness(*columns, widest, room)
    return room


@repeatable
@given(places_with_topics(), st.integers(0, 50), st.integers(0, 9))
def test_nearness(columns: tuple["array[int]", ...], widest: int, used: int) -> None:
    first, start, end, topic = columns
    matrix = near(columns, widest, used)
    naive = [
        0.0 if topic[a] == topic[b] else naive_nearness(first, start, end, a, b, widest)
        for a in range(len(topic))
        for b in range(len(topic))
    ]
    assert list(matrix[: len(naive)]) == pytest.approx(naive)


@repeatable
@given(places(), st.floats(0, 5))
def test_factors(columns: tuple["array[int]", ...], alpha: float) -> None:
    first, start, _ = columns
    found = topics.factors(first, start, alpha)
    assert list(found) == [alpha * math.exp(1 / (1 + start[o])) for o in first[:-1]]


@repeatable
@given(places(), st.sets(st.integers(0, 5)))
def test_within(columns: tuple["array[int]", ...], chosen: set[int]) -> None:
    members = integers(sorted(chosen & set(range(len(columns[0]) - 1))))
    own = topics.within(*columns, members)
    assert list(own) == pytest.approx([naive_nearness(*columns, a, b) for a in members for b in members])


@repeatable
@given(places_with_topics())
def test_merged(columns: tuple["array[int]", ...]) -> None:
    topic = columns[-1]
    count = max(topic, default=-1) + 1
    matrix = near(columns)
    together = topics.merged(matrix, topic, count)
    member = np.array([[t == one for one in range(count)] for t in topic], dtype=float).reshape(len(topic), count)
    naive = member.T @ np.asarray(matrix).reshape(len(topic), len(topic)) @ member
    assert list(together) == pytest.approx(naive.ravel().tolist())


@repeatable
@given(places_with_topics(), st.lists(st.floats(0, 5), min_size=6, max_size=6))
def test_boost(columns: tuple["array[int]", ...], factors: list[float]) -> None:
    topic = columns[-1]
    count = len(topic)
    factor = real(factors[:count])
    matrix = near(columns)
    weights = matrix[:]
    topics.boost(weights, topic, factor)
    w = np.asarray(matrix).reshape(count, count)
    naive = w.copy()
    for j in range(count):
        mates = [k for k in range(count) if topic[k] == topic[j]]
        if j == mates[0]:
            for i in range(count):
                naive[i, j] = w[i, j] + factor[i] * sum(w[k, i] for k in mates if k != j)
    assert list(weights) == pytest.approx(naive.ravel().tolist())


@repeatable
@given(st.integers(0, 6), st.floats(0, 0.95), st.data())
def test_random_walk_over_a_matrix(count: int, damping: float, data: st.DataObject) -> None:
    weight = st.one_of(st.just(0.0), st.floats(0.01, 10))
    matrix = real(data.draw(st.lists(weight, min_size=count * count, max_size=count * count)))
    ranks = topics.random_walk(matrix, count, damping, 1e-12, 2000)
    if count:
        # Its defining equation: each row of weights becomes a distribution, an empty row leads anywhere.
        w = np.asarray(matrix).reshape(count, count)
        total = w.sum(axis=1, keepdims=True)
        moves = np.where(total > 0, w / np.where(total > 0, total, 1), 1 / count)
        assert sum(ranks) == pytest.approx(1)
        assert list(ranks) == pytest.approx(((1 - damping) / count + damping * np.asarray(ranks) @ moves).tolist())


# YAKE.


def beside(text: tuple["array[int]", ...], window: int) -> list[tuple[int, int, int]]:
    """(left word, right word, distance) of all pairs up to `window` apart with nothing but words between them."""
    word, kind, sentences = text
    return [
        (word[j], word[i], i - j)
        for sentence in by_sentence(sentences)
        for i in sentence
        for j in range(max(i - window, sentence.start), i)
        if all(kind[k] & WORD for k in range(j, i + 1))
    ]


@repeatable
@given(texts(), st.integers(1, 4))
def test_yake_neighbours(text: tuple["array[int]", ...], window: int) -> None:
    left, right, left_kinds, right_kinds, keys, pairs = yake.neighbours(*text, WORDS, window)
    naive = beside(text, window)
    for w in range(WORDS):
        on_the_left, on_the_right = [a for a, b, _ in naive if b == w], [b for a, b, _ in naive if a == w]
        assert (left[w], left_kinds[w]) == (len(on_the_left), len(set(on_the_left)))
        assert (right[w], right_kinds[w]) == (len(on_the_right), len(set(on_the_right)))
    table = {((key - 1) >> 31, (key - 1) & 0x7FFFFFFF): n for key, n in zip(keys, pairs, strict=True) if key}
    assert {pair: n for pair, n in table.items() if n} == Counter((a, b) for a, b, gap in naive if gap == 1)


@repeatable
@given(texts())
def test_yake_occurrences(text: tuple["array[int]", ...]) -> None:
    word, kind, sentences = text
    counts, uppers, capitals, spread, medians, content = yake.occurrences(*text, WORDS)
    opening = {sentence.start for sentence in by_sentence(sentences)}
    for w in range(WORDS):
        at = [i for i in range(len(word)) if word[i] == w and kind[i] & WORD]
        within = [s for s, sentence in enumerate(by_sentence(sentences)) if set(at) & set(sentence)]
        assert counts[w] == len(at)
        assert uppers[w] == sum(bool(kind[i] & UPPER) for i in at)
        assert capitals[w] == sum(kind[i] & (CAPITAL | UPPER) == CAPITAL and i not in opening for i in at)
        assert spread[w] == len(within)
        assert content[w] == any(not kind[i] & STOPWORD for i in at)
        assert medians[w] == (statistics.median(within) if within else 0)


def naive_weight(text: tuple["array[int]", ...], window: int, w: int) -> float:
    """S(t) for the word `w`, from the paper's five features; casing is over 1 + ln TF, as in the authors' code."""
    word, kind, sentences = text
    tokens = [(s, i) for s, sentence in enumerate(by_sentence(sentences)) for i in sentence if kind[i] & WORD]
    frequencies = Counter(word[i] for _, i in tokens)
    content = [n for one, n in frequencies.items() if one >= STOP]
    opening = {sentence.start for sentence in by_sentence(sentences)}
    mine = [i for _, i in tokens if word[i] == w]
    acronyms = sum(1 for i in mine if kind[i] & UPPER)
    capitals = sum(1 for i in mine if kind[i] & CAPITAL and not kind[i] & UPPER and i not in opening)
    casing = max(acronyms, capitals) / (1 + math.log(len(mine)))
    position = math.log(math.log(3 + statistics.median({s for s, i in tokens if word[i] == w})))
    frequency = len(mine) / (statistics.mean(content) + statistics.pstdev(content))
    sides = [[a for a, b, _ in beside(text, window) if b == w], [b for a, b, _ in beside(text, window) if a == w]]
    dispersion = sum(len(set(side)) / len(side) for side in sides if side)
    relatedness = 1 + dispersion * len(mine) / max(frequencies.values())
    different = len({s for s, i in tokens if word[i] == w}) / len(sentences)
    return relatedness * position / (casing + frequency / relatedness + different / relatedness)


def yake_weights(text: tuple["array[int]", ...], window: int) -> "array[float]":
    *seen, content = yake.occurrences(*text, WORDS)
    sides = yake.neighbours(*text, WORDS, window)[:4]
    return yake.weights(*seen, *sides, content, len(text[2]))


@repeatable
@given(texts(), st.integers(1, 3))
def test_yake_weights(text: tuple["array[int]", ...], window: int) -> None:
    word = text[0]
    weights = yake_weights(text, window)
    some = any(STOP <= w < 6 for w in word)
    naive = [naive_weight(text, window, w) if some and w in word and w < 6 else 0.0 for w in range(WORDS)]
    assert list(weights) == pytest.approx(naive, rel=1e-9)


@repeatable
@given(texts(), st.integers(1, 2))
def test_yake_scores(text: tuple["array[int]", ...], window: int) -> None:
    word, kind, sentences = text
    # At most three words, hence one stopword inside, as in the paper.
    columns = spans.group(word, *spans.ngrams(kind, sentences, 3, True, False))
    first, start, end = columns
    weights = yake_weights(text, window)
    counts = yake.occurrences(*text, WORDS)[0]
    *_, keys, pairs = yake.neighbours(*text, WORDS, window)
    found = yake.scores(*columns, word, kind, counts, weights, keys, pairs)
    follows = Counter((a, b) for a, b, gap in beside(text, 1) if gap == 1)
    for c in range(len(first) - 1):
        members = word[start[first[c]] : end[first[c]]]
        product, total = 1.0, 0.0
        for at, w in enumerate(members):
            if w < STOP:
                # The authors divide by the count of the neighbour on either side (LIAAD/yake, `update_h`).
                before, after = members[at - 1], members[at + 1]
                firm = follows[before, w] / counts[before] * follows[w, after] / counts[after]
                product, total = product * (2 - firm), total - (1 - firm)
            else:
                product, total = product * weights[w], total + weights[w]
        worse = product / ((first[c + 1] - first[c]) * (1 + total))
        assert found[c] == pytest.approx(1 / (1 + worse))
        assert 0 < found[c] < 1


# RAKE.


def is_content(kind: int) -> bool:
    return kind & (WORD | STOPWORD) == WORD


@repeatable
@given(texts())
def test_rake_runs(text: tuple["array[int]", ...]) -> None:
    word, kind, sentences = text
    found = rake.runs(kind, sentences)
    node = integers([w if is_content(k) else -1 for w, k in zip(word, kind, strict=True)])
    assert found == graph.runs(node, b"\1" * WORDS, sentences)


@repeatable
@given(texts())
def test_rake_sums(text: tuple["array[int]", ...]) -> None:
    word, kind, sentences = text
    runs = rake.runs(kind, sentences)
    columns = spans.group(word, *rake.adjoining(kind, *runs, sentences))
    scores = rake.word_scores(word, *runs, WORDS)
    found = rake.sums(*columns, word, kind, scores)
    first, start, end = columns
    for c, total in enumerate(found):
        tokens = range(start[first[c]], end[first[c]])
        assert total == pytest.approx(sum(scores[word[i]] for i in tokens if is_content(kind[i])))


@repeatable
@given(texts())
def test_rake_word_scores(text: tuple["array[int]", ...]) -> None:
    word, kind, sentences = text
    runs = rake.runs(kind, sentences)
    found = rake.word_scores(word, *runs, WORDS)
    degree, frequency = Counter(), Counter()
    for a, b in zip(*runs, strict=True):
        for w in word[a:b]:
            degree[w] += b - a
            frequency[w] += 1
    assert list(found) == pytest.approx([degree[w] / frequency[w] if frequency[w] else 0 for w in range(WORDS)])


@repeatable
@given(texts())
def test_rake_adjoining(text: tuple["array[int]", ...]) -> None:
    _, kind, sentences = text
    # Sentences end with a comma here, so that no run adjoins one of the next sentence.
    kind = array("B", [0 if i + 1 in sentences else k for i, k in enumerate(kind)])
    runs = rake.runs(kind, sentences)
    found = rake.adjoining(kind, *runs, sentences)
    naive = [
        (a, d)
        for (a, b), (c, d) in pairwise(zip(*runs, strict=True))
        if 1 <= c - b <= 3 and all(k & STOPWORD for k in kind[b:c])
    ]
    assert list(zip(*found, strict=True)) == naive


@repeatable
@given(texts(), st.integers(0, 4))
def test_rake_merge(text: tuple["array[int]", ...], longest: int) -> None:
    word, kind, sentences = text
    runs = rake.runs(kind, sentences)
    more = rake.adjoining(kind, *runs, sentences)
    groups = spans.group(word, *more)
    found = rake.merge(*runs, *groups, longest)
    forms = Counter(tuple(word[a:b]) for a, b in zip(*more, strict=True))
    naive = [*zip(*runs, strict=True), *(m for m in zip(*more, strict=True) if forms[tuple(word[m[0] : m[1]])] > 1)]
    assert list(zip(*found, strict=True)) == sorted(m for m in naive if not longest or m[1] - m[0] <= longest)


# Topic models.

chances = st.one_of(st.just(0.0), st.floats(1e-7, 1))


@repeatable
@given(st.integers(1, 4), st.integers(0, 5), st.integers(0, 6), st.data())
def test_lda(topics_of: int, words: int, rounds: int, data: st.DataObject) -> None:
    size = topics_of * words
    probability = real(data.draw(st.lists(chances, min_size=size, max_size=size)))
    count = integers(data.draw(st.lists(st.integers(1, 9), min_size=words, max_size=words)))
    theta = lda.mixture(probability, count, topics_of, rounds)
    table = np.asarray(probability).reshape(words, topics_of)
    naive = np.full(topics_of, 1 / topics_of)
    for _ in range(rounds):
        joint = naive * table
        evidence = joint.sum(axis=1, keepdims=True)
        responsibility = np.divide(joint, evidence, out=np.zeros_like(joint), where=evidence > 0)
        expected = np.asarray(count) @ responsibility + 1 / topics_of
        naive = expected / expected.sum()
    assert list(theta) == pytest.approx(naive.tolist())
    assert sum(theta) == pytest.approx(1)
    fits = lda.fits(probability, theta)
    norms = np.linalg.norm(table, axis=1) * np.linalg.norm(theta)
    cosines = np.divide(table @ np.asarray(theta), norms, out=np.zeros(words), where=norms > 0)
    assert list(fits) == pytest.approx(cosines.tolist())


@repeatable
@given(st.lists(st.integers(-1, 4), max_size=30), st.data())
def test_words_of_a_topic_model(node: list[int], data: st.DataObject) -> None:
    nodes, topics_of = 5, 3
    stem = [one + 7 for one in node]
    rows = data.draw(st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=nodes, max_size=nodes))
    levels, meaning = bytes(range(3 * topics_of)), real([one / 10 for one in range(3 * topics_of)])
    stems, count = lda.counts(integers(node), integers(stem), nodes)
    assert list(count) == [node.count(one) for one in range(nodes)]
    assert [one for one, seen in zip(stems, count, strict=True) if seen] == sorted({one for one in stem if one > 6})
    known = [one for one in range(nodes) if rows[one] >= 0]
    found, seen = lda.gathered(levels, meaning, integers(rows), count, topics_of)
    assert list(found) == [meaning[rows[one] * topics_of + z] for one in known for z in range(topics_of)]
    assert list(seen) == [count[one] for one in known]
    values = lda.spread(real(range(1, len(known) + 1)), integers(rows))
    assert list(values) == [known.index(one) + 1 if one in known else 0 for one in range(nodes)]


@repeatable
@given(st.lists(st.integers(-1, 4), max_size=30))
def test_earliness(node: list[int]) -> None:
    expected = [sum(1 / place for place, one in enumerate(node, start=1) if one == wanted) for wanted in range(5)]
    assert list(graph.earliness(integers(node), 5)) == pytest.approx(expected)


@repeatable
@given(texts(), st.integers(1, 4), st.data())
def test_noun_phrases(text: tuple["array[int]", ...], longest: int, data: st.DataObject) -> None:
    word, _, sentences = text
    tag = array("B", data.draw(st.lists(st.integers(0, 3), min_size=len(word), max_size=len(word))))
    adjective, noun = bytes([0, 1, 0, 0]), bytes([0, 0, 1, 1])
    expected = []
    for inside in by_sentence(sentences):
        found = re.finditer(b"\x01*[\x02\x03]+", bytes(tag[inside.start : inside.stop]))
        expected += [(inside.start + one.start(), inside.start + one.end()) for one in found]
    start, end = spans.noun_phrases(tag, sentences, adjective, noun, longest)
    assert list(zip(start, end, strict=True)) == [(a, b) for a, b in expected if b - a <= longest]


# Word graphs and masks.

NOUNS = bytes([0, 1, 0, 1])  # of four tags, the second and fourth are wanted


@repeatable
@given(texts(), st.data())
def test_graph_words_runs_and_sums(text: tuple["array[int]", ...], data: st.DataObject) -> None:
    word, kind, sentences = text
    tag = array("B", data.draw(st.lists(st.integers(0, 3), min_size=len(word), max_size=len(word))))
    node, nodes = graph.words(word, kind, tag, NOUNS, WORDS)
    numbers: dict[int, int] = {}
    wanted = [k & WORD and not k & STOPWORD and NOUNS[t] for k, t in zip(kind, tag, strict=True)]
    naive = [numbers.setdefault(w, len(numbers)) if yes else -1 for w, yes in zip(word, wanted, strict=True)]
    assert (list(node), nodes) == (naive, len(numbers))

    kept = bytes(data.draw(st.lists(st.integers(0, 1), min_size=nodes, max_size=nodes)))
    runs = graph.runs(node, kept, sentences)
    bounds = []
    for sentence in by_sentence(sentences):
        for inside, run in groupby(sentence, key=lambda i: node[i] >= 0 and bool(kept[node[i]])):
            if inside:
                members = list(run)
                bounds.append((members[0], members[-1] + 1))
    assert list(zip(*runs, strict=True)) == bounds

    # N-grams hold stopwords and unwanted words too; those add nothing.
    columns = spans.group(word, *spans.ngrams(kind, sentences, 3, True, True))
    rank = real([1 / (v + 2) for v in range(nodes)])
    found = graph.sums(*columns, node, rank)
    first, start, end = columns
    heads = [first[c] for c in range(len(first) - 1)]
    expected = [sum(rank[node[i]] for i in range(start[o], end[o]) if node[i] >= 0) for o in heads]
    assert list(found) == pytest.approx(expected)


@repeatable
@given(texts(), st.data())
def test_mask(text: tuple["array[int]", ...], data: st.DataObject) -> None:
    _, kind, _ = text
    tag = array("B", data.draw(st.lists(st.integers(0, 3), min_size=len(kind), max_size=len(kind))))
    found = spans.mask(tag, kind, NOUNS)
    function = [bool(k & STOPWORD) and bool(NOUNS[t]) for k, t in zip(kind, tag, strict=True)]
    naive = [t if k & (WORD | NUMBER) and not f else 0 for k, t, f in zip(kind, tag, function, strict=True)]
    assert list(found) == naive


# The smallest inputs, by name: the strategies above reach them too, but need not.

NOTHING = integers([])


def test_empty_input() -> None:
    none, tags, origin = real([]), array("B"), integers([0])
    assert clusters.cluster(origin, NOTHING, NOTHING, NOTHING, 0.5) == NOTHING
    assert near((origin, NOTHING, NOTHING, NOTHING)) == none
    assert topics.within(origin, NOTHING, NOTHING, NOTHING) == none
    assert topics.merged(none, NOTHING, 0) == none
    assert topics.random_walk(none, 0, 0.85, 1e-4, 10) == none
    assert yake.occurrences(NOTHING, tags, NOTHING, 0)[0] == NOTHING
    assert yake.neighbours(NOTHING, tags, NOTHING, 0, 1)[0] == NOTHING
    assert rake.adjoining(tags, NOTHING, NOTHING, NOTHING) == (NOTHING, NOTHING)
    assert rake.word_scores(NOTHING, NOTHING, NOTHING, 0) == none
    assert lda.mixture(none, NOTHING, 2, 15) == real([0.5, 0.5])
    assert lda.fits(none, real([0.5, 0.5])) == none
    assert graph.words(NOTHING, tags, tags, NOUNS, 0) == (NOTHING, 0)
    assert graph.runs(NOTHING, b"", NOTHING) == (NOTHING, NOTHING)
    assert spans.mask(tags, tags, NOUNS) == tags


@pytest.mark.parametrize("kind", [WORD, WORD | STOPWORD, NUMBER, 0])
def test_one_token(kind: int) -> None:
    word, kinds, sentences = integers([0]), array("B", [kind]), integers([1])
    runs = [(0, 1)] if kind == WORD else []
    assert list(zip(*rake.runs(kinds, sentences), strict=True)) == runs
    assert yake.neighbours(word, kinds, sentences, 1, 5)[:4] == (integers([0]),) * 4
    counts, *_, medians, _ = yake.occurrences(word, kinds, sentences, 1)
    assert (list(counts), list(medians)) == ([kind & WORD], [0])
    assert graph.words(word, kinds, array("B", [1]), NOUNS, 1) == (integers([0 if runs else -1]), len(runs))
    # With one word alone TF, mean TF, relatedness and spread are 1 and the deviation 0: S = ln ln 3 / 2.
    weight = yake.weights(
        *yake.occurrences(word, kinds, sentences, 1)[:5], *[integers([0])] * 4, bytes([kind == WORD]), 1
    )
    assert list(weight) == pytest.approx([math.log(math.log(3)) / 2 if runs else 0])
