"""What renders pages, by name and version; Qt is loaded only when asked."""


def renderer_name() -> str:
    """Return what renders pages, with its version."""
    from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion

    # The stubs say bytes where there are texts.
    qt, chromium = str(qWebEngineVersion()), str(qWebEngineChromiumVersion())
    return f"QtWebEngine {qt} (Chromium {chromium})"
