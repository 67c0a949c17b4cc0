"""The scripts that read a page, which frames they run in, and how much they may bring.

What they bring is put together in `engine.web.collected`.
"""

import json

from PySide6.QtWebEngineCore import QWebEngineFrame

from engine.nodes import STYLE_PROPERTIES
from resources import read_text

LIMITS = {"attributes": 1000, "value": 4_000_000, "all": 24_000_000, "painted": 16_384}
"""How much of a page is read: attributes of one element; characters of one attribute or text, and
of all of them; how many px a filtered box may reach across.  A page of 200 million characters took
3.9 GB of Pagelet's own process, a blurred box scaled by 1,000 took 4.3 GB."""

CUTS = {
    "attributes": f"only the first {LIMITS['attributes']:,} attributes of an element were read",
    "value": f"only the first {LIMITS['value']:,} characters of an attribute or text were read",
    "all": f"only the first {LIMITS['all']:,} characters of attributes and texts were read",
    "painted": "a filter over a box of far more than the page was taken off before it was drawn",
}

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


def collector(*, serialise: bool) -> str:
    """Return the expression that reads a frame; the main frame's HTML is wanted, too."""
    options = json.dumps({"properties": STYLE_PROPERTIES, "serialise": serialise, "limits": LIMITS})
    still = f"({read_text('js/freeze.js')})()"
    return f"({still} && ({read_text('js/collect.js')})({options}))"


def frames_below(frame: QWebEngineFrame) -> list[QWebEngineFrame]:
    """Return the frames in a frame and in those, in document order."""
    found = []
    for child in frame.children():
        found.append(child)
        found.extend(frames_below(child))
    return found
