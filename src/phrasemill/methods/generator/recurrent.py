"""CopyRNN, CatSeq and CatSeqD in ONNX Runtime, without PyTorch: a `Stepper` over the graphs of `recurrent_export`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ModelError
from phrasemill.methods.generator.decode import FloatArray, IntArray
from phrasemill.methods.generator.recurrent_search import Found, Search, generated
from phrasemill.methods.generator.sources import SOURCE_LIMIT, Sources, shared
from phrasemill.methods.generator.words import SPECIALS, UNKNOWN, Words
from phrasemill.methods.onnx_file import open_model

MARKS = 3  # padding, unknown and begin: never said
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class State:
    """Rows are grouped: the same number of neighbours share a source, which is held once."""

    sources: dict[str, Any]  # arrays of (S, …), as the graph names them
    words: int
    state: Floats  # (rows, H)
    covered: Floats | None  # (rows, H)


class OnnxStepper:
    def __init__(self, encoder: Any, step: Any, vocabulary: Words, *, limit: int = SOURCE_LIMIT) -> None:
        self.encoder, self.decoder, self.vocabulary, self.limit = encoder, step, vocabulary, limit
        self.covers = any(given.name == "covered" for given in step.get_inputs())

    def start(self, sources: Sequence[Sequence[str]]) -> State:
        read = Sources.read(sources, self.vocabulary, self.limit)
        given = {"numbers": self._known(read.numbers), "lengths": read.lengths.astype(np.int32)}
        states, keys, first = self.encoder.run(["states", "keys", "first"], given)
        held = {"states": states, "keys": keys, "numbers": read.numbers, "place": first_places(read.numbers)}
        return State(held, read.words, first, np.zeros_like(first) if self.covers else None)

    def step(self, state: State, tokens: IntArray, k: int) -> tuple[State, FloatArray, IntArray]:
        top = min(k + MARKS, len(self.vocabulary))
        most = min(k, top + state.sources["numbers"].shape[1])
        given = state.sources | {"tokens": self._known(tokens), "state": state.state}
        given |= {"top": np.array([top]), "k": np.array([most])}
        outputs = ["new_state", "likeliest", "chosen"]
        if state.covered is not None:
            given["covered"] = state.covered
            outputs.append("new_covered")
        new, likeliest, chosen, *covered = self.decoder.run(outputs, given)
        with np.errstate(divide="ignore"):
            logs = np.log(likeliest.astype(np.float64))
        return State(state.sources, state.words, new, covered[0] if covered else None), logs, chosen

    def select(self, state: State, rows: IntArray) -> State:
        count = len(state.sources["numbers"])
        sources, held = shared(rows // (len(state.state) // count)), state.sources
        if not np.array_equal(sources, np.arange(count)):
            held = {name: values[sources] for name, values in held.items()}
        covered = None if state.covered is None else state.covered[rows]
        return State(held, state.words, state.state[rows], covered)

    def _known(self, numbers: IntArray) -> IntArray:
        return np.where(numbers < len(self.vocabulary), numbers, UNKNOWN)


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentModel:
    """A model that was opened, to be asked for the phrases of sources."""

    stepper: OnnxStepper
    sequences: bool

    @classmethod
    def load(cls, path: Path, name: str, *, threads: int = 1) -> "RecurrentModel":
        opened = open_model(path, f"{name} model", threads=threads)
        try:
            words = Words((*SPECIALS, *opened.vocabulary.split("\n")))
            stepper = OnnxStepper(opened.sessions["encoder"], opened.sessions["step"], words)
            return cls(stepper, opened.metadata["paradigm"] == "one2seq")
        except KeyError as error:
            raise ModelError(f"{path}: damaged, or of another version ({error} is missing)") from None

    def generate(self, sources: Sequence[Sequence[str]], search: Search) -> list[Found]:
        """Unique phrases of each source, best first."""
        return generated(self.stepper, self.stepper.vocabulary, sources, search, sequences=self.sequences)


def first_places(numbers: IntArray) -> IntArray:
    """(S, T): where the word at each place of a source stands first."""
    places = np.empty_like(numbers)
    for source, row in enumerate(numbers):
        _, first, inverse = np.unique(row, return_index=True, return_inverse=True)
        places[source] = first[inverse]
    return places
