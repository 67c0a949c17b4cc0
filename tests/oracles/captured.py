"""Pages of the oracles, rendered."""

from pathlib import Path

from annotate.datasets.opening import open_document
from engine.page import Page
from engine.web.headless import Browser


def capture_page(browser: Browser, folder: Path, html: str, files: dict[str, str]) -> Page:
    """Render a page given as HTML, with files beside it."""
    for name, content in {"index.html": html, **files}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return browser.capture(open_document(folder / "index.html"), timeout_s=60.0)
