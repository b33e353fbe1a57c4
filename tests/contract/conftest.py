"""What the tests of this folder share."""

import pytest

import tiny_bert
from phrasemill.registry import METHODS


@pytest.fixture(scope="session")
def specs(trained: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A spec for every registered method, with a small model where one is needed."""
    folder = str(tiny_bert.make(tmp_path_factory.mktemp("bert")))
    embedding = {name: f"{name}(model={folder!r})" for name in ("embedrank", "mderank")}
    return {name: (trained | embedding).get(name, name) for name in METHODS.names()}
