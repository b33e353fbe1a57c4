"""7z archives, written by py7zr, and the means to damage their headers."""

import zlib
from io import BytesIO

import py7zr

METHODS = {
    "stored": py7zr.FILTER_COPY,
    "lzma": py7zr.FILTER_LZMA,
    "lzma2": py7zr.FILTER_LZMA2,
    "bzip2": py7zr.FILTER_BZIP2,
    "deflate": py7zr.FILTER_DEFLATE,
    "ppmd": py7zr.FILTER_PPMD,
}


def archive(files: dict[str, bytes], *, method: str = "lzma2", packed_header: bool = False) -> bytes:
    options = {"order": 6, "mem": 24} if method == "ppmd" else {}
    written = BytesIO()
    with py7zr.SevenZipFile(written, "w", filters=[{"id": METHODS[method], **options}]) as made:
        made.set_encoded_header_mode(packed_header)
        for name, data in files.items():
            made.writestr(data, name)
    return written.getvalue()


def header_start(data: bytes) -> int:
    return 32 + int.from_bytes(data[12:20], "little")


def with_checksums(data: bytes) -> bytes:
    """The archive with the checksums that its header now has."""
    header = zlib.crc32(data[header_start(data) :]).to_bytes(4, "little")
    start = data[12:28] + header
    return data[:8] + zlib.crc32(start).to_bytes(4, "little") + start + data[32:]
