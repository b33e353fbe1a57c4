"""One grammar and one lazy registry for everything that has a name.

    textrank(window=10)      merge(multipartiterank)      F1@5(match='stem')      similarity(0.8)

is the Python argument, the TOML value, the CLI option, the HTTP field and the benchmark row. A spec is a name and,
in parentheses, values and `key=value` pairs; a value is a number, a string in quotes, True, False, None, a list or
tuple of values, or another spec. `parse(str(spec)) == spec`.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, get_args, get_origin

from phrasemill.errors import ConfigError, UnknownName

Value = TypeVar("Value")
TOKEN = r"""\s*(?:
      (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w@]))
    | (?P<name>[A-Za-z_][\w@+-]*)
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<mark>[()\[\],=])
    )"""
CONSTANTS = {"True": True, "False": False, "None": None}
DEPTH = {"(": 1, "[": 1, ")": -1, "]": -1}
DEEPEST = 20  # levels of nesting; more is an attack or a slip, never a method
FIRST = 2  # the line of the first token in what Python's parser is given


@dataclass(frozen=True, slots=True)
class Spec:
    """A name with its values and options, as written."""

    name: str
    values: tuple[object, ...] = ()
    options: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        inside = [_literal(value) for value in self.values]
        inside += [f"{key}={_literal(value)}" for key, value in self.options]
        return f"{self.name}({', '.join(inside)})" if inside else self.name

    __repr__ = __str__


def _literal(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return repr(value)


def parse(text: str) -> Spec:
    """Parse one spec; a `ConfigError` shows where it is wrong."""
    if text.isascii() and text.isidentifier() and text not in CONSTANTS:
        return Spec(text)  # a plain name, as most are
    tokens = _tokens(text)
    # Python's parser finds the structure. Every name, number and string is an `x` to it, on a line of its own by which
    # its token is found again; a bracket that follows none of them calls an `x`, too, so that (1) is not 1.
    marks = [token["mark"] for token in tokens]
    lines = [f"x{mark}" if mark == "(" and last else mark or "x" for last, mark in pairwise(["(", *marks])]
    try:
        found = _value(ast.parse("\n".join(["(", *lines, ")"]), mode="eval").body, text, tokens)
    except SyntaxError as error:
        if error.msg.startswith("positional argument"):
            raise ConfigError(f"cannot read {text!r}: plain values come before key=value") from None
        number = max((error.lineno or 0) - FIRST, 0)
        raise _unreadable(text[tokens[number].start() :] if number < len(tokens) else "", whole=text) from None
    if not isinstance(found, Spec):
        raise ConfigError(f"cannot read {text!r}: it must begin with a name, as in 'textrank(window=10)'")
    return found


def split_specs(text: str) -> list[str]:
    """Split `textrank(window=5), yake` at the commas outside brackets and quotes."""
    parts, depth, begin = [], 0, 0
    for token in _tokens(text):
        depth += DEPTH.get(token["mark"], 0)
        if token["mark"] == "," and not depth:
            parts.append(text[begin : token.start("mark")])
            begin = token.end()
    found = [part.strip() for part in (*parts, text[begin:]) if part.strip()]
    for part in found:
        parse(part)
    return found


def _tokens(text: str) -> list[re.Match[str]]:
    """Return the tokens of a text, in which all brackets are closed."""
    pattern = re.compile(TOKEN, re.VERBOSE | re.DOTALL)
    tokens: list[re.Match[str]] = []
    depth, position, end = 0, 0, len(text.rstrip())
    while position < end:
        token = pattern.match(text, position)
        step = DEPTH.get(token["mark"], 0) if token else 0
        if token is None or depth + step < 0:
            raise _unreadable(text[position:], whole=text)
        if depth == DEEPEST and step >= 0:
            raise ConfigError(f"cannot read a spec nested more than {DEEPEST} deep")
        tokens.append(token)
        depth, position = depth + step, token.end()
    if depth:
        raise _unreadable("", whole=text)
    return tokens


def _value(node: ast.expr, text: str, tokens: Sequence[re.Match[str]]) -> object:
    """Return what a part of the structure stands for."""
    number = max(node.lineno - FIRST, 0)
    token = tokens[number] if tokens else None
    if token is not None and isinstance(node, ast.Name):
        return _leaf(token, text)
    if isinstance(node, ast.List):
        return tuple([_value(one, text, tokens) for one in node.elts])
    if token is not None and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        values = tuple([_value(one, text, tokens) for one in node.args])
        if token["mark"] and not node.keywords:
            return values
        if token["name"] and token["name"] not in CONSTANTS:
            return Spec(token["name"], values, _options(node.keywords, text, tokens))
    raise _unreadable(text[token.start() :] if token else "", whole=text)


def _options(
    pairs: Sequence[ast.keyword], text: str, tokens: Sequence[re.Match[str]]
) -> tuple[tuple[str, object], ...]:
    found: dict[str, object] = {}
    for pair in pairs:
        token = tokens[pair.lineno - FIRST]
        key = token["name"]
        if not key or key in CONSTANTS:
            raise _unreadable(text[token.start() :], whole=text)
        if key in found:
            raise ConfigError(f"cannot read {text!r}: {key} is given twice")
        found[key] = _value(pair.value, text, tokens)
    return tuple(found.items())


def _leaf(token: re.Match[str], text: str) -> object:
    """Return the number, the string, the constant or the spec without parameters that a token is."""
    kind, written = token.lastgroup, token[token.lastgroup or 0]
    try:
        if kind == "number":
            return float(written) if re.search(r"[.eE]", written) else int(written)
        if kind == "string":
            return str(ast.literal_eval(written)) if "\\" in written else written[1:-1]
    except (SyntaxError, ValueError):
        what = "the number is too long" if kind == "number" else "a backslash starts an escape that does not exist"
        raise ConfigError(f"cannot read {written[:30]} in {text[:30]!r}: {what}") from None
    return CONSTANTS[written] if written in CONSTANTS else Spec(written)


def _unreadable(rest: str, *, whole: str) -> ConfigError:
    where = f"at {rest.strip()[:30]!r}" if rest.strip() else "at the end"
    return ConfigError(f"cannot read {whole!r} {where}: write it like textrank(window=10)")


class Specified:
    """The base of what specs build: frozen dataclasses whose fields are the parameters, and whose `repr` is the spec.

    Listings show the first line of the docstring, `paper` and `needs`.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    name: ClassVar[str]
    paper: ClassVar[str] = ""
    needs: ClassVar[str] = ""

    def __repr__(self) -> str:
        """Return the spec that builds this: `textrank(window=10)`."""
        return str(Spec(self.name, (), tuple(self._changed())))

    def _changed(self) -> Iterator[tuple[str, object]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                yield field.name, value


class Entry(NamedTuple):
    """One registered name, for listings."""

    name: str
    summary: str
    paper: str
    needs: str


class Registry:
    """Names to classes, which are imported when they are first needed."""

    def __init__(self, kind: str, places: Mapping[str, str], *, inside: "Registry | None" = None) -> None:
        self.kind = kind
        self._inside = inside or self  # resolves the names of nested specs
        self._places: dict[str, str | Callable[..., Any]] = dict(places)
        self._elsewhere: list[tuple[Registry, str]] = []
        self.changes = 0  # how often a name was given another meaning

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def names(self) -> list[str]:
        return sorted(self._places)

    def register(self, name: str, made_by: Callable[..., Any]) -> None:
        """Make `made_by` (usually a class) available as `name`."""
        if parse(name) != Spec(name):
            raise ConfigError(f"{name!r} cannot be a name")
        self._places[name] = made_by
        self.changes += 1

    def refer(self, other: "Registry", hint: str) -> None:
        """Give `hint` for a name that is unknown here but one of `other`."""
        self._elsewhere.append((other, hint))

    def get(self, name: str) -> Callable[..., Any]:
        """Return the class called `name`."""
        place = self._places.get(name)
        if place is None:
            hint = next((hint for other, hint in self._elsewhere if name in other), "")
            raise UnknownName(self.kind, name, self._places, hint=hint)
        if isinstance(place, str):
            module, _, attribute = place.partition(":")
            place = self._places[name] = getattr(import_module(module), attribute)
        return place

    def build(self, spec: str | Spec) -> Any:
        """Build the object that `spec` describes; nested specs are built first."""
        spec = parse(spec) if isinstance(spec, str) else spec
        made_by = self.get(spec.name)
        nested = self._inside.build
        values = [nested(value) if isinstance(value, Spec) else value for value in spec.values]
        options = {key: nested(value) if isinstance(value, Spec) else value for key, value in spec.options}
        _check_parameters(f"{self.kind} {spec.name}", made_by, values, options)
        return made_by(*values, **options)

    def describe(self) -> list[Entry]:
        """Describe each name by its class: the docstring's first line, `paper` and `needs`."""
        entries = []
        for name in self.names():
            made_by = self.get(name)
            summary = (made_by.__doc__ or "").strip().splitlines()[0] if made_by.__doc__ else ""
            paper, needs = getattr(made_by, "paper", ""), getattr(made_by, "needs", "")
            entries.append(Entry(name, summary, paper, needs))
        return entries


def _check_parameters(
    owner: str, made_by: Callable[..., Any], values: Sequence[object], options: Mapping[str, object]
) -> None:
    """Raise a `ConfigError` that names the wrong parameter, in place of Python's own error."""
    parameters = parameters_of(made_by)
    count = len(values)
    for key in options:
        if key not in parameters:
            known = ", ".join(parameters) or "none"
            raise ConfigError(f"{owner} has no parameter {key!r}; it has {known}")
    if count > len(parameters):
        raise ConfigError(f"{owner} takes at most {len(parameters)} parameters, got {count}")
    for key in list(parameters)[:count]:
        if key in options:
            raise ConfigError(f"{owner}: {key} is given twice")
    _check_types(owner, made_by, dict(zip(parameters, values, strict=False)) | dict(options))
    required = [key for key, default in parameters.items() if default is MISSING]
    for key in required:
        if key not in options and key not in list(parameters)[:count]:
            raise ConfigError(f"{owner} needs a value for {key!r}")


# Types of parameters, as messages name them.
TYPE_NAMES: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text in quotes",
    bool: "True or False",
}


