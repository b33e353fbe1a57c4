"""Each metric against a naive oracle that is written from its definition, without the scorer's machinery."""

from collections import Counter
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.evaluation import METRICS, Answers, Policy, evaluate, read_answers
from phrasemill.evaluation.answers import GOLD_FIELDS, ID_FIELDS
from phrasemill.evaluation.similarity import SELF_CONTAINED, SIMILARITIES, overlap
from phrasemill.specs import parse
from phrasemill.text.stem import stemmer

# Machines that run tests are busy; how long an example takes says nothing here.
PATIENT = settings(deadline=None)

# Few words, so that phrases meet; some differ by their ending only.
WORDS = st.sampled_from("tree trees leaf leaves root rooted Grid grid computing compute".split())
PHRASES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
LISTS = st.lists(PHRASES, max_size=8)
CLUSTERS = st.lists(st.lists(PHRASES, min_size=1, max_size=3).map(tuple), max_size=6)
CUTS = st.one_of(st.integers(1, 10).map(str), st.sampled_from("OM"))
DATA = st.dictionaries(st.sampled_from("abcd"), st.tuples(LISTS, CLUSTERS), min_size=1)

STEM = stemmer("porter")


def key(phrase: str) -> str:
    return " ".join(STEM(word.lower()) for word in phrase.split())


def unique(phrases: list[str]) -> list[str]:
    found: list[str] = []
    for phrase in map(key, phrases):
        if phrase not in found:
            found.append(phrase)
    return found


def gold_sets(clusters: list[tuple[str, ...]]) -> list[frozenset[str]]:
    """Clusters that are equal wording by wording count once."""
    ordered: list[tuple[str, ...]] = []
    for cluster in clusters:
        normal = tuple(dict.fromkeys(map(key, cluster)))
        if normal not in ordered:
            ordered.append(normal)
    return [frozenset(cluster) for cluster in ordered]


def hits(predicted: list[str], gold: list[frozenset[str]]) -> list[bool]:
    """Whether each prediction finds a cluster that no earlier one found."""
    left = list(gold)
    found = []
    for phrase in predicted:
        match = next((cluster for cluster in left if phrase in cluster), None)
        if match is not None:
            left.remove(match)
        found.append(match is not None)
    return found


def cut(at: str, predicted: list[str], gold: list[frozenset[str]]) -> int:
    return len(gold) if at == "O" else len(predicted) if at == "M" else int(at)


