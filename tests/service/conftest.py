"""Servers for the tests of the service: one with ample limits, one with narrow ones."""

from collections.abc import Iterator

import httpx
import pytest

from served import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    logs = tmp_path_factory.mktemp("service") / "logs"
    with served(logs, hosts=["127.0.0.1"], limits={"documents": 20}) as one:
        yield one


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as one:
        yield one


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    logs = tmp_path_factory.mktemp("narrow") / "logs"
    limits = {"body": 50_000, "upload": 100_000, "requests": 2, "step": 1.0, "pause": 1.0, "arrival": 2.0, "head": 1.0}
    with served(logs, workers=2, limits=limits) as one:
        yield one
