"""Files of bytes by their first bytes: pictures, documents, archives, databases, programs, HTML."""

import re
import struct
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

ZIP = b"PK\x03\x04"
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
LZ4 = b"\x04\x22\x4d\x18"
SQLITE = b"SQLite format 3\x00"
BPLIST = b"bplist00"

HTML_KINDS = ("text/html", "application/xhtml+xml")

_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*(?:<\?xml[^>]{0,200}>[\t\n\f\r ]*)?"
    rb"(?:<!--|<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body"
    rb"|br|p)(?=[\s>/]))",
    re.IGNORECASE,
)

_KINDS: Sequence[tuple[bytes, int, str]] = (
    (b"%PDF-", 0, "a PDF"),
    (SQLITE, 0, "an SQLite database"),
    (BPLIST, 0, "a binary property list"),
    (b"PK\x05\x06", 0, "an empty zip"),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7-Zip archive"),
    (b"Rar!\x1a\x07", 0, "a RAR archive"),
    (b"ustar", 257, "a tar archive"),
    (b"BZh", 0, "a file packed with bzip2"),
    (b"\xfd7zXZ\x00", 0, "a file packed with xz"),
    (ZSTD, 0, "a file packed with Zstandard"),
    (LZ4, 0, "a file packed with LZ4"),
    (GZIP, 0, "a file packed with gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "an Office document (before 2007)"),
    (b"PAR1", 0, "a Parquet table"),
    (b"ARROW1", 0, "an Arrow table"),
    (b"\x89HDF\r\n\x1a\n", 0, "an HDF5 file"),
    (b"\x93NUMPY", 0, "a NumPy array"),
    (b"\x80\x02", 0, "a Python pickle"),
    (b"\x80\x03", 0, "a Python pickle"),
    (b"\x80\x04", 0, "a Python pickle"),
    (b"\x80\x05", 0, "a Python pickle"),
    (b"\x7fELF", 0, "a program"),
    (b"MZ", 0, "a program for Windows"),
    (b"\xca\xfe\xba\xbe", 0, "a program"),
    (b"\xcf\xfa\xed\xfe", 0, "a program for macOS"),
    (b"\x00asm", 0, "a WebAssembly module"),
    (b"wOFF", 0, "a font (WOFF)"),
    (b"wOF2", 0, "a font (WOFF2)"),
    (b"\x00\x01\x00\x00\x00", 0, "a font (TrueType)"),
    (b"OTTO", 0, "a font (OpenType)"),
    (b"ID3", 0, "a sound (MP3)"),
    (b"fLaC", 0, "a sound (FLAC)"),
    (b"OggS", 0, "a sound or film (Ogg)"),
    (b"\x1aE\xdf\xa3", 0, "a film (Matroska or WebM)"),
    (b"{\\rtf", 0, "a document in RTF"),
    (b"%!PS", 0, "a PostScript document"),
    (b"\x00\x00\x01\x00", 0, "a picture (ICO)"),
    (b"8BPS", 0, "a picture (Photoshop)"),
    (b"II*\x00", 0, "a picture (TIFF)"),
    (b"MM\x00*", 0, "a picture (TIFF)"),
    (b"AT&TFORM", 0, "a DjVu document"),
)

_RIFF = {b"WEBP": "a picture (WebP)", b"WAVE": "a sound (WAV)", b"AVI ": "a film (AVI)"}
_BRANDS = {b"avif": "a picture (AVIF)", b"heic": "a picture (HEIC)", b"M4A ": "a sound (M4A)"}


def sniffed_kind(data: bytes) -> str:
    """Return "text/html" for an answer without a type that a browser shows as a page, or "".

    Source: WHATWG, MIME Sniffing Standard, 7.1.
    """
    return "text/html" if _HTML.match(data[:1445]) else ""


def kind_of(head: bytes) -> str:
    """Return what a file is by its first bytes, as a phrase with its article; "" for no such."""
    if picture := _picture(head):
        return picture
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "a RIFF file")
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "a film (MP4)")
    return next((name for start, at, name in _KINDS if head.startswith(start, at)), "")


def _picture(head: bytes) -> str:
    """Return the picture format, with the size in px if the first bytes contain it."""
    size: tuple[int, int] | None = None
    name = ""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        name = "PNG"
        size = struct.unpack(">II", head[16:24]) if len(head) >= 24 else None
    elif head.startswith((b"GIF87a", b"GIF89a")):
        name = "GIF"
        size = struct.unpack("<HH", head[6:10]) if len(head) >= 10 else None
    elif head.startswith(b"BM") and len(head) >= 26 and head[14:18] == b"\x28\0\0\0":
        name, size = "BMP", struct.unpack("<ii", head[18:26])
    elif head.startswith(b"\xff\xd8\xff"):
        name, size = "JPEG", _jpeg_size(head)
    if not name:
        return ""
    return f"a picture ({name}, {size[0]} × {abs(size[1])})" if size else f"a picture ({name})"


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 2 + max(length, 2)
    return None


_PACKED = ("packed with", "7-Zip", "RAR", "a tar")
_DOCUMENTS = ("PDF", "ocument", "presentation", "book")


def with_step(kind: str) -> str:
    """Return a kind that `kind_of` or `kind_of_zip` named, with what to do with such a file."""
    if any(word in kind for word in _DOCUMENTS):
        return f"{kind}, and Pagelet reads pages: save it as HTML first"
    return f"{kind}: unpack it first" if any(word in kind for word in _PACKED) else kind


def is_binary(head: bytes) -> bool:
    """Return whether bytes are no text: control characters that no text has."""
    return len(re.findall(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head)) * 50 > len(head)


_OFFICE = {"word/": "a Word document", "xl/": "an Excel table", "ppt/": "a PowerPoint presentation"}
_TELLING = frozenset({
    "META-INF/container.xml", "[Content_Types].xml", "content.xml", "mimetype",
    "AndroidManifest.xml", "META-INF/MANIFEST.MF", "TypeSystem.xml",
})  # fmt: skip


def telling_names(names: Iterable[str]) -> set[str]:
    """Return the names that `kind_of_zip` needs, and one of the others if there are any."""
    result: set[str] = set()
    other, folders = "", tuple(_OFFICE)
    for name in names:
        if name in _TELLING or name.startswith(folders) or name.endswith(".npy"):
            result.add(name)
        else:
            other = other or name
    return result | {other} if other else result


def kind_of_zip(names: AbstractSet[str]) -> str:
    """Return what a zip of these files is, such as a book or a document; "" for any other."""
    if "META-INF/container.xml" in names:
        return "a book (EPUB)"
    if "[Content_Types].xml" in names:
        inside = (_OFFICE[each] for each in _OFFICE if any(n.startswith(each) for n in names))
        return next(inside, "an Office document")
    if {"content.xml", "mimetype"} <= names:
        return "an OpenDocument file"
    if "AndroidManifest.xml" in names:
        return "an app for Android"
    if "META-INF/MANIFEST.MF" in names:
        return "a Java archive"
    if "TypeSystem.xml" in names:
        return "a zip of annotations in UIMA (XMI): unpack it"
    return "a NumPy archive" if names and all(n.endswith(".npy") for n in names) else ""
