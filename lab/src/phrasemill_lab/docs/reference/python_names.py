"""The public Python names of each module: signature, docstring, fields, methods.

Signatures are read from the source, where types are written as a reader would write them, and modules that need
packages that may not be installed are never imported.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import phrasemill
from phrasemill.options import HELP
from phrasemill_lab.docs.reference import markdown

SOURCE = Path(phrasemill.__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef
WIDTH = 100
SIMPLE = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Name:
    """One public name: where it is defined, and the object where its module can be imported."""

    name: str
    node: ast.AST
    object: Any = None


def public(module: str) -> dict[str, Name]:
    """Return the names that a module makes public, by importing it."""
    made = import_module(module)
    found = {name: getattr(made, name) for name in made.__all__}
    return {name: _name(module, name, found[name]) for name in sorted(found, key=lambda one: _order(one, found[one]))}


def defined(module: str) -> dict[str, Name]:
    """Return the public names that a module defines, without importing it."""
    tree = _tree(_path(module))
    found = [node for node in tree.body if isinstance(node, ast.ClassDef | Function)]
    listed = _listed(tree)
    kept = [one for one in found if (one.name in listed if listed else not one.name.startswith("_"))]
    return {one.name: Name(one.name, one) for one in kept if ast.get_docstring(one)}


def _order(name: str, value: Any) -> tuple[int, str]:
    """Functions come first, then classes, errors, constants and modules."""
    if inspect.isclass(value):
        return 2 if issubclass(value, Exception) else 1, name.lower()
    if callable(value):
        return 0, name.lower()
    return 4 if isinstance(value, ModuleType) else 3, name.lower()


def _name(module: str, name: str, value: Any) -> Name:
    if isinstance(value, ModuleType) and callable(value):  # `methods`, a package and a function
        return Name(name, _node("phrasemill.listing", name), value)
    home = str(getattr(value, "__module__", ""))
    ours = home.startswith("phrasemill") and hasattr(value, "__qualname__")
    if isinstance(value, ModuleType) or not ours:
        return Name(name, ast.Pass(), value)
    return Name(name, _node(home, value.__qualname__), value)


def _node(module: str, name: str) -> ast.AST:
    for node in _tree(_path(module)).body:
        if getattr(node, "name", "") == name:
            return node
    return ast.Pass()


def _path(module: str) -> Path:
    place = SOURCE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _listed(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def module_doc(module: str) -> str:
    return ast.get_docstring(_tree(_path(module))) or ""


def sections(names: dict[str, Name], level: int = 2) -> Iterator[str]:
    """Yield one section per name."""
    for one in names.values():
        yield f"{'#' * level} `{one.name}`\n"
        yield _body(one, level)


def _body(one: Name, level: int) -> str:
    if isinstance(one.node, ast.ClassDef):
        return _class(one, one.node, level)
    if isinstance(one.node, Function):
        return _function(one.name, one.node, one.object)
    if isinstance(one.object, ModuleType):
        summary = (one.object.__doc__ or "").partition("\n\n")[0]
        return f"{markdown.prose(summary).strip()} See [`{one.object.__name__}`]({one.name}.md).\n"
    return _constant(one)


def _constant(one: Name) -> str:
    if one.name == "__version__":
        return "The version of the package, as text.\n"
    value = one.object
    if isinstance(value, Path):
        return f"The path of the file `{value.name}` that comes with the package.\n"
    listed = sorted(value) if isinstance(value, frozenset | set) else value
    shown = ", ".join(f"`{key}`" for key in listed) if hasattr(value, "__iter__") and not isinstance(value, str) else ""
    return f"{shown or markdown.code(repr(value))}\n"


def _function(name: str, node: Function, value: Any = None) -> str:
    called = signature(name, node, value)
    parts = [markdown.block(called, "py"), _aliases(called, value), markdown.prose(ast.get_docstring(node))]
    options = [(f"`{one.arg}`", HELP[one.arg]) for one in node.args.kwonlyargs if one.arg in HELP]
    if len(options) == len(HELP) == len(node.args.kwonlyargs):
        parts.append(markdown.table(("option", "what it does"), options))
    elif len(options) > len(HELP) // 3:
        parts.append("The options are those of [`extract`](phrasemill.md#extract).\n")
    return "\n".join(part for part in parts if part)


def _aliases(called: str, value: Any) -> str:
    """Return what the names of types in a signature stand for that its module defines or imports."""
    module = getattr(value, "__module__", "")
    if not module.startswith("phrasemill"):
        return ""
    tree = _tree(_path(module))
    found = _assigned(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("phrasemill."):
            elsewhere = _assigned(_tree(_path(node.module or "")))
            found |= {one.name: elsewhere[one.name] for one in node.names if one.name in elsewhere}
    used = [one for one in found if re.search(rf"\b{one}\b", called)]
    return " ".join(f"`{one}` is `{found[one]}`." for one in used) + "\n" if used else ""


def _assigned(tree: ast.Module) -> dict[str, str]:
    """Return the names of types that a module makes up."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            if ast.unparse(node.annotation) == "TypeAlias":
                found[node.target.id] = _type(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, ast.unparse(node.value)
            if name[:1].isupper() and not name.isupper() and value.startswith("Callable["):
                found[name] = value
    return found


def signature(name: str, node: Function, value: Any = None, *, drop: int = 0) -> str:
    """Return how a function is called, on one line if it fits."""
    known = _defaults(value)
    words = _parameters(node.args, known)[drop:]
    returned = f" -> {ast.unparse(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else ""
    start = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    line = f"{start}{name}({', '.join(words)}){returned}"
    if len(line) <= WIDTH:
        return _unquoted(line)
    return _unquoted(f"{start}{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){returned}")


def _unquoted(text: str) -> str:
    """Return a signature without the quotes around types that are not known while the module loads."""
    return text.replace("'Vocabulary | str | Path | None'", "Vocabulary | str | Path | None")


def _defaults(value: Any) -> dict[str, str]:
    try:
        found = inspect.signature(value).parameters.values() if value is not None else []
    except (TypeError, ValueError):
        return {}
    return {one.name: repr(one.default) for one in found if isinstance(one.default, SIMPLE)}


def _parameters(given: ast.arguments, known: dict[str, str]) -> list[str]:
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    words = [_parameter(one, default, known) for one, default in zip(plain, defaults, strict=True)]
    if given.posonlyargs:
        words.insert(len(given.posonlyargs), "/")
    if given.vararg:
        words.append(f"*{_parameter(given.vararg, None, known)}")
    elif given.kwonlyargs:
        words.append("*")
    words += [_parameter(one, d, known) for one, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    if given.kwarg:
        words.append(f"**{_parameter(given.kwarg, None, known)}")
    return words


def _parameter(one: ast.arg, default: ast.expr | None, known: dict[str, str]) -> str:
    kind = _type(one.annotation)
    value = "" if default is None else known.get(one.arg, ast.unparse(default))
    typed = f"{one.arg}: {kind}" if kind else one.arg
    return f"{typed} = {value}" if value and kind else f"{typed}={value}" if value else typed


def _type(annotation: ast.expr | None) -> str:
    if annotation is None:
        return ""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    return ast.unparse(annotation)


def _class(one: Name, node: ast.ClassDef, level: int) -> str:
    nodes = [node, *_bases(one)]
    made = next((m for c in nodes for m in _methods(c) if m.name == "__init__"), None)
    parts = []
    if made is not None and one.object is not None:
        parts.append(markdown.block(signature(one.name, made, one.object, drop=1), "py"))
    elif made is not None:
        parts.append(markdown.block(signature(one.name, made, drop=1), "py"))
    parts.append(markdown.prose(ast.get_docstring(node)))
    known = {name: markdown.code(value) for name, value in _defaults(one.object).items()}
    rows = [row for c in reversed(nodes) for row in _fields(c, known)]
    parts.append(markdown.table(("field", "type", "default"), rows))
    seen: set[str] = set()
    for method in (m for c in nodes for m in _methods(c)):
        if method.name.startswith("_") or method.name in seen or _is_setter(method):
            continue
        seen.add(method.name)
        parts.append(_member(one, method, level + 1))
    return "\n".join(part for part in parts if part)


def _bases(one: Name) -> list[ast.ClassDef]:
    """Return the classes of this package that a class is made from."""
    found = []
    for base in getattr(one.object, "__mro__", ())[1:]:
        node = _node(base.__module__, base.__qualname__) if base.__module__.startswith("phrasemill") else None
        if isinstance(node, ast.ClassDef):
            found.append(node)
    return found


def _methods(node: ast.ClassDef) -> list[Function]:
    return [one for one in node.body if isinstance(one, Function)]


def _is_setter(method: Function) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in method.decorator_list)


def _member(owner: Name, method: Function, level: int) -> str:
    decorators = {ast.unparse(one) for one in method.decorator_list}
    heading = f"{'#' * level} `{owner.name}.{method.name}`\n"
    doc = markdown.prose(ast.get_docstring(method))
    if decorators & {"property", "cached_property"}:
        kind = f"A property: `{_type(method.returns)}`. " if method.returns else "A property. "
        return f"{heading}\n{kind.rstrip()} {doc}" if doc else f"{heading}\n{kind.rstrip()}\n"
    drop = 0 if "staticmethod" in decorators else 1
    called = signature(method.name, method, getattr(owner.object, method.name, None), drop=drop)
    return "\n".join(part for part in (heading, markdown.block(called, "py"), doc) if part)


def _fields(node: ast.ClassDef, known: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a dataclass or a named tuple; `known` are defaults that are already written out."""
    for one in node.body:
        if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name) or one.target.id.startswith("_"):
            continue
        kind = _type(one.annotation)
        if kind.startswith("ClassVar"):
            continue
        yield f"`{one.target.id}`", f"`{kind}`", known.get(one.target.id) or _default(one.value)


def _default(value: ast.expr | None) -> str:
    """Return the default of a field, also where `field(…)` has it."""
    if isinstance(value, ast.Call) and ast.unparse(value.func).lower() == "field":
        given = {one.arg: one.value for one in value.keywords}
        return "empty" if "default_factory" in given else _default(given.get("default"))
    return "" if value is None else markdown.code(ast.unparse(value))
