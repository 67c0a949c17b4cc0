"""Fixtures: one offscreen browser shared by all tests."""

import numpy as np
import pytest

from annotate.datasets.opening import open_document
from engine.web.headless import Browser


@pytest.fixture(scope="session")
def browser(qapp):
    with Browser() as browser:
        yield browser


@pytest.fixture
def capture(browser, tmp_path):
    """Capture a page given as HTML, with files beside it: ``capture(html, **{"a.css": ""})``."""

    def run(html, *, scripts=True, viewport=None, timeout_s=20.0, **files):
        for name, content in {"index.html": html, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        document = open_document(tmp_path / "index.html", scripts=scripts, viewport=viewport)
        return browser.capture(document, timeout_s=timeout_s)

    return run


def row_of(nodes, name, place=0):
    """Return the row of the n-th element with this tag name, or with this id after ``#``."""
    if name.startswith("#"):
        result = [r for r, a in enumerate(nodes.attributes) if a.get("id") == name[1:]]
    else:
        result = np.flatnonzero(nodes.has_tag(name)).tolist()
    return result[place]


@pytest.fixture
def hangs_soon(monkeypatch):
    """Shorten the grace period of hanging pages from seven seconds to three."""
    monkeypatch.setattr("engine.web.capture._LEAST_REST_S", 3.0)


@pytest.fixture
def row():
    return row_of
