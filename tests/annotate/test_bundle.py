"""A bundle: plain pages that need no Pagelet, run nothing, and escape what pages say."""

import re

import cv2
import numpy as np
import pytest

from algorithms.batch import RunStatus
from algorithms.measures.prf import Score
from annotate.bundle import MOST_BYTES, BundleLayer, BundlePage, shrunk, write_bundle
from annotate.evaluation.rows import ResultRow, RunFacts

HOSTILE = "<script>alert(1)</script>\"'&</title>"
KEYS = [("set", "one.html", "original"), ("set", f"{HOSTILE}.html", "original")]


def _rows():
    return [
        ResultRow(
            RunFacts(*key, method, parameters="{}", ms=1.5),
            measure,
            RunStatus.FAILED if method == "bte" else RunStatus.OK,
            f"it broke down: {HOSTILE}" if method == "bte" else "",
            Score(None) if method == "bte" else Score(value),
        )
        for key in KEYS
        for method in ("accb", "bte")
        for measure, value in (("cs", 0.25), ("ws", 0.75))
    ]


def _jpeg(wide, high):
    noise = np.random.default_rng(1).integers(0, 255, (high, wide, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


@pytest.fixture
def bundle(tmp_path):
    layer = BundleLayer("accb", "#0072B2", (((1.0, 2.0, 30.0, 40.0), HOSTILE),))
    pages = [BundlePage(key, HOSTILE, "", (400, 800), _jpeg(40, 80), (layer,)) for key in KEYS]
    return write_bundle(tmp_path / "out", HOSTILE, _rows(), pages).parent


def test_a_bundle_leads_from_methods_to_pages_and_back(bundle):
    index = (bundle / "index.html").read_text("utf-8")
    links = re.findall(r'href="([^"]+)"', index)
    assert {"methods/accb.html", "methods/bte.html"} <= set(links)
    for page in bundle.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text("utf-8")):
            assert (page.parent / link).resolve().is_file(), f"{page.name} → {link}"


def test_a_method_is_shown_by_the_usual_measure(bundle):
    assert "0.750" in (bundle / "methods" / "accb.html").read_text("utf-8")


def test_what_pages_say_is_text_and_only_the_bundles_own_script_is_allowed(bundle):
    for page in bundle.rglob("*.html"):
        html = page.read_text("utf-8")
        assert html.count("<script") == 1
        assert "bundle.js" in html
        assert "alert(1)</script>" not in html
        assert "default-src 'none'" in html
        assert " style=" not in html


def test_failures_are_listed_with_their_reason(bundle):
    page = next((bundle / "pages").glob("0000-*.html")).read_text("utf-8")
    assert "failed: it broke down: &lt;script&gt;" in page


def test_a_page_lists_the_methods_that_were_run_on_it_only(tmp_path):
    rows = [row for row in _rows() if (row.run.page, row.run.method) != ("one.html", "accb")]
    pages = [BundlePage(key, size=(400, 800)) for key in KEYS]
    write_bundle(tmp_path, "t", rows, pages)
    first, second = sorted((tmp_path / "pages").glob("*.html"))
    assert "accb" not in first.read_text("utf-8")
    assert "accb" in second.read_text("utf-8")


def test_pictures_fit_their_size():
    assert len(shrunk(_jpeg(1400, 3000))) <= MOST_BYTES


def test_a_bundle_without_content_has_no_picture(tmp_path):
    pages = [BundlePage(key, size=(400, 800)) for key in KEYS]
    write_bundle(tmp_path, "t", _rows(), pages)
    assert not list(tmp_path.rglob("*.jpg"))
    assert "<img" not in next((tmp_path / "pages").glob("0000-*.html")).read_text("utf-8")
