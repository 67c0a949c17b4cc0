"""Colours with a meaning are distinguishable with each kind of colour blindness.

Simulated after Machado, Oliveira, Fernandes 2009 (severity 1), compared in OKLab (Ottosson 2020).
"""

import pytest

from algorithms.explain.differences import ErrorKind
from gui.page.overlay.error_layers import STYLES
from gui.plugins.team_work.review.state import LEFT, RIGHT
from gui.widgets.color_scale import SIDES
from tests.gui.widgets.test_colors_told_apart import KINDS, distance


@pytest.mark.parametrize("kind", KINDS)
def test_colours_that_alone_carry_a_meaning_are_distinguishable(kind):
    assert distance(LEFT, RIGHT, kind) > 0.15  # two annotators
    missing, superfluous = (
        STYLES[str(each)].color for each in (ErrorKind.MISSING, ErrorKind.SUPERFLUOUS)
    )
    assert distance(missing, superfluous, kind) > 0.15
    for pair in SIDES.values():
        assert distance(*pair, kind) > 0.1
