"""A method has one colour, wherever it is drawn."""

import re
from itertools import combinations

import numpy as np
import pytest

from algorithms.core.catalogue import METHODS
from annotate.evaluation.bundle.page import GOLD_COLOR
from annotate.evaluation.report.chart_style import pen
from annotate.evaluation.tables.method_colors import COLORS, DARK, GOLD_COLORS, USUAL, color_of
from annotate.marks.gold import MAIN
from gui.features.layers.layer_row import PICKED
from gui.state.layers import default_layers, gold_layers, method_layer
from gui.widgets.theme import DARK as DARK_THEME
from resources import read_text


def test_window_and_report_draw_a_method_in_the_same_colour():
    for index, entry in enumerate(METHODS):
        assert method_layer(entry.key).color == pen(index, entry.key).color == color_of(entry.key)


def test_no_two_of_the_usual_methods_and_gold_have_the_same_colour_and_line():
    colors = [(layer.color.lower(), layer.dash) for layer in default_layers()]
    assert len(set(colors)) == len(colors) == len(USUAL) + len(gold_layers())


def test_an_unknown_method_has_a_fixed_colour_of_the_palette():
    # Recorded: reports made on other days and machines show the same method in the same colour.
    assert color_of("trafilatura") == "#d03c91"
    assert color_of("somebody's method") == "#3c3e42"
    assert color_of("somebody's \ud800 method") == "#8e801e"
    assert {"#d03c91", "#3c3e42", "#8e801e"} <= set(COLORS)


def test_the_style_sheet_of_reports_has_the_same_colours_in_the_same_order():
    light = dict(re.findall(r"--s(\d): (#[0-9a-f]{6})", read_text("report/report.css")[:600]))
    assert [light.get(str(k)) for k in range(len(COLORS))] == list(COLORS)
    dark = dict(re.findall(r"--s(\d): (#[0-9a-f]{6})", read_text("report/report.css")[600:1400]))
    assert [dark.get(str(k)) for k in range(len(DARK))] == list(DARK)


SIGHTS = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
"""Matrices at full strength of Machado, Oliveira and Fernandes (2009), on linear RGB."""


def linear(color):
    value = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                    [0.0193339, 0.1191920, 0.9503041]]) @ np.clip(rgb, 0, 1)  # fmt: skip
    x, y, z = np.cbrt(xyz / (0.95047, 1.0, 1.08883))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def nearest(colors, sight):
    seen = [lab(np.array(SIGHTS[sight]) @ linear(each)) for each in colors]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2))


def contrast(one, other):
    light, dark = sorted(
        (float(linear(each) @ (0.2126, 0.7152, 0.0722)) for each in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("colors", [COLORS, DARK], ids=["light", "dark"])
def test_eight_methods_differ_for_colour_blind_readers(colors, sight):
    assert nearest(colors, sight) >= 20
    planted = ("#50555f", *colors[:6], "#c2185b")  # the pair of version 1.0, 3.1 apart
    assert sight != "protan" or nearest(planted, sight) < 20


def test_methods_contrast_with_the_ground_and_labels_are_readable():
    assert min(contrast(color, "#ffffff") for color in COLORS) >= 3
    assert min(contrast(color, DARK_THEME.panel) for color in DARK) >= 3
    for color in (*COLORS, *GOLD_COLORS.values()):  # as overlay.js chooses the ink
        ink = "#ffffff" if contrast(color, "#ffffff") >= 4.5 else "#000000"
        assert contrast(color, ink) >= 4.5, color
    assert contrast(GOLD_COLORS[MAIN], "#ffffff") < 4.5  # what version 1.0 wrote with


def test_the_colour_of_gold_reaches_window_lists_and_bundle():
    assert gold_layers()[0].color == GOLD_COLOR == GOLD_COLORS[MAIN]
    assert GOLD_COLORS[MAIN] in PICKED
