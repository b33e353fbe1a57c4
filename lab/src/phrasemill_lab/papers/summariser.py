"""`summarise` over a model of the Transformers library that is on disk, as in PubMedAKE (section 3.3): a
sequence-to-sequence model (T5, BART, Pegasus …) or a language model with a chat template, which is asked for a summary.

The text is cut between sentences into parts that the model can read at once, and each part has a summary of its own: no
part is left unread. Only a sentence that is longer than the model's limit is cut between words. Decoding is as the
model's own settings say, without sampling. Lengths are in pieces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
from transformers.utils import logging as library_logging

from phrasemill.errors import ModelError
from phrasemill.methods.pieces import cut
from phrasemill.methods.summarise import Summarise
from phrasemill.text.analyse import analyse, sentence_bounds
from phrasemill.text.tokenise import sound
from phrasemill.types import Analysis

USUAL_WINDOW = 512  # pieces, for a model whose files name no limit: what T5 was trained with
LARGEST_WINDOW = 1 << 20  # a tokeniser without a limit names a number far above this
REQUEST = "Summarize this text in {shortest} to {longest} words.\n\n"  # to a language model


@dataclass(frozen=True, slots=True, repr=False)
class ModelSummary(Summarise):
    """Run another method on a summary that the model in the folder `model` writes."""

    model: str = ""

    def summary(self, analysis: Analysis) -> Analysis:
        text = load_summariser(self.model).summary(analysis, shortest=self.shortest, longest=self.longest)
        return analyse(text, language=analysis.language, tag=self.reads_tags)


class Summariser:
    """A model with its tokeniser. `load_summariser` keeps one."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise ModelError(f"{folder}: no such folder; a summarisation model is one that Transformers saved")
        logging: Any = library_logging
        bars = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            config: Any = AutoConfig.from_pretrained(folder, local_files_only=True)
            self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.chats = not config.is_encoder_decoder
            kind: Any = AutoModelForCausalLM if self.chats else AutoModelForSeq2SeqLM
            self.model: Any = kind.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        except Exception as error:  # whatever the library and its own dependencies raise
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise ModelError(f"{folder}: no summarisation model that Transformers can read ({reason})") from None
        finally:
            if bars:
                logging.enable_progress_bar()
        if self.chats and not self.tokenizer.chat_template:
            raise ModelError(f"{folder}: a language model without a chat template cannot be asked for a summary")
        # Lengths come from the caller, not from the model.
        self.model.generation_config.max_length = self.model.generation_config.min_length = None
        self.model.eval().to("cuda" if torch.cuda.is_available() else "cpu")

    @property
    def window(self) -> int:
        """The number of pieces that the model reads at once, according to its files."""
        config = self.model.config
        named = [getattr(config, name, None) for name in ("max_position_embeddings", "n_positions")]
        limits = [limit for limit in (*named, self.tokenizer.model_max_length) if isinstance(limit, int)]
        return min((limit for limit in limits if 0 < limit < LARGEST_WINDOW), default=USUAL_WINDOW)

    @property
    def prefix(self) -> str:
        """What stands before a text that is to be summarised: `summarize: ` for T5."""
        config = self.model.config
        tasks = getattr(config, "task_specific_params", None) or {}
        named = tasks.get("summarization", {}).get("prefix") or getattr(config, "prefix", None)
        return named or ("summarize: " if config.model_type == "t5" else "")

    def summary(self, analysis: Analysis, *, shortest: int, longest: int, window: int | None = None) -> str:
        """Return the summaries of the text's parts, a paragraph each, of `shortest` to `longest` pieces."""
        before = REQUEST.format(shortest=shortest, longest=longest) if self.chats else self.prefix
        limit = window or self.window
        room = limit - self._overhead(before, longest)
        if room < 1:
            raise ModelError(f"a window of {limit} pieces has no room for text")
        written = [
            self._written(before + part, limit, shortest=shortest, longest=longest)
            for part in parts(analysis, self._count, room)
        ]
        return "\n\n".join(written)

    def _overhead(self, before: str, longest: int) -> int:
        """Return how many pieces of the window are taken; a language model writes into it, too."""
        if self.chats:
            return self._count([self._asked(before)])[0] + longest
        return int(self._count([before])[0] + self.tokenizer.num_special_tokens_to_add())

    def _asked(self, text: str) -> str:
        """Return the chat in which a language model reads the text and is about to answer."""
        turn = {"role": "user", "content": sound(text)}
        return str(self.tokenizer.apply_chat_template([turn], add_generation_prompt=True, tokenize=False))

    def _count(self, texts: Sequence[str]) -> list[int]:
        """Return how many pieces each text has."""
        whole = [sound(text) for text in texts]
        return [len(ids) for ids in self.tokenizer(whole, add_special_tokens=False, verbose=False)["input_ids"]]

    def _written(self, text: str, limit: int, *, shortest: int, longest: int) -> str:
        whole = self._asked(text) if self.chats else sound(text)
        read = self.tokenizer(
            whole, truncation=True, max_length=limit, add_special_tokens=not self.chats, return_tensors="pt"
        ).to(self.model.device)
        pieces = read["input_ids"].shape[1]
        lengths = {"min_new_tokens": min(shortest, pieces), "max_new_tokens": longest}
        with torch.inference_mode():
            ids = self.model.generate(
                input_ids=read["input_ids"], attention_mask=read["attention_mask"], do_sample=False, **lengths
            )
        written = ids[0][pieces:] if self.chats else ids[0]
        return " ".join(self.tokenizer.decode(written, skip_special_tokens=True).split())


def parts(analysis: Analysis, count: Any, room: int) -> list[str]:
    """Return the text in parts of at most `room` pieces, cut between sentences, between words in those too long."""
    bounds = sentence_bounds(analysis)
    units = [(analysis.start[first], analysis.end[last - 1]) for first, last in bounds]
    sizes = count([analysis.text[begin:end] for begin, end in units]) if units else []
    spans: list[tuple[int, int]] = []
    for i, (place, size) in enumerate(zip(bounds, sizes, strict=True)):
        tokens = zip(analysis.start[slice(*place)], analysis.end[slice(*place)], strict=True)
        spans += [units[i]] if size <= room else tokens
    taken = count([analysis.text[begin:end] for begin, end in spans]) if spans else []
    found = cut(np.cumsum([0, *taken]), room, lambda _, last: last)
    return [analysis.text[spans[first][0] : spans[last - 1][1]] for first, last in found]


@lru_cache(maxsize=2)
def load_summariser(folder: str) -> Summariser:
    """Return the model in `folder`, loaded once."""
    return Summariser(Path(folder))
