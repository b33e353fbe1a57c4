"""Errors and exit codes."""

from phrasemill import errors
from phrasemill.cli import EXIT_CODES
from phrasemill.service.problems import KINDS, PREFIX
from phrasemill_lab.docs.reference import markdown


def tree() -> list[type[errors.PhrasemillError]]:
    """Return all errors, each after the one that it is a kind of."""

    def below(kind: type[errors.PhrasemillError]) -> list[type[errors.PhrasemillError]]:
        return [kind, *(one for child in kind.__subclasses__() for one in below(child))]

    return [one for one in below(errors.PhrasemillError) if one.__module__ == errors.__name__]


def page() -> str:
    doc = errors.__doc__ or ""
    picture = doc.split("\n\n")[1]
    rows = [
        (f"`{one.__name__}`", f"`{one.__bases__[0].__name__}`", (one.__doc__ or "").splitlines()[0]) for one in tree()
    ]
    parts = [
        "## Python\n",
        markdown.block(picture, "text"),
        markdown.table(("error", "is a", "when"), rows),
        "Catch `phrasemill.PhrasemillError` to catch them all. Every message is one line. Text without words is not an "
        "error: its list of keyphrases is empty. `phrasemill.PhrasemillWarning` is a warning: something works, but not "
        "exactly as requested.\n",
        "## Exit codes\n",
        markdown.table(("code", "meaning"), [(f"`{code}`", meaning) for code, meaning in EXIT_CODES.items()]),
        "An error is one line on standard error that begins with `phrasemill:`.\n",
        "## HTTP\n",
        f"A problem is `application/problem+json` (RFC 9457). Its `type` is `{PREFIX}` and one of these:\n",
        markdown.table(("type", "status", "title"), [(f"`{n}`", f"{s}", title) for n, (s, title) in KINDS.items()]),
    ]
    return markdown.page(
        "Errors and exit codes",
        "The errors that Python, the command line and HTTP report, and the exit codes of commands.",
        parts,
    )
