// Where layers lie on the page, for drawings elsewhere: boxes, their names, and lines of text, each
// in CSS px from the page's top left.  What cannot be seen, being hidden or cut off, is left out.
// An expression: a function of layers as `pagelet.overlay.setLayers` takes them, bottom first.
((specs) => {
  const { of, call } = pagelet, doc = pagelet.bare(document);
  const { union, rectOfPiece, seenPart, nodeOf, chipSpot } = pagelet.overlay.parts;
  const taken = [];
  const rounded = (numbers) => numbers.map((number) => Math.round(10 * number) / 10);

  function boxOf(box) {
    const rect = union(box.pieces.map(rectOfPiece).filter(Boolean));
    if (!rect) return null;
    const x = rect.left + scrollX, y = rect.top + scrollY;
    // Nothing is pointed at there: all names are written that the page has room for.
    const chip = box.label ? chipSpot(box.label, x, y, taken, 1, doc.documentElement.scrollWidth, 40) : null;
    return {
      box: rounded([x, y, rect.width, rect.height]),
      name: chip && !chip.isDot ? rounded([chip.x, chip.y, chip.width]) : null,
    };
  }

  // Where the document of a frame begins, in the window.
  function originOf(win) {
    let left = 0, top = 0;
    for (; win !== window; win = win.parent) {
      const frame = win.frameElement, rect = call(frame, "getBoundingClientRect");
      left += rect.left + frame.clientLeft;
      top += rect.top + frame.clientTop;
    }
    return { left, top };
  }

  function linesOf([index, start, end]) {
    const node = nodeOf(index);
    if (!node || of(node, "nodeType") !== Node.TEXT_NODE) return [];
    const around = of(node, "parentElement");
    if (around && call(around, "checkVisibility", { visibilityProperty: true }) === false) return [];
    const inner = node.ownerDocument, range = call(inner, "createRange");
    range.setStart(node, Math.min(start, node.data.length));
    range.setEnd(node, Math.min(end, node.data.length));
    const origin = originOf(inner.defaultView);
    return [...range.getClientRects()]
      .filter((rect) => rect.width > 0 && rect.height > 0)
      .map((rect) => seenPart(node, rect))
      .filter(Boolean)
      .map((rect) => rounded([
        rect.left + origin.left + scrollX, rect.top + origin.top + scrollY, rect.width, rect.height,
      ]));
  }

  return specs.map((spec) => ({
    boxes: (spec.boxes ?? []).map(boxOf),
    lines: (spec.ranges ?? []).flatMap(linesOf),
  }));
})
