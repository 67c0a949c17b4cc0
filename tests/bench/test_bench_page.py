"""A page's way into data and its layers' way onto the page; lexbor's parse is the reference."""

import json

import pytest
from selectolax.lexbor import LexborHTMLParser

import resources
from annotate.datasets.opening import open_document
from engine.align import Alignment
from engine.web.headless import Browser
from resources import read_text

pytestmark = pytest.mark.web

PAGE = "corpus/news/index.html"
BOXES = 2000


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def document():
    return open_document(resources.path(PAGE))


@pytest.mark.benchmark(group="page")
def test_reference_parse_by_lexbor(benchmark, document):
    assert benchmark(LexborHTMLParser, document.read()).body is not None


@pytest.mark.benchmark(group="page")
def test_open_render_and_take_the_snapshot(benchmark, browser, document):
    page = benchmark.pedantic(browser.capture, (document,), rounds=5, warmup_rounds=1)
    assert len(page.nodes) > 100


@pytest.mark.benchmark(group="page")
def test_align_original_and_rendered_text(benchmark, browser, document):
    page = browser.capture(document)
    result = benchmark(Alignment.of_original, page.original, page.nodes)
    assert result.share > 0.9


@pytest.mark.benchmark(group="overlay")
def test_reference_a_script_that_does_nothing(benchmark, browser, document):
    browser.capture(document)
    assert benchmark(browser.run, "1") == 1


@pytest.mark.benchmark(group="overlay")
def test_draw_two_thousand_boxes(benchmark, browser, document):
    page = browser.capture(document)
    browser.run(read_text("js/overlay.js"))
    count = browser.view.local_rows.size
    boxes = [{"pieces": [n % count], "label": "", "fill": 0.05} for n in range(BOXES)]
    layer = {"id": "many", "color": "#0072B2", "dash": "solid", "opacity": 1, "boxes": boxes}
    script = f"pagelet.overlay.setLayers([{json.dumps(layer)}])"
    assert benchmark.pedantic(browser.run, (script,), rounds=5, warmup_rounds=1) == 1
    assert page.nodes is not None


@pytest.mark.benchmark(group="overlay")
def test_draw_two_thousand_text_ranges(benchmark, browser, document):
    page = browser.capture(document)
    browser.run(read_text("js/overlay.js"))
    texts = [
        n for n, row in enumerate(browser.view.local_rows.tolist()) if page.nodes.has_words[row]
    ]
    ranges = [[texts[n % len(texts)], 0, 5 + n % 3] for n in range(BOXES)]
    layer = {"id": "m", "color": "#0072B2", "dash": "solid", "opacity": 1, "ranges": ranges}
    scripts = [
        f"pagelet.overlay.setLayers([{json.dumps(layer | {'opacity': o})}])" for o in (1, 0.9)
    ]
    assert benchmark.pedantic(lambda: [browser.run(s) for s in scripts], rounds=5) == [1, 1]
