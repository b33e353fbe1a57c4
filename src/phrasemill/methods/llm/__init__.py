"""Keyphrases from a language model behind any endpoint that speaks OpenAI's chat completions.

The model is asked for phrases that it quotes from the text, and for topics that the text does not name. What it calls a
quote must stand in the text, word for word up to inflection, or it is left out as invented; other phrases that the text
lacks are returned as absent. So every span is real, whatever the model writes.

Texts leave the machine for the endpoint, so no endpoint and no model is a default. The API key is read from the
environment variable that `key` names, and is never part of a spec. `client.py` sends and retries, `answers.py` has the
prompt and reads answers, `cache.py` keeps them on disk.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import ConfigError
from phrasemill.methods.llm.answers import Claim, claims_of, messages
from phrasemill.methods.llm.cache import AnswerCache
from phrasemill.methods.llm.client import ChatClient, checked_url
from phrasemill.methods.parameters import at_least
from phrasemill.methods.phrase_matching import Phrase, ground, in_text, phrase
from phrasemill.ranker import Ranker
from phrasemill.types import NO_PLACES, STOPWORD, WORD, Analysis, Candidates, Evidence, Places

KEY_VARIABLE = "PHRASEMILL_LLM_KEY"


@dataclass(frozen=True, slots=True, repr=False)
class LLM(Ranker):
    """Ask a language model behind an OpenAI-compatible endpoint, and check its quotes against the text.

    - `model`: the name of the model.
    - `base_url`: the endpoint, such as `http://localhost:11434/v1`.
    - `phrases`: how many keyphrases to ask for.
    - `words`: how many words of the text to send, from its beginning.
    - `present_only`: whether to leave out phrases that the text does not contain.
    - `length`: the most tokens in an answer.
    - `timeout`: the time limit of one attempt, in seconds.
    - `retries`: how often to try again after a failure.
    - `cache`: the folder for answers; True for the user's cache folder, False for no cache.
    - `key`: the environment variable that contains the API key.
    """

    name: ClassVar[str] = "llm"
    needs: ClassVar[str] = "an endpoint: model, base_url"
    reads_tags: ClassVar[bool] = False
    ends_itself: ClassVar[bool] = True
    absent: ClassVar[Evidence] = Evidence("written", "the model wrote it; the text does not say it", 0.0)

    model: str | None = None
    base_url: str | None = None
    phrases: int = 15
    words: int = 3000
    present_only: bool = False
    length: int = 600
    timeout: float = 60.0
    retries: int = 3
    cache: str | bool = True
    key: str = KEY_VARIABLE

    def __post_init__(self) -> None:
        at_least(1, phrases=self.phrases, words=self.words, length=self.length)
        at_least(0, retries=self.retries)
        if not self.timeout > 0:
            raise ConfigError(f"timeout must be above 0, got {self.timeout}")
        if self.base_url is not None:
            checked_url(self.base_url)

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        """Return the phrases that the model wrote, its order as their scores: 1, 1/2, 1/3 …"""
        if not any(kind & WORD and not kind & STOPWORD for kind in analysis.kind):
            return ground((), analysis)
        kept = self._checked(claims_of(self._answer(analysis)), analysis)
        return ground((one._replace(score=1 / rank) for rank, one in enumerate(kept, start=1)), analysis)

    def _checked(self, claims: Iterator[Claim], analysis: Analysis) -> list[Phrase]:
        """Return the phrases without invented quotes, and if need be without those that the text lacks."""
        listed = list(claims)
        phrases = [phrase(claim.text, 0.0, analysis.language) for claim in listed]
        found = in_text(phrases, analysis)
        every = zip(listed, phrases, found, strict=True)
        kept = [one for claim, one, present in every if present or not (claim.quoted or self.present_only)]
        return kept[: self.phrases]

    def _answer(self, analysis: Analysis) -> str:
        if self.model is None or self.base_url is None:
            raise ConfigError(
                "llm needs a model and an endpoint, such as llm(model='NAME', base_url='http://localhost:11434/v1')"
            )
        end = analysis.end[min(self.words, len(analysis)) - 1]
        body: dict[str, object] = {
            "model": self.model,
            "messages": messages(analysis.text[:end], analysis.language, self.phrases),
            "max_tokens": self.length,
            "temperature": 0,
            "seed": 0,
        }
        cache = AnswerCache.of(self.cache)
        answer = cache.get(self.base_url, body)
        if answer is None:
            answer = ChatClient(self.base_url, self.key, self.timeout, self.retries).answer(body)
            cache.put(self.base_url, body, answer)
        return answer
