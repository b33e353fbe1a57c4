"""Checkpoints of a training run: safetensors, never pickle, and never half written."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file

CHECKPOINT = "checkpoint.safetensors"


def save(folder: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, progress: dict[str, Any]) -> None:
    """Write weights, the optimiser's averages, random states and the run's progress."""
    tensors = {f"model.{name}": value for name, value in module.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": torch.as_tensor(value) for name, value in state.items()}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    _write(folder / CHECKPOINT, tensors, {"progress": json.dumps(progress)})


def load(folder: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any] | None:
    """Restore what `save` wrote and return the progress; None if there is no checkpoint."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        progress: dict[str, Any] = json.loads(file.metadata()["progress"])
    module.load_state_dict({name[6:]: value for name, value in tensors.items() if name.startswith("model.")})
    states: dict[int, dict[str, Any]] = {}
    for name, value in tensors.items():
        if name.startswith("optimizer."):
            _, number, key = name.split(".")
            states.setdefault(int(number), {})[key] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return progress


def save_weights(path: Path, module: torch.nn.Module) -> None:
    _write(path, module.state_dict(), {})


def load_weights(path: Path, module: torch.nn.Module) -> None:
    with safe_open(path, framework="pt") as file:
        module.load_state_dict({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118


def _write(path: Path, tensors: dict[str, torch.Tensor], metadata: dict[str, str]) -> None:
    unfinished = path.with_suffix(".unfinished")
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, unfinished, metadata)
    unfinished.replace(path)
