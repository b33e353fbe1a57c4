"""One grammar: what is written is what is read, and mistakes are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.specs import DEEPEST, Registry, Spec, parse, split_specs

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
        ("a-b+c(is@=lambda)", Spec("a-b+c", (), (("is@", Spec("lambda")),))),
        ('a("it\'s", [1, 2.5], flag=True)', Spec("a", ("it's", (1, 2.5)), (("flag", True),))),
        ("a((1), (), [(1,),], 'x\ny', '\\n', 007, +.5)", Spec("a", ((1,), (), ((1,),), "x\ny", "\n", 7, 0.5))),
        ("a(" * (DEEPEST - 1) + "a" + ")" * (DEEPEST - 1), None),
    ],
)
def test_reads(text: str, spec: Spec | None) -> None:
    assert parse(text) == (spec or parse(str(parse(text))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *[(text, "at the end") for text in ("", "a(", "a(b", "a([1)")],
        *[(text, "it must begin with a name") for text in ("5", "'x'", "True", "[a]")],
        *[(text, "nested more than 20 deep") for text in ("a(" * 5000, "a(" * DEEPEST + "a" + ")" * DEEPEST)],
        ("a)", "at '\\)'"),
        ("a)(b", "at '\\)\\(b'"),
        ("a(1,,2)", "at ',2\\)'"),
        ("a b", "write it like"),
        ("a, b", "write it like"),
        ("a(x=)", "at '\\)'"),
        ("a(=1)", "at '=1\\)'"),
        ("a;b", "at ';b'"),
        ("a(1.5x)", "at '.5x\\)'|at '1.5x\\)'"),
        ("a(b=1=2)", "write it like"),
        ("a(b(1)=2)", "write it like"),
        ("a(None=2)", "write it like"),
        ("a([b=1])", "write it like"),
        ("a((b=1))", "write it like"),
        ("a(5(b))", "write it like"),
        ("a(b)(c)", "write it like"),
        ("a(b[c])", "write it like"),
        ("a('b' 'c')", "write it like"),
        ("a(x=1, 2)", "plain values come before key=value"),
        ("a(x=1, x=2)", "x is given twice"),
        ("a('\\x')", "a backslash starts an escape that does not exist"),
        (f"a({'1' * 5000})", "the number is too long"),
    ],
)
def test_refuses_with_one_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as error:
        parse(text)
    assert "\n" not in str(error.value)


def test_several_are_split_at_the_commas_between_them() -> None:
    assert split_specs("kea(a=5, b=1), yake,, a('b, c') ,") == ["kea(a=5, b=1)", "yake", "a('b, c')"]
    for text in ("a b", "a, 5", "a(, b"):
        with pytest.raises(ConfigError):
            split_specs(text)


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
        ("textrank(window=True)", "window must be a whole number, got True"),
        ("textrank(keep=None)", "keep must be a number, got None"),
    ],
)
def test_bad_parameters_are_named(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        METHODS.build(spec)


def test_registering_one_of_your_own() -> None:
    registry = Registry("thing", {})
    registry.register("mine", lambda size: size)
    assert registry.build("mine(size=4)") == registry.build("mine(4)") == 4
    assert registry.names() == ["mine"] and "mine" in registry
    with pytest.raises(ConfigError, match="thing mine needs a value for 'size'"):
        registry.build("mine")
    with pytest.raises(ConfigError):
        registry.register("not a name", int)


def test_a_method_for_sets_is_pointed_at_sets() -> None:
    with pytest.raises(UnknownName, match=r"unknown method 'collabrank'; .*`phrasemill extract --set`"):
        METHODS.build("collabrank")
