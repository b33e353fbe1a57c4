"""One grammar and one lazy registry for everything that has a name.

    textrank(window=10)      merge(multipartiterank)      F1@5(match='stem')      similarity(0.8)

is the Python argument, the TOML value, the CLI option, the HTTP field and the benchmark row. A spec is a name and,
in parentheses, values and `key=value` pairs; a value is a number, a string in quotes, True, False, None, a list or
tuple of values, or another spec. `parse(str(spec)) == spec`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, get_args

from phrasemill.errors import ConfigError, UnknownName

TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w@]))
    | (?P<name>[A-Za-z_][\w@+-]*)
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<mark>[()\[\],=])
    )""",
    re.VERBOSE | re.DOTALL,
)
CONSTANTS = {"True": True, "False": False, "None": None}
DEEPEST = 20  # levels of nesting; more is an attack or a slip, never a method


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


def _string(text: str) -> str:
    if "\\" not in text:
        return text[1:-1]
    from ast import literal_eval

    try:
        return str(literal_eval(text))
    except (SyntaxError, ValueError):
        raise ConfigError(f"cannot read the text {text}: a backslash starts an escape that does not exist") from None


def parse(text: str) -> Spec:
    """Parse one spec; a `ConfigError` shows where it is wrong."""
    return _Parser(text).whole()


def split_specs(text: str) -> list[str]:
    """Split `textrank(window=5), yake` at the commas outside brackets and quotes."""
    parser = _Parser(text)
    return [text[start:end].strip() for start, end in parser.items()]


class _Parser:
    """A recursive-descent parser of one spec."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def whole(self) -> Spec:
        value = self._value()
        if not isinstance(value, Spec):
            raise ConfigError(f"cannot read {self.text!r}: it must begin with a name, as in 'textrank(window=10)'")
        if self.text[self.position :].strip():
            raise self._error()
        return value

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield where each of several values, separated by commas, starts and ends."""
        while self.text[self.position :].strip():
            if not self._take(","):
                start = self.position
                self._value()
                yield start, self.position
                if self.text[self.position :].strip() and not self._take(","):
                    raise self._error()

    def _error(self) -> ConfigError:
        rest = self.text[self.position :].strip()
        where = f"at {rest[:30]!r}" if rest else "at the end"
        return ConfigError(f"cannot read {self.text!r} {where}: write it like textrank(window=10)")

    def _next(self) -> tuple[str, str]:
        token = TOKEN.match(self.text, self.position)
        if token is None or token.lastgroup is None:
            raise self._error()
        self.position = token.end()
        return token.lastgroup, token[token.lastgroup]

    def _take(self, mark: str) -> bool:
        token = TOKEN.match(self.text, self.position)
        if token is None or token["mark"] != mark:
            return False
        self.position = token.end()
        return True

    def _value(self) -> object:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ConfigError(f"cannot read a spec nested more than {DEEPEST} deep")
        kind, text = self._next()
        value: object
        if kind == "number":
            value = float(text) if re.search(r"[.eE]", text) else int(text)
        elif kind == "string":
            value = _string(text)
        elif text == "[" or text == "(":
            value = self._items("]" if text == "[" else ")")
        elif kind == "name":
            value = CONSTANTS[text] if text in CONSTANTS else self._spec(text)
        else:
            self.position -= len(text)
            raise self._error()
        self.depth -= 1
        return value

    def _items(self, close: str) -> tuple[object, ...]:
        items = []
        while not self._take(close):
            items.append(self._value())
            if not self._take(","):
                if not self._take(close):
                    raise self._error()
                break
        return tuple(items)

    def _spec(self, name: str) -> Spec:
        values: list[object] = []
        options: dict[str, object] = {}
        if self._take("("):
            while not self._take(")"):
                value = self._value()
                if isinstance(value, Spec) and self._take("="):
                    if value.name in options:
                        raise ConfigError(f"cannot read {self.text!r}: {value.name} is given twice")
                    options[value.name] = self._value()
                elif options:
                    raise ConfigError(f"cannot read {self.text!r}: plain values come before key=value")
                else:
                    values.append(value)
                if not self._take(","):
                    if not self._take(")"):
                        raise self._error()
                    break
        return Spec(name, tuple(values), tuple(options.items()))


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


def _check_types(owner: str, made_by: Callable[..., Any], given: Mapping[str, object]) -> None:
    if not hasattr(made_by, "__dataclass_fields__"):
        return
    for field in fields(made_by):  # type: ignore[arg-type]
        allowed = get_args(field.type) or (field.type,)
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
