"""Layers drawn once over a captured page, for pictures: no window, nothing follows a change."""

import json
from collections.abc import Mapping, Sequence

from algorithms.results import Result
from annotate.marks.gold import Gold
from engine.page import Page
from engine.web.headless import Browser
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec, gold_specs, result_spec
from gui.pictures.page_drawing import PageDrawing, drawing_of, measuring
from gui.state.layers import LayerState
from resources import read_text


def specs_of(
    browser: Browser,
    page: Page,
    layers: Sequence[LayerState],
    gold: Gold,
    results: Mapping[str, Result],
) -> list[LayerSpec]:
    """Return the drawing of layers, the lowest first.

    Args:
        browser: Holds ``page``, captured last.
        page: The page.
        layers: What to draw, the topmost first; a method without a result is left out.
        gold: What gold layers show.
        results: Method → what it gave.
    """
    pieces = PageNumberings(page.rendered(), browser.view.local_rows)
    specs: list[LayerSpec] = []
    for layer in reversed(layers):
        if layer.is_gold:
            specs += gold_specs(layer, gold, (), pieces)
        elif layer.key in results:
            specs.append(result_spec(layer, results[layer.key], page, pieces))
    return specs


def draw_layers(
    browser: Browser,
    page: Page,
    layers: Sequence[LayerState],
    gold: Gold,
    results: Mapping[str, Result],
) -> None:
    """Replace the layers drawn on the page; the rest as in `specs_of`.

    Raises:
        CaptureError: The page answers no more.
    """
    specs = specs_of(browser, page, layers, gold, results)
    browser.run(read_text("js/overlay.js"))
    browser.run(f"pagelet.overlay.setLayers({json.dumps(specs)})")


def drawn_page(
    browser: Browser,
    page: Page,
    layers: Sequence[LayerState],
    gold: Gold,
    results: Mapping[str, Result],
    notes: Mapping[str, str],
    source: str,
) -> PageDrawing:
    """Return the page with its layers as a value, nothing drawn on it; the rest as in `specs_of`.

    Args:
        notes: Layer → further text on it.
        source: Where the page is from.

    Raises:
        CaptureError: The page answers no more.
    """
    specs = specs_of(browser, page, layers, gold, results)
    image = browser.picture()
    browser.run(read_text("js/overlay.js"))
    shapes = browser.run(measuring(specs))
    names = {layer.key: (layer.legend_name, notes.get(layer.key, "")) for layer in layers}
    return drawing_of(image, specs, shapes, names, page.title, source)
