"""`mcp`: Phrasemill as tools of an assistant, by the Model Context Protocol."""

import sys
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import Option

EXAMPLES = """[bold]Examples[/bold]
  phrasemill mcp
  phrasemill mcp --http --port 8001

Assistants run the first command themselves. In their settings, enter the command `phrasemill`, argument `mcp`."""
HTTP_HELP = "Use streamable HTTP, at /mcp, instead of standard input and output."
HOST_HELP = "The address to listen on; by default only this machine."
TAGS_HELP = "Suggest tags from this file, written by phrasemill tags learn."

app = typer.Typer()


@options.command(app, EXAMPLES)
def mcp(
    http: Annotated[bool, Option("--http", HTTP_HELP)] = False,
    host: Annotated[str, Option("--host HOST", HOST_HELP)] = "127.0.0.1",
    port: Annotated[int, Option("--port -p N", "The port for --http.", least=1)] = 8001,
    tags: Annotated[str | None, Option("--tags FILE", TAGS_HELP)] = None,
) -> int:
    """Offer the tools extract, extract_set, contrast and evaluate to assistants, over the Model Context Protocol."""
    from phrasemill.integrations.mcp import server

    known = None
    if tags is not None:
        from phrasemill.tags import Tags

        known = Tags.open(tags)
    made = server(known)
    if http:
        print(f"Phrasemill is at http://{host}:{port}/mcp (Ctrl-C ends it)", file=sys.stderr)
        made.run("streamable-http", host=host, port=port)
    else:
        made.run("stdio")
    return 0
