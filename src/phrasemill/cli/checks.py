"""`doctor`: what is installed, missing or broken. `vocabulary`: what is in a vocabulary, and what is wrong with it."""

import platform
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from phrasemill.catalogue import Extra, extras, table
from phrasemill.cli import app, options
from phrasemill.cli.options import Option
from phrasemill.cli.output import Part, View, counted, show
from phrasemill.errors import ModelError
from phrasemill.files.tables import Table, one_line

if TYPE_CHECKING:
    from phrasemill.vocabulary.checking import Checked

DOCTOR_EXAMPLES = """[bold]Examples[/bold]
  phrasemill doctor
  phrasemill doctor --quick
  phrasemill doctor --format json

The exit code is 1 if something that is installed does not work, and otherwise 0, even if extras are missing."""
VOCABULARY_EXAMPLES = """[bold]Examples[/bold]
  phrasemill vocabulary thesaurus.ttl
  phrasemill vocabulary terms.csv --show all"""
SHOW_HELP = "How many problems of each kind to print: a count, or all."
QUICK_HELP = "Check whether extras are installed, without importing them."
OK, MISSING, BROKEN = "ok", "missing", "BROKEN"
REINSTALL = "reinstall phrasemill"
TEXT = "Salt water moves inland when pumps draw too much groundwater."


class Finding(NamedTuple):
    """One line of the report: what was looked at, how it is, and what it is for or what to do."""

    subject: str
    state: str
    words: str


@options.command(app, DOCTOR_EXAMPLES)
def doctor(
    quick: Annotated[bool, Option("--quick", QUICK_HELP)] = False,
    format: options.ListFormat = "table",
) -> int:
    """Check the installation: version, kernels, data files, a first extraction, and each extra."""
    found = list(findings(quick=quick))
    broken = [one.subject for one in found if one.state == BROKEN]
    missing = sum(one.state == MISSING for one in found) or "none"
    verdict = f"Broken: {', '.join(broken)}." if broken else "Everything that is installed works."
    counted = f"{verdict} Optional packages not installed: {missing}."
    report: list[Part] = [Table("", ("", "state", ""), found), counted]
    record = {"broken": broken, "findings": [one._asdict() for one in found]}
    show([report], View(table=lambda shown: shown, record=lambda _: record), format)
    return 1 if broken else 0


def findings(*, quick: bool = False) -> Iterator[Finding]:
    """Yield what there is to report; with `quick`, extras are not imported."""
    from phrasemill import __version__

    yield Finding(f"phrasemill {__version__}", OK, f"Python {platform.python_version()}, {platform.system()}")
    yield _checked("kernels", _kernels, REINSTALL)
    yield _checked("data", _data, REINSTALL)
    yield _checked("extraction", _extraction, REINSTALL)
    for extra in extras().values():
        yield _extra(extra, quick=quick)
    yield from _weights()


def _checked(subject: str, check: Callable[[], str], remedy: str) -> Finding:
    """Return what a check says, or why it failed and what to do."""
    try:
        return Finding(subject, OK, check())
    except Exception as error:  # whatever a package raises that is not installed as it should be
        reason = str(error).splitlines()[0] if str(error) else "no reason given"
        return Finding(subject, BROKEN, f"{type(error).__name__}: {reason}; {remedy}")


def _kernels() -> str:
    from phrasemill.kernels import names

    return f"all {len([import_module(f'phrasemill.kernels.{name}') for name in names()])} are compiled"


def _data() -> str:
    from phrasemill import models
    from phrasemill.models import FOLDER

    files = sorted(FOLDER.glob("*.safetensors"))
    if not files:
        raise ModelError("the models are missing")
    for path in files:
        models.load(path)
    return f"{len(files)} models and tables, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB"


def _extraction() -> str:
    from phrasemill.extractor import extract
    from phrasemill.options import DEFAULT_METHOD

    phrases = extract(TEXT, top=2).texts
    if not phrases:
        raise ModelError(f"{DEFAULT_METHOD} finds nothing")
    return f"{DEFAULT_METHOD} finds {' and '.join(map(repr, phrases))}"


def _extra(extra: Extra, *, quick: bool) -> Finding:
    if extra.missing:
        return Finding(f"extra {extra.name}", MISSING, f"{extra.purpose}: {extra.command}")

    def imported() -> str:
        for module in () if quick else extra.modules:
            import_module(module)
        return extra.purpose

    return _checked(f"extra {extra.name}", imported, extra.command)


def _weights() -> Iterator[Finding]:
    from phrasemill.models import how_to_install, package_of, separate

    for name, method in table()["weights"].items():
        state, then = (OK, "") if separate(name).exists() else (MISSING, f": {how_to_install(name)}")
        yield Finding(f"weights {package_of(name)}", state, f"the method {method}{then}")


@options.command(app, VOCABULARY_EXAMPLES)
def vocabulary(
    file: Annotated[Path, Option("FILE", "A list, a table or SKOS, as for extract --vocabulary.")],
    most: Annotated[int | None, Option("--show N", SHOW_HELP, options.OUTPUT, least=0, none="all")] = 5,
    format: options.ListFormat = "table",
) -> int:
    """Count the contents of a vocabulary and report its errors. If there are any, the exit code is 1.

    These are errors: a concept without a label, several preferred labels in one language, a label without words, a
    circle of broader concepts, a reference to a missing concept, and a preferred label that two concepts share.
    """
    from phrasemill.vocabulary import read_vocabulary
    from phrasemill.vocabulary.checking import check

    def record(found: "Checked") -> dict[str, object]:
        known = {"file": str(file), "figures": found.figures, "languages": found.languages, "errors": found.errors}
        return known | {"problems": [problem._asdict() for problem in found.problems]}

    checked = check(read_vocabulary(file))
    show([checked], View(table=lambda found: _described(found, most), record=record), format)
    return 1 if checked.errors else 0


def _described(found: "Checked", most: int | None) -> Iterator[Part]:
    labels = [(f"labels in {code or 'no language'}", count) for code, count in found.languages.items()]
    yield Table("", (), [*found.figures.items(), *labels])
    for (severity, kind), total in Counter((one.severity, one.kind) for one in found.problems).items():
        of_kind = [problem.words for problem in found.problems if (problem.severity, problem.kind) == (severity, kind)]
        lines = [f"{severity}: {kind} ({total:,})", *(f"  {one_line(words)}" for words in of_kind[:most])]
        if most is not None and total > most:
            lines.append(f"  and {total - most:,} more")
        yield "\n".join(lines)
    numbers = {"error": found.errors, "warning": len(found.problems) - found.errors}
    yield ", ".join(counted(number, noun) if number else f"no {noun}s" for noun, number in numbers.items())
