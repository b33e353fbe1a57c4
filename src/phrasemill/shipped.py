"""Where the models, tables and word lists are that come with the package, or in a package beside it."""

from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parent / "data"
# Weights that would make the wheel too large, by the name of the package that holds them (weights/ in a checkout).
SEPARATE = {"catseqd_en.safetensors": "catseqd", "bertkpe_en": "bertkpe"}


def shipped(name: str) -> Path:
    """Return the path of the file or folder `name`; one of a package beside this one may not be there."""
    return _separate(name, SEPARATE[name]) if name in SEPARATE else FOLDER / name


def _separate(name: str, package: str) -> Path:
    module = f"phrasemill_{package}"
    spec = find_spec(module)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / name
    return FOLDER.parents[2] / "weights" / package / "src" / module / name


def how_to_install(name: str) -> str:
    """Return the command that installs the file `name`, one of a package beside this one."""
    return f"pip install phrasemill-{SEPARATE[name]} (in a checkout: pip install ./weights/{SEPARATE[name]})"