def f1(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def ratio(a: float, b: float) -> float:
    return a / b if b else 0.0


def scored(data: dict[str, tuple[list[str], list[tuple[str, ...]]]], metric: str, **choices: object) -> float:
    predictions = {id_: predicted for id_, (predicted, _) in data.items()}
    gold = {id_: clusters for id_, (_, clusters) in data.items()}
    policy = {"empty_gold": "zero", **choices}
    return evaluate(predictions, gold, metrics=[metric], policy=policy).scores[0].value


@PATIENT
@given(DATA, CUTS, st.sampled_from(["k", "predicted"]), st.sampled_from(["macro", "micro", "means"]))
def test_precision_recall_f1(data, at, denominator, average) -> None:  # type: ignore[no-untyped-def]
    rows = []
    for phrases, clusters in data.values():
        predicted, gold = unique(phrases), gold_sets(clusters)
        k = cut(at, predicted, gold)
        right = sum(hits(predicted, gold)[:k])
        rows.append((right, k if denominator == "k" else min(k, len(predicted)), len(gold)))
    each = [(ratio(right, given_), ratio(right, gold)) for right, given_, gold in rows]
    n = len(rows)
    if average == "micro":
        right, given_, gold = (sum(column) for column in zip(*rows, strict=True))
        p, r = ratio(right, given_), ratio(right, gold)
        expected = (p, r, f1(p, r))
    else:
        p, r = (sum(column) / n for column in zip(*each, strict=True))
        expected = (p, r, f1(p, r) if average == "means" else sum(f1(*pair) for pair in each) / n)
    for name, value in zip(("P", "R", "F1"), expected, strict=True):
        assert scored(data, f"{name}@{at}", denominator=denominator, average=average) == pytest.approx(value)


@PATIENT
@given(DATA, CUTS)
def test_unigrams(data, at) -> None:  # type: ignore[no-untyped-def]
    values = []
    for phrases, clusters in data.values():
        predicted, gold = unique(phrases), gold_sets(clusters)
        words = Counter(w for phrase in predicted[: cut(at, predicted, gold)] for w in phrase.split())
        pool: Counter[str] = Counter()
        for cluster in gold:
            (only, *more) = cluster
            pool.update({w for phrase in cluster for w in phrase.split()} if more else only.split())
        shared = sum(min(count, pool[word]) for word, count in words.items())
        values.append((ratio(shared, sum(words.values())), ratio(shared, sum(pool.values()))))
    n = len(values)
    assert scored(data, f"unigram-P@{at}") == pytest.approx(sum(p for p, _ in values) / n)
    assert scored(data, f"unigram-R@{at}") == pytest.approx(sum(r for _, r in values) / n)
    assert scored(data, f"unigram-F1@{at}") == pytest.approx(sum(f1(*pair) for pair in values) / n)


@PATIENT
@given(DATA, CUTS)
def test_ranking(data, at) -> None:  # type: ignore[no-untyped-def]
    ap, rr, ndcg = [], [], []
    for phrases, clusters in data.values():
        predicted, gold = unique(phrases), gold_sets(clusters)
        k = cut(at, predicted, gold)
        right = hits(predicted, gold)[:k]
        most = len(gold) if at == "M" else min(k, len(gold))
        ap.append(ratio(sum(sum(right[: i + 1]) / (i + 1) for i, hit in enumerate(right) if hit), most))
        rr.append(1 / (right.index(True) + 1) if any(right) else 0.0)
        ideal = sum(1 / log2(i + 2) for i in range(most))
        ndcg.append(ratio(sum(1 / log2(i + 2) for i, hit in enumerate(right) if hit), ideal))
    for name, each in (("MAP", ap), ("MRR", rr), ("nDCG", ndcg)):
        assert scored(data, f"{name}@{at}") == pytest.approx(sum(each) / len(each))


@PATIENT
@given(DATA)
def test_descriptions(data) -> None:  # type: ignore[no-untyped-def]
    lists = [phrases for phrases, _ in data.values()]
    n = len(lists)
    assert scored(data, "phrases") == pytest.approx(sum(map(len, lists)) / n)
    assert scored(data, "unique") == pytest.approx(sum(len(unique(one)) for one in lists) / n)
    some = [one for one in lists if one]
    if some:
        repeats = [(len(one) - len(unique(one))) / len(one) for one in some]
        assert scored(data, "duplication") == pytest.approx(sum(repeats) / len(some))
        words = [sum(len(phrase.split()) for phrase in one) / len(one) for one in some]
        assert scored(data, "phrase-length") == pytest.approx(sum(words) / len(some))


@PATIENT
@given(DATA, CUTS)
def test_synonymous(data, at) -> None:  # type: ignore[no-untyped-def]
    values = []
    for phrases, clusters in data.values():
        predicted, gold = unique(phrases), gold_sets(clusters)
        disjoint = len(frozenset().union(*gold)) == sum(map(len, gold)) if gold else True
        if not disjoint:
            return  # which of two clusters a shared wording meets is a matter of order
        met = [next((i for i, c in enumerate(gold) if p in c), None) for p in predicted[: cut(at, predicted, gold)]]
        matched = [i for i in met if i is not None]
        values.append(ratio(sum(matched.count(i) > 1 for i in matched), len(matched)))
    assert scored(data, f"synonymous@{at}") == pytest.approx(sum(values) / len(values))


@PATIENT
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=12), st.integers(1, 5))
def test_calibration(pairs, bins) -> None:  # type: ignore[no-untyped-def]
    """Distinct phrases with scores, right or wrong."""
    phrases = tuple(f"p{i}" for i in range(len(pairs)))
    gold = {"d": [p for p, (_, right) in zip(phrases, pairs, strict=True) if right] or ["other"]}
    answers = Answers("s", {"d": phrases}, {"d": tuple(score for score, _ in pairs)})
    expected = 0.0
    for b in range(bins):
        inside = [(s, r) for s, r in pairs if min(int(s * bins), bins - 1) == b]
        if inside:
            gap = sum(s for s, _ in inside) / len(inside) - sum(r for _, r in inside) / len(inside)
            expected += abs(gap) * len(inside) / len(pairs)
    value = evaluate(answers, gold, metrics=[f"ECE(bins={bins})"]).scores[0].value
    assert value == pytest.approx(expected)


