"""Layers drawn once over a captured page, for pictures: no window, nothing follows a change."""

import json
from collections.abc import Mapping, Sequence

from algorithms.results import Result
from annotate.gold import Gold
from engine.page import Page
from engine.web.headless import Browser
from gui.page.overlay.pieces import Pieces
from gui.page.overlay.specs import Spec, gold_specs, result_spec
from gui.state.layers import LayerState
from resources import read_text


def draw_layers(
    browser: Browser,
    page: Page,
    layers: Sequence[LayerState],
    gold: Gold,
    results: Mapping[str, Result],
) -> None:
    """Draw layers on the page, in place of what was drawn before.

    Args:
        browser: Holds ``page``, captured last.
        page: The page.
        layers: What to draw, the topmost first; a method without a result is left out.
        gold: What gold layers show.
        results: Method → what it gave.

    Raises:
        CaptureError: The page answers no more.
    """
    pieces = Pieces(page.rendered(), browser.view.local_rows)
    specs: list[Spec] = []
    for layer in reversed(layers):
        if layer.is_gold:
            specs += gold_specs(layer, gold, (), pieces)
        elif layer.key in results:
            specs.append(result_spec(layer, results[layer.key], page, pieces))
    browser.run(read_text("js/overlay.js"))
    browser.run(f"pagelet.overlay.setLayers({json.dumps(specs)})")
