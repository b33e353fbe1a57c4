"""`serve`: the page and the HTTP interface. `mcp`: tools of an assistant, by the Model Context Protocol."""

import os
import sys
from dataclasses import Field, fields
from inspect import Parameter, Signature
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, get_args

from phrasemill.cli import app, options
from phrasemill.cli.options import Option
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.service.limits import Limits

EXAMPLES = """[bold]Examples[/bold]
  phrasemill serve --offer 'ours=kea(model="kea.model")'
  phrasemill serve --tags my.tags --jobs jobs/
  phrasemill serve --host 0.0.0.0 --allow-host keyphrases.example.org --token-file tokens.txt"""
MCP_EXAMPLES = """[bold]Examples[/bold]
  phrasemill mcp
  phrasemill mcp --http --port 8001

Assistants run the first command themselves. In their settings, enter the command `phrasemill`, argument `mcp`."""
NETWORK, LIMITS = "Network", "Limits"
LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")
OPEN_ATTEMPTS, OPEN_WAIT = 100, 0.1  # to find the server ready before a browser opens, and seconds between them

TOKEN_HELP = "Accept only requests with one of these bearer tokens, one per line. By default anyone is served."
ORIGIN_HELP = "Let pages of this site use the service (CORS), such as https://example.org. May be repeated."
HOST_HELP = "Also answer to this host name. May be repeated."
OFFER_HELP = "Offer a method under this name, for instance with your own model. May be repeated."
TAGS_HELP = "Suggest tags from this file, written by phrasemill tags learn, and learn from feedback."
JOBS_HELP = "Keep jobs in this folder, so that they survive the server. By default they are deleted when it stops."
DRAIN_HELP = "After a signal to stop, keep accepting connections for this long, while /readyz returns 503."


class LimitOptions:
    """The limits of `Limits` that have an option, in the units of the command line."""

    def __init__(self, **given: Any) -> None:
        units = {one.name: one.metadata["unit"] for one in fields(Limits)}
        self.limits = Limits(**{name: value and value * units[name] for name, value in given.items()})


def _parameter(one: Field[Any]) -> Parameter:
    number: Any = get_args(one.type)[0] if get_args(one.type) else one.type
    option = Option(one.metadata["option"], one.metadata["help"], LIMITS, least=one.metadata["least"])
    default = one.default and number(one.default / one.metadata["unit"])
    return Parameter(one.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[one.type, option])


LimitOptions.__signature__ = Signature(  # type: ignore[attr-defined]
    [_parameter(one) for one in fields(Limits) if one.metadata["option"]]
)


@options.command(app, EXAMPLES)
def serve(
    bounds: LimitOptions,
    host: Annotated[str, Option("--host HOST", "The address to listen on.", NETWORK)] = "127.0.0.1",
    port: Annotated[int, Option("--port -p N", "The port to listen on; 0 for any free one.", NETWORK, least=0)] = 8000,
    workers: Annotated[int | None, Option("--workers -w N", "By default one per core.", LIMITS, least=1)] = None,
    token_file: Annotated[str | None, Option("--token-file FILE", TOKEN_HELP, NETWORK)] = None,
    open: Annotated[bool | None, Option("--open/--no-open", "Whether to open the page in a browser.")] = None,
    allow_origin: Annotated[list[str] | None, Option("--allow-origin URL", ORIGIN_HELP, NETWORK)] = None,
    allow_host: Annotated[list[str] | None, Option("--allow-host NAME", HOST_HELP, NETWORK)] = None,
    offer: Annotated[list[str] | None, Option("--offer NAME=SPEC", OFFER_HELP)] = None,
    tags: Annotated[Path | None, Option("--tags FILE", TAGS_HELP)] = None,
    jobs_folder: Annotated[Path | None, Option("--jobs FOLDER", JOBS_HELP)] = None,
    drain: Annotated[float, Option("--drain SECONDS", DRAIN_HELP, NETWORK, least=0)] = 0,
    quiet: Annotated[bool, Option("--quiet -q", "Log errors only.")] = False,
) -> int:
    """Start the page in the browser and the HTTP service. Ctrl-C stops both."""
    try:
        from phrasemill.service import app as application
        from phrasemill.service import server
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "fastapi", "serve", purpose="serve") from None
    from phrasemill.service.log import Log
    from phrasemill.service.tokens import Tokens, read_tokens

    if tags is not None:
        from phrasemill.tags.storage import load

        load(tags)  # what is no file of tags is an error here, not in every worker
    tokens = read_tokens(token_file) if token_file else Tokens()
    log = Log(quiet=quiet)
    failures: list[str] = []

    def failed(reason: str) -> None:
        if not failures:
            failures.append(reason)
            os.kill(os.getpid(), 15)

    own = [] if host in EVERYWHERE else [host]
    service = application.create_app(
        workers=workers,
        limits=bounds.limits,
        tokens=tokens,
        offers=_offers(offer or []),
        # Where it listens everywhere, any name will do if none is given.
        hosts=[*LOCAL, *own, *(allow_host or [])] if own or allow_host else None,
        origins=allow_origin or [],
        tags=str(tags or ""),
        jobs=jobs_folder,
        log=log,
        give_up=failed,
    )
    bound = server.listening(host, port, bounds.limits)
    shown = own[0] if own else "127.0.0.1"
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound.getsockname()[1]}/"

    def started() -> None:
        print(f"Phrasemill is at {address} (Ctrl-C ends it)", flush=True)
        if not tokens and host not in LOCAL:
            complain("anyone who reaches this port may use it; use --token-file to require tokens")
        screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if (screen and sys.stdout.isatty()) if open is None else open:
            Thread(target=_open_page, args=(address,), daemon=True).start()

    server.run(service, bound, limits=bounds.limits, log=log, drain=drain, started=started)
    if failures:
        raise ConfigError(f"the worker processes cannot start: {failures[0]}")
    return 0


@options.command(app, MCP_EXAMPLES)
def mcp(
    http: Annotated[bool, Option("--http", "Use streamable HTTP, at /mcp, not standard input and output.")] = False,
    host: Annotated[str, Option("--host HOST", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option("--port -p N", "The port for --http.", least=1)] = 8001,
    tags: Annotated[str | None, Option("--tags FILE", "Suggest tags from what phrasemill tags learn wrote.")] = None,
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


def _open_page(address: str) -> None:
    """Open the page in a browser once the server takes work; in a thread, because some browsers do not return."""
    import time
    import webbrowser
    from urllib.error import URLError
    from urllib.request import ProxyHandler, build_opener

    direct = build_opener(ProxyHandler({}))
    for _ in range(OPEN_ATTEMPTS):
        try:
            direct.open(f"{address}readyz", timeout=OPEN_WAIT).close()
            break
        except (URLError, OSError):  # 503 while the workers start
            time.sleep(OPEN_WAIT)
    webbrowser.open(address)


def _offers(given: list[str]) -> dict[str, Any]:
    from phrasemill.catalogue import METHODS, SET_METHODS
    from phrasemill.specs import parse

    found: dict[str, Any] = {}
    for one in given:
        name, mark, spec = one.partition("=")
        if not mark or not spec or not name.isidentifier():
            raise ConfigError(f"--offer takes NAME=SPEC, such as 'ours=kea(model=\"kea.model\")'; got {one!r}")
        if name in METHODS or name in SET_METHODS or name in found:
            raise ConfigError(f"--offer {name}: a method of that name exists already; choose another name")
        METHODS.get(parse(spec).name)
        found[name] = spec
    return found
