"""What mkdocs makes while it builds the site (`hooks` in mkdocs.yml): the page of results, and lists from the code.

`docs/results.md` is made from `lab/results/*.csv`. What `LISTS` return is added below the text of pages in git.
"""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from inspect import getdoc
from io import StringIO
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click
from typer.main import get_command

from phrasemill import cli
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.options import OPTIONS, RemoteOptions, SetOptions, options_of
from phrasemill.service.app import create_app
from phrasemill.service.problems import KINDS
from phrasemill.specs import Spec, parameters_of

OVER_HTTP, OF_SETS = options_of(RemoteOptions), options_of(SetOptions)
MADE = ("note", "command", "date", "commit", "machine")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in (header, *rows)]
    lines.insert(1, ["---:" if re.match(r"[-+−]?[\d.,]+( \[|$)", one) else "---" for one in lines[1]])
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def results(name: str, rows: list[dict[str, str]], explained: str) -> str:
    """Return the section of one CSV file: its table, with intervals in brackets, and how its rows were measured."""

    def cell(row: dict[str, str], column: str) -> str:
        value, low = row[column], row.get(f"{column} low")
        value = f"{int(value):,}" if value.isdecimal() else value
        return f"{value} [{low}, {row[f'{column} high']}]".replace(" ", "\N{NO-BREAK SPACE}") if low else value

    columns = [one for one in rows[0] if one not in MADE and not re.search(" (?:low|high)$", one)]
    origins: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        origins.setdefault(tuple(row.get(one, "") for one in MADE), []).append(row[columns[0]])
    said = []
    for (note, command, *measured), whose in origins.items():
        of = f"{', '.join(dict.fromkeys(whose))}: " if len(origins) > 1 else ""
        said.append(f"{of}{'; '.join(filter(None, [f'`{command}`' if command else '', *measured, note.rstrip('.')]))}.")
    shown = table(columns, [[cell(row, column) for column in columns] for row in rows])
    title = name.replace("-", " ").capitalize()
    return f"## {title} {{ #{name} }}\n\n{explained}\n\n{shown}\n" + "\n\n".join(said) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the page of results. Each table links to the first page that refers to it."""
    pages: dict[str, str] = {}
    for file in files.documentation_pages():
        title = file.content_string.partition("\n")[0].removeprefix("# ")
        for name in re.findall(r"results\.md#([\w-]+)", file.content_string):
            pages.setdefault(name, f"Explained in [{title}]({file.src_uri}).")
    parts = ["# Results\n\nAll measurements, each with its command, date, commit and machine.\n"]
    for path in sorted(Path(config.config_file_path).parent.glob("lab/results/*.csv"), key=lambda one: one.stem):
        with path.open(encoding="utf-8", newline="") as file_:
            parts.append(results(path.stem, list(csv.DictReader(file_)), pages.get(path.stem, "")))
    files.append(File.generated(config, "results.md", content="\n".join(parts)))
    return files


def commands() -> str:
    command: Any = get_command(cli.app)
    context = command.make_context("phrasemill", ["--help"], resilient_parsing=True)
    text = get_docs_for_click(obj=command, ctx=context, name="phrasemill").partition("**Commands**:")[2]
    text = text.replace("[bold]Examples[/bold]\n", "**Examples**:\n\n").replace("<", "&lt;")
    return "## All commands\n" + re.sub(r"(?m)^  (?=\S)", "    ", re.sub(r"\[/?bold\]", "`", text))


def methods() -> str:
    parts = []
    for registry in (METHODS, SET_METHODS):
        for name in registry:
            one = registry.get(name)
            defaults = Spec(name, (), tuple(parameters_of(one).items()))
            parts.append(f"## `{name}`\n\n    {defaults}\n\n{getdoc(one)}\n\n{getattr(one, 'paper', '')}\n")
    return "\n".join(parts)


def options() -> str:
    """Return every option with its default, what it does, and where else than in Python it can be used."""
    rows = []
    for name, one in OPTIONS.items():
        where = ["command", *(["HTTP"] if name in OVER_HTTP else []), *(["sets"] if name in OF_SETS else [])]
        rows.append((f"`{name}`", f"`{one.default!r}`", one.help, ", ".join(where)))
    return table(("option", "default", "what it does", "also in"), rows)


def scores() -> str:
    with redirect_stdout(StringIO()) as printed:
        cli.run(["evaluate", "--list", "--format", "json"])
    said = json.loads(printed.getvalue())
    metrics = [(f"`{one['name']}`", one["summary"], one["needs"], one["paper"]) for one in said["metrics"]]
    choices = [(f"`{k}`", f"`{v}`", words) for k, values in said["choices"].items() for v, words in values.items()]
    parts = ["## Metrics\n", table(("metric", "what it is", "needs", "paper"), metrics)]
    parts += ["## Choices\n", table(("choice", "value", "what it means"), choices), "## Presets\n"]
    for one in said["presets"]:
        changed = [f"`{k}={v!r}`" for k, v in one["policy"].items() if v != said["defaults"][k]]
        parts.append(f"### `{one['name']}`\n\n{one['summary']}. {one['consequence']}\n\n- Source: {one['source']}")
        parts.append(f"- Choices: {', '.join(changed) or 'the defaults'}\n- Metrics: `{'`, `'.join(one['metrics'])}`\n")
    return "\n".join(parts)


def http() -> str:
    paths = create_app(workers=1, tags="a file of tags").openapi()["paths"]  # any path: tags are described, not used
    operations = [(f"`{verb.upper()} {path}`", one) for path, verbs in paths.items() for verb, one in verbs.items()]
    return "\n".join(f"## {called}\n\n{one.get('description', '')}\n" for called, one in operations)


def problems() -> str:
    return table(("type", "status", "title"), [(f"`{name}`", *facts) for name, facts in KINDS.items()])


LISTS = {
    "commands": commands,
    "errors": problems,
    "http": http,
    "method-parameters": methods,
    "options": options,
    "scores": scores,
}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    made = LISTS.get(page.file.src_uri.removeprefix("reference/").removesuffix(".md"))
    return f"{markdown}\n{made()}" if made else markdown
