"""The kernels of the unsupervised methods equal naive code written out."""

import math
import os
import random
import re
import statistics
import subprocess
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from phrasemill.candidates import ngrams
from phrasemill.kernels import graph as kernel
from phrasemill.kernels import spans, topics, yake
from phrasemill.methods.rake import Rake
from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD, Analysis, Candidates

# A vocabulary of eight: two stopwords, four other words, a comma, a number.
KINDS = [WORD | STOPWORD, WORD | STOPWORD, WORD, WORD, WORD, WORD, 0, NUMBER]
STOP, CONTENT, WORDS = 2, 6, len(KINDS)
TAGS = ("", "NN", "VB", "JJ")
NOUNS = bytes([0, 1, 0, 1]) + bytes(252)  # of the four tags, the second and fourth are wanted
TOLERANCE, MOST_ROUNDS = 0.0001, 100  # kernels/graph.pxd
repeatable = settings(deadline=None, derandomize=True)


def integers(values: Iterable[int]) -> "array[int]":
    return array("i", values)


def analysis_of(
    word: Sequence[int], kind: Sequence[int] = (), ends: Sequence[int] = (), tag: Sequence[int] = ()
) -> Analysis:
    """Words that are their own stems; by default ordinary ones, in one sentence, and without tags."""
    count, every = len(word), max(word, default=-1) + 1
    return Analysis(
        text="x " * count,
        language="en",
        start=integers(range(0, 2 * count, 2)),
        end=integers(range(1, 2 * count, 2)),
        kind=array("B", kind or [WORD] * count),
        tag=array("B", tag or [0] * count),
        word=integers(word),
        stem=integers(word),
        sentences=integers(ends or ([count] if count else [])),
        words=[f"w{one}" for one in range(every)],
        stems=[f"w{one}" for one in range(every)],
        tagset=TAGS,
    )


@st.composite
def texts(draw) -> Analysis:
    """A text of the vocabulary; now and then empty, one token, or stopwords alone."""
    vocabulary = draw(st.sampled_from([range(WORDS), range(STOP), range(STOP, WORDS)]))
    word = draw(st.lists(st.sampled_from(vocabulary), max_size=40))
    cases = st.sampled_from([0, 0, CAPITAL, CAPITAL | UPPER])
    kind = [KINDS[w] | (draw(cases) if KINDS[w] & WORD else 0) for w in word]
    inner = draw(st.sets(st.integers(1, max(len(word) - 1, 1)), max_size=6)) if len(word) > 1 else set()
    tag = draw(st.lists(st.integers(0, 3), min_size=len(word), max_size=len(word)))
    return analysis_of(word, kind, [*sorted(inner), len(word)] if word else [], tag)


def by_sentence(text: Analysis) -> list[range]:
    return [range(a, b) for a, b in pairwise([0, *text.sentences])]


def is_content(kind: int) -> bool:
    return kind & (WORD | STOPWORD) == WORD


def naive_runs(text: Analysis, wanted: Sequence[object]) -> list[tuple[int, int]]:
    found = []
    for sentence in by_sentence(text):
        for inside, run in groupby(sentence, key=lambda i: bool(wanted[i])):
            if inside:
                members = list(run)
                found.append((members[0], members[-1] + 1))
    return found


def naive_walk(weights: np.ndarray, damping: float, jump: np.ndarray) -> list[float]:
    """Steps along rows of `weights`, which become distributions; an empty row leads where jumps do."""
    count = len(weights)
    total = weights.sum(axis=1, keepdims=True)
    moves = np.where(total > 0, weights / np.where(total > 0, total, 1), jump)
    rank = np.full(count, 1 / count)
    for _ in range(MOST_ROUNDS):
        following = (1 - damping) * jump + damping * rank @ moves
        change, rank = np.abs(following - rank).sum(), following
        if change < TOLERANCE:
            break
    return rank.tolist()


# Topics: clusters, nearness and walks.

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


def partition_of(labels: Sequence[int]) -> Partition:
    return frozenset(frozenset(i for i, other in enumerate(labels) if other == label) for label in set(labels))


def clustered(stems: Iterable[Iterable[int]], least: float) -> "array[int]":
    """The topics of candidates that have these stems and stand one after the other, each at one place."""
    lists = [list(one) for one in stems]
    ends = list(accumulate(map(len, lists)))
    text = analysis_of([stem for one in lists for stem in one])
    columns = integers(range(len(lists) + 1)), integers([0, *ends][: len(lists)]), integers(ends)
    return topics.cluster(Candidates(text, *columns).view, least)


