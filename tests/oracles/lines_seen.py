"""Lines of text as the browser draws them, against the paragraphs of the page as seen.

Two texts that a reader sees touch on one line are in one paragraph.  Lines are found in the
browser, from the boxes of the texts alone; what is cut down to nothing is in no line.
"""

from dataclasses import dataclass

import numpy as np

from engine.page import Page
from engine.web.headless import Browser

_TOUCHING = """(() => {
  const outer = (node) => node.parentElement ?? (node.getRootNode().host ?? null);
  const inLine = /^(inline|contents|ruby)/;
  // The element whose lines an element is in; null where it stands out of the flow before that.
  const boxOf = (element) => {
    for (let at = element; at; at = outer(at)) {
      const style = getComputedStyle(at);
      if (!inLine.test(style.display) || /absolute|fixed/.test(style.position) ||
          style.float !== 'none') return at;
    }
    return null;
  };
  const shown = (node, rects) => {
    const range = (rect) => [rect.left, rect.top, rect.right, rect.bottom];
    let boxes = rects.map(range);
    for (let at = outer(node); at && at !== document.body; at = outer(at)) {
      const style = getComputedStyle(at);
      if (style.visibility !== 'visible' && at === outer(node)) return [];
      const clip = style.clip.match(/[-\\d.]+(?=px)/g) ?? [];
      if (clip[2] - clip[0] <= 2 || clip[1] - clip[3] <= 2) return [];
      if (style.clipPath === 'inset(50%)' || style.display === 'inline') {
        if (style.clipPath === 'inset(50%)') return [];
        continue;
      }
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const [l, t, r, b] = range(at.getBoundingClientRect());
      boxes = boxes.map(([x, y, right, bottom]) => [
        Math.max(l, x), Math.max(t, y), Math.min(r, right), Math.min(b, bottom)]);
    }
    return boxes.filter(([l, t, r, b]) => r - l > 1.5 && b - t > 1.5);
  };
  const before = new Map(), pairs = [];
  const range = document.createRange();
  for (const node of pagelet.nodes) {
    if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || !outer(node)) continue;
    const box = boxOf(outer(node));
    const text = node.data, first = text.search(/\\S/), last = text.trimEnd().length;
    range.setStart(node, first);
    range.setEnd(node, last);
    const boxes = shown(node, [...range.getClientRects()]);
    if (!box || !boxes.length) continue;
    const [l, t, r, b] = boxes[0], other = before.get(box);
    if (other) {
      const [left, top, right, bottom] = other.box, low = Math.min(b - t, bottom - top);
      const isBeside = Math.min(b, bottom) - Math.max(t, top) > .5 * low;
      const isTouching = isBeside && Math.abs(l - right) <= .3 * low;
      if (isTouching) pairs.push([other.row, pagelet.rows.get(node)]);
    }
    before.set(box, {box: boxes[boxes.length - 1], row: pagelet.rows.get(node)});
  }
  return pairs;
})()"""


@dataclass(frozen=True)
class Lines:
    """How many pairs of texts touch on a page, and the words around each that *seen* parts."""

    touching: int
    torn: tuple[tuple[str, str], ...]


def torn_lines(browser: Browser, page: Page) -> Lines:
    """Compare the lines of a page that the browser shows with its paragraphs as seen."""
    source = page.source("seen")
    place, spans = page.alignment(source).place, source.tokens.spans
    pairs = browser.run(_TOUCHING, 60.0)
    rows = browser.view.local_rows
    touching, torn = 0, []
    for pair in pairs:
        one, two = (np.flatnonzero(place[:, 0] == rows[local]) for local in pair)
        if one.size and two.size:
            touching += 1
            last, first = int(one[-1]), int(two[0])
            between = source.text_of([(int(spans[last, 0]), int(spans[first, 1]))])
            if first > last and "\n" in between:
                torn.append((source.words[last], source.words[first]))
    return Lines(touching, tuple(torn))
