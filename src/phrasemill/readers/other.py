"""What we do not read ourselves, by xberg: slides, spreadsheets, e-mail, old Office documents; but no pictures."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief
from phrasemill.readers.titles import plausible_title
from phrasemill.types import Document

MAIL = (".eml", ".msg")


def read(data: bytes, *, name: str) -> Document:
    try:
        import xberg
    except ImportError:
        raise MissingExtra("xberg", "formats", purpose="reading slides, spreadsheets and e-mail") from None
    config = xberg.ExtractionConfig(use_cache=False, disable_ocr=True)  # it would download models

    async def extracted() -> Any:
        source = xberg.ExtractInput(xberg.ExtractInputKind.BYTES, bytes=data, filename=name)
        return (await xberg.extract(source, config)).results[0]

    try:
        with ThreadPoolExecutor(1) as thread:  # the caller's may have a loop of its own
            found = thread.submit(asyncio.run, extracted()).result()
    except Exception as error:  # it has no common class for what it raises
        raise InputError(f"{name}: cannot be read ({brief(error)})") from None
    text = found.content.replace("\0", " ")
    title = plausible_title(found.metadata.title or found.metadata.subject)
    if name.lower().endswith(MAIL):  # which begins with its own head
        text = text.partition("\n\n")[2]
    return Document(id=name, text=text, title=title)