@repeatable
@given(st.lists(stem_sets, max_size=6), limits)
def test_cluster_is_average_linkage(stems: list[frozenset[int]], least: float) -> None:
    ends = reachable(stems, least)
    found = partition_of(clustered(stems, least))
    assert found in ends
    if len(stems) > 1 and len(ends) == 1:
        distances = [float(1 - jaccard(a, b)) for a, b in combinations(stems, 2)]
        expected = fcluster(linkage(distances, method="average"), 1 - least, criterion="distance")
        assert found == partition_of(expected.tolist())


@repeatable
@given(st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=4).map(tuple), max_size=60), st.floats(0.01, 1))
def test_cluster_of_many(lists: list[tuple[int, ...]], least: float) -> None:
    found = clustered(lists, least)
    assert list(dict.fromkeys(found)) == list(range(len(set(found)))), "numbered by first candidate"
    sets = [frozenset(one) for one in lists]
    same = {(i, j) for i, j in combinations(range(len(sets)), 2) if sets[i] == sets[j]}
    assert all(found[i] == found[j] for i, j in same)
    for a, b in combinations(partition_of(found), 2):
        alike = sum(jaccard(sets[i], sets[j]) for i in a for j in b) / (len(a) * len(b))
        assert alike < least + 1e-9, "no two topics could still be merged"


@st.composite
def candidates_with_topics(draw) -> tuple[Candidates, "array[int]"]:
    """Candidates, which may overlap, and a topic for each, numbered by first candidate."""
    drawn = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(-2, 4), st.integers(1, 3)), max_size=30))
    found: dict[int, list[tuple[int, int]]] = {}
    position = 0
    for form, gap, length in drawn:
        position = max(position + gap, 0)
        places = found.setdefault(form, [])
        if not places or places[-1][0] < position:
            places.append((position, position + length))
    bounds = [sorted(places) for places in sorted(found.values(), key=min)]
    first = integers([0, *accumulate(map(len, bounds))])
    start, end = (integers(place[side] for places in bounds for place in places) for side in (0, 1))
    numbers: dict[int, int] = {}
    labels = [draw(st.integers(0, 3)) for _ in bounds]
    topic = integers(numbers.setdefault(label, len(numbers)) for label in labels)
    return Candidates(analysis_of([0] * max(end, default=0)), first, start, end), topic


def naive_nearness(candidates: Candidates, topic: Sequence[int], widest: int) -> np.ndarray:
    count = len(candidates)
    near = np.zeros((count, count))
    spans = [list(zip(candidates.start, candidates.end, strict=True))[a:b] for a, b in pairwise(candidates.first)]
    for a, b in combinations(range(count), 2):
        if topic[a] != topic[b]:
            for earlier, later in (sorted([one, other]) for one in spans[a] for other in spans[b]):
                if later[0] - earlier[0] <= widest:
                    near[a, b] += 1 / max(later[0] - earlier[1] + 1, 1)
            near[b, a] = near[a, b]
    return near


@repeatable
@given(candidates_with_topics(), st.sampled_from([0, 3, 10, 1000]), st.floats(0, 0.95), st.floats(0, 5))
def test_walks_over_topics_and_candidates(
    drawn: tuple[Candidates, "array[int]"], widest: int, damping: float, alpha: float
) -> None:
    candidates, topic = drawn
    found = topics.Topics(candidates.view, topic)
    members = [[c for c in range(len(topic)) if topic[c] == one] for one in range(len(set(topic)))]
    assert found.firsts() == [group[0] for group in members]
    by_topic, by_candidate = (
        list(found.walk_over_topics(damping, widest)),
        list(found.walk_over_candidates(alpha, damping, widest)),
    )
    if not len(candidates):
        assert by_topic == by_candidate == []
        return
    near = naive_nearness(candidates, topic, widest)
    merged = np.array([[near[np.ix_(a, b)].sum() for b in members] for a in members])
    assert by_topic == pytest.approx(naive_walk(merged, damping, np.full(len(members), 1 / len(members))))
    weights = near.copy()
    for i, o in enumerate(candidates.first[:-1]):
        for first, *others in members:
            weights[i, first] += alpha * math.exp(1 / (1 + candidates.start[o])) * near[others, i].sum()
    assert by_candidate == pytest.approx(naive_walk(weights, damping, np.full(len(topic), 1 / len(topic))))


