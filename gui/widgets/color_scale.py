"""From a score to a colour: one scale a theme, even in lightness, so that nobody needs hues.

Low scores lie close to the ground and high ones stand out, in steps that look alike: lightness in
OKLab goes one way only, hence the order survives print in grey and every kind of colour blindness.
The hue goes along for those who see it.
"""

import math
from functools import cache

from PySide6.QtGui import QColor

from gui.widgets.theme import Theme, contrast, linear

STEPS = 100

_ANCHORS = {
    "light": ("#f3efe0", "#cfe3c8", "#8cc8c0", "#3f98b8", "#25609f", "#223272"),
    "dark": ("#262a36", "#26405f", "#1f6480", "#2f8c8e", "#72b98c", "#d6e2a0"),
}
_INKS = ("#ffffff", "#000000")

SIDES = {"light": ("#0072b2", "#c04f00"), "dark": ("#56b4e9", "#f09050")}
"""Colours of the first and the other of two methods (after Okabe and Ito), by theme."""


@cache
def color_scale(name: str) -> tuple[tuple[QColor, QColor], ...]:
    """Return background and text colour for scores of 0, 0.01 ... 1 in a theme, by its name."""
    anchors = [_to_lab(color) for color in _ANCHORS[name]]
    result = []
    for step in range(STEPS + 1):
        position = step / STEPS * (len(anchors) - 1)
        first = min(int(position), len(anchors) - 2)
        share = position - first
        pairs = zip(anchors[first], anchors[first + 1], strict=True)
        ground = _to_hex(tuple(a + (b - a) * share for a, b in pairs))
        text_color = max(_INKS, key=lambda color, on=ground: contrast(color, on))  # type: ignore[misc]
        result.append((QColor(ground), QColor(text_color)))
    return tuple(result)


def colors_of(theme: Theme, share: float) -> tuple[QColor, QColor]:
    """Return background and text colour of a score; below 0 and above 1 it is drawn as these."""
    return color_scale(theme.name)[round(min(max(share, 0.0), 1.0) * STEPS)]


def _to_lab(color: str) -> tuple[float, ...]:
    """Return OKLab (B. Ottosson, "A perceptual color space for image processing", 2020)."""
    r, g, b = linear(color)
    l_ = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    m_ = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    s_ = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * l_ + 0.7936177850 * m_ - 0.0040720468 * s_,
        1.9779984951 * l_ - 2.4285922050 * m_ + 0.4505937099 * s_,
        0.0259040371 * l_ + 0.7827717662 * m_ - 0.8086757660 * s_,
    )


def _to_hex(lab: tuple[float, ...]) -> str:
    lightness_, a, b = lab
    l_ = (lightness_ + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (lightness_ - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (lightness_ - 0.0894841775 * a - 1.2914855480 * b) ** 3
    light = (
        4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
        -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
        -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_,
    )
    parts = (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055
             for c in (min(max(c, 0.0), 1.0) for c in light))  # fmt: skip
    return "#" + "".join(f"{round(c * 255):02x}" for c in parts)
