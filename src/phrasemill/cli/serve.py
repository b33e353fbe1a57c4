"""`serve`: the page and the HTTP interface."""

import os
import sys
from dataclasses import Field, fields
from inspect import Parameter, Signature
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, get_args

import typer

from phrasemill.cli import options
from phrasemill.cli.options import Option
from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.service.limits import Limits

EXAMPLES = """[bold]Examples[/bold]
  phrasemill serve
  phrasemill serve --port 8080 --workers 4 --no-open
  phrasemill serve --offer 'ours=kea(model="kea.model")'
  phrasemill serve --tags my.tags --jobs jobs/
  phrasemill serve --host 0.0.0.0 --allow-host keyphrases.example.org --token-file tokens.txt"""
NETWORK, LIMITS = "Network", "Limits"
LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")
OPEN_ATTEMPTS, OPEN_WAIT = 100, 0.1  # to find the server ready before a browser opens, and seconds between them

TOKEN_HELP = (
    "Accept only requests with one of these bearer tokens, one per line. Without it, anyone "
    "who can reach the port can use the service."
)
ORIGIN_HELP = "Let pages of this site use the service (CORS), such as https://example.org. May be repeated."
HOST_HELP = "Also answer to this host name. May be repeated."
OFFER_HELP = "Offer a method under this name, for instance with your own model. May be repeated."
TAGS_HELP = "Suggest tags from this file, written by phrasemill tags learn, and learn from feedback."
JOBS_HELP = "Keep jobs in this folder, so that they survive the server. By default they are deleted when it stops."
DRAIN_HELP = "After a signal to stop, keep accepting connections for this long, while /readyz returns 503."

app = typer.Typer()


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
    workers: Annotated[
        int | None,
        Option("--workers -w N", "The number of worker processes; by default one per core.", LIMITS, least=1),
    ] = None,
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

    tokens = read_tokens(token_file) if token_file else Tokens()
    log = Log(quiet=quiet)
    failures: list[str] = []

    def failed(reason: str) -> None:
        if not failures:
            failures.append(reason)
            os.kill(os.getpid(), 15)

    service = application.create_app(
        workers=workers,
        limits=bounds.limits,
        tokens=tokens,
        offers=_offers(offer or []),
        hosts=_hosts(host, allow_host or []),
        origins=allow_origin or [],
        tags=_tags(tags),
        jobs=jobs_folder,
        log=log,
        give_up=failed,
    )
    bound = server.listening(host, port, bounds.limits)
    address = _address(host, bound.getsockname()[1])

    def started() -> None:
        print(f"Phrasemill is at {address} (Ctrl-C ends it)", flush=True)
        if not tokens and host not in LOCAL:
            print(
                "phrasemill: anyone who reaches this port may use it; use --token-file to require tokens",
                file=sys.stderr,
            )
        if _has_screen() if open is None else open:
            Thread(target=_open_page, args=(address,), daemon=True).start()

    server.run(service, bound, limits=bounds.limits, log=log, drain=drain, started=started)
    if failures:
        raise ConfigError(f"the worker processes cannot start: {failures[0]}")
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


def _tags(path: Path | None) -> str:
    if path is None:
        return ""
    from phrasemill.tags.storage import load

    load(path)  # what is no file of tags is an error here, not in every worker
    return str(path)


def _hosts(host: str, allowed: list[str]) -> list[str] | None:
    """Return the names that the server answers to; None for any, where it listens everywhere."""
    if host in EVERYWHERE:
        return [*LOCAL, *allowed] if allowed else None
    return [*LOCAL, host, *allowed]


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


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


def _has_screen() -> bool:
    """Return whether there is a screen to open a browser on."""
    display = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(display) and sys.stdout.isatty()
