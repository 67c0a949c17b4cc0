// Handles of what is selected: eight around a box, one at each end of a run of text.  Runs in the
// isolated world beside point.js, which asks what is under the mouse; gui/page/handles.py says what
// is selected, and what a drag takes.  Lengths are px on the screen, places px of the window.
(() => {
  if (window !== window.top) return;
  const { of, bare } = pagelet, doc = bare(document);
  const SIZE = 8, AREA = 28; // of what is drawn, and of what takes the mouse: 24 and more from 46 % on
  const OUT = 4; // so far outside the edge the mouse is taken: most of a small mark stays free
  const LONG = 48; // a side so long has a handle of its own between those at its corners
  const CURSORS = { nw: "nwse-resize", se: "nwse-resize", ne: "nesw-resize", sw: "nesw-resize",
    n: "ns-resize", s: "ns-resize", e: "ew-resize", w: "ew-resize", first: "col-resize", last: "col-resize" };
  let spec = null, layer = null, mouse = null;

  const scaleOf = () => Number(pagelet.overlay.host.style.getPropertyValue("--s")) || 1;
  const within = (value, least, most) => Math.max(least, Math.min(value, Math.max(least, most)));

  function boxOf() {
    const { union, rectOfPiece } = pagelet.overlay.parts;
    return union((spec?.pieces ?? []).map(rectOfPiece).filter(Boolean));
  }

  // A line's box of one end of the text, and where in it the end is.
  function lineAt(range, isFirst) {
    const [index, start, end] = range, node = pagelet.overlay.parts.nodeOf(index);
    if (!node || of(node, "nodeType") !== Node.TEXT_NODE) return null;
    const part = doc.createRange();
    part.setStart(node, Math.min(start, node.data.length));
    part.setEnd(node, Math.min(end, node.data.length));
    const lines = [...part.getClientRects()].filter((rect) => rect.width && rect.height);
    const line = isFirst ? lines[0] : lines.at(-1);
    const around = of(node, "parentElement");
    const isRtl = around && getComputedStyle(around).direction === "rtl";
    return line && { x: isFirst !== isRtl ? line.left : line.right, top: line.top, bottom: line.bottom };
  }

  // Where handles are: {name, x, y: middle of what is drawn, at: middle of what takes the mouse, bar}.
  function spots() {
    if (!spec || !pagelet.overlay) return [];
    const s = scaleOf();
    if (spec.ranges) {
      return spec.ranges.flatMap((range, k) => {
        const isFirst = k === 0, line = lineAt(range, isFirst);
        if (!line) return [];
        const y = isFirst ? line.top - SIZE * s / 2 : line.bottom + SIZE * s / 2;
        const spot = { name: isFirst ? "first" : "last", x: line.x, y, bar: line };
        return [{ ...spot, at: [line.x, y + (isFirst ? -OUT : OUT) * s] }];
      });
    }
    const box = boxOf();
    if (!box) return [];
    // Of a side that is partly out of sight the middle of what is seen.
    const mid = (low, high, size) => (within(low, 0, size) + within(high, 0, size)) / 2;
    const xs = { w: box.left, "": mid(box.left, box.right, innerWidth), e: box.right };
    const ys = { n: box.top, "": mid(box.top, box.bottom, innerHeight), s: box.bottom };
    const edge = 2 * s, root = doc.documentElement;
    const wide = Math.max(root.scrollWidth, innerWidth) - scrollX;
    const high = Math.max(root.scrollHeight, innerHeight) - scrollY;
    const found = [];
    for (const [v, y] of Object.entries(ys)) {
      for (const [h, x] of Object.entries(xs)) {
        const name = v + h;
        if (!name || (!h && box.width < LONG * s) || (!v && box.height < LONG * s)) continue;
        const dx = h === "w" ? -1 : h === "e" ? 1 : 0, dy = v === "n" ? -1 : v === "s" ? 1 : 0;
        const half = SIZE * s / 2;
        found.push({
          name, at: [x + dx * OUT * s, y + dy * OUT * s],
          x: within(x + dx * edge, half - scrollX, wide - half),
          y: within(y + dy * edge, half - scrollY, high - half),
        });
      }
    }
    return found;
  }

  function add(style, text = "") {
    const part = doc.createElement("div");
    Object.assign(part.style, { position: "absolute", left: "0", top: "0", boxSizing: "border-box" }, style);
    part.textContent = text;
    layer.append(part);
  }

  const px = (value) => `${value}px`;
  const moved = (x, y, origin) => `translate(${x - origin.left}px, ${y - origin.top}px)`;

  // Black with a white ring: told from any page, whatever the colour of the mark.
  function draw() {
    layer?.remove();
    layer = null;
    const found = spots();
    if (!found.length) return;
    const origin = pagelet.overlay.host.getBoundingClientRect(), s = scaleOf();
    layer = doc.createElement("div");
    layer.className = "layer handles";
    pagelet.overlay.parts.root.append(layer);
    const box = spec.is_live && boxOf();
    if (box) {
      const [x, y] = [box.left - 2 * s, box.top - 2 * s]; // around the box: its letters stay readable
      add({ width: px(box.width + 4 * s), height: px(box.height + 4 * s), transform: moved(x, y, origin),
        border: `${2 * s}px solid #111318`, outline: `${s}px solid #fff`, background: `${spec.color}26` });
    }
    for (const { x, y, bar } of found) {
      if (bar) {
        add({ width: px(2 * s), height: px(bar.bottom - bar.top), background: "#111318",
          transform: moved(bar.x - s, bar.top, origin), boxShadow: `0 0 0 ${s}px #fff` });
      }
      const half = SIZE * s / 2;
      add({ width: px(2 * half), height: px(2 * half), transform: moved(x - half, y - half, origin),
        background: "#fff", border: `${1.5 * s}px solid #111318`, boxShadow: `0 0 0 ${s}px #fff`,
        borderRadius: bar ? "50%" : px(s) });
    }
    if (spec.is_live && spec.label && mouse) {
      const [x, y] = mouse;
      const wide = (spec.label.length * 7 + 14) * s;
      add({ font: `600 ${px(12 * s)} / ${px(20 * s)} system-ui, "Liberation Sans", "DejaVu Sans", sans-serif`,
        color: "#fff", background: "#111318", border: `${s}px solid #fff`, borderRadius: px(4 * s),
        padding: `0 ${px(6 * s)}`, whiteSpace: "nowrap", letterSpacing: "0", direction: "ltr",
        transform: moved(within(x + 14 * s, 0, innerWidth - wide), within(y + 14 * s, 0, innerHeight - 24 * s), origin),
      }, spec.label);
    }
  }

  pagelet.handles = {
    // What is selected: {pieces} or {ranges: [of the first text, of the last]}, with color, label,
    // is_live; null for nothing.
    set(wanted) { spec = wanted; draw(); },
    draw,
    // Places of handles, for tests and pictures.
    spots: () => spots().map(({ name, x, y, at }) => ({ name, x, y, at, half: AREA * scaleOf() / 2 })),
    // The handle under a point, with where the box is now, on the page; null for none.
    at(x, y) {
      const half = AREA * scaleOf() / 2;
      const away = ({ at: [left, top] }) => Math.max(Math.abs(x - left), Math.abs(y - top));
      const near = spots().filter((spot) => away(spot) <= half).sort((a, b) => away(a) - away(b))[0];
      if (!near) return null;
      const box = boxOf();
      const frame = box && [box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY];
      // Of a text the line is meant, and not what lies below the knob that is held.
      const { bar } = near, shift = bar && [bar.x - x, (bar.top + bar.bottom) / 2 - y];
      return { name: near.name, shift, frame, from: [x + scrollX, y + scrollY],
        cursor: CURSORS[near.name] };
    },
    // The box that a handle dragged to a point of the page leaves: x, y, width, height.
    boxTo({ name, frame, from }, x, y) {
      let [left, top, right, bottom] = frame;
      const dx = x - from[0], dy = y - from[1];
      if (name.includes("w")) left = Math.min(left + dx, right - 1);
      if (name.includes("e")) right = Math.max(right + dx, left + 1);
      if (name.includes("n")) top = Math.min(top + dy, bottom - 1);
      if (name.includes("s")) bottom = Math.max(bottom + dy, top + 1);
      return [left, top, right - left, bottom - top];
    },
    // Where the mouse is while a handle is dragged: the number of words is beside it.
    follow(x, y) { mouse = [x, y]; },
  };
})()