# YAKE.


def beside(text: Analysis, window: int) -> list[tuple[int, int, int]]:
    """(left word, right word, distance) of all pairs up to `window` apart with nothing but words between them."""
    return [
        (text.word[j], text.word[i], i - j)
        for sentence in by_sentence(text)
        for i in sentence
        for j in range(max(i - window, sentence.start), i)
        if all(text.kind[k] & WORD for k in range(j, i + 1))
    ]


def naive_weight(text: Analysis, window: int, w: int) -> float:
    """S(t) for the word `w`, from the paper's five features; casing is over 1 + ln TF, as in the authors' code."""
    word, kind = text.word, text.kind
    tokens = [(s, i) for s, sentence in enumerate(by_sentence(text)) for i in sentence if kind[i] & WORD]
    frequencies = Counter(word[i] for _, i in tokens)
    content = [n for one, n in frequencies.items() if one >= STOP]
    opening = {sentence.start for sentence in by_sentence(text)}
    mine = [i for _, i in tokens if word[i] == w]
    acronyms = sum(1 for i in mine if kind[i] & UPPER)
    capitals = sum(1 for i in mine if kind[i] & CAPITAL and not kind[i] & UPPER and i not in opening)
    casing = max(acronyms, capitals) / (1 + math.log(len(mine)))
    position = math.log(math.log(3 + statistics.median({s for s, i in tokens if word[i] == w})))
    frequency = len(mine) / (statistics.mean(content) + statistics.pstdev(content))
    sides = [[a for a, b, _ in beside(text, window) if b == w], [b for a, b, _ in beside(text, window) if a == w]]
    dispersion = sum(len(set(side)) / len(side) for side in sides if side)
    relatedness = 1 + dispersion * len(mine) / max(frequencies.values())
    different = len({s for s, i in tokens if word[i] == w}) / len(text.sentences)
    return relatedness * position / (casing + frequency / relatedness + different / relatedness)


@repeatable
@given(texts(), st.integers(1, 4))
def test_yake(text: Analysis, window: int) -> None:
    check_yake(text, window)


@pytest.mark.parametrize("window", [1, 2, 3])
def test_yake_in_a_longer_text(window: int) -> None:
    source = random.Random(window)
    word = source.choices([0, 1, 2, 3, 4, 5, 6, 7], [3, 3, 4, 4, 2, 1, 1, 1], k=300)
    check_yake(analysis_of(word, [KINDS[w] for w in word], [*range(12, 300, 12), 300]), window)


def check_yake(text: Analysis, window: int) -> None:
    # At most three words, hence one stopword inside, as in the paper.
    candidates = ngrams(text, longest=3, numbers=False)
    found = yake.scores(candidates.view, window)
    follows = Counter((a, b) for a, b, gap in beside(text, 1))
    counts = Counter(text.word)
    weight = {w: naive_weight(text, window, w) for w in set(text.word) if STOP <= w < CONTENT}
    for c in range(len(candidates)):
        members = candidates.stem_ids(c)
        product, total = 1.0, 0.0
        for at, w in enumerate(members):
            if w < STOP:
                # The authors divide by the count of the neighbour on either side (LIAAD/yake, `update_h`).
                before, after = members[at - 1], members[at + 1]
                firm = follows[before, w] / counts[before] * follows[w, after] / counts[after]
                product, total = product * (2 - firm), total - (1 - firm)
            else:
                product, total = product * weight[w], total + weight[w]
        worse = product / (candidates.count(c) * (1 + total))
        assert found[c] == pytest.approx(1 / (1 + worse))
        assert 0 < found[c] < 1


# RAKE.


