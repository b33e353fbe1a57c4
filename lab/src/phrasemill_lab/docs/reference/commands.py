"""Every command and option, as the command line itself describes them."""

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from phrasemill.cli import COMMANDS, app
from phrasemill_lab.docs.reference import markdown

MARKUP = re.compile(r"\[/?bold\]")
DEFAULT_PANELS = {"argument": "Arguments", "option": "Options"}


def groups() -> dict[str, list[str]]:
    """Return the commands by their group in the help."""
    found: dict[str, list[str]] = {}
    for name, place in COMMANDS.items():
        found.setdefault(place.panel, []).append(name)
    return found


def walked(name: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield a command and those below it: how it is called, the command and its context."""
    root: Any = get_command(app)
    context = root.make_context("phrasemill", ["--help"], resilient_parsing=True)
    yield from _below(root.get_command(context, name), context, f"phrasemill {name}", name)


def _below(command: Any, parent: Any, called: str, name: str) -> Iterator[tuple[str, Any, Any]]:
    context = type(parent)(command, parent=parent, info_name=name)
    yield called, command, context
    if hasattr(command, "list_commands"):
        for one in command.list_commands(context):
            yield from _below(command.get_command(context, one), context, f"{called} {one}", one)


def section(name: str) -> str:
    """Return a command with all that is below it."""
    return "\n".join(_section(called, command, context) for called, command, context in walked(name))


def _section(called: str, command: Any, context: Any) -> str:
    level = "##" if called.count(" ") == 1 else "###"
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"{level} {called}\n", markdown.prose(MARKUP.sub("", command.help or command.short_help or ""))]
    if not hasattr(command, "list_commands"):
        parts.append(markdown.block(f"{called} {usage}", "text"))
        parts += _options(command, context)
    if command.epilog:
        parts.append(_examples(command.epilog))
    return "\n".join(part for part in parts if part)


def _examples(epilog: str) -> str:
    lines = MARKUP.sub("", epilog).splitlines()[1:]
    commands = [line.strip() for line in lines if line.startswith("  ")]
    words = [line for line in lines if line and not line.startswith("  ")]
    shown = f"Examples:\n\n{markdown.block(chr(10).join(commands), 'sh')}" if commands else ""
    return "\n".join(part for part in (shown, markdown.prose("\n".join(words))) if part)


def _options(command: Any, context: Any) -> Iterator[str]:
    panels: dict[str, list[tuple[str, str, str]]] = {}
    for one in command.get_params(context):
        if one.name == "help" or getattr(one, "hidden", False):
            continue
        panel = getattr(one, "rich_help_panel", None) or DEFAULT_PANELS[one.param_type_name]
        panels.setdefault(panel, []).append(_row(one))
    for panel, rows in panels.items():
        yield markdown.table(
            (panel.lower() if panel in DEFAULT_PANELS.values() else panel, "what it does", "default"), rows
        )


def _row(one: Any) -> tuple[str, str, str]:
    metavar = (one.metavar or "").strip()
    if one.param_type_name == "argument":
        spelled = f"`{metavar or one.name.upper()}`"
    else:
        names = [*one.opts, *one.secondary_opts]
        spelled = ", ".join(f"`{name} {metavar}`" if metavar else f"`{name}`" for name in names)
    text = markdown.escaped(MARKUP.sub("", one.help or ""))
    default = one.default if isinstance(one.default, str | int | float) and not isinstance(one.default, bool) else ""
    return spelled, text, markdown.code(str(default)) if default != "" else "required" if one.required else ""


def page() -> str:
    parts = []
    for panel, names in groups().items():
        listed = ", ".join(f"[`{name}`](#phrasemill-{name})" for name in names)
        parts.append(f"- **{panel}**: {listed}")
    intro = (
        "Every command with its options. `phrasemill COMMAND --help` prints the same. "
        "[Errors and exit codes](errors.md) apply to all commands, and `-h`, `--help` works with each."
    )
    return markdown.page("Commands", intro, ["\n".join(parts) + "\n", *(section(name) for name in COMMANDS)])
