"""Shared fixtures, and the paths of what tests share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# What tests share stands in the folder that it is for.
sys.path[:0] = [
    str(TESTS / folder) for folder in (".", "engine", "readers", "service", "sets", "vocabulary", "workers")
]

DEEP = 25
# Kinds of tests that are slow as a whole; `-m "not slow"` leaves them out.
SLOW_KINDS = ("browser", "docs", "lint", "ray", "training", "wheels")
# Folders and files whose tests start processes and servers, train models, or try every method on many texts.
SLOW_PATHS = """
contract engine integrations lab packaging property service service_page workers
methods/test_bertkpe.py methods/test_catseq.py methods/test_encoder.py methods/test_generator.py methods/test_kea.py
methods/test_maui.py text/test_pretagged.py test_guard.py
test_peers.py
""".split()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="Run the randomised tests 25 times as long.")


def is_slow(path: Path) -> bool:
    return any(path.is_relative_to(TESTS / slow) for slow in SLOW_PATHS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the slow tests where they are left out: PyTorch and Ray take seconds."""
    return True if config.option.markexpr == "not slow" and is_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_slow(item.path) or any(item.get_closest_marker(kind) for kind in SLOW_KINDS):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def effort(request: pytest.FixtureRequest) -> int:
    """How many times as many random cases to run as by default: 1, or with `--deep` 25."""
    return DEEP if request.config.getoption("--deep") else 1


@pytest.fixture(scope="session")
def chat() -> Iterator[str]:
    """The URL of an endpoint like OpenAI's on this machine."""
    import language_model

    with language_model.endpoint() as made:
        yield made.url


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory, chat: str) -> dict[str, str]:
    """The specs of the methods that need a model of one's own, each with a small one."""
    import tiny_joint
    import tiny_models
    import tiny_recurrent

    return (
        tiny_models.make(tmp_path_factory.mktemp("models"))
        | tiny_recurrent.make(tmp_path_factory.mktemp("writing"))
        | tiny_joint.make(tmp_path_factory.mktemp("joint"))
        | {"llm": f"llm(model='dull', base_url={chat!r}, cache=False)"}
    )


@pytest.fixture(scope="session")
def specs(trained: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A spec for every registered method, with a small model where one is needed."""
    import tiny_bert
    from phrasemill.catalogue import METHODS

    folder = str(tiny_bert.make(tmp_path_factory.mktemp("bert")))
    embedding = {name: f"{name}(model={folder!r})" for name in ("embedrank", "mderank")}
    return {name: (trained | embedding).get(name, name) for name in METHODS.names()}