@repeatable
@given(texts(), st.integers(0, 4))
def test_rake(text: Analysis, longest: int) -> None:
    word = text.word
    runs = naive_runs(text, [is_content(kind) for kind in text.kind])
    degree, frequency = Counter(), Counter()
    for a, b in runs:
        degree.update({w: n * (b - a) for w, n in Counter(word[a:b]).items()})
        frequency.update(word[a:b])
    cut = set(text.sentences)
    joined = [
        (a, d)
        for (a, b), (c, d) in pairwise(runs)
        if 1 <= c - b <= 3 and all(kind & STOPWORD for kind in text.kind[b:c]) and not cut & set(range(b, d))
    ]
    forms = Counter(tuple(word[a:b]) for a, b in joined)
    wanted = [*runs, *(one for one in joined if forms[tuple(word[slice(*one)])] > 1)]
    expected: dict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    for a, b in sorted(one for one in wanted if not longest or one[1] - one[0] <= longest):
        expected[tuple(word[a:b])].append((a, b))
    candidates, scores, *_ = Rake(longest).ranked(text)
    places = list(zip(candidates.start, candidates.end, strict=True))
    assert [places[a:b] for a, b in pairwise(candidates.first)] == list(expected.values())
    ratios = [sum(degree[w] / frequency[w] for w in form if w >= STOP) for form in expected]
    assert list(scores) == pytest.approx(ratios)


# Word graphs.


@repeatable
@given(texts(), st.integers(2, 6), st.floats(0, 0.95), st.data())
def test_word_graphs(text: Analysis, window: int, damping: float, data: st.DataObject) -> None:
    words = kernel.Words(text.view, NOUNS)
    numbers: dict[int, int] = {}
    columns = zip(text.word, text.kind, text.tag, strict=True)
    node = [numbers.setdefault(w, len(numbers)) if is_content(k) and NOUNS[t] else -1 for w, k, t in columns]
    assert (list(words.node), words.count) == (node, len(numbers))
    kept = bytes(data.draw(st.lists(st.integers(0, 1), min_size=words.count, max_size=words.count)))
    assert list(zip(*words.runs(), strict=True)) == naive_runs(text, [one >= 0 for one in node])
    assert list(zip(*words.runs(kept), strict=True)) == naive_runs(text, [one >= 0 and kept[one] for one in node])
    early = [sum(1 / place for place, one in enumerate(node, start=1) if one == v) for v in range(words.count)]
    assert list(words.earliness()) == pytest.approx(early)

    rank = array("d", [1 / (v + 2) for v in range(words.count)])
    candidates = ngrams(text)  # they hold stopwords and unwanted words too, which add nothing
    heads = [range(candidates.start[o], candidates.end[o]) for o in candidates.first[:-1]]
    expected = [sum(rank[node[i]] for i in head if node[i] >= 0) for head in heads]
    assert list(words.sums(candidates.view, rank)) == pytest.approx(expected)

    meetings = np.zeros((words.count, words.count))
    for i, j in combinations(range(len(node)), 2):
        if j - i < window and node[i] != node[j] and min(node[i], node[j]) >= 0:
            meetings[node[i], node[j]] += 1
            meetings[node[j], node[i]] += 1
    for graph, weights in ((words.graph(window), meetings), (words.graph(window, weighted=False), meetings > 0)):
        dense = np.zeros_like(meetings)
        for v, (a, b) in enumerate(pairwise(graph.first)):
            dense[v, graph.neighbour[a:b]] = graph.weight[a:b]
        assert (dense == weights).all()
    if words.count:
        jump = np.full(words.count, 1 / words.count)
        for importance in (None, array("d", bytes(8 * words.count))):  # nothing is important: everything alike
            found = words.graph(window).walk(damping, importance)
            assert list(found) == pytest.approx(naive_walk(meetings, damping, jump))
        jump = np.asarray(rank) / sum(rank)
        assert list(words.graph(window).walk(damping, rank)) == pytest.approx(naive_walk(meetings, damping, jump))


def test_a_graph_grows() -> None:
    """More pairs than the table has room for at first, so that it grows again and again."""
    count = 300
    text = analysis_of([i * j % count for i in range(1, 6) for j in range(count)], tag=[1] * (5 * count))
    words, window = kernel.Words(text.view, NOUNS), 40
    meetings = Counter(
        (min(a, b), max(a, b)) for i, a in enumerate(words.node) for b in words.node[i + 1 : i + window] if a != b
    )
    graph = words.graph(window)
    rows = [(v, range(a, b)) for v, (a, b) in enumerate(pairwise(graph.first))]
    found = {(v, graph.neighbour[e]): graph.weight[e] for v, edges in rows for e in edges}
    assert found == meetings | {(b, a): n for (a, b), n in meetings.items()}


