// One walk over a frame's document: rows as columns, and the DOM's HTML with the place of every row.
// An expression: a function of {properties, serialise, limits}; called in the isolated world.
// `limits` say how much may be read: {attributes: of one element; value: characters of an attribute or
// text; name: of the name of an element or attribute; all: of all of these; rows; style: characters of one
// computed value; styles: of all different ones; html: of the HTML}.  What is more is cut off, here and in
// the HTML alike, and said.
//
// Form and document elements answer to the names of their controls (<input name="firstChild">), in
// this world too; so every property is read through its prototype, never from the object.
(({properties, serialise, limits}) => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (object) => get.call(object);
  };
  const method = (type, name) => {
    const call = type.prototype[name];
    return (object, value) => call.call(object, value);
  };
  const nodeType = getter(Node, 'nodeType');
  const firstChild = getter(Node, 'firstChild');
  const nextSibling = getter(Node, 'nextSibling');
  const nodeValue = getter(CharacterData, 'data');
  const localName = getter(Element, 'localName');
  const namespace = getter(Element, 'namespaceURI');
  const attributesOf = getter(Element, 'attributes');
  const shadowRoot = getter(Element, 'shadowRoot');
  const innerHTML = getter(Element, 'innerHTML');
  const clientLeft = getter(Element, 'clientLeft');
  const clientTop = getter(Element, 'clientTop');
  const clientWidth = getter(Element, 'clientWidth');
  const clientHeight = getter(Element, 'clientHeight');
  const scrollLeft = getter(Element, 'scrollLeft');
  const scrollTop = getter(Element, 'scrollTop');
  const scrollWidth = getter(Element, 'scrollWidth');
  const scrollHeight = getter(Element, 'scrollHeight');
  const boxOf = method(Element, 'getBoundingClientRect');
  const isRendered = method(Element, 'checkVisibility');
  const hasAttribute = method(Element, 'hasAttribute');
  const offsetWidth = getter(HTMLElement, 'offsetWidth');
  const offsetHeight = getter(HTMLElement, 'offsetHeight');
  const tagName = getter(Element, 'tagName');
  const slotOf = getter(Element, 'assignedSlot');
  const parentNode = getter(Node, 'parentNode');
  const hostOf = getter(ShadowRoot, 'host');
  const zoomOf = getter(Element, 'currentCSSZoom');
  const documentElement = getter(Document, 'documentElement');
  const scrollingElement = getter(Document, 'scrollingElement');
  const doctypeOf = getter(Document, 'doctype');
  const titleOf = getter(Document, 'title');
  const charsetOf = getter(Document, 'characterSet');
  const compatMode = getter(Document, 'compatMode');
  const valueOf = method(CSSStyleDeclaration, 'getPropertyValue');
  const createRange = method(Document, 'createRange');
  const lengthOf = getter(NamedNodeMap, 'length');
  const item = method(NamedNodeMap, 'item');
  const wellFormed = (text) => text.toWellFormed();
  const cuts = new Set();
  let left = limits.all;
  // A text as far as it may be read.
  const taken = (text, kind = 'value') => {
    const most = Math.min(limits[kind], left);
    if (text.length > most) {
      cuts.add(text.length > limits[kind] ? kind : 'all');
      text = text.slice(0, most);
    }
    left -= text.length;
    return wellFormed(text);
  };
  const named = (name) => {
    if (name.length <= limits.name) return wellFormed(name);
    cuts.add('name');
    return wellFormed(name.slice(0, limits.name));
  };

  const HTML = 'http://www.w3.org/1999/xhtml';
  const INTERNAL = new Set([HTML, 'http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML']);
  const VOID = new Set(('area base basefont bgsound br col embed frame hr img input keygen link meta ' +
    'param source track wbr').split(' '));
  const RAW = new Set('style script xmp iframe noembed noframes plaintext noscript'.split(' '));
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const escapeText = (text) => /[&<>\u00a0]/.test(text)
    ? text.replace(/[&<>\u00a0]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'})[c] ?? '&nbsp;')
    : text;
  const escapeValue = (text) => escapeText(text).replaceAll('"', '&quot;');

  const NOWHERE = [0, 0, 0, 0];
  const cut = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

  const root = documentElement(document);
  if (root === null) return null;
  if (pagelet.held) pagelet.held.replaceSync('');  // nothing is painted before this script ends
  const scrolledX = window.scrollX, scrolledY = window.scrollY;
  const rootStyle = getComputedStyle(root);
  const viewWidth = root.clientWidth || window.innerWidth;
  const scroller = scrollingElement(document) ?? root;
  const width = Math.max(scrollWidth(scroller), scrollWidth(root), window.innerWidth);
  const height = Math.max(scrollHeight(scroller), scrollHeight(root), window.innerHeight);
  // A page written from right to left overflows to the left, where it can be scrolled to.
  const leftEdge = valueOf(rootStyle, 'direction') === 'rtl' ? viewWidth - width : 0;
  const PAGE = [leftEdge, 0, Infinity, Infinity];
  const rootClips = valueOf(rootStyle, 'overflow-x') !== 'visible';

  const nodes = [], rows = new WeakMap();
  const names = [], nameOf = new Map();
  const styles = [], styleOf = new Map();
  const tag = [], parent = [], rect = [], offset = [], visible = [], style = [], outer = [], inner = [];
  const texts = [], attributes = [], frames = [];
  const html = [];
  let length = 0, styled = 0;
  // Whether the rest of the page is left out.
  const isFull = () => {
    if (nodes.length < limits.rows && styled < limits.styles && length < limits.html) return false;
    cuts.add('rows');
    return true;
  };
  const write = (text) => { html.push(text); length += text.length; };

  const intern = (value, list, index) => {
    let place = index.get(value);
    if (place === undefined) { place = list.length; list.push(value); index.set(value, place); }
    return place;
  };
  const round = (value) => Math.round(value * 64) / 64;  // Chromium's layout unit
  const addRow = (node, name, above, box, look) => {
    const row = nodes.length;
    nodes.push(node); rows.set(node, row);
    tag.push(intern(name, names, nameOf)); parent.push(above);
    rect.push(round(box.x + scrolledX), round(box.y + scrolledY), round(box.width), round(box.height));
    style.push(look);
    outer.push(-1, -1); inner.push(-1, -1);
    return row;
  };
  const isSeen = (box, clip) => {
    if (!(box.width > 0 && box.height > 0)) return 0;
    const x = box.x + scrolledX, y = box.y + scrolledY;
    if (clip === PAGE) return x + box.width > leftEdge && y + box.height > 0 ? 1 : 0;
    const [l, t, r, b] = cut(clip, [x, y, x + box.width, y + box.height]);
    // "For screen readers only" is cut down to a pixel; a line one pixel high is a line.
    return r - l > Math.min(1, box.width / 2) && b - t > Math.min(1, box.height / 2) ? 1 : 0;
  };

  // Chromium paints a filtered or blended box as a surface of its own; one that is scaled to thousands
  // of windows takes gigabytes.  Its filter is taken off once all is read; it still holds what is
  // placed in it.
  const filtered = [];
  const isTooLarge = ([element, filter, box]) => {
    const scale = element instanceof HTMLElement && offsetWidth(element) ? box.width / offsetWidth(element) : 1;
    const radius = Math.max(0, ...[...filter.matchAll(/([\d.]+)px/g)].map((found) => Number(found[1])));
    const height = scale > 2 ? box.height : 0;  // tall pages are painted in parts
    return Math.max(box.width, height) + 6 * radius * Math.max(1, scale) > limits.painted;
  };
  const takeOffFilters = () => {
    for (const each of filtered.filter(isTooLarge)) {
      each[0].style.setProperty(each[3], each[3] === 'mix-blend-mode' ? 'normal' : 'opacity(1)', 'important');
      cuts.add('painted');
      pagelet.isHeavy = true;
    }
  };

  // Whether a scroller's content overflows to the left, upwards: from right to left, from its end.
  const scrollsBack = (values, display) => {
    const writing = valueOf(values, 'writing-mode'), flow = display.endsWith('flex') ? valueOf(values, 'flex-direction') : '';
    const isTurned = (valueOf(values, 'direction') === 'rtl') !== (flow === 'row-reverse'), isReverse = flow === 'column-reverse';
    if (writing === 'horizontal-tb') return [isTurned, isReverse];
    return [writing.endsWith('rl') !== isReverse, isTurned];
  };

  const isCutAway = (values, mayClip) => {
    const clip = mayClip ? valueOf(values, 'clip') : 'auto';
    if (clip !== 'auto') {
      const sides = clip.match(/-?[\d.]+(?=px)/g);
      if (sides?.length === 4 && (sides[2] - sides[0] <= 1 || sides[1] - sides[3] <= 1)) return true;
    }
    const path = valueOf(values, 'clip-path');
    if (path === 'none') return false;
    const inset = /^inset\(([\d.]+)%\)$/.exec(path);
    return (inset !== null && inset[1] >= 50) || /^(circle|ellipse)\(0(px|%)?\b/.test(path);
  };

  // What an element hands down: hidden, and where in-flow, absolute and fixed descendants may show.
  const POSITION = properties.indexOf('position'), OPACITY = properties.indexOf('opacity');
  const DISPLAY = properties.indexOf('display');
  const ACROSS = properties.indexOf('overflow-x'), DOWN = properties.indexOf('overflow-y');
  const lookOf = (element, values, computed, box, above) => {
    const place = computed[POSITION];
    let clip = place === 'fixed' ? above.fixed : place === 'absolute' ? above.absolute : above.flow;
    const own = clip;
    const hidden = above.hidden || computed[OPACITY] === '0' ||
      (computed[DISPLAY] !== 'contents' && !isRendered(element)) ||
      isCutAway(values, place === 'absolute' || place === 'fixed');
    const across = computed[ACROSS], down = computed[DOWN];
    const isViewport = element === root || (!rootClips && above.isRoot && localName(element) === 'body');
    if ((across !== 'visible' || down !== 'visible') && !isViewport && computed[DISPLAY] !== 'inline') {
      const left = box.x + scrolledX + clientLeft(element), top = box.y + scrolledY + clientTop(element);
      const inside = [left, top, left + clientWidth(element), top + clientHeight(element)];
      // What a reader can scroll to is not cut off, by no box around its scroller either, unless nothing of the
      // scroller's own area shows.
      const shown = cut(clip, inside);
      if (shown[2] - shown[0] <= 1 || shown[3] - shown[1] <= 1) clip = NOWHERE;
      else {
        const scrolls = (value) => value === 'auto' || value === 'scroll';
        const within = (value, first, k) => value === 'visible' ? clip[k] : scrolls(value) ? first : shown[k];
        const [isBackAcross, isBackDown] = scrollsBack(values, computed[DISPLAY]);
        const startX = isBackAcross ? -Infinity : left - scrollLeft(element);
        const startY = isBackDown ? -Infinity : top - scrollTop(element);
        clip = [within(across, startX, 0), within(down, startY, 1), within(across, Infinity, 2), within(down, Infinity, 3)];
      }
    }
    const filter = valueOf(values, 'filter');
    if (filter !== 'none') filtered.push([element, filter, box, 'filter']);
    const behind = valueOf(values, 'backdrop-filter');
    if (behind !== 'none') filtered.push([element, behind, box, 'backdrop-filter']);
    const blend = valueOf(values, 'mix-blend-mode');
    if (blend !== 'normal') filtered.push([element, blend, box, 'mix-blend-mode']);
    const holdsFixed = valueOf(values, 'transform') !== 'none' || filter !== 'none' ||
      valueOf(values, 'perspective') !== 'none';
    return {
      hidden, own, flow: clip, isRoot: element === root,
      absolute: place !== 'static' || holdsFixed ? clip : above.absolute,
      fixed: holdsFixed ? clip : above.fixed,
    };
  };

  const range = createRange(document);
  const selectContents = method(Range, 'selectNodeContents');
  const rangeBox = method(Range, 'getBoundingClientRect');

  const addText = (node, entry) => {
    const {row: above, look} = entry;
    const text = taken(nodeValue(node));
    selectContents(range, node);
    const box = rangeBox(range);
    const row = addRow(node, '#text', above, box, style[above]);
    offset.push(Math.round(box.width), Math.round(box.height));
    const shows = !look.hidden && !entry.isClosed && styles[style[above]][VISIBILITY] === 'visible';
    visible.push(shows ? isSeen(box, look.flow) : 0);
    texts.push(text);
    if (serialise) {
      const from = length;
      write(entry.isRaw ? text : escapeText(text));
      outer[2 * row] = inner[2 * row] = from;
      outer[2 * row + 1] = inner[2 * row + 1] = length;
    }
  };

  const VISIBILITY = properties.indexOf('visibility');
  const addElement = (element, above, look) => {
    const values = getComputedStyle(element);
    const computed = properties.map((name) => {
      const value = valueOf(values, name);
      if (value.length <= limits.style) return value;
      cuts.add('style');
      return value.slice(0, limits.style);
    });
    const key = computed.join('\u0001');
    let kind = styleOf.get(key);
    if (kind === undefined) {
      kind = styles.length; styles.push(computed); styleOf.set(key, kind);
      styled += key.length;
    }
    const name = named(localName(element)), space = namespace(element);
    const box = boxOf(element);
    const row = addRow(element, name.toLowerCase(), above, box, kind);
    if (space === HTML) offset.push(offsetWidth(element), offsetHeight(element));
    else offset.push(Math.round(box.width), Math.round(box.height));
    const down = lookOf(element, values, computed, box, look);
    const shows = !down.hidden && computed[VISIBILITY] === 'visible';
    visible.push(shows ? isSeen(box, down.own) : 0);
    const own = [];
    const list = attributesOf(element), count = lengthOf(list);
    if (count > limits.attributes) cuts.add('attributes');
    for (let k = 0; k < count && k < limits.attributes; k++) {  // finding the k-th takes k steps
      const attribute = item(list, k);
      own.push(taken(attribute.name, 'name'), taken(attribute.value));
    }
    attributes.push(own);
    if (FRAMES.has(name) && space === HTML) addFrame(element, row, box, values);
    const entry = {
      node: element, row, look: down, name: INTERNAL.has(space) ? name : named(tagName(element)),
      isRaw: space === HTML && RAW.has(name), isVoid: space === HTML && VOID.has(name),
      isClosed: space === HTML && name === 'details' && !hasAttribute(element, 'open'), next: null, shadow: null,
    };
    if (serialise) {
      outer[2 * row] = length;
      let open = '<' + entry.name;
      for (let k = 0; k < own.length; k += 2) open += ` ${own[k]}="${escapeValue(own[k + 1])}"`;
      write(open + '>');
      inner[2 * row] = length;
    }
    return entry;
  };

  // Where each frame stands among those of the window; asked for one by one, 1,000 take a second.
  let places = null;
  const frameIndex = () => {
    if (places === null) {
      places = new Map();
      for (let k = 0; k < window.length; k++) places.set(window[k], k);
    }
    return places;
  };
  const addFrame = (element, row, box, values) => {
    const view = element.contentWindow;
    const index = view ? frameIndex().get(view) ?? -1 : -1;
    const [a, b, c, d] = linearOf(element);
    const px = (side) => parseFloat(valueOf(values, side)) || 0;
    // The border box before it was turned: its corner is found from the box around it as it is drawn.
    const around = (...sides) => sides.reduce((sum, side) => sum + px('padding-' + side) + px(`border-${side}-width`), 0);
    const isWhole = valueOf(values, 'box-sizing') === 'border-box';
    const wide = px('width') + (isWhole ? 0 : around('left', 'right'));
    const high = px('height') + (isWhole ? 0 : around('top', 'bottom'));
    const x = box.x - Math.min(0, a * wide, c * high, a * wide + c * high);
    const y = box.y - Math.min(0, b * wide, d * high, b * wide + d * high);
    const left = around('left'), top = around('top');
    frames.push({
      row, index, isFrame: Boolean(view), matrix: [a, b, c, d],
      x: round(x + a * left + c * top + scrolledX), y: round(y + b * left + d * top + scrolledY),
    });
  };
  // How an element's own px are drawn on the page: the linear part [a, b, c, d] of a CSS matrix, of all
  // that scales, turns and zooms it.  In perspective, where no such part says it: 1, 0, 0, 1.
  const linearOf = (element) => {
    const zoom = zoomOf(element);
    let all = new DOMMatrix([zoom, 0, 0, zoom, 0, 0]);
    for (let at = element; at !== null; at = drawnIn(at)) {
      const values = getComputedStyle(at);
      const [scale, rotate, own] = ['scale', 'rotate', 'transform'].map((name) => valueOf(values, name));
      const steps = [];
      if (rotate !== 'none') steps.push(rotated(rotate));
      if (scale !== 'none') steps.push(scaled(scale));
      if (own !== 'none') steps.push(own);
      if (!steps.length) continue;
      const matrix = new DOMMatrix(steps.join(' '));
      matrix.m41 = matrix.m42 = matrix.m43 = 0;
      all = matrix.multiply(all);
    }
    const linear = [all.m11, all.m12, all.m21, all.m22];
    return linear.every(Number.isFinite) ? linear : [1, 0, 0, 1];
  };
  // The nearest element around another in what is drawn: through slots and shadow roots.
  const drawnIn = (element) => {
    const above = slotOf(element) ?? parentNode(element);
    return above instanceof ShadowRoot ? hostOf(above) : above instanceof Element ? above : null;
  };
  // A value of `scale`: one number for both axes, or one for each.
  const scaled = (value) => {
    const [across, down = across, deep = '1'] = value.split(' ');
    return `scale3d(${across},${down},${deep})`;
  };
  // A value of `rotate`: an angle, alone or behind an axis.
  const rotated = (value) => {
    const parts = value.split(' ');
    const axis = {x: '1,0,0', y: '0,1,0', z: '0,0,1'}[parts[0]] ?? parts.slice(0, -1).join(',');
    return axis ? `rotate3d(${axis},${parts.at(-1)})` : `rotate(${parts[0]})`;
  };

  const close = (entry) => {
    if (!serialise) return;
    inner[2 * entry.row + 1] = length;
    if (!entry.isVoid) write(`</${entry.name}>`);
    outer[2 * entry.row + 1] = length;
  };

  const misc = (node) => {  // what is no row
    if (!serialise) return;
    const type = nodeType(node);
    if (type === Node.COMMENT_NODE) write(`<!--${taken(nodeValue(node))}-->`);
    else if (type === Node.PROCESSING_INSTRUCTION_NODE) write(`<?${node.target} ${taken(nodeValue(node)).replaceAll('>', '')}>`);
    else if (type === Node.DOCUMENT_TYPE_NODE) {
      const id = (text) => `"${text}"`;
      const {name, publicId, systemId} = node;
      write(`<!DOCTYPE ${name}` + (publicId ? ` PUBLIC ${id(publicId)}` : systemId ? ' SYSTEM' : '') +
        (systemId ? ` ${id(systemId)}` : '') + '>');
    }
  };

  // Pages nest thousands deep, so the walk keeps its own stack.
  const walk = (top) => {
    const stack = [];
    const enter = (element, above, look) => {
      const entry = addElement(element, above, look);
      entry.shadow = shadowRoot(element);
      if (entry.shadow !== null) {
        if (serialise) write('<template shadowrootmode="open">');
        entry.next = firstChild(entry.shadow);
      } else entry.next = begin(entry);
      stack.push(entry);
    };
    const begin = (entry) => {
      if (entry.name === 'template' && namespace(entry.node) === HTML) {
        if (serialise) write(taken(innerHTML(entry.node)));
        return null;
      }
      return firstChild(entry.node);
    };
    enter(top, -1, {hidden: false, own: PAGE, flow: PAGE, absolute: PAGE, fixed: PAGE, isRoot: false});
    while (stack.length) {
      const entry = stack[stack.length - 1];
      const node = entry.next !== null && isFull() ? null : entry.next;
      if (node === null) {
        if (entry.shadow !== null) {
          if (serialise) write('</template>');
          entry.shadow = null;
          entry.next = begin(entry);
          continue;
        }
        close(entry);
        stack.pop();
        continue;
      }
      entry.next = nextSibling(node);
      const type = nodeType(node);
      if (type === Node.ELEMENT_NODE) {
        if (localName(node) !== 'pagelet-overlay') enter(node, entry.row, entry.look);
      } else if (type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) addText(node, entry);
      else misc(node);
    }
  };

  // XHTML and `srcdoc` need none; as HTML they would be laid out in quirks mode.
  if (serialise && doctypeOf(document) === null && compatMode(document) === 'CSS1Compat') write('<!DOCTYPE html>');
  for (let node = firstChild(document); node !== null; node = nextSibling(node)) {
    if (node === root) walk(root); else misc(node);
  }

  takeOffFilters();

  const pack = (array) => {
    const bytes = new Uint8Array(array.buffer);
    if (bytes.toBase64) return bytes.toBase64();
    let text = '';
    for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode.apply(null, bytes.subarray(k, k + 32768));
    return btoa(text);
  };
  const ints = (list) => pack(Int32Array.from(list));

  Object.assign(pagelet, {nodes, rows});
  return {
    names, styles, texts, attributes, frames, width, height, cuts: [...cuts],
    tag: ints(tag), parent: ints(parent), style: ints(style), offset: ints(offset),
    outer: ints(outer), inner: ints(inner),
    rect: pack(Float32Array.from(rect)), visible: pack(Uint8Array.from(visible)),
    html: html.join(''), charset: charsetOf(document), title: wellFormed(titleOf(document).slice(0, limits.title)),
    viewport: [window.innerWidth, window.innerHeight], ratio: window.devicePixelRatio,
    mode: compatMode(document), address: window.location.href,
  };
})
