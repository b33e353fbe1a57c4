"""Our methods as the bench runs them: by name, those that one trains with a model made here in a few seconds."""

import subprocess
import sys
from pathlib import Path

from contests import Side
from environments import MODEL, OURSELVES, python_of

from phrasemill.registry import METHODS
from phrasemill_lab.bench.corpora import NEURAL

NETWORKS = (*NEURAL, "bertkpe")
# What learns from the training split of Inspec in seconds, and what is not measured: models of one's own, and a server.
TRAINED_HERE = ("kea", "maui", "maxent", "naivebayes")
NOT_MEASURED = ("catseq", "copyrnn", "llm")
TRAINING = "inspec_train.jsonl.gz"


def methods() -> list[str]:
    """Return the methods of ours that are measured."""
    return [name for name in METHODS.names() if name not in NOT_MEASURED and _is_ours(name)]


def _is_ours(name: str) -> bool:
    return METHODS.get(name).__module__.startswith("phrasemill.")


def specs(data: Path | None, folder: Path) -> dict[str, str]:
    """Return the spec of each method, with models in `folder`; without data there are none of these."""
    found = {name: name for name in methods() if name not in TRAINED_HERE}
    source = data / TRAINING if data else None
    for name in TRAINED_HERE if source and source.exists() else ():
        model = folder / name
        command = ["train", name, "--data", str(source), "-o", str(model)]
        subprocess.run([sys.executable, "-m", "phrasemill", *command], check=True, stdout=subprocess.DEVNULL)
        found[name] = f"{name}(model={str(model)!r})"
    return dict(sorted(found.items()))


def side(spec: str, cache: Path) -> Side:
    """Return a method of ours as it runs in this checkout, beside the embedding model."""
    return Side(Path(sys.executable), OURSELVES, spec, str(cache / MODEL))


def peer_side(name: str, variant: str, cache: Path) -> Side:
    return Side(python_of(cache / name), name, variant)
