"""7z archives that we write ourselves, the plainest there are: one folder, one method, the header packed or not."""

import bz2
import lzma
import zlib

WINDOW = 1 << 16
RAW = {
    "lzma": (b"\x03\x01\x01", bytes([93]) + WINDOW.to_bytes(4, "little"), lzma.FILTER_LZMA1),
    "lzma2": (b"\x21", bytes([8]), lzma.FILTER_LZMA2),  # code 8 is a window of 64 KiB
}


def number(value: int) -> bytes:
    """7z's variable-length number, in its longest form where it is large."""
    return bytes([value]) if value < 128 else b"\xff" + value.to_bytes(8, "little")


def packed(method: str, data: bytes) -> tuple[bytes, bytes, bytes]:
    """The method's id, its properties and the packed data."""
    if method in RAW:
        id_, properties, kind = RAW[method]
        return id_, properties, lzma.compress(data, lzma.FORMAT_RAW, filters=[{"id": kind, "dict_size": WINDOW}])
    if method == "bzip2":
        half = len(data) // 2
        return b"\x04\x02\x02", b"", bz2.compress(data[:half]) + bz2.compress(data[half:])
    if method == "deflate":
        deflate = zlib.compressobj(wbits=-15)
        return b"\x04\x01\x08", b"", deflate.compress(data) + deflate.flush()
    return (b"\x03\x04\x01" if method == "ppmd" else b"\x00"), b"", data


def streams(method: bytes, properties: bytes, offset: int, size: int, unpacked: int, sizes: list[int]) -> bytes:
    coder = bytes([len(method) | (32 if properties else 0)]) + method
    coder += number(len(properties)) + properties if properties else b""
    pack = b"\x06" + number(offset) + number(1) + b"\x09" + number(size) + b"\0"
    folder = b"\x07\x0b" + number(1) + b"\0" + number(1) + coder + b"\x0c" + number(unpacked) + b"\0"
    parts = b"\x0d" + number(len(sizes)) + b"\x09" + b"".join(map(number, sizes[:-1]))
    return pack + folder + b"\x08" + parts


def archive(files: dict[str, bytes], *, method: str = "lzma2", packed_header: bool = False) -> bytes:
    id_, properties, data = packed(method, b"".join(files.values()))
    sizes = [len(one) for one in files.values()]
    sums = b"".join(zlib.crc32(one).to_bytes(4, "little") for one in files.values())
    names = b"\0" + "".join(f"{name}\0" for name in files).encode("utf-16-le")
    header = b"\x01\x04" + streams(id_, properties, 0, len(data), sum(sizes), sizes) + b"\x0a\x01" + sums + b"\0\0"
    header += b"\x05" + number(len(files)) + b"\x11" + number(len(names)) + names + b"\0\0"
    if packed_header:
        inner = packed("lzma", header)
        encoded = streams(inner[0], inner[1], len(data), len(inner[2]), len(header), [len(header)])
        data, header = data + inner[2], b"\x17" + encoded + b"\0\0"
    start = len(data).to_bytes(8, "little") + len(header).to_bytes(8, "little")
    start += zlib.crc32(header).to_bytes(4, "little")
    return b"7z\xbc\xaf\x27\x1c\0\x04" + zlib.crc32(start).to_bytes(4, "little") + start + data + header
