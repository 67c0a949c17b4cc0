"""What renders pages: browser engine and fonts.  Qt is loaded only where nothing is noted."""

import json
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from engine.bounded_file import atomic_write, stamp_of
from engine.errors import InputError
from engine.fonts import fonts_digest
from engine.page_cache import default_folder

_MODULE = "PySide6.QtWebEngineCore"


def renderer_name() -> str:
    """Return the name of the renderer: the engine with its version, and the digest of the fonts.

    Equal names draw a page alike; snapshots, rows of evaluations and stored runs hold it.  "" where
    Qt is not installed.
    """
    engine = _engine()
    return f"{engine} with fonts {fonts_digest() or 'unknown'}" if engine else ""


@cache
def _engine() -> str:
    """Return engine and version, as noted when this very library was last asked.

    The library takes 80 MB and half a second to load: too much for a command that renders nothing.
    """
    library = _library()
    if library is None or _MODULE in sys.modules:
        return _asked()
    noted = default_folder().parent / "engine.json"
    key = [str(library), *stamp_of(library)]
    try:
        known = json.loads(noted.read_text(encoding="utf-8"))
        if known["library"] == key and isinstance(known["engine"], str):
            return known["engine"]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # never asked, or another library since
    engine = _asked()
    with suppress(OSError, InputError):  # a folder that cannot be written costs the time only
        noted.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(noted) as part:
            part.write_text(json.dumps({"library": key, "engine": engine}), encoding="utf-8")
    return engine


def _library() -> Path | None:
    """Return the browser engine's own file where it came with the package, which nothing loads."""
    package = find_spec("PySide6")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for name in ("Qt/lib/libQt6WebEngineCore.so.6", "Qt6WebEngineCore.dll"):
            if (path := Path(folder, name)).is_file():
                return path
    return None


def _asked() -> str:
    try:
        from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion
    except ModuleNotFoundError:
        return ""

    # The stubs declare bytes where there are texts.
    qt, chromium = str(qWebEngineVersion()), str(qWebEngineChromiumVersion())
    return f"QtWebEngine {qt} (Chromium {chromium})"
