"""How JointKPE reads a text: words, pieces, windows; and the score of every n-gram.

The paper reads the first 512 pieces of a document. Here a longer text is read to its end, in windows that overlap by a
quarter, and an n-gram has the highest score of any window; `truncate=True` reads as the paper does. Each word is split
into pieces on its own, after a space. A window holds at least ten words: of a word with more pieces than a tenth of the
window, usually no natural word, only the first are read.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from phrasemill.errors import ModelError
from phrasemill.methods.bertkpe.network import JointInput, JointKPE, offsets
from phrasemill.methods.padding import padded
from phrasemill.types import Analysis, Candidates

USUAL_WINDOW = 512  # pieces, as published
UNLIMITED = 1 << 20  # a tokeniser without a limit names a number far above this
AT_ONCE = 8  # windows in a batch


@dataclass(frozen=True, slots=True)
class TextWindow:
    """The words `begin` to `end` of a text in pieces, and the first piece of each."""

    begin: int
    end: int
    pieces: "npt.NDArray[np.int32]"
    first: "npt.NDArray[np.uint16]"


class PieceReader:
    """A tokeniser, and how much the encoder reads at once."""

    def __init__(self, tokenizer: Any, encoder: Any, *, longest: int, window: int = USUAL_WINDOW) -> None:
        self.tokenizer, self.longest = tokenizer, longest
        bare = tokenizer("a", add_special_tokens=False)["input_ids"]
        whole = tokenizer("a")["input_ids"]
        at = next((i for i in range(len(whole)) if whole[i : i + len(bare)] == bare), len(whole))
        self.before, self.after = whole[:at], whole[at + len(bare) :]
        self.padding, self.unknown = tokenizer.pad_token_id or 0, tokenizer.unk_token_id or 0
        self.window = min(window, *limits(tokenizer, encoder))
        self.room = self.window - len(self.before) - len(self.after)
        self.most = self.room // (2 * longest)  # pieces of a word
        if self.most < 1:
            raise ModelError(f"a window of {self.window} pieces has no room for ten words")

    def pieces(self, analysis: Analysis) -> list[list[int]]:
        """Return the pieces of each word."""
        text, spans = analysis.text, zip(analysis.start, analysis.end, strict=True)
        words = [text[start:end] for start, end in spans]
        types = {word: number for number, word in enumerate(dict.fromkeys(words))}
        # Lone surrogates are no Unicode.
        spaced = [" " + word[: 16 * self.most].encode("utf-8", "replace").decode() for word in types]
        cut = self.tokenizer(spaced, add_special_tokens=False, verbose=False)["input_ids"] if spaced else []
        kept = [ids[: self.most] or [self.unknown] for ids in cut]
        return [kept[types[word]] for word in words]

    def windows(self, words: Sequence[Sequence[int]]) -> Iterator[TextWindow]:
        """Yield overlapping windows; every n-gram of the longest length is whole in at least one of them."""
        begin = 0
        while begin < len(words):
            end, taken = begin, 0
            while end < len(words) and taken + len(words[end]) <= self.room:
                taken += len(words[end])
                end += 1
            yield self._part(words, begin, end)
            if end == len(words):
                return
            begin = end - max(self.longest - 1, (end - begin) // 4)

    def _part(self, words: Sequence[Sequence[int]], begin: int, end: int) -> TextWindow:
        inside = [piece for word in words[begin:end] for piece in word]
        sizes = [len(word) for word in words[begin:end]]
        first = np.cumsum([len(self.before), *sizes[:-1]], dtype=np.uint16)
        return TextWindow(begin, end, np.array([*self.before, *inside, *self.after], np.int32), first)

    def batch(self, windows: Sequence[TextWindow]) -> JointInput:
        return batch_of(windows, self.longest, self.padding)


def batch_of(windows: Sequence[TextWindow], longest: int, padding: int) -> JointInput:
    """Return windows as the network reads them; `padding` is the piece that fills the shorter ones."""
    pieces = padded([one.pieces for one in windows], fill=padding)
    mask = padded([np.ones(len(one.pieces)) for one in windows])
    first = padded([one.first for one in windows], width=longest)
    return JointInput(torch.from_numpy(pieces), torch.from_numpy(mask), torch.from_numpy(first))


def limits(tokenizer: Any, encoder: Any) -> list[int]:
    """Return how many pieces the encoder can read at once, by its tokeniser and by its table of positions."""
    found = [tokenizer.model_max_length] if tokenizer.model_max_length < UNLIMITED else []
    for name, module in encoder.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            # RoBERTa's positions begin after the number of its padding.
            found.append(module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1))
    return found or [USUAL_WINDOW]


@torch.inference_mode()
def scores(
    model: JointKPE, reader: PieceReader, analysis: Analysis, *, truncate: bool = False
) -> "npt.NDArray[np.float32]":
    """Return the score of the n-gram of `size` words at each word, in row `size - 1`; -inf where it was not read."""
    found = np.full((model.longest, len(analysis)), -np.inf, np.float32)
    windows = islice(reader.windows(reader.pieces(analysis)), 1 if truncate else None)
    device = next(model.parameters()).device
    while batch := list(islice(windows, AT_ONCE)):
        window = JointInput(*(tensor.to(device) for tensor in reader.batch(batch)))
        ranked = model.rank(window).cpu().numpy()  # (B, N)
        begins = offsets(window.first.shape[1], model.longest)
        for one, row in zip(batch, ranked, strict=True):
            for size, at in enumerate(begins[:-1], start=1):
                count = max(0, one.end - one.begin - size + 1)
                seen = found[size - 1, one.begin : one.begin + count]
                np.maximum(seen, row[at : at + count], out=seen)
    return found


def best(ngrams: "npt.NDArray[np.float32]", candidates: Candidates) -> "array[float]":
    """Return the highest score of each candidate's occurrences, -inf if none was read; a candidate longer than the
    longest n-gram has the mean of the n-grams in it."""
    start, size = np.asarray(candidates.start), np.asarray(candidates.end) - np.asarray(candidates.start)
    longest = len(ngrams)
    found = ngrams[np.minimum(size, longest) - 1, start].astype(np.float64)
    for o in np.flatnonzero(size > longest):
        found[o] = ngrams[-1, start[o] : start[o] + size[o] - longest + 1].mean()
    return array("d", np.maximum.reduceat(found, np.asarray(candidates.first)[:-1]).tolist())
