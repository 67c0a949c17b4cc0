// Draws layers over the page: boxes in a closed shadow root, text through CSS highlights.
//
// Works on the live nodes that collect.js keeps in `pagelet.nodes`, so boxes follow zoom, scrolling
// and reflow.  Adds one element to the page, <pagelet-overlay>, which collect.js skips.  Only draws:
// which layers there are and what they say is decided in gui/page/overlay/specs.py.
(() => {
  pagelet.overlay?.remove();
  // Documents and forms answer to the names of what is in them: never read from the object.
  const { of, call } = pagelet, doc = pagelet.bare(document);
  const typeOf = (node) => of(node, "nodeType"), boxOf = (node) => call(node, "getBoundingClientRect");

  const CSS_TEXT = `
    .layer { position: absolute; left: 0; top: 0; }
    .box { position: absolute; left: 0; top: 0; box-sizing: border-box; border-radius: calc(2px * var(--s)); }
    .chip { position: absolute; left: 0; top: 0; white-space: nowrap; padding: 0 calc(5px * var(--s));
      font: 600 calc(10px * var(--s)) / calc(14px * var(--s)) system-ui, "Liberation Sans", "DejaVu Sans", sans-serif;
      color: #fff; border-radius: calc(3px * var(--s)); letter-spacing: 0; text-align: left; direction: ltr; }
    .chip.dot { width: calc(8px * var(--s)); height: calc(8px * var(--s)); padding: 0; font-size: 0; border-radius: 50%; }
    .shield { position: absolute; left: 0; top: 0; pointer-events: auto; cursor: inherit; }
    .band { position: absolute; left: 0; top: 0; box-sizing: border-box; border: calc(1.5px * var(--s)) dashed #111;
      outline: calc(1.5px * var(--s)) solid #ffffffcc; background: #3b82f622; }
    .candidate { outline: calc(2px * var(--s)) solid #fff; }
  `;
  // Black ink where white would be below 4.5 : 1, on the amber of main content first of all.
  const inkOn = (color) => {
    const part = (at) => {
      const value = parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
    return 1.05 / (light + 0.05) < 4.5 ? "#000" : "#fff";
  };
  const FRAMES = "iframe, object, embed, frame";

  const host = doc.createElement("pagelet-overlay");
  const root = host.attachShadow({ mode: "closed" });
  const fixed = {
    all: "initial", position: "absolute", left: "0", top: "0", width: "0", height: "0",
    overflow: "visible", "pointer-events": "none", "z-index": "2147483647", display: "block",
    contain: "layout style", opacity: "1", transform: "none", visibility: "visible",
    "--s": "1",
  };
  for (const [name, value] of Object.entries(fixed)) host.style.setProperty(name, value, "important");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS_TEXT);
  root.adoptedStyleSheets = [sheet];
  const textSheet = new CSSStyleSheet();
  doc.adoptedStyleSheets = [...doc.adoptedStyleSheets, textSheet];
  doc.documentElement.append(host);

  // Over all of the page: what the mouse is over is this, so that no `:hover` moves what is to be
  // marked away, no tool tip of the page's covers it, and no cursor of its speaks of links.
  const ground = doc.createElement("div");
  ground.className = "shield";
  root.append(ground);

  const layers = new Map(); // id -> {spec, element}
  const shields = [];
  let candidate = null;
  let band = null;
  let pending = 0;
  let chips = []; // where the names are: {chip, x, y, width}

  // The box that the reader sees: a node's own, or where that is flat its children's together.
  function rectOf(node, depth = 0) {
    if (typeOf(node) === Node.TEXT_NODE) {
      const range = doc.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect();
    }
    const own = boxOf(node);
    if ((own.width && own.height) || depth > 8) return own;
    const inner = [...of(node, "childNodes")]
      .filter((n) => typeOf(n) === Node.ELEMENT_NODE || typeOf(n) === Node.TEXT_NODE)
      .map((n) => rectOf(n, depth + 1));
    return union(inner) ?? own;
  }

  function union(rects) {
    const seen = rects.filter((r) => r.width && r.height);
    if (!seen.length) return null;
    const left = Math.min(...seen.map((r) => r.left)), top = Math.min(...seen.map((r) => r.top));
    const right = Math.max(...seen.map((r) => r.right)), bottom = Math.max(...seen.map((r) => r.bottom));
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  }

  // The nearest ancestor that cuts off what overflows it; null where there is none.  The page stands
  // still by now, so each answer holds.
  const clippers = new WeakMap();
  const parentOf = (e) => of(e, "assignedSlot") ?? of(e, "parentElement") ?? call(e, "getRootNode").host ?? null;
  function clipperOf(node) {
    if (clippers.has(node)) return clippers.get(node);
    let position = typeOf(node) === Node.ELEMENT_NODE ? getComputedStyle(node).position : "static";
    let found = null;
    for (let outer = parentOf(node); outer && position !== "fixed"; outer = parentOf(outer)) {
      if (outer === doc.body || outer === doc.documentElement) break;
      const style = getComputedStyle(outer);
      // What is placed absolutely hangs on the next positioned box: those in between cut nothing.
      if (position === "absolute" && style.position === "static" && style.transform === "none") continue;
      const isBox = style.display !== "inline" && style.display !== "contents";
      if (isBox && (style.overflowX !== "visible" || style.overflowY !== "visible")) {
        found = outer;
        break;
      }
      if (style.position !== "static") position = style.position;
    }
    clippers.set(node, found);
    return found;
  }

  // The part of a box that is not scrolled away or cut off inside the page; null for none.
  function seenPart(node, rect) {
    let { left, top, right, bottom } = rect;
    for (let outer = clipperOf(node); outer; outer = clipperOf(outer)) {
      const edge = boxOf(outer);
      left = Math.max(left, edge.left); top = Math.max(top, edge.top);
      right = Math.min(right, edge.right); bottom = Math.min(bottom, edge.bottom);
      if (right <= left || bottom <= top) return null;
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  }

  // A piece is a node's index, or [frame element's index, x, y, width, height] for nodes in frames;
  // where the index is -1 the place is one on the page.
  function rectOfPiece(piece) {
    if (typeof piece === "number") {
      const node = pagelet.nodes?.[piece];
      if (!node || !of(node, "isConnected")) return null;
      // What is hidden (a sticky bar in the lower parts of a picture) has no box to draw.
      if (call(node, "checkVisibility", { visibilityProperty: true }) === false) return null;
      return seenPart(node, rectOf(node));
    }
    const [frame, x, y, width, height] = piece;
    if (frame < 0) {
      const left = x - scrollX, top = y - scrollY;
      return { left, top, right: left + width, bottom: top + height, width, height };
    }
    const outer = pagelet.nodes?.[frame]?.getBoundingClientRect();
    if (!outer) return null;
    const left = outer.left + x, top = outer.top + y;
    return { left, top, right: left + width, bottom: top + height, width, height };
  }

  // `margin` px wider on each side, as far as the page goes.
  function place(element, rect, origin, margin = 0, page = null) {
    let left = rect.left - origin.left, top = rect.top - origin.top;
    let right = left + rect.width, bottom = top + rect.height;
    if (page) {
      left = Math.min(left, Math.max(0, left - margin));
      top = Math.min(top, Math.max(0, top - margin));
      right = Math.max(right, Math.min(page.width, right + margin));
      bottom = Math.max(bottom, Math.min(page.height, bottom + margin));
    }
    element.style.transform = `translate(${left}px, ${top}px)`;
    element.style.width = `${right - left}px`;
    element.style.height = `${bottom - top}px`;
  }

  // How far boxes may reach.
  const pageSize = () => ({
    width: doc.documentElement.scrollWidth, height: doc.documentElement.scrollHeight,
  });

  // Chips of several layers often want the same corner: one moves to the right, where there is room
  // up to `edge`, the page's right one; any other is a dot in the box, and a name near the mouse.
  const DOT = 8, MOVES = 1, NEAR = 28; // px: so near the mouse a dot is a name
  function chipSpot(label, left, top, taken, scale, edge = Infinity, most = MOVES) {
    const height = 14 * scale, width = (label.length * 6.1 + 11) * scale;
    const within = (value, wide) => Math.max(0, Math.min(value, edge - wide));
    let x = within(left, width), y = Math.max(0, top - (top >= height ? height : 0)), isDot = false;
    const clash = (wide) => taken.find((t) => Math.abs(t.y - y) < height && x < t.x + t.width && t.x < x + wide);
    for (let hit = clash(width), moves = 0; hit && !isDot; hit = clash(width), moves++) {
      x = hit.x + hit.width + scale;
      isDot = moves >= most || x > within(x, width);
    }
    if (isDot) {
      const wide = DOT * scale;
      x = within(left + 2 * scale, wide);
      y = top + 2 * scale;
      for (let hit = clash(wide), tries = 0; hit && tries < 40; hit = clash(wide), tries++) {
        x = hit.x + hit.width + scale;
        if (x > within(x, wide)) [x, y] = [within(left + 2 * scale, wide), y + height];
      }
      taken.push({ x, y, width: wide, full: within(x, width), isDot });
    } else {
      taken.push({ x, y, width, full: x, isDot });
    }
    return taken.at(-1);
  }

  // Lines of the page's texts, by the strips of the page they reach into, in page px.  The page stands
  // still, so they hold until it is laid out anew or scrolled inside.
  const STRIP = 64, LEADING = 2; // px; a line's box is so much higher than its letters
  let lines = null;
  function readLines() {
    lines = new Map();
    const range = doc.createRange();
    for (const node of pagelet.nodes ?? []) {
      if (!node || typeOf(node) !== Node.TEXT_NODE || !node.data.trim()) continue;
      range.selectNodeContents(node);
      for (const r of range.getClientRects()) {
        const top = r.top + scrollY + LEADING, bottom = r.bottom + scrollY - LEADING;
        if (r.width < 1 || bottom <= top) continue;
        const line = { node, top, bottom, left: r.left + scrollX, right: r.right + scrollX };
        for (let strip = Math.floor(top / STRIP); strip <= Math.floor(bottom / STRIP); strip++) {
          if (!lines.has(strip)) lines.set(strip, []);
          lines.get(strip).push(line);
        }
      }
    }
  }

  function isSeen(line) {
    if (line.isSeen === undefined) {
      const { left, top, right, bottom } = line;
      const part = seenPart(line.node, {
        left: left - scrollX, top: top - scrollY, right: right - scrollX, bottom: bottom - scrollY });
      const around = of(line.node, "parentElement");
      line.isSeen = part !== null && part.width > 1 && part.height > 1 && around !== null
        && call(around, "checkVisibility", { visibilityProperty: true, opacityProperty: true }) !== false;
    }
    return line.isSeen;
  }

  // Whether something would lie on letters that can be read.
  function isOnText(x, y, width, height) {
    if (!lines) readLines();
    for (let strip = Math.floor(y / STRIP); strip <= Math.floor((y + height) / STRIP); strip++) {
      const hits = (l) => l.left < x + width && x < l.right && l.top < y + height && y < l.bottom;
      if (lines.get(strip)?.some((line) => hits(line) && isSeen(line))) return true;
    }
    return false;
  }

  // Whether something lies on no name that is placed already, and on no text of the page.
  const isFree = (taken, origin, [x, y], width, height) => !isTaken(taken, [x, y], width, height)
    && !isOnText(x + origin.left + scrollX, y + origin.top + scrollY, width, height);
  const isTaken = (taken, [x, y], width, height) =>
    taken.some((t) => Math.abs(t.y - y) < height && x < t.x + t.width && t.x < x + width);

  // Where a name lies on no text and on no other name: above its box or within it, at its left or
  // right; else it is a dot at the corner of the box, and a name near the mouse.
  function freeSpot(label, box, origin, taken, scale, edge) {
    const height = 14 * scale, width = (label.length * 6.1 + 11) * scale;
    const left = Math.max(0, Math.min(box.x, edge - width));
    const right = Math.max(left, Math.min(box.x + box.width, edge) - width);
    const above = box.y - height - scale; // on the line, which runs around the box
    const tops = above >= 0 ? [above, box.y + scale] : [box.y + scale];
    const spots = tops.flatMap((y) => [[left, y], [right, y]]);
    const named = spots.find((spot) => isFree(taken, origin, spot, width, height));
    const [x, y] = named ?? dotSpot(box, origin, taken, DOT * scale, edge);
    taken.push(named ? { x, y, width, full: x, isDot: false }
      : { x, y, width: DOT * scale, full: Math.max(0, Math.min(x, edge - width)), isDot: true });
    return taken.at(-1);
  }

  // On the corner of the line, or along it, where letters are farthest; below where it is full.
  function dotSpot(box, origin, taken, wide, edge) {
    const within = (value) => Math.max(0, Math.min(value, edge - wide));
    const left = within(box.x - 0.6 * wide), top = Math.max(0, box.y - 0.6 * wide), along = [];
    for (let x = left; x <= within(box.x + box.width) && along.length < 40; x += 1.2 * wide) along.push(x);
    const spots = [0, 1, 2, 3].flatMap((row) => along.map((x) => [x, top + row * 1.2 * wide]));
    return spots.slice(0, along.length).find((spot) => isFree(taken, origin, spot, wide, wide))
      ?? spots.find((spot) => !isTaken(taken, spot, wide, wide)) ?? [left, top];
  }

  const moveChip = (chip, x, y) => { chip.style.transform = `translate(${x}px, ${y}px)`; };

  // What `yields` leaves the page's text readable; what is worked on has its name in any case.
  function placeChip(chip, rect, origin, taken, scale, edge, yields) {
    const left = rect.left - origin.left, top = rect.top - origin.top, label = chip.textContent;
    const { x, y, isDot } = yields
      ? freeSpot(label, { x: left, y: top, width: rect.width }, origin, taken, scale, edge)
      : chipSpot(label, left, top, taken, scale, edge);
    chip.classList.toggle("dot", isDot);
    moveChip(chip, x, y);
  }

  // Where the boxes of a layer are.  All layers are measured before the first is drawn: a read
  // after a write would have the browser lay the page out again for every box.
  function measure({ spec }) {
    return (spec.boxes ?? []).map((box) => union(box.pieces.map(rectOfPiece).filter(Boolean)));
  }

  function drawLayer(layer, rects, origin, taken, scale, page) {
    const { spec, element, names } = layer;
    for (const part of [element, names]) {
      part.replaceChildren();
      part.style.opacity = spec.opacity;
    }
    for (const [i, box] of (spec.boxes ?? []).entries()) {
      const rect = rects[i];
      if (!rect) continue;
      const div = doc.createElement("div");
      div.className = "box";
      const weight = (box.weight ?? 2) * scale;
      const line = (box.dash ?? spec.dash) === "double" ? Math.max(weight, 3 * scale) : weight;
      const color = box.color ?? spec.color;
      div.style.border = `${line}px ${box.dash ?? spec.dash} ${color}`;
      const tint = color + Math.round(255 * (box.fill ?? 0)).toString(16).padStart(2, "0");
      // A draft is hatched: that it is not decided shows without colour, too.
      div.style.background = box.hatched
        ? `repeating-linear-gradient(135deg, ${color}26 0 ${1.5 * scale}px, transparent 0 ${9 * scale}px)` : tint;
      if (box.selected) {
        div.style.boxShadow = `0 0 0 ${2 * scale}px #fff, 0 0 0 ${4 * scale}px ${spec.color}`;
      }
      place(div, rect, origin, line, page); // around the box: the first letters stay readable
      element.append(div);
      if (box.label) {
        const chip = doc.createElement("div");
        chip.className = "chip";
        chip.textContent = box.label;
        chip.style.background = color;
        chip.style.color = inkOn(color);
        names.append(chip);
        placeChip(chip, rect, origin, taken, scale, page.width, spec.yields && !box.selected);
        taken.at(-1).chip = chip;
      }
    }
  }

  function drawShields(frames, rects, origin) {
    while (shields.length < frames.length) {
      const shield = doc.createElement("div");
      shield.className = "shield";
      root.append(shield);
      shields.push(shield);
    }
    shields.forEach((shield, i) => {
      shield.hidden = i >= frames.length;
      if (frames[i]) place(shield, rects[i], origin);
    });
  }

  function drawAll() {
    pending = 0;
    const origin = host.getBoundingClientRect();
    const scale = Number(host.style.getPropertyValue("--s")) || 1;
    const all = candidate ? [...layers.values(), candidate] : [...layers.values()];
    const frames = [...document.querySelectorAll(FRAMES)];
    const rects = all.map(measure);
    const page = pageSize();
    place(ground, { left: -scrollX, top: -scrollY, width: page.width, height: page.height }, origin);
    const frameRects = frames.map((frame) => frame.getBoundingClientRect());
    const taken = chips = [];
    drawShields(frames, frameRects, origin);
    // What is worked on is named first; the names of the rest find room around it.
    for (const yields of [false, true]) {
      all.forEach((layer, i) => {
        if (Boolean(layer.spec.yields) === yields) drawLayer(layer, rects[i], origin, taken, scale, page);
      });
    }
    for (const box of candidate?.element.querySelectorAll(".box") ?? []) box.classList.add("candidate");
    if (light) drawLayer(light, measure(light), origin, [], scale, page);
    pagelet.handles?.draw();
  }

  function newLayer(spec) {
    const [element, names] = [0, 1].map(() => doc.createElement("div"));
    element.className = names.className = "layer";
    root.append(element, names);
    return { spec, element, names };
  }

  // The frame follows the mouse: it is drawn alone, the layers stay as they are.
  function drawCandidate() {
    const origin = host.getBoundingClientRect();
    const scale = Number(host.style.getPropertyValue("--s")) || 1;
    drawLayer(candidate, measure(candidate), origin, [], scale, pageSize());
    for (const box of candidate.element.querySelectorAll(".box")) box.classList.add("candidate");
  }

  const redraw = () => { pending ||= requestAnimationFrame(drawAll); };

  // A node by its index; in a frame by those of the frames' elements and its own. Null if it is gone.
  function nodeOf(index) {
    let win = window, node = null;
    for (const own of [index].flat()) {
      if (node) win = node.contentDocument?.defaultView;
      node = win?.pagelet?.nodes?.[own];
      if (!node || !of(node, "isConnected")) return null;
    }
    return node;
  }

  // Each document highlights its own texts: the page's window, and those of frames with texts drawn.
  const textSheets = new Map([[window, textSheet]]);
  function sheetIn(win) {
    if (!textSheets.has(win)) {
      const made = new win.CSSStyleSheet();
      const inner = pagelet.bare(win.document);
      inner.adoptedStyleSheets = [...inner.adoptedStyleSheets, made];
      textSheets.set(win, made);
    }
    return textSheets.get(win);
  }
  function clearTexts(win) {
    const names = [...win.CSS.highlights.keys()].filter((name) => name.startsWith("pagelet-"));
    for (const name of names) win.CSS.highlights.delete(name);
  }

  // The texts of a layer by the window they stand in.
  function rangesOf(spec) {
    const byWindow = new Map([[window, []]]);
    for (const [index, start, end] of spec.ranges ?? []) {
      const node = nodeOf(index);
      if (!node || typeOf(node) !== Node.TEXT_NODE) continue;
      const length = node.data.length, win = node.ownerDocument.defaultView;
      if (!byWindow.has(win)) byWindow.set(win, []);
      byWindow.get(win).push(new win.StaticRange({
        startContainer: node, startOffset: Math.min(start, length),
        endContainer: node, endOffset: Math.min(end, length),
      }));
    }
    return byWindow;
  }

  // What a panel points at is drawn alone, over all layers, which stay as they are.
  let light = null;
  const LIGHT = "light-of-pagelet"; // no layer's name: layers are cleared together
  const lit = new Map(); // window -> style sheet, which stays: another one has all styles worked out
  function clearLight() {
    light?.element.remove();
    light?.names.remove();
    light = null;
    for (const win of lit.keys()) {
      if (win.closed) lit.delete(win);
      else win.CSS.highlights.delete(LIGHT);
    }
  }
  function lightIn(win, look) {
    let sheet = lit.get(win);
    if (!sheet) {
      sheet = new win.CSSStyleSheet();
      sheet.ownedByPagelet = true;
      const inner = pagelet.bare(win.document);
      inner.adoptedStyleSheets = [...inner.adoptedStyleSheets, sheet];
      lit.set(win, sheet);
    }
    if (sheet.look !== look) sheet.replaceSync(`::highlight(${LIGHT}) { ${look}; }`);
    sheet.look = look;
  }
  function drawLight(spec) {
    light = newLayer(spec);
    const scale = Number(host.style.getPropertyValue("--s")) || 1;
    drawLayer(light, measure(light), host.getBoundingClientRect(), [], scale, pageSize());
    for (const [win, ranges] of rangesOf(spec)) {
      if (!ranges.length) continue;
      const highlight = new win.Highlight(...ranges);
      highlight.priority = 1000;
      win.CSS.highlights.set(LIGHT, highlight);
      const look = spec.outlined
        ? `background-color: color-mix(in srgb, ${spec.color} 14%, transparent); text-decoration: underline 2px ${spec.color}`
        : `background-color: ${spec.color}; color: ${inkOn(spec.color)}`;
      lightIn(win, look);
    }
  }

  function drawTexts() {
    const rules = [];
    for (const win of textSheets.keys()) {
      if (win.closed) textSheets.delete(win);
      else clearTexts(win);
    }
    // Every layer has its own line under the words; the more there are, the fainter their grounds.
    const drawn = [...layers.values()].filter(({ spec }) => spec.ranges?.length).length;
    const ground = Math.min(0.16, 0.4 / Math.max(1, drawn));
    let priority = 0;
    for (const { spec } of layers.values()) {
      if (!spec.ranges?.length) continue;
      for (const [win, ranges] of rangesOf(spec)) {
        const highlight = new win.Highlight(...ranges);
        highlight.priority = priority;
        sheetIn(win);
        win.CSS.highlights.set(`pagelet-${spec.id}`, highlight);
      }
      priority++;
      const alpha = Math.round(255 * ground * spec.opacity).toString(16).padStart(2, "0");
      const line = Math.round(255 * spec.opacity).toString(16).padStart(2, "0");
      rules.push(`::highlight(pagelet-${spec.id}) { background-color: ${spec.color}${alpha};
        text-decoration: ${spec.line ?? "underline"} ${spec.dash} ${spec.color}${line} ${drawn > 3 ? 1.5 : 2}px;
        text-underline-offset: ${1 + 2 * ((priority - 1) % 5)}px; }`);
    }
    for (const made of textSheets.values()) made.replaceSync(rules.join("\n"));
  }

  const observer = new ResizeObserver(() => { lines = null; redraw(); });
  observer.observe(doc.documentElement);
  const keepLast = new MutationObserver(() => {
    const next = host.nextElementSibling; // a picture being taken lays its marker over everything
    if (host.parentNode !== doc.documentElement || (next && next.localName !== "pagelet-marker")) {
      doc.documentElement.append(host);
    }
  });
  keepLast.observe(doc.documentElement, { childList: true });
  addEventListener("resize", redraw);
  addEventListener("scroll", (event) => {
    if (event.target !== document) lines = null; // a part of the page is scrolled in itself
    redraw();
  }, true);

  pagelet.overlay = {
    host,
    parts: { root, union, rectOfPiece, seenPart, nodeOf, chipSpot, chips: () => chips }, // for other scripts
    // All layers at once, bottom first: [{id, color, dash, opacity, boxes, ranges}].
    setLayers(specs) {
      const texts = (list) => JSON.stringify(list.map((s) => [s.id, s.color, s.dash, s.opacity, s.line, s.ranges]));
      const before = texts([...layers.values()].map((l) => l.spec));
      for (const { element, names } of layers.values()) { element.remove(); names.remove(); }
      layers.clear();
      for (const spec of specs) layers.set(spec.id, newLayer(spec));
      // Names lie above the boxes of all layers: no line runs through a word.
      root.append(...[...layers.values()].map((layer) => layer.names));
      if (candidate) root.append(candidate.element, candidate.names);
      drawAll();
      if (texts(specs) !== before) drawTexts();
      return specs.length;
    },
    // What a click would take now; null for nothing.
    setCandidate(spec) {
      candidate?.element.remove();
      candidate?.names.remove();
      candidate = spec ? newLayer(spec) : null;
      if (candidate) drawCandidate();
    },
    // What a panel points at; null for nothing.
    setLight(spec) {
      clearLight();
      if (spec) drawLight(spec);
    },
    // The rectangle being dragged, in page coordinates; null for none.
    setBand(box) {
      band?.remove();
      band = null;
      if (!box) return;
      band = doc.createElement("div");
      band.className = "band";
      root.append(band);
      const [x, y, width, height] = box, left = x - scrollX, top = y - scrollY;
      place(band, { left, top, right: left + width, bottom: top + height, width, height },
        host.getBoundingClientRect());
    },
    // Screen pixels per CSS pixel change with zoom; lines and chips keep their size on screen.
    setScale(scale) {
      host.style.setProperty("--s", String(scale), "important");
      drawAll();
    },
    // Names under the mouse fade, so that what they lie on can be seen; the dot next to it is a name.
    fadeChips(x, y) {
      const origin = host.getBoundingClientRect();
      const scale = Number(host.style.getPropertyValue("--s")) || 1;
      const away = ({ x: left, y: top, width }) => Math.hypot(
        x - (left + origin.left + width / 2), y - (top + origin.top + DOT * scale / 2));
      const dots = chips.filter((each) => each.isDot);
      const nearest = Math.min(NEAR * scale, ...dots.map(away));
      const named = dots.find((each) => away(each) === nearest);
      for (const each of chips) {
        const { chip, x: left, y: top, width, full, isDot } = each;
        const dx = x - (left + origin.left), dy = y - (top + origin.top);
        const isUnder = dx > -4 && dx < width + 4 && dy > -4 && dy < 14 * scale + 4;
        if (isDot) {
          chip.classList.toggle("dot", each !== named);
          chip.style.zIndex = each === named ? 1 : "";
          moveChip(chip, each === named ? full : left, top);
        } else {
          chip.style.opacity = isUnder ? "0.15" : "";
        }
      }
    },
    isHit: (element) => element === host,
    setCursor: (name) => host.style.setProperty("cursor", name, "important"),
    // What `ask` answers about the page below, as if nothing lay over it.
    below(ask) {
      const shown = [ground, ...shields].map((shield) => [shield, shield.style.pointerEvents]);
      for (const [shield] of shown) shield.style.pointerEvents = "none";
      try { return ask(); } finally { for (const [shield, was] of shown) shield.style.pointerEvents = was; }
    },
    frameAt(x, y) {
      return [...document.querySelectorAll(FRAMES)].findLast((frame) => {
        const r = frame.getBoundingClientRect();
        return r.left <= x && x < r.right && r.top <= y && y < r.bottom;
      });
    },
    scrollTo(piece) {
      // First within the page's own scrolling parts, where the piece may be out of sight.
      if (typeof piece === "number" && pagelet.nodes?.[piece] && clipperOf(pagelet.nodes[piece])) {
        const node = pagelet.nodes[piece];
        const shown = of(node, "scrollIntoView") ? node : of(node, "parentElement");
        if (shown) call(shown, "scrollIntoView",
          { block: "nearest", inline: "nearest", behavior: "instant" });
      }
      const rect = rectOfPiece(piece);
      if (!rect) return false;
      if (rect.top >= 0 && rect.bottom <= innerHeight) return true;
      scrollTo({ top: scrollY + rect.top - Math.min(innerHeight / 4, 120), behavior: "instant" });
      return true;
    },
    // Nothing moves while some of the pieces are in sight; else the first one comes there.
    reveal(pieces) {
      const there = pieces.filter((piece) => rectOfPiece(piece)?.height > 0);
      const seen = there.some((piece) => {
        const { top, bottom } = rectOfPiece(piece);
        const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
        return height >= Math.min(bottom - top, innerHeight / 8);
      });
      return seen || (there.length > 0 && this.scrollTo(there[0]));
    },
    // Parts of texts: the beginning of the first comes into view where not all of them fit.
    scrollToTexts(parts) {
      const first = nodeOf(parts[0]?.[0]);
      const around = first && of(first, "parentElement");
      if (around && clipperOf(first)) call(around, "scrollIntoView",
        { block: "nearest", inline: "nearest", behavior: "instant" });
      let top = Infinity, bottom = -Infinity;
      for (const [index, start, end] of parts) {
        const node = nodeOf(index);
        if (!node || typeOf(node) !== Node.TEXT_NODE) continue;
        const range = call(node.ownerDocument, "createRange");
        const length = node.data.length;
        range.setStart(node, Math.min(start, length));
        range.setEnd(node, Math.min(end, length));
        const rect = range.getBoundingClientRect();
        let above = 0;
        for (let win = node.ownerDocument.defaultView; win !== window; win = win.parent) {
          above += win.frameElement.getBoundingClientRect().top;
        }
        if (!rect.width) continue;
        top = Math.min(top, rect.top + above);
        bottom = Math.max(bottom, rect.bottom + above);
        if (bottom - top > innerHeight) break;
      }
      if (top > bottom) return false;
      if (top >= 0 && bottom <= innerHeight) return true;
      scrollTo({ top: scrollY + top - Math.min(innerHeight / 4, 120), behavior: "instant" });
      return true;
    },
    remove() {
      observer.disconnect();
      keepLast.disconnect();
      removeEventListener("resize", redraw);
      removeEventListener("scroll", redraw, true);
      clearLight();
      host.remove();
      for (const [win, made] of lit) {
        if (win.closed) continue;
        const inner = pagelet.bare(win.document);
        inner.adoptedStyleSheets = inner.adoptedStyleSheets.filter((s) => s !== made);
      }
      for (const [win, made] of textSheets) {
        if (win.closed) continue;
        clearTexts(win);
        const inner = pagelet.bare(win.document);
        inner.adoptedStyleSheets = inner.adoptedStyleSheets.filter((s) => s !== made);
      }
    },
  };
  drawAll(); // the mouse is taken from now on
  return true;
})()
