"""Bearer tokens: read from a file, and compared in constant time."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from phrasemill.errors import ConfigError, InputError

SHORTEST = 16  # characters; what is shorter can be guessed


@dataclass(frozen=True, slots=True)
class Tokens:
    """Digests of the valid tokens; without any, no token is required."""

    digests: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, tokens: Iterable[str]) -> "Tokens":
        return cls(tuple(_digest(token.encode()) for token in tokens))

    def __bool__(self) -> bool:
        return bool(self.digests)

    def holder(self, authorisation: bytes) -> str | None:
        """Return a short name for the holder of the token in an `Authorization` header; None if it is not valid."""
        scheme, _, given = authorisation.partition(b" ")
        digest = _digest(given.strip())
        matches = [hmac.compare_digest(digest, known) for known in self.digests]
        is_valid = scheme.lower() == b"bearer" and any(matches)
        return digest.hex()[:12] if is_valid else None


def _digest(token: bytes) -> bytes:
    return sha256(token).digest()


def read_tokens(path: str) -> Tokens:
    """Return the tokens in a file, one per line; lines that begin with # are comments."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(f"{path}: the tokens cannot be read ({reason})") from None
    tokens = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not tokens:
        raise ConfigError(f"{path}: no token in it; write one per line, such as the output of: openssl rand -hex 32")
    for token in tokens:
        if len(token) < SHORTEST or not token.isascii() or " " in token:
            raise ConfigError(f"{path}: a token must have at least {SHORTEST} characters, all ASCII, without spaces")
    return Tokens.of(tokens)
