"""One grammar: what is written is what is read, and mistakes are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.specs import Registry, Spec, parse

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_@+-]{0,8}", fullmatch=True).filter(
    lambda name: name not in {"True", "False", "None"}
)
keys = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
scalars = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(), st.booleans(), st.none()
)
specs = st.deferred(lambda: st.builds(Spec, names, st.lists(values, max_size=3).map(tuple), options))
values = st.deferred(lambda: st.one_of(scalars, specs, st.lists(scalars, max_size=3).map(tuple)))
options = st.dictionaries(keys, values, max_size=3).map(lambda pairs: tuple(pairs.items()))


@given(specs)
def test_parse_inverts_str(spec: Spec) -> None:
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("textrank", Spec("textrank")),
        ("textrank()", Spec("textrank")),
        (" textrank ( window = 10 ) ", Spec("textrank", (), (("window", 10),))),
        ("merge(multipartiterank)", Spec("merge", (Spec("multipartiterank"),))),
        ("F1@5(match='stem')", Spec("F1@5", (), (("match", "stem"),))),
        ('a("it\'s", [1, 2.5], flag=True)', Spec("a", ("it's", (1, 2.5)), (("flag", True),))),
    ],
)
def test_reads(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize(
    "text", ["", "5", "'x'", "a(", "a)", "a(b", "a(1,,2)", "a b", "a(x=)", "a(x=1, 2)", "a(x=1, x=2)", "a(=1)", "a;b"]
)
def test_refuses_with_one_line(text: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(text)
    assert "\n" not in str(error.value)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ConfigError, match="nested"):
        parse("a(" * 5000 + ")" * 5000)


def test_unknown_names_list_the_choices_and_guess() -> None:
    with pytest.raises(
        UnknownName, match=r"unknown method 'texrank' \(did you mean 'textrank'\?\); choose from .*tfidf"
    ):
        METHODS.build("texrank")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("textrank(windows=3)", "has no parameter 'windows'; it has window, keep, damping"),
        ("textrank(window=1)", "window must be at least 2, got 1"),
        ("textrank(1, 2, 3, 4)", "takes at most 3 parameters"),
        ("textrank(5, window=5)", "window is given twice"),
        ("textrank(window='wide')", "window must be a whole number, got 'wide'"),
        ("textrank(keep=None)", "keep must be a number, got None"),
    ],
)
def test_bad_parameters_are_named(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        METHODS.build(spec)


def test_registering_one_of_your_own() -> None:
    registry = Registry("thing", {})
    registry.register("mine", lambda size=3: size)
    assert registry.build("mine(size=4)") == 4
    assert registry.names() == ["mine"]
    with pytest.raises(ConfigError):
        registry.register("not a name", int)


def test_a_required_parameter() -> None:
    registry = Registry("thing", {})
    registry.register("mine", lambda size: size)
    with pytest.raises(ConfigError, match="thing mine needs a value for 'size'"):
        registry.build("mine")


def test_a_method_for_sets_is_pointed_at_sets() -> None:
    with pytest.raises(UnknownName, match=r"unknown method 'collabrank'; .*`phrasemill extract --set`"):
        METHODS.build("collabrank")
