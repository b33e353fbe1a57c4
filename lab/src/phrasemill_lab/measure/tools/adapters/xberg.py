"""xberg, kreuzberg's successor: https://pypi.org/project/xberg/. The time includes its reading of the bytes as text."""

from collections.abc import Callable

REQUIREMENTS = ("xberg==1.3.9",)
LICENCE = "MIT"
NATIVE = True
VARIANTS = {"YAKE": "yake", "RAKE": "rake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import asyncio

    from xberg import ExtractInput, ExtractInputKind, ExtractionConfig, KeywordAlgorithm, KeywordConfig, extract

    keywords = KeywordConfig(algorithm=getattr(KeywordAlgorithm, variant), max_keywords=10, language="en")
    config = ExtractionConfig(keywords=keywords, use_cache=False)
    loop = asyncio.new_event_loop()

    async def read(text: str) -> list[str]:
        asked = ExtractInput(ExtractInputKind.BYTES, bytes=text.encode(), mime_type="text/plain")
        (found,) = (await extract(asked, config)).results
        return [keyword.text for keyword in found.extracted_keywords or []]

    return lambda text: loop.run_until_complete(read(text))
