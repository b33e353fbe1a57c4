"""The grammar of specs, and every method with its parameters.

The docstring of a method explains each parameter in a list item: "- `window`: the longest distance …".
"""

import re
from dataclasses import MISSING, fields, is_dataclass
from inspect import cleandoc
from typing import Any

from phrasemill.registry import METHODS, SET_METHODS, TYPE_NAMES, Registry, parameters_of
from phrasemill_lab.docs.reference import markdown

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
PARAMETER = re.compile(r"^- `(?P<name>\w+)`: (?P<meaning>.*(?:\n  .*)*)\n?", re.MULTILINE)


def grammar_page() -> str:
    parts = [
        markdown.block(EXAMPLES, "text"),
        "A spec is a name and, in parentheses, values and `key=value` pairs. Values come before pairs, and set the "
        "parameters in their order.\n",
        markdown.block(GRAMMAR, "text"),
        "Spaces between the parts do not matter. In a shell, put a spec in quotes, because parentheses have a meaning "
        "there. An unknown name, an unknown parameter or a value of the wrong type is an error that names it.\n",
        "In Python, `phrasemill.registry.parse` reads a spec, and `str` writes it: `parse(str(spec)) == spec`.\n",
    ]
    intro = (
        "One grammar names methods, metrics and rules everywhere: in Python arguments, command options, HTTP fields, "
        "TOML values, benchmark rows and the signatures of scores."
    )
    return markdown.page("Specs", intro, parts)


def methods_page() -> str:
    single, sets = METHODS.names(), SET_METHODS.names()
    parts = [
        f"- **For documents**: {markdown.contents(single)}\n- **For sets of documents**: {markdown.contents(sets)}\n",
        "## Methods for documents\n",
        *(_method(METHODS, name) for name in single),
        "## Methods for sets of documents\n",
        *(_method(SET_METHODS, name) for name in sets),
    ]
    intro = (
        "The parameters of every method, with their defaults. Set them in a [spec](specs.md): `textrank(window=10)`. "
        "[Methods](methods.md) describes what each method does, and `phrasemill methods` prints speed and quality."
    )
    return markdown.page("Methods and their parameters", intro, parts)


def _method(registry: Registry, name: str) -> str:
    made_by = registry.get(name)
    meanings = meanings_of(made_by)
    rows = [
        (
            f"`{key}`",
            _kind(made_by, key),
            "required" if default is MISSING else f"`{_shown(default)}`",
            markdown.escaped(meanings.get(key, "")),
        )
        for key, default in parameters_of(made_by).items()
    ]
    facts = [("Paper", getattr(made_by, "paper", "")), ("Needs", getattr(made_by, "needs", ""))]
    lines = [f"- {label}: {markdown.escaped(value)}" for label, value in facts if value]
    words = re.sub(r"\n{3,}", "\n\n", PARAMETER.sub("", cleandoc(made_by.__doc__ or "") + "\n"))
    parts = [f"### `{name}`\n", markdown.prose(words), "\n".join(lines) + "\n" if lines else ""]
    parts.append(markdown.table(("parameter", "type", "default", "meaning"), rows))
    return "\n".join(part for part in parts if part)


def meanings_of(made_by: Any) -> dict[str, str]:
    """Return what each parameter means, by the docstrings of a method and of the methods it is derived from."""
    found: dict[str, str] = {}
    for one in reversed(made_by.__mro__ if isinstance(made_by, type) else (made_by,)):
        listed = PARAMETER.finditer(cleandoc(one.__doc__ or "") + "\n")
        found |= {match["name"]: " ".join(match["meaning"].split()).rstrip(".") for match in listed}
    return found


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
