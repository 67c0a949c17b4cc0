"""A method has one colour, wherever it is drawn."""

import re

from algorithms.core.catalogue import METHODS
from annotate.evaluation.report.chart_style import pen
from annotate.evaluation.tables.method_colors import COLORS, USUAL, color_of
from gui.state.layers import default_layers, gold_layers, method_layer
from resources import read_text


def test_window_and_report_draw_a_method_in_the_same_colour():
    for index, entry in enumerate(METHODS):
        assert method_layer(entry.key).color == pen(index, entry.key).color == color_of(entry.key)


def test_no_two_of_the_usual_methods_and_gold_have_the_same_colour():
    colors = [layer.color.lower() for layer in default_layers()]
    assert len(set(colors)) == len(colors) == len(USUAL) + len(gold_layers())


def test_an_unknown_method_has_a_fixed_colour_of_the_palette():
    # Recorded: reports made on other days and machines show the same method in the same colour.
    assert color_of("trafilatura") == "#5d7a1f"
    assert color_of("somebody's method") == "#50555f"
    assert color_of("somebody's \ud800 method") == "#b5588f"
    assert {"#5d7a1f", "#50555f", "#b5588f"} <= set(COLORS)


def test_the_style_sheet_of_reports_has_the_same_colours_in_the_same_order():
    light = dict(re.findall(r"--s(\d): (#[0-9a-f]{6})", read_text("report/report.css")[:600]))
    assert [light.get(str(k)) for k in range(len(COLORS))] == list(COLORS)
