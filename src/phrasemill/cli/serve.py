"""`serve`: the page and the HTTP interface."""

import math
import os
import sys
from typing import Annotated, Any

import typer

from phrasemill.cli import options
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

Host = Annotated[str, typer.Option(metavar="HOST", help="Address to listen on.", rich_help_panel=NETWORK)]
Port = Annotated[
    str,
    typer.Option("--port", "-p", metavar="N", help="0 for any free port.", rich_help_panel=NETWORK),
]
Workers = Annotated[
    str | None,
    typer.Option(
        "--workers",
        "-w",
        metavar="N",
        help="Number of worker processes; one per core by default.",
        show_default=False,
        rich_help_panel=LIMITS,
    ),
]
TokenFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Bearer tokens, one per line; without them, anyone who reaches the port may use the service.",
        show_default=False,
        rich_help_panel=NETWORK,
    ),
]
Open = Annotated[
    bool | None,
    typer.Option("--open/--no-open", metavar=options.FLAG, help="Open the page in a browser.", show_default=False),
]
AllowOrigin = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL",
        help="A site whose pages may use the service (CORS), such as https://example.org; may be repeated.",
        show_default=False,
        rich_help_panel=NETWORK,
    ),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A host name to answer to, besides the server's own address; may be repeated.",
        show_default=False,
        rich_help_panel=NETWORK,
    ),
]
Offer = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=SPEC",
        help="Offer a method under a name, with models that clients cannot name; may be repeated.",
        show_default=False,
    ),
]
Timeout = Annotated[str, typer.Option(metavar="SECONDS", help="Time limit for one document.", rich_help_panel=LIMITS)]
MaxDocuments = Annotated[str, typer.Option(metavar="N", help="Documents per request.", rich_help_panel=LIMITS)]
MaxBody = Annotated[str, typer.Option(metavar="MB", help="Size of a request with texts.", rich_help_panel=LIMITS)]
MaxUpload = Annotated[str, typer.Option(metavar="MB", help="Size of a request with files.", rich_help_panel=LIMITS)]
Memory = Annotated[str, typer.Option(metavar="MB", help="Memory of a worker; 0 for no limit.", rich_help_panel=LIMITS)]
ServerMemory = Annotated[
    str | None,
    typer.Option(
        metavar="MB",
        help="Memory of the server process; 0 for no limit. By default it follows from the other limits.",
        show_default=False,
        rich_help_panel=LIMITS,
    ),
]
Queue = Annotated[
    str,
    typer.Option(metavar="N", help="Requests at a time; more are refused with 503.", rich_help_panel=LIMITS),
]
PerClient = Annotated[
    str,
    typer.Option(metavar="N", help="Requests at a time per token or address; 0 for no limit.", rich_help_panel=LIMITS),
]
Drain = Annotated[
    str,
    typer.Option(
        metavar="SECONDS",
        help="When told to stop, accept connections for this long while /readyz answers 503.",
        rich_help_panel=NETWORK,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", metavar=options.FLAG, help="Log only what goes wrong.")]


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(serve)


def serve(
    host: Host = "127.0.0.1",
    port: Port = "8000",
    workers: Workers = None,
    token_file: TokenFile = None,
    open: Open = None,
    allow_origin: AllowOrigin = None,
    allow_host: AllowHost = None,
    offer: Offer = None,
    timeout: Timeout = "30",
    max_documents: MaxDocuments = "1000",
    max_body: MaxBody = "16",
    max_upload: MaxUpload = "64",
    memory: Memory = "2048",
    server_memory: ServerMemory = None,
    queue: Queue = "512",
    per_client: PerClient = "0",
    drain: Drain = "0",
    quiet: Quiet = False,
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

    upload = _whole(max_upload, "--max-upload") * MEBIBYTE
    limits = Limits(
        body=_whole(max_body, "--max-body") * MEBIBYTE,
        upload=upload,
        held=max(Limits().held, HELD_UPLOADS * upload),
        documents=_whole(max_documents, "--max-documents"),
        requests=_whole(queue, "--queue"),
        per_client=_whole(per_client, "--per-client", least=0),
        step=_seconds(timeout, "--timeout", least=0.1),
        memory=_whole(memory, "--memory", least=0) * MEBIBYTE,
        server=None if server_memory is None else _whole(server_memory, "--server-memory", least=0) * MEBIBYTE,
    )
    wait = _seconds(drain, "--drain", least=0.0)
    tokens = read_tokens(token_file) if token_file else Tokens()
    log = Log(quiet=quiet)
    failures: list[str] = []

    def failed(reason: str) -> None:
        if not failures:
            failures.append(reason)
            os.kill(os.getpid(), 15)

    app = application.create_app(
        workers=None if workers is None else _whole(workers, "--workers"),
        limits=limits,
        tokens=tokens,
        offers=_offers(offer or []),
        hosts=_hosts(host, allow_host or []),
        origins=allow_origin or [],
        log=log,
        give_up=failed,
    )
    bound = server.listening(host, _whole(port, "--port", least=0))
    address = _address(host, bound.getsockname()[1])

    def started() -> None:
        print(f"Phrasemill is at {address} (Ctrl-C ends it)", flush=True)
        if not tokens and host not in LOCAL:
            print(
                "phrasemill: anyone who reaches this port may use it; use --token-file to require tokens",
                file=sys.stderr,
            )
        if _someone_looks() if open is None else open:
            import webbrowser

            webbrowser.open(address)

    server.run(app, bound, limits=limits, log=log, drain=wait, started=started)
    if failures:
        raise ConfigError(f"the workers cannot start: {failures[0]}")
    return 0


def _whole(value: str, option: str, *, least: int = 1) -> int:
    complaint = f"{option} must be a whole number, {least} or more"
    found = options.number(value, int, complaint)
    if found < least:
        raise ConfigError(f"{complaint}; got {value!r}")
    return found


def _seconds(value: str, option: str, *, least: float) -> float:
    complaint = f"{option} must be a number of seconds, {least:g} or more"
    found = options.number(value, float, complaint)
    if not least <= found < math.inf:
        raise ConfigError(f"{complaint}; got {value!r}")
    return found


def _hosts(host: str, allowed: list[str]) -> list[str] | None:
    """The names that the server answers to; any, where it listens everywhere and nobody said."""
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


def _someone_looks() -> bool:
    """Whether there is a screen to open a browser on."""
    display = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(display) and sys.stdout.isatty()