class AtMost(NamedTuple):
    """Bounds a parameter where a spec comes from elsewhere: `window: Annotated[int, AtMost(1_000)]`. Beyond it, answers
    do not improve and only cost more."""

    value: float


class OneOf:
    """The values of a parameter that are known, or a function that lists them."""

    def __init__(self, *values: Any) -> None:
        self._values = values

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self._values[0]()) if callable(self._values[0]) else self._values


def types_of(field: Field[Any]) -> tuple[Any, ...]:
    """Return the types that a parameter takes."""
    kind: Any = field.type
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_args(kind) or (kind,)


def said_of(field: Field[Any], kind: type[Value]) -> Value | None:
    """Return what the type of a parameter says besides itself: its `AtMost`, or its `OneOf`."""
    return next((one for one in getattr(field.type, "__metadata__", ()) if isinstance(one, kind)), None)


def _check_types(owner: str, made_by: Callable[..., Any], given: Mapping[str, object]) -> None:
    if not hasattr(made_by, "__dataclass_fields__"):
        return
    for field in fields(made_by):  # type: ignore[arg-type]
        allowed = types_of(field)
        if field.name not in given or not set(allowed) <= {*TYPE_NAMES, type(None)}:
            continue
        value = given[field.name]
        # A whole number is also a number, but True is not 1 here.
        if type(value) not in allowed and not (type(value) is int and float in allowed):
            wanted = " or ".join(TYPE_NAMES[one] for one in allowed if one in TYPE_NAMES)
            raise ConfigError(f"{owner}: {field.name} must be {wanted}, got {value!r}")


def parameters_of(made_by: Callable[..., Any]) -> dict[str, object]:
    """Return parameter names with their defaults, `dataclasses.MISSING` for none."""
    if hasattr(made_by, "__dataclass_fields__"):
        return {
            field.name: field.default if field.default_factory is MISSING else field.default_factory()
            for field in fields(made_by)  # type: ignore[arg-type]
            if field.init
        }
    from inspect import Parameter, signature

    return {
        name: MISSING if parameter.default is Parameter.empty else parameter.default
        for name, parameter in signature(made_by).parameters.items()
    }
