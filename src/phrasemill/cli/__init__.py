"""The command line, thin: a command reads its options, calls the library and prints.

An error is one line on standard error; the exit code is 2, or 1 where only some of several files failed. A command is
imported when it is called, and Rich only when something is drawn on a screen, because these imports would take most of
the start-up. Other distributions add commands by entry points of the group `phrasemill.commands`.
"""

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.main import get_group

from phrasemill.cli import options
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError, PhrasemillError, UnknownName, warning_line

# Exit codes: the command could not do it or continue; Ctrl-C; the reader of the output stopped, as `head -1` does.
FAILED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141

ABOUT = "Keyphrases from documents: offline, fast, with the place of every phrase."
EXAMPLES = """[bold]Examples[/bold]
  phrasemill extract --example
  phrasemill extract article.txt --top 5
  phrasemill extract articles/ --format csv --output keyphrases.csv"""
SHORT = f"""Usage: phrasemill COMMAND [OPTIONS] …

{ABOUT}

{{commands}}

Examples
{EXAMPLES.partition(chr(10))[2]}

phrasemill COMMAND -h shows what most people need of a command, --help all of it."""
EXTRACT, CORPORA, MEASURE, LABORATORY = "Extract", "Corpora", "Train and measure", "Laboratory"
PLUGGED = "phrasemill.commands"  # the group of entry points


class Place(NamedTuple):
    """The module here that adds a command to `app`, and the command's group and its line in the help."""

    module: str
    panel: str
    summary: str


# In the order of the help.
COMMANDS = {
    "extract": Place("extract", EXTRACT, "Print the keyphrases of documents, or of sets of them."),
    "methods": Place("methods", EXTRACT, "List the methods to choose among, with their figures."),
    "serve": Place("serve", EXTRACT, "Start the page in the browser and the HTTP service."),
    "mcp": Place("serve", EXTRACT, "Offer tools to assistants (Model Context Protocol)."),
    "tags": Place("tags", EXTRACT, "Learn, suggest, review and apply your own tags."),
    "vocabulary": Place("checks", EXTRACT, "Check a vocabulary for errors."),
    "doctor": Place("checks", EXTRACT, "Check the installation: kernels, data, extras."),
    "run": Place("corpus", CORPORA, "Extract the keyphrases of a corpus; can be resumed."),
    "verify": Place("corpus", CORPORA, "Check that the results of a run are intact."),
    "statistics": Place("statistics", CORPORA, "Count document frequencies, fit topic models."),
    "train": Place("train", MEASURE, "Train a method on your own documents."),
    "evaluate": Place("evaluate", MEASURE, "Score predictions against gold keyphrases, compare systems."),
}
# The commands of phrasemill-lab: where it is not installed, they say so.
IN_LABORATORY = ("dataset", "make", "measure", "reproduce")


def _plugged() -> dict[str, Any]:
    """Return the entry points of commands that other distributions add."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {entry.name: entry for entry in entry_points(group=PLUGGED)}


class Commands(options.Group):
    """The commands, each imported when it is needed."""

    @property
    def short(self) -> str:
        lines = [f"  {name:<12}{place.summary}" for name, place in COMMANDS.items()]
        if plugged := sorted(_plugged()):
            lines.append(f"\n{LABORATORY}: {', '.join(plugged)}")
        return SHORT.format(commands="\n".join(lines))

    def list_commands(self, ctx: Any) -> list[str]:
        self._import(*COMMANDS)
        return [*COMMANDS, *sorted(_plugged())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        place = COMMANDS.get(cmd_name)
        plugged = {} if place else _plugged()
        if cmd_name in plugged:
            self.commands.update(get_group(plugged[cmd_name].load()).commands)
        elif not place:
            if cmd_name in IN_LABORATORY:
                how = "pip install phrasemill-lab, or ./lab in a checkout"
                raise ConfigError(f"phrasemill {cmd_name} is in the package phrasemill-lab: {how}")
            raise UnknownName("command", cmd_name, [*COMMANDS, *plugged])
        elif cmd_name not in self.commands:
            self._import(cmd_name)
        found: Any = super().get_command(ctx, cmd_name)
        found.rich_help_panel = place.panel if place else LABORATORY
        if place:
            found.short_help = place.summary
        return found

    def _import(self, *names: str) -> None:
        for name in names:
            import_module(f"{__name__}.{COMMANDS[name].module}")
        self.commands.update(get_group(app).commands)


app = options.group("phrasemill", ABOUT, EXAMPLES, cls=Commands)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own by default) and return its exit code."""
    warnings.formatwarning = warning_line
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # characters that the terminal lacks are no reason to stop
            stream.reconfigure(errors="replace")
    try:
        code = app(arguments, prog_name="phrasemill", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except PhrasemillError as error:
        message = str(error)
    except BrokenPipeError:
        # The reader of our output is gone; Python must not try to flush the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        message = f"{error.filename or 'output'}: {error.strerror or error}"
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        # Usage errors are the parser's own; their class moved between versions of Typer, their method did not.
        if not hasattr(error, "format_message"):
            raise
        message = f"{error.format_message().rstrip('.')} (see phrasemill --help)"
    complain(message)
    return FAILED


def _version(wanted: bool) -> None:
    if wanted:
        from phrasemill import __version__

        print(f"phrasemill {__version__}")
        raise typer.Exit


@app.callback()
def phrasemill(
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar=options.FLAG, callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass
