"""What makes and checks the library: datasets, networks, training, the tables of the papers, benchmarks.

Nothing outside of `lab` and of the commands imports it.
"""

from phrasemill.errors import ConfigError, PhrasemillError


def missing(package: str, extra: str, purpose: str) -> PhrasemillError:
    return ConfigError(f"{purpose} needs {package}: pip install 'phrasemill-lab[{extra}]'")
