"""Bearer tokens: a file of them, and a comparison whose time tells nothing."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from phrasemill.errors import ConfigError, InputError

SHORTEST = 16  # characters; what is shorter can be guessed


@dataclass(frozen=True, slots=True)
class Tokens:
    """Digests of the tokens that are good; none of them means that everybody may ask."""

    digests: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, tokens: Iterable[str]) -> "Tokens":
        return cls(tuple(_digest(token.encode()) for token in tokens))

    def __bool__(self) -> bool:
        return bool(self.digests)

    def holder(self, authorisation: bytes) -> str | None:
        """Who sent this `Authorization` header, as a short name for counting; None where it is no good token."""
        scheme, _, given = authorisation.partition(b" ")
        digest = _digest(given.strip())
        # Every token is looked at, whichever fits.
        matches = [hmac.compare_digest(digest, known) for known in self.digests]
        good = scheme.lower() == b"bearer" and any(matches)
        return digest.hex()[:12] if good else None


def _digest(token: bytes) -> bytes:
    return sha256(token).digest()


def read_tokens(path: str) -> Tokens:
    """The tokens in a file, one a line; lines that begin with # are for people."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(f"{path}: the tokens cannot be read ({reason})") from None
    tokens = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not tokens:
        raise ConfigError(f"{path}: no token in it; write one a line, such as the output of: openssl rand -hex 32")
    for token in tokens:
        if len(token) < SHORTEST or not token.isascii() or " " in token:
            raise ConfigError(f"{path}: a token must have at least {SHORTEST} characters, all ASCII, without spaces")
    return Tokens.of(tokens)
