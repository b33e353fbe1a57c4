"""Where the models, tables and word lists are that come with the package, or in a package beside it."""

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


class Separate(NamedTuple):
    """A package of weights, without its prefix `phrasemill-`, and the method that needs it."""

    package: str
    method: str


FOLDER = Path(__file__).parent / "data"
# Weights that would make the wheel too large, and the packages that hold them (weights/ in a checkout).
SEPARATE = {
    "bertkpe_en": Separate("bertkpe", "bertkpe"),
    "catseqd_en.safetensors": Separate("catseqd", "catseqd"),
    "encoder_large_en.safetensors": Separate("encoder-large", "encoder(size='large')"),
}


def shipped(name: str) -> Path:
    """Return the path of the file or folder `name`; one of a package beside this one may not be there."""
    return _separate(name, SEPARATE[name].package) if name in SEPARATE else FOLDER / name


def _separate(name: str, package: str) -> Path:
    module = f"phrasemill_{package.replace('-', '_')}"
    spec = find_spec(module)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / name
    return FOLDER.parents[2] / "weights" / package / "src" / module / name


def how_to_install(name: str) -> str:
    """Return the command that installs the file `name`, one of a package beside this one."""
    package = SEPARATE[name].package
    return f"pip install phrasemill-{package} (in a checkout: pip install ./weights/{package})"
