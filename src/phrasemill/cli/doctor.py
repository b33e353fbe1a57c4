"""`doctor`: what is installed, what is missing and what for, and whether something is broken."""

import platform
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Annotated, NamedTuple

import typer

from phrasemill.catalogue import Extra, extras, table
from phrasemill.cli import formats, options
from phrasemill.cli.options import Option
from phrasemill.errors import PhrasemillError
from phrasemill.files.tables import align

EXAMPLES = """[bold]Examples[/bold]
  phrasemill doctor
  phrasemill doctor --quick
  phrasemill doctor --format json

The exit code is 1 if something that is installed does not work, and otherwise 0, even if extras are missing."""
QUICK_HELP = "Check whether extras are installed, without importing them."
OK, MISSING, BROKEN = "ok", "missing", "BROKEN"
TEXT = "Salt water moves inland when pumps draw too much groundwater."

app = typer.Typer()


class Finding(NamedTuple):
    """One line of the report: what was looked at, how it is, and what it is for or what to do."""

    subject: str
    state: str
    words: str


@options.command(app, EXAMPLES)
def doctor(
    quick: Annotated[bool, Option("--quick", QUICK_HELP)] = False,
    format: options.ListFormat = "table",
) -> int:
    """Check the installation: version, kernels, data files, a first extraction, and each extra."""
    found = list(findings(quick=quick))
    broken = [one.subject for one in found if one.state == BROKEN]
    if format == "json":
        formats.write_json({"broken": broken, "findings": [one._asdict() for one in found]})
    else:
        print(align([("", "state", ""), *found]), end="")
        missing = sum(one.state == MISSING for one in found)
        print(f"\n{_verdict(broken)} Optional packages not installed: {missing or 'none'}.")
    return 1 if broken else 0


def findings(*, quick: bool = False) -> Iterator[Finding]:
    """Yield what there is to report; with `quick`, extras are not imported."""
    yield _version()
    yield _kernels()
    yield _data()
    yield _extraction()
    for extra in extras().values():
        yield _extra(extra, quick=quick)
    yield from _weights()


def _verdict(broken: list[str]) -> str:
    return f"Broken: {', '.join(broken)}." if broken else "Everything that is installed works."


def _version() -> Finding:
    from phrasemill import __version__

    state = OK if sys.version_info >= (3, 11) else BROKEN
    return Finding(f"phrasemill {__version__}", state, f"Python {platform.python_version()}, {platform.system()}")


def _kernels() -> Finding:
    from phrasemill.kernels import names

    try:
        loaded = [import_module(f"phrasemill.kernels.{name}") for name in names()]
    except Exception as error:
        return Finding("kernels", BROKEN, f"{_reason(error)}; reinstall phrasemill")
    return Finding("kernels", OK, f"all {len(loaded)} are compiled")


def _data() -> Finding:
    from phrasemill import models
    from phrasemill.models import FOLDER

    files = sorted(FOLDER.glob("*.safetensors"))
    for path in files:
        try:
            models.load(path)
        except (PhrasemillError, OSError) as error:
            return Finding("data", BROKEN, f"{_reason(error)}; reinstall phrasemill")
    if not files:
        return Finding("data", BROKEN, "the models are missing; reinstall phrasemill")
    size = sum(path.stat().st_size for path in files) / 1e6
    return Finding("data", OK, f"{len(files)} models and tables, {size:.0f} MB")


def _extraction() -> Finding:
    from phrasemill.extractor import extract
    from phrasemill.options import DEFAULT_METHOD

    try:
        phrases = extract(TEXT, top=2).texts
    except Exception as error:
        return Finding("extraction", BROKEN, _reason(error))
    state = OK if phrases else BROKEN
    return Finding("extraction", state, f"{DEFAULT_METHOD} finds {' and '.join(map(repr, phrases)) or 'nothing'}")


def _extra(extra: Extra, *, quick: bool) -> Finding:
    subject = f"extra {extra.name}"
    if extra.missing:
        return Finding(subject, MISSING, f"{extra.purpose}: {extra.command}")
    for module in () if quick else extra.modules:
        try:
            import_module(module)
        except Exception as error:  # whatever a foreign package raises when it is imported
            return Finding(subject, BROKEN, f"{module}: {_reason(error)}; {extra.command}")
    return Finding(subject, OK, extra.purpose)


def _weights() -> Iterator[Finding]:
    from phrasemill.models import how_to_install, package_of, separate

    for name, method in table()["weights"].items():
        state, then = (OK, "") if separate(name).exists() else (MISSING, f": {how_to_install(name)}")
        yield Finding(f"weights {package_of(name)}", state, f"the method {method}{then}")


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason given'}"
