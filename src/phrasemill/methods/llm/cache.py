"""Answers of language models on disk, so that the same question is asked once.

A file is named by the digest of the endpoint and the whole request, and holds the answer alone: no text, no key.
"""

import hashlib
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile


@dataclass(frozen=True, slots=True)
class AnswerCache:
    """A folder of answers; without a folder it keeps nothing."""

    folder: Path | None

    @classmethod
    def of(cls, cache: str | bool) -> "AnswerCache":
        """Return the cache in a folder, in the user's cache folder for True, or none for False."""
        if isinstance(cache, str):
            return cls(Path(cache))
        return cls(user_cache() / "phrasemill" / "llm" if cache else None)

    def get(self, base_url: str, body: dict[str, object]) -> str | None:
        """Return the answer to a request; None if there is none, or none that can be read."""
        if self.folder is None:
            return None
        with suppress(OSError, ValueError, KeyError, TypeError):
            answer = json.loads(self._file(base_url, body).read_text(encoding="utf-8"))["answer"]
            return answer if isinstance(answer, str) else None
        return None

    def put(self, base_url: str, body: dict[str, object], answer: str) -> None:
        """Keep an answer; a folder that cannot be written is no reason to fail."""
        if self.folder is None:
            return
        file = self._file(base_url, body)
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as new:
                json.dump({"answer": answer}, new)
            Path(new.name).replace(file)  # complete under its name, or not there

    def _file(self, base_url: str, body: dict[str, object]) -> Path:
        assert self.folder is not None
        digest = hashlib.sha256(json.dumps([base_url, body], sort_keys=True).encode()).hexdigest()
        return self.folder / digest[:2] / f"{digest}.json"


def user_cache() -> Path:
    """Return where the user's programs keep what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
