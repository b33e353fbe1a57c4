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


def oracle(phrases: list[str], clusters: list[tuple[str, ...]], at: str) -> dict[str, float | None]:
    """The scores of one document; None where that leaves it out."""
    predicted, gold = unique(phrases), gold_sets(clusters)
    k = cut(at, predicted, gold)
    found: dict[str, float | None] = {"phrases": len(phrases), "unique": len(predicted)}
    found["duplication"] = 1 - len(predicted) / len(phrases) if phrases else None
    found["phrase-length"] = sum(len(phrase.split()) for phrase in phrases) / len(phrases) if phrases else None
    words = Counter(w for phrase in predicted[:k] for w in phrase.split())
    pool: Counter[str] = Counter()
    for only, *more in gold:
        pool.update({w for phrase in (only, *more) for w in phrase.split()} if more else only.split())
    p, r = (ratio((words & pool).total(), every.total()) for every in (words, pool))
    found |= {f"unigram-P@{at}": p, f"unigram-R@{at}": r, f"unigram-F1@{at}": f1(p, r)}
    right = hits(predicted, gold)[:k]
    most = len(gold) if at == "M" else min(k, len(gold))
    ranks = [rank for rank, hit in enumerate(right, start=1) if hit]
    found[f"MAP@{at}"] = ratio(sum(i / rank for i, rank in enumerate(ranks, start=1)), most)
    found[f"MRR@{at}"] = 1 / ranks[0] if ranks else 0.0
    ideal = sum(1 / log2(rank + 1) for rank in range(1, most + 1))
    found[f"nDCG@{at}"] = ratio(sum(1 / log2(rank + 1) for rank in ranks), ideal)
    if len(frozenset().union(*gold)) == sum(map(len, gold)):  # else it is a matter of order which cluster is met
        met = [i for phrase in predicted[:k] for i, cluster in enumerate(gold) if phrase in cluster]
        found[f"synonymous@{at}"] = ratio(sum(met.count(i) > 1 for i in met), len(met))
    wordings = [phrase.split() for cluster in gold for phrase in cluster]
    for name in ("partial", "r-precision"):  # PubMedAKE's equation 1 and R-precision, each with its best gold wording
        credit = 0.0
        for one in map(str.split, predicted):
            sizes = [(len(one) + len(o)) / 2 if name == "partial" else max(len(one), len(o)) for o in wordings]
            shared = [(Counter(one) & Counter(other)).total() for other in wordings]
            credit += max((s / size for s, size in zip(shared, sizes, strict=True)), default=0.0)
        found[f"P@M(match='{name}')"] = ratio(credit, len(predicted))
    return found


@PATIENT
@given(DATA, CUTS)
def test_means_of_documents(data, at) -> None:  # type: ignore[no-untyped-def]
    each = [oracle(phrases, clusters, at) for phrases, clusters in data.values()]
    for name in set.intersection(*map(set, each)):
        values = [one[name] for one in each if one[name] is not None]
        if values:
            assert scored(data, name) == pytest.approx(sum(values) / len(values)), name


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
