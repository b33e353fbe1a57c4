"""An object store, for tests of runs."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def bucket() -> Iterator[Any]:
    """The file system of `memory://bucket`, which is empty afterwards."""
    memory = pytest.importorskip("fsspec").filesystem("memory")
    yield memory
    if memory.exists("/bucket"):
        memory.rm("/bucket", recursive=True)
