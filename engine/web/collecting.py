"""The scripts that read a page, which frames they run in, and how much they may bring.

Their replies are merged in `engine.web.collected`.
"""

import json

from PySide6.QtWebEngineCore import QWebEngineFrame

from engine.nodes import STYLE_PROPERTIES
from resources import read_text

LIMITS = {
    "attributes": 1000,
    "value": 4_000_000,
    "name": 256,
    "all": 24_000_000,
    "rows": 300_000,
    "style": 20_000,
    "styles": 48_000_000,
    "html": 96_000_000,
    "title": 4_000,
    "painted": 16_384,
}
"""How much of a page is read: attributes of one element; characters of one attribute or text, of
one name, and of all attributes and texts; elements and texts; characters of one computed value, of
all different styles, of the HTML, of the title; how many px a filtered or blended box may reach
across.  A page of 200 million characters took 3.9 GB of Pagelet's own process, a blurred box scaled
by 1,000 took 4.3 GB."""

_SHARED = {"all": 500_000, "rows": 10_000, "styles": 1_000_000}
"""What the frames of a page have together, and what each has at the least."""

CUTS = {
    "attributes": f"only the first {LIMITS['attributes']:,} attributes of an element were read",
    "value": f"only the first {LIMITS['value']:,} characters of an attribute or text were read",
    "name": f"only the first {LIMITS['name']:,} characters of a name were read",
    "all": f"only the first {LIMITS['all']:,} characters of attributes and texts were read",
    "rows": f"only the first {LIMITS['rows']:,} elements and texts, or fewer of many styles, were "
    "read",
    "style": f"only the first {LIMITS['style']:,} characters of a style were read",
    "painted": "a filter or blend mode over a box of far more than the page was taken off before "
    "it was drawn",
}
IN_FRAMES = "frames of this page were read in part: together they hold too much"

WHICH_FRAME = """(() => {
  const path = [];
  for (let at = window; at !== at.parent; at = at.parent) {
    let index = -1;
    for (let k = 0; k < at.parent.length; k++) if (at.parent[k] === at) index = k;
    path.unshift(index);
  }
  return path;
})()"""
"""The path of a frame: indices into ``window`` from the main frame down."""


def collector(*, serialise: bool, frames: int = 1) -> str:
    """Return the expression that reads a document.

    Args:
        serialise: Whether its HTML is read, too.
        frames: How many documents share what may be read of them.
    """
    limits = dict(LIMITS)
    if frames > 1:
        limits |= {name: max(LIMITS[name] // frames, least) for name, least in _SHARED.items()}
    options = json.dumps({"properties": STYLE_PROPERTIES, "serialise": serialise, "limits": limits})
    still = f"({read_text('js/freeze.js')})()"
    return f"({still} && ({read_text('js/collect.js')})({options}))"


def frames_below(frame: QWebEngineFrame) -> list[QWebEngineFrame]:
    """Return the frames in a frame and in those, in document order."""
    return [each for child in frame.children() for each in (child, *frames_below(child))]