# Topic models.


@repeatable
@given(texts(), st.integers(1, 4), st.integers(0, 6), st.data())
def test_topic_model(text: Analysis, count: int, rounds: int, data: st.DataObject) -> None:
    words = kernel.Words(text.view, NOUNS)
    index = {f"w{w}": row for row, w in enumerate(data.draw(st.permutations(range(CONTENT)))[:4])}
    levels = bytes(data.draw(st.lists(st.integers(0, 5), min_size=4 * count, max_size=4 * count)))
    meaning = array("d", [0.0, 1e-7, 0.01, 0.1, 0.5, 1.0])
    found = words.fits(index, levels, meaning, count, rounds)

    stems = list(dict.fromkeys(s for s, one in zip(text.stem, words.node, strict=True) if one >= 0))
    rows = [index.get(text.stems[stem], -1) for stem in stems]
    known = [v for v, row in enumerate(rows) if row >= 0]
    table = np.array([meaning[level] for level in levels]).reshape(4, count)[[rows[v] for v in known]]
    times = np.array([list(words.node).count(v) for v in known])
    theta = np.full(count, 1 / count)
    for _ in range(rounds):
        joint = theta * table
        evidence = joint.sum(axis=1, keepdims=True)
        share = np.divide(joint, evidence, out=np.zeros_like(joint), where=evidence > 0)
        theta = times @ share + 1 / count
        theta = theta / theta.sum()
    norms = np.linalg.norm(table, axis=1) * np.linalg.norm(theta)
    cosines = np.divide(table @ theta, norms, out=np.zeros(len(known)), where=norms > 0)
    expected = dict(zip(known, cosines.tolist(), strict=True))
    assert list(found) == pytest.approx([expected.get(v, 0.0) for v in range(words.count)])


def test_a_word_that_no_topic_has_is_no_matter() -> None:
    words = kernel.Words(analysis_of([0, 1, 0], tag=[1, 1, 1]).view, NOUNS)
    found = words.fits({"w0": 0, "w1": 1}, bytes([0, 0, 2, 1]), array("d", [0.0, 0.1, 0.5]), 2, 5)
    assert found[0] == 0
    assert 0.9 < found[1] <= 1


MEMORY = """
import resource
from array import array
from phrasemill.kernels import topics, yake
from phrasemill.types import Candidates
from test_method_kernels import NOUNS, analysis_of, kernel

COUNT = 30_000
starts = array("i", range(COUNT + 1))
one, many = (analysis_of(word, tag=[1] * COUNT) for word in ([0] * COUNT, range(COUNT)))
alike, all_kinds = (Candidates(text, starts, starts[:-1], starts[1:]).view for text in (one, many))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)
words = kernel.Words(many.view, NOUNS)
for run in (
    lambda: words.graph(COUNT), lambda: yake.scores(all_kinds, COUNT), lambda: topics.cluster(alike, 0.2)
):
    try:
        run()
    except MemoryError:
        print("refused")
print(len(words.graph(2).first))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
def test_memory_that_runs_out_without_the_gil_is_an_error_and_no_crash() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parent)])}
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split()[:-1] == ["refused"] * 3


# Noun phrases and masks.


@repeatable
@given(texts(), st.integers(1, 4))
def test_noun_phrases(text: Analysis, longest: int) -> None:
    adjective, noun = bytes([0, 1, 0, 0]), bytes([0, 0, 1, 1])
    expected = []
    for inside in by_sentence(text):
        found = re.finditer(b"\x01*[\x02\x03]+", bytes(text.tag[inside.start : inside.stop]))
        expected += [(inside.start + one.start(), inside.start + one.end()) for one in found]
    start, end = spans.noun_phrases(text.tag, text.sentences, adjective, noun, longest)
    assert list(zip(start, end, strict=True)) == [(a, b) for a, b in expected if b - a <= longest]


@repeatable
@given(texts())
def test_mask(text: Analysis) -> None:
    tag, kind = text.tag, text.kind
    found = spans.mask(tag, kind, NOUNS)
    function = [bool(k & STOPWORD) and bool(NOUNS[t]) for k, t in zip(kind, tag, strict=True)]
    naive = [t if k & (WORD | NUMBER) and not f else 0 for k, t, f in zip(kind, tag, function, strict=True)]
    assert list(found) == naive
