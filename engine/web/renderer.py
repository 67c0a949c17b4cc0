"""What renders pages: browser engine and fonts; Qt is loaded only when asked."""

from engine.fonts import fonts_digest


def renderer_name() -> str:
    """Return what renders pages: the engine with its version, and the digest of the fonts.

    Equal names draw a page alike; snapshots, rows of evaluations and stored runs hold it.  "" where
    Qt is not installed.
    """
    try:
        from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion
    except ModuleNotFoundError:
        return ""

    # The stubs say bytes where there are texts.
    qt, chromium = str(qWebEngineVersion()), str(qWebEngineChromiumVersion())
    return f"QtWebEngine {qt} (Chromium {chromium}) with fonts {fonts_digest() or 'unknown'}"
