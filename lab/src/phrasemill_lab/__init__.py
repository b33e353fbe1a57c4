"""What makes and checks the library: datasets, networks, training, the tables of the papers, benchmarks.

Nothing outside of `lab` and of the commands imports it.
"""

from typing import TYPE_CHECKING

from phrasemill.errors import ConfigError, PhrasemillError

if TYPE_CHECKING:
    from phrasemill_lab.datasets import load_dataset as load_dataset


def missing(package: str, extra: str, purpose: str) -> PhrasemillError:
    return ConfigError(f"{purpose} needs {package}: pip install 'phrasemill-lab[{extra}]'")


def __getattr__(name: str) -> object:
    if name == "load_dataset":
        from phrasemill_lab.datasets import load_dataset

        return load_dataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
