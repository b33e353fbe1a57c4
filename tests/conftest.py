"""Shared fixtures; other test modules import `tiny_bert` and `made_files` from this folder."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


DEEP = 25
# Kinds of tests that are slow as a whole; `-m "not slow"` leaves them out.
SLOW_KINDS = ("browser", "docs", "lint", "ray", "training", "wheels")
# Folders whose tests start processes and servers, or try every method on many texts.
SLOW_FOLDERS = ("contract", "engine", "lab", "property", "service", "workers")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="Run the randomised tests 25 times as long.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in SLOW_FOLDERS or any(item.get_closest_marker(kind) for kind in SLOW_KINDS):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def effort(request: pytest.FixtureRequest) -> int:
    """How many times as many random cases to run as by default: 1, or with `--deep` 25."""
    return DEEP if request.config.getoption("--deep") else 1


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The specs of the methods that need a model which one trains, each with a small one."""
    import tiny_joint
    import tiny_models
    import tiny_recurrent

    return (
        tiny_models.make(tmp_path_factory.mktemp("models"))
        | tiny_recurrent.make(tmp_path_factory.mktemp("writing"))
        | tiny_joint.make(tmp_path_factory.mktemp("joint"))
    )


@pytest.fixture(scope="session")
def specs(trained: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A spec for every registered method, with a small model where one is needed."""
    import tiny_bert
    from phrasemill.registry import METHODS

    folder = str(tiny_bert.make(tmp_path_factory.mktemp("bert")))
    embedding = {name: f"{name}(model={folder!r})" for name in ("embedrank", "mderank")}
    return {name: (trained | embedding).get(name, name) for name in METHODS.names()}
