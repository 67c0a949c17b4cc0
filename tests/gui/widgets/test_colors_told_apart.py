"""Colours with a meaning are distinguishable with each kind of colour blindness.

Simulated after Machado, Oliveira, Fernandes 2009 (severity 1), compared in OKLab (Ottosson 2020).
"""

from itertools import combinations

import numpy as np
import pytest

from algorithms.core.catalogue import available, method
from annotate.evaluation.tables.method_colors import USUAL
from gui.state.layers import method_layer

KINDS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip

OF_LMS = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
          [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
OF_LAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
          [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip


def lab(color, kind):
    """Return a colour in OKLab as seen with a kind of colour blindness."""
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(KINDS[kind]) @ light, 0, 1)
    return np.array(OF_LAB) @ np.cbrt(np.array(OF_LMS) @ seen)


def distance(one, other, kind):
    return float(np.linalg.norm(lab(one, kind) - lab(other, kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_methods_with_similar_colours_have_different_lines(kind):
    # Extractors are drawn on words and segmenters as frames: these need no other line.
    installed = {each.key for each in available()}
    layers = [method_layer(key) for key in USUAL if key in installed]
    assert len(layers) > 5
    close = [
        (one.key, other.key)
        for one, other in combinations(layers, 2)
        if distance(one.color, other.color, kind) < 0.06
        and one.dash == other.dash
        and method(one.key).output == method(other.key).output
    ]
    assert close == []
