"""`serve`: the page and the HTTP interface."""

import os
import sys
from typing import Annotated, Any

import typer

from phrasemill.cli import options
from phrasemill.cli.options import option, seconds, whole
from phrasemill.errors import ConfigError, MissingExtra

EXAMPLES = """[bold]Examples[/bold]
  phrasemill serve
  phrasemill serve --port 8080 --workers 4 --no-open
  phrasemill serve --offer 'ours=kea(model="kea.model")'
  phrasemill serve --host 0.0.0.0 --allow-host keyphrases.example.org --token-file tokens.txt"""
NETWORK, LIMITS = "Network", "Limits"
LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")
MEBIBYTE = 1 << 20
HELD_UPLOADS = 4  # an upload, its files, their texts and the answer must fit into what requests may hold


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(serve)


def serve(
    host: Annotated[str, option(metavar="HOST", help="Address to listen on.", panel=NETWORK)] = "127.0.0.1",
    port: Annotated[str, option("--port", "-p", metavar="N", help="0 for any free port.", panel=NETWORK)] = "8000",
    workers: Annotated[
        str | None,
        option("--workers", "-w", metavar="N", help="Worker processes; one per core by default.", panel=LIMITS),
    ] = None,
    token_file: Annotated[
        str | None,
        option(
            metavar="FILE",
            help="Bearer tokens, one per line; without them, anyone who reaches the port may use the service.",
            panel=NETWORK,
        ),
    ] = None,
    open: Annotated[bool | None, option("--open/--no-open", help="Open the page in a browser.", default=False)] = None,
    allow_origin: Annotated[
        list[str] | None,
        option(
            metavar="URL",
            help="A site whose pages may use the service (CORS), such as https://example.org; may be repeated.",
            panel=NETWORK,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        option(
            metavar="NAME",
            help="A host name to answer to, besides the server's own address; may be repeated.",
            panel=NETWORK,
        ),
    ] = None,
    offer: Annotated[
        list[str] | None,
        option(
            metavar="NAME=SPEC",
            help="Offer a method under a name, with models that clients cannot name; may be repeated.",
        ),
    ] = None,
    timeout: Annotated[str, option(metavar="SECONDS", help="Time limit for one document.", panel=LIMITS)] = "30",
    max_documents: Annotated[str, option(metavar="N", help="Documents per request.", panel=LIMITS)] = "1000",
    max_body: Annotated[str, option(metavar="MB", help="Size of a request with texts.", panel=LIMITS)] = "16",
    max_upload: Annotated[str, option(metavar="MB", help="Size of a request with files.", panel=LIMITS)] = "64",
    memory: Annotated[str, option(metavar="MB", help="Memory of a worker; 0 for no limit.", panel=LIMITS)] = "2048",
    server_memory: Annotated[
        str | None,
        option(
            metavar="MB",
            help="Memory of the server process; 0 for no limit. By default it follows from the other limits.",
            panel=LIMITS,
        ),
    ] = None,
    queue: Annotated[
        str, option(metavar="N", help="Requests at a time; more are refused with 503.", panel=LIMITS)
    ] = "512",
    per_client: Annotated[
        str, option(metavar="N", help="Requests at a time per token or address; 0 for no limit.", panel=LIMITS)
    ] = "0",
    drain: Annotated[
        str,
        option(
            metavar="SECONDS",
            help="On a signal to stop, accept connections for this long while /readyz answers 503.",
            panel=NETWORK,
        ),
    ] = "0",
    quiet: Annotated[bool, option("--quiet", "-q", help="Log only what goes wrong.")] = False,
) -> int:
    """Show the page, and answer by HTTP; Ctrl-C ends it."""
    try:
        from phrasemill.service import app as application
        from phrasemill.service import server
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "fastapi", "serve", purpose="serve") from None
    from phrasemill.service.limits import Limits
    from phrasemill.service.log import Log
    from phrasemill.service.tokens import Tokens, read_tokens

    upload = whole(max_upload, "--max-upload") * MEBIBYTE
    limits = Limits(
        body=whole(max_body, "--max-body") * MEBIBYTE,
        upload=upload,
        held=max(Limits().held, HELD_UPLOADS * upload),
        documents=whole(max_documents, "--max-documents"),
        requests=whole(queue, "--queue"),
        per_client=whole(per_client, "--per-client", least=0),
        step=seconds(timeout, "--timeout", least=0.1),
        memory=whole(memory, "--memory", least=0) * MEBIBYTE,
        server=None if server_memory is None else whole(server_memory, "--server-memory", least=0) * MEBIBYTE,
    )
    wait = seconds(drain, "--drain", least=0.0)
    tokens = read_tokens(token_file) if token_file else Tokens()
    log = Log(quiet=quiet)
    failures: list[str] = []

    def failed(reason: str) -> None:
        if not failures:
            failures.append(reason)
            os.kill(os.getpid(), 15)

    app = application.create_app(
        workers=None if workers is None else whole(workers, "--workers"),
        limits=limits,
        tokens=tokens,
        offers=_offers(offer or []),
        hosts=_hosts(host, allow_host or []),
        origins=allow_origin or [],
        log=log,
        give_up=failed,
    )
    bound = server.listening(host, whole(port, "--port", least=0))
    address = _address(host, bound.getsockname()[1])

    def started() -> None:
        print(f"Phrasemill is at {address} (Ctrl-C ends it)", flush=True)
        if not tokens and host not in LOCAL:
            print(
                "phrasemill: anyone who reaches this port may use it; use --token-file to require tokens",
                file=sys.stderr,
            )
        if _has_screen() if open is None else open:
            import webbrowser

            webbrowser.open(address)

    server.run(app, bound, limits=limits, log=log, drain=wait, started=started)
    if failures:
        raise ConfigError(f"the workers cannot start: {failures[0]}")
    return 0


def _hosts(host: str, allowed: list[str]) -> list[str] | None:
    """Return the names that the server answers to; None for any, where it listens everywhere."""
    if host in EVERYWHERE:
        return [*LOCAL, *allowed] if allowed else None
    return [*LOCAL, host, *allowed]


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _offers(given: list[str]) -> dict[str, Any]:
    from phrasemill.registry import METHODS, SET_METHODS, parse

    found: dict[str, Any] = {}
    for one in given:
        name, mark, spec = one.partition("=")
        if not mark or not spec or not name.isidentifier():
            raise ConfigError(f"--offer takes NAME=SPEC, such as 'ours=kea(model=\"kea.model\")'; got {one!r}")
        if name in METHODS or name in SET_METHODS or name in found:
            raise ConfigError(f"--offer {name}: there is a method of that name already")
        METHODS.get(parse(spec).name)
        found[name] = spec
    return found


def _has_screen() -> bool:
    """Return whether there is a screen to open a browser on."""
    display = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(display) and sys.stdout.isatty()
