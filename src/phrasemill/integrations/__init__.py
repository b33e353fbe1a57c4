"""Phrasemill in other tools: data frames, SQL, retrieval, assistants; one module per package, which it imports."""

from collections.abc import Iterator
from contextlib import contextmanager

from phrasemill.errors import MissingExtra


@contextmanager
def requires(extra: str) -> Iterator[None]:
    """Around the imports of a package: if it is not installed, raise `MissingExtra`, which names the pip command."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or extra).partition(".")[0]
        raise MissingExtra(package, extra, purpose=f"phrasemill.integrations.{extra.replace('-', '_')}") from None
