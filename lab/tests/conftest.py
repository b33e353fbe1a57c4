"""Tests of the laboratory use the modules of this folder and of the library's tests."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parents[1] / "tests"
sys.path[:0] = [str(HERE), *(str(TESTS / folder) for folder in (".", "readers", "service"))]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """All tests of the laboratory are slow: PyTorch alone takes seconds to import."""
    return True if config.option.markexpr == "not slow" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.slow)
