"""Which fonts a page is drawn with that names none, and which this machine offers, as a digest.

The same page has another layout where other fonts are installed, or where fontconfig prefers
others for a family that is missing.  Both go into the digest, with the families for pages that name
none, and nothing of the machine's own paths: two machines with the same fonts and the same
preferences have the same digest.
"""

import ctypes
import ctypes.util
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DEFAULT_FAMILIES = {
    "StandardFont": "Times New Roman",
    "SerifFont": "Times New Roman",
    "SansSerifFont": "Arial",
    "FixedFont": "Monospace",
    "CursiveFont": "Comic Sans MS",
    "FantasyFont": "Impact",
}
"""Chromium's own families on Linux (its ``locale_settings_linux.grd``), by Qt's names for them.

Qt sets the desktop's instead, which no browser draws a page with.
"""

DEFAULT_SIZES = {
    "DefaultFontSize": 16,
    "DefaultFixedFontSize": 13,
    "MinimumFontSize": 0,
    "MinimumLogicalFontSize": 6,
}
"""Chromium's own sizes, px, by Qt's names for them."""

_FOLDERS = {
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts", "~/AppData/Local/Microsoft/Windows/Fonts"),
}
"""Where fonts lie on systems whose browsers do not ask fontconfig."""

_SYSTEM_FONTS = 0  # FcSetSystem


@cache
def fonts_digest() -> str:
    """Return a digest of all fonts and font preferences, Pagelet's too; 8 hex digits.

    "" where neither fontconfig nor a folder of fonts can be read.  Asked once a process: a browser
    learns of new fonts when it starts, too.  Costs some ms beyond what Qt does anyway.
    """
    fonts = hashlib.blake2b(digest_size=4)
    facts = sorted(_files_below(_FOLDERS[sys.platform]) if sys.platform in _FOLDERS else _known())
    defaults = [f"{name} {value}" for name, value in (DEFAULT_FAMILIES | DEFAULT_SIZES).items()]
    for fact in [*defaults, *facts]:
        fonts.update(fact.encode("utf-8", "surrogateescape") + b"\0")
    return fonts.hexdigest() if facts else ""


def _files_below(folders: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        for path in Path(folder).expanduser().rglob("*"):
            if path.is_file():
                yield f"{path.name} {path.stat().st_size}"


class _FontSet(ctypes.Structure):
    """FcFontSet of fontconfig.h."""

    _fields_ = (
        ("nfont", ctypes.c_int),
        ("sfont", ctypes.c_int),
        ("fonts", ctypes.POINTER(ctypes.c_void_p)),
    )


def _known() -> Iterator[str]:
    """Yield a line for each font and each file of preferences, as fontconfig reads them."""
    library = _fontconfig()
    # The process' own configuration, which Qt reads as well: neither pays for it twice.
    config = library.FcConfigGetCurrent() if library else None
    if library is None or not config:
        return
    fonts = library.FcConfigGetFonts(config, _SYSTEM_FONTS)
    for index in range(fonts.contents.nfont if fonts else 0):
        yield _font(library, fonts.contents.fonts[index])
    files = library.FcConfigGetConfigFiles(config)
    while name := library.FcStrListNext(files):
        yield _preferences(Path(name.decode("utf-8", "surrogateescape")))
    library.FcStrListDone(files)


def _fontconfig() -> Any | None:  # noqa: ANN401  (its functions are made by name)
    """Return the library that Qt's browser asks for fonts; None where there is none."""
    try:
        library = ctypes.CDLL(ctypes.util.find_library("fontconfig") or "libfontconfig.so.1")
    except OSError:
        return None
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, answer, arguments in (
        ("FcConfigGetCurrent", pointer, ()),
        ("FcConfigGetFonts", ctypes.POINTER(_FontSet), (pointer, ctypes.c_int)),
        ("FcConfigGetConfigFiles", pointer, (pointer,)),
        ("FcStrListNext", text, (pointer,)),
        ("FcStrListDone", None, (pointer,)),
        ("FcPatternGetString", ctypes.c_int, (pointer, text, ctypes.c_int, pointer)),
        ("FcPatternGetInteger", ctypes.c_int, (pointer, text, ctypes.c_int, pointer)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = answer, arguments
    return library


def _font(library: Any, pattern: int) -> str:  # noqa: ANN401
    """Return name and size of a font's file, its number in it, and the version it gives itself."""
    file = ctypes.c_char_p()
    library.FcPatternGetString(pattern, b"file", 0, ctypes.byref(file))
    path = Path((file.value or b"").decode("utf-8", "surrogateescape"))
    numbers = [path.stat().st_size if path.is_file() else -1]
    for key in (b"index", b"fontversion"):
        number = ctypes.c_int(-1)
        library.FcPatternGetInteger(pattern, key, 0, ctypes.byref(number))
        numbers.append(number.value)
    return " ".join([path.name, *map(str, numbers)])


def _preferences(path: Path) -> str:
    try:
        return f"{path.name} {hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()}"
    except OSError:
        return path.name
