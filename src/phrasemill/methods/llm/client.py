"""A small client of chat completions, in the standard library: one request, bounded in time, size and attempts.

Redirects are refused, because they could carry text and key to another host. A key is sent over HTTPS, or to this
machine. What is worth another attempt is tried again after a pause that doubles, or that the endpoint asks for:
timeouts, lost connections, and the statuses 408, 429 and 5xx.
"""

import http.client
import json
import os
import time
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from phrasemill.errors import ConfigError, ModelError

LARGEST_ANSWER = 4 << 20  # bytes
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds
AGAIN = (408, 429)  # and all from 500 on
HERE = ("localhost", "127.0.0.1", "::1")


def checked_url(base_url: str) -> str:
    """Return the URL of an endpoint; raise `ConfigError` if it is none, or has a password in it."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        raise ConfigError(f"base_url must be a URL such as http://localhost:11434/v1, got {base_url!r}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"base_url must be a URL such as http://localhost:11434/v1, got {base_url!r}")
    if parts.username or parts.password:
        raise ConfigError("base_url must have no user name or password; the API key comes from the environment")
    return base_url


@dataclass(frozen=True, slots=True)
class ChatClient:
    """Asks one endpoint; `key` is the environment variable with the API key."""

    base_url: str
    key: str
    timeout: float
    retries: int
    first_pause: float = FIRST_PAUSE

    def answer(self, body: dict[str, object]) -> str:
        """Return the text of the answer to a request; raise `ModelError` when all attempts have failed."""
        request = self._request(body)
        pause, last = self.first_pause, ""
        for attempt in range(self.retries + 1):
            if attempt:
                time.sleep(min(pause, LONGEST_PAUSE))
                pause *= 2
            try:
                return self._read(_opener().open(request, timeout=self.timeout))
            except HTTPError as error:
                with error:
                    last = f"{error.code} {error.reason}{_message(error)}"
                if error.code not in AGAIN and error.code < 500:
                    raise ModelError(f"{self.base_url} refused the request: {last}") from None
                pause = _asked_pause(error) or pause
            except (URLError, TimeoutError, ConnectionError, http.client.HTTPException) as error:
                last = str(getattr(error, "reason", "") or error) or type(error).__name__
        tried = f"{self.retries + 1} attempt{'s' if self.retries else ''}"
        raise ModelError(f"{self.base_url} did not answer in {tried}: {last}")

    def _request(self, body: dict[str, object]) -> Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "phrasemill"}
        secret = os.environ.get(self.key, "").strip()
        if secret:
            parts = urlsplit(self.base_url)
            if parts.scheme != "https" and parts.hostname not in HERE:
                raise ConfigError(f"the key in {self.key} is not sent over plain HTTP; use an https:// base_url")
            headers["Authorization"] = f"Bearer {secret}"
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        return Request(url, json.dumps(body).encode(), headers, method="POST")

    def _read(self, response: Any) -> str:
        with response:
            content = response.read(LARGEST_ANSWER + 1)
        if len(content) > LARGEST_ANSWER:
            raise ModelError(f"{self.base_url}: the answer is larger than {LARGEST_ANSWER >> 20} MB")
        try:
            text = json.loads(content)["choices"][0]["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise ModelError(f"{self.base_url}: the answer is no chat completion") from None
        if not isinstance(text, str):
            raise ModelError(f"{self.base_url}: the answer has no text")
        return text


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


def _message(error: HTTPError) -> str:
    """Return what an endpoint says about an error, in one short line."""
    try:
        said = json.loads(error.read(10_000))["error"]
        said = said["message"] if isinstance(said, dict) else said
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return ""
    return f": {' '.join(str(said).split())[:200]}"


def _asked_pause(error: HTTPError) -> float:
    """Return the seconds that `Retry-After` asks for; 0 if it asks for none, or for a date."""
    asked = error.headers.get("Retry-After", "") if error.headers else ""
    return float(asked) if asked.isdigit() else 0.0