@PATIENT
@given(DATA)
def test_partial_credit(data) -> None:  # type: ignore[no-untyped-def]
    """PubMedAKE's equation 1 and R-precision, each prediction with its best gold wording."""
    for name in ("partial", "r-precision"):
        values = []
        for phrases, clusters in data.values():
            predicted = unique(phrases)
            wordings = [phrase.split() for cluster in gold_sets(clusters) for phrase in cluster]
            credit = 0.0
            for words in map(str.split, predicted):
                shared = [sum((Counter(words) & Counter(other)).values()) for other in wordings]
                sizes = [(len(words) + len(o)) / 2 if name == "partial" else max(len(words), len(o)) for o in wordings]
                credit += max((s / size for s, size in zip(shared, sizes, strict=True)), default=0.0)
            values.append(ratio(credit, len(predicted)))
        assert scored(data, f"P@M(match='{name}')") == pytest.approx(sum(values) / len(values))


@PATIENT
@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=5))
def test_similarities(one: list[str], other: list[str]) -> None:
    """All are symmetric but for which of two equally long phrases is the reference, and none leaves 0 to 1."""
    assert overlap(one, other) == sum((Counter(one) & Counter(other)).values())
    for name, measure in ((name, SIMILARITIES[name]) for name in SELF_CONTAINED):
        value = measure(one, other)
        assert 0 <= value <= 1 + 1e-9, name
        if len(one) != len(other):
            assert value == pytest.approx(measure(other, one)), name
        if not set(one) & set(other) and name != "meteor":  # METEOR stems its words once more
            assert value == 0, name
        if name != "meteor":  # METEOR punishes chunks, so that it is below 1 for equal phrases
            assert measure(one, one) == pytest.approx(1), name


@PATIENT
@given(DATA, CUTS, st.sampled_from(["none", "match", "exact", "stem"]), st.booleans())
def test_every_score_is_a_share(data, at, dedupe, dedupe_gold) -> None:  # type: ignore[no-untyped-def]
    for name in ("P", "R", "F1", "unigram-P", "unigram-R", "unigram-F1", "MAP", "MRR", "nDCG", "synonymous"):
        assert 0 <= scored(data, f"{name}@{at}", dedupe=dedupe, dedupe_gold=dedupe_gold) <= 1


@PATIENT
@given(
    st.sampled_from(["P", "R", "F1", "MAP", "ECE", "synonymous", "unigram-F1"]),
    CUTS,
    st.fixed_dictionaries(
        {},
        optional={
            "match": st.sampled_from(["exact", "stem", "partial", "bleu"]),
            "denominator": st.sampled_from(["k", "predicted"]),
            "lowercase": st.booleans(),
            "present": st.sampled_from(["all", "absent"]),
            "stemmer": st.sampled_from(["porter", "nltk"]),
        },
    ),
)
def test_a_metrics_name_is_its_spec(name: str, at: str, options: dict[str, object]) -> None:
    metric = METRICS.get(name)(at, options)
    assert METRICS.build(str(metric)) == metric
    assert METRICS.build(parse(repr(metric))) == metric
    assert metric.policy(Policy()).changed({}) == metric.policy(Policy())


SAFE = st.text(st.characters(categories=("L", "Nd"), include_characters=" -'"), min_size=1, max_size=12)
CLEAN = SAFE.map(lambda text: " ".join(text.split())).filter(bool)
# A mapping whose only key is the name of a field is read as a record without an id.
IDS = st.text(st.characters(categories=("L", "Nd"), include_characters="-_"), min_size=1, max_size=8).filter(
    lambda id_: id_ not in (*GOLD_FIELDS, *ID_FIELDS)
)
ANSWERS = st.dictionaries(IDS, st.lists(st.one_of(CLEAN, st.lists(CLEAN, min_size=2, max_size=3)), max_size=4))


@pytest.mark.parametrize("packed", ["", ".gz", ".xz"])
@pytest.mark.parametrize("format", ["jsonl", "json", "txt"])
def test_formats_round_trip(format: str, packed: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is written in any format, packed in any way, is read as it was."""
    import gzip
    import json
    import lzma

    @PATIENT
    @given(ANSWERS.filter(bool))
    def check(answers: dict[str, list[str | list[str]]]) -> None:
        if format == "jsonl":
            lines = [json.dumps({"id": id_, "keyphrases": phrases}) for id_, phrases in answers.items()]
        elif format == "json":
            lines = [json.dumps(answers)]
        else:
            joined = {i: ",".join(p if isinstance(p, str) else "+".join(p) for p in ps) for i, ps in answers.items()}
            lines = [f"{id_} : {phrases}" for id_, phrases in joined.items()]
        data = ("\n".join(lines) + "\n").encode()
        packers = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}
        path = tmp_path_factory.getbasetemp() / f"answers.{format}{packed}"
        path.write_bytes(packers[packed](data))
        expected = {id_: tuple(p if isinstance(p, str) else tuple(p) for p in ps) for id_, ps in answers.items()}
        assert read_answers(path).phrases == expected

    check()
