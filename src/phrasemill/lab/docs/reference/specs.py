"""The grammar of specs, and every method with its parameters."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from phrasemill.lab.docs.reference import markdown
from phrasemill.registry import METHODS, SET_METHODS, TYPE_NAMES, Registry, parameters_of

GRAMMAR = """\
spec    = name [ "(" [ item { "," item } [ "," ] ] ")" ]
item    = value | name "=" value
value   = number | string | "True" | "False" | "None" | list | spec
list    = "[" [ value { "," value } [ "," ] ] "]" | "(" … ")"
name    = a letter or "_", then letters, digits, "_", "@", "+" and "-"
string  = text in single or double quotes, with the escapes of Python
"""
EXAMPLES = """\
textrank
textrank(window=10)
tfidf(candidates='noun_phrases', longest=2)
merge(positionrank(window=5), keep=30)
F1@5(match='stem', average='micro')
similarity(0.8)
"""


def grammar_page() -> str:
    parts = [
        markdown.block(EXAMPLES, "text"),
        "A spec is a name and, in parentheses, values and `key=value` pairs. Values come before pairs, and stand for "
        "the parameters in their order.\n",
        markdown.block(GRAMMAR, "text"),
        "Blanks between the parts do not matter. Put a spec in quotes in a shell, because parentheses mean something "
        "there. A wrong name, an unknown parameter or a value of the wrong type is an error that shows where it is.\n",
        "In Python, `phrasemill.registry.parse` reads a spec, and `str` writes it: `parse(str(spec)) == spec`.\n",
    ]
    intro = (
        "One grammar names methods, metrics and rules everywhere: in Python arguments, command options, HTTP fields, "
        "TOML values, benchmark rows and the signatures of scores."
    )
    return markdown.page("Specs", intro, parts)


def methods_page() -> str:
    parts = ["## Methods for documents\n"]
    parts += [_method(METHODS, name) for name in METHODS.names()]
    parts.append("## Methods for sets of documents\n")
    parts += [_method(SET_METHODS, name) for name in SET_METHODS.names()]
    intro = (
        "Every method with its parameters, which a [spec](specs.md) sets: `textrank(window=10)`. `phrasemill methods` "
        "lists them with their figures."
    )
    return markdown.page("Methods and their parameters", intro, parts)


def _method(registry: Registry, name: str) -> str:
    made_by = registry.get(name)
    rows = [
        (f"`{key}`", _kind(made_by, key), "required" if default is MISSING else f"`{_shown(default)}`")
        for key, default in parameters_of(made_by).items()
    ]
    facts = [("Paper", getattr(made_by, "paper", "")), ("Needs", getattr(made_by, "needs", ""))]
    lines = [f"- {label}: {markdown.escaped(value)}" for label, value in facts if value]
    parts = [f"### `{name}`\n", markdown.prose(made_by.__doc__), "\n".join(lines) + "\n" if lines else ""]
    parts.append(markdown.table(("parameter", "type", "default"), rows))
    return "\n".join(part for part in parts if part)


def _kind(made_by: Any, key: str) -> str:
    """Return the type of a parameter in words."""
    if not is_dataclass(made_by):
        return ""
    annotation = {field.name: field.type for field in fields(made_by)}[key]
    allowed = getattr(annotation, "__args__", (annotation,))
    words = [TYPE_NAMES[one] for one in allowed if one in TYPE_NAMES]
    if any(getattr(one, "__name__", "") in ("Ranker", "Method") for one in allowed):
        words.insert(0, "a method")
    return " or ".join(words) if words else markdown.code(getattr(annotation, "__name__", str(annotation)))


def _shown(default: object) -> str:
    return f"{default:.3g}" if isinstance(default, float) else repr(default)
