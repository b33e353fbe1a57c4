"""The files of the page, read once and served from memory, so that browsers can cache them.

Every file has an ETag. Scripts and styles are also available under a path that contains a version, a hash of all files:
browsers cache these for a year and revalidate only the page itself.
"""

from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from phrasemill.service.compression import LEAST, accepts_gzip, gzipped
from phrasemill.service.compression import TYPES as TEXTS

WEB = Path(__file__).parent / "web"
INDEX = "index.html"
ASK = "no-cache"  # revalidate before each use
KEEP = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file in memory."""

    content: bytes
    media_type: str
    etag: str

    @classmethod
    def of(cls, content: bytes, name: str) -> "Asset":
        kind = TYPES.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        return cls(content, kind, f'"{sha256(content).hexdigest()[:32]}"')

    def answer(self, request: Request, caching: str = ASK) -> Response:
        """Return the content, compressed where that is accepted and worth it, or 304 if the browser has it.

        The tag is weak: it is the same for both forms.
        """
        headers = {"etag": f"W/{self.etag}", "cache-control": caching, "vary": "accept-encoding"}
        known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
        if self.etag in known or "*" in known:
            return Response(status_code=304, headers=headers)
        content = self.content
        if (
            self._is_compressible
            and request.method != "HEAD"
            and accepts_gzip(request.headers.get("accept-encoding", ""))
        ):
            content, headers["content-encoding"] = gzipped(content), "gzip"
        return Response(content, headers=headers, media_type=self.media_type)

    @property
    def _is_compressible(self) -> bool:
        return len(self.content) >= LEAST and self.media_type.startswith((*TEXTS, "image/svg"))


def page(folder: Path = WEB) -> APIRouter:
    """Return the addresses of the page in `folder`: `/` and everything below `/web/`."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    listed = [f"{name}\0{len(content)}\0".encode() + content for name, content in sorted(files.items())]
    version = sha256(b"".join(listed)).hexdigest()[:12]
    index = Asset.of(files.pop(INDEX).replace(b'"web/', f'"web/{version}/'.encode()), INDEX)
    assets = {name: Asset.of(content, name) for name, content in files.items()}
    router = APIRouter(include_in_schema=False)

    async def root(request: Request) -> Response:
        return index.answer(request)

    async def file(name: str, request: Request) -> Response:
        kept = name.removeprefix(f"{version}/")
        if kept not in assets:
            raise HTTPException(404)
        return assets[kept].answer(request, ASK if kept == name else KEEP)

    router.add_api_route("/", root, methods=["GET", "HEAD"])
    router.add_api_route("/web/{name:path}", file, methods=["GET", "HEAD"])
    return router
