// Brings a frame to what keep.js has found: mends its tree where the parser made another one, then sets
// what stands in no attribute.  An expression: a function of what keep.js gave; called in the isolated
// world of each frame, once it is loaded; answers at once, `pagelet.thawed.done` turns true later, and
// `pagelet.thawed.places` says where the frames are.
(({tree, spaces, states, adopted, mode, doctype}) => {
  const {of} = pagelet;
  const state = {done: false, mended: 0, notes: []};
  state.finish = () => true;
  pagelet.thawed = state;
  const note = (text) => { if (!state.notes.includes(text)) state.notes.push(text); };
  const HTML = 'http://www.w3.org/1999/xhtml';
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const TEMPLATE = pagelet.call(document, 'createElement', 'template');

  // Where each entry's subtree ends.
  const end = new Int32Array(tree.length);
  {
    const open = [];
    for (let k = 0; k < tree.length; k++) {
      const entry = tree[k];
      let left = Array.isArray(entry) ? Math.max(entry[3], 0) + entry[4] : 0;
      if (left) { open.push([k, left]); continue; }
      end[k] = k + 1;
      while (open.length && --open[open.length - 1][1] === 0) end[open.pop()[0]] = k + 1;
    }
  }
  const partsOf = (index) => {
    const [, , , inShadow, own] = tree[index];
    const shadow = [], children = [];
    let at = index + 1;
    for (let k = 0; k < inShadow; k++) { shadow.push(at); at = end[at]; }
    for (let k = 0; k < own; k++) { children.push(at); at = end[at]; }
    return {shadow, children};
  };

  const nodesOf = (node) => {
    const found = [];
    for (let at = of(node, 'firstChild'); at; at = of(at, 'nextSibling')) {
      const type = of(at, 'nodeType');
      if (type === Node.ELEMENT_NODE && of(at, 'localName').startsWith('pagelet-')) continue;
      if (type !== Node.DOCUMENT_TYPE_NODE && type !== Node.PROCESSING_INSTRUCTION_NODE) found.push(at);
    }
    return found;
  };
  const isLike = (node, entry) => {
    const type = of(node, 'nodeType');
    if (typeof entry === 'string') return (type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) && of(node, 'data') === entry;
    if (!Array.isArray(entry)) return type === Node.COMMENT_NODE && of(node, 'data') === entry.comment;
    return type === Node.ELEMENT_NODE && of(node, 'localName') === entry[1] && (of(node, 'namespaceURI') ?? '') === spaces[entry[0]];
  };

  // A script made so never runs: it counts as one that has.
  const inert = (name, isSvg) => {
    TEMPLATE.innerHTML = isSvg ? `<svg><${name}></${name}></svg>` : `<${name}></${name}>`;
    const made = isSvg ? TEMPLATE.content.firstChild.firstChild : TEMPLATE.content.firstChild;
    return document.importNode(made, false);
  };
  const setAttributes = (element, flat) => {
    const wanted = new Set();
    for (let k = 0; k < flat.length; k += 3) {
      const name = flat[k], value = flat[k + 1], space = flat[k + 2];
      wanted.add(name);
      if (Element.prototype.getAttribute.call(element, name) === value) continue;
      try {
        if (space) Element.prototype.setAttributeNS.call(element, space, name, value);
        else Element.prototype.setAttribute.call(element, name, value);
      } catch {  // only a parser makes such a name
        TEMPLATE.innerHTML = `<p ${name}=""></p>`;
        const made = TEMPLATE.content.firstChild?.attributes[0]?.cloneNode();
        if (made) { made.value = value; element.setAttributeNode(made); }
      }
    }
    for (const {name} of [...of(element, 'attributes')]) if (!wanted.has(name)) Element.prototype.removeAttribute.call(element, name);
  };
  const make = (index) => {
    const stack = [[index, null]];
    let first = null;
    while (stack.length) {
      const [at, parent] = stack.pop();
      const entry = tree[at];
      let node;
      if (typeof entry === 'string') node = pagelet.call(document, 'createTextNode', entry);
      else if (!Array.isArray(entry)) node = pagelet.call(document, 'createComment', entry.comment);
      else {
        const [space, name, attributes, inShadow, , html] = entry;
        if (name === 'script') node = inert('script', spaces[space] !== HTML);
        else {
          try { node = pagelet.call(document, 'createElementNS', spaces[space] || null, name); }
          catch { node = inert(name, spaces[space] !== HTML); }  // only a parser makes such a name
        }
        setAttributes(node, attributes);
        if (html !== undefined) node.innerHTML = html;
        const {shadow, children} = partsOf(at);
        let root = null;
        if (inShadow >= 0) {
          try { root = Element.prototype.attachShadow.call(node, {mode: 'open'}); } catch { note('a shadow root'); }
        }
        for (const child of children.reverse()) stack.push([child, node]);
        if (root) for (const child of shadow.reverse()) stack.push([child, root]);
      }
      if (parent) Node.prototype.appendChild.call(parent, node); else first = node;
    }
    return first;
  };

  const nodes = new Array(tree.length);
  // Which window each frame element has, by the element's index: windows are numbered as they came.
  Object.defineProperty(state, 'places', {enumerable: true, get: () => nodes.flatMap((node, index) => {
    const view = node && Array.isArray(tree[index]) && FRAMES.has(tree[index][1]) ? node.contentWindow : null;
    for (let k = 0; view && k < window.length; k++) if (window[k] === view) return [[index, k]];
    return [];
  })});
  const mend = (parent, indices, stack) => {
    let found = nodesOf(parent);
    if (found.length !== indices.length || !found.every((node, k) => isLike(node, tree[indices[k]]))) {
      state.mended++;
      for (const node of found) Node.prototype.removeChild.call(parent, node);
      found = indices.map((index) => Node.prototype.appendChild.call(parent, make(index)));
    }
    found.forEach((node, k) => { nodes[indices[k]] = node; if (Array.isArray(tree[indices[k]])) stack.push([node, indices[k]]); });
  };

  const mendAll = () => {
    if (!tree.length) return;
    if (of(document, 'compatMode') !== mode && window !== window.top) {
      const [name, publicId, systemId] = doctype ?? ['html', '', ''];
      const ids = publicId ? ` PUBLIC "${publicId}"` + (systemId ? ` "${systemId}"` : '') : systemId ? ` SYSTEM "${systemId}"` : '';
      pagelet.call(document, 'open');
      pagelet.call(document, 'write', (doctype || mode === 'CSS1Compat' ? `<!DOCTYPE ${name}${ids}>` : '') + '<html>');
      pagelet.call(document, 'close');
    }
    const root = of(document, 'documentElement');
    const stack = [];
    if (root && isLike(root, tree[0])) { nodes[0] = root; stack.push([root, 0]); } else note('the root element');
    while (stack.length) {
      const [node, index] = stack.pop();
      const entry = tree[index];
      setAttributes(node, entry[2]);
      const {shadow, children} = partsOf(index);
      if (entry[3] >= 0) {
        let inside = of(node, 'shadowRoot');
        if (!inside) {
          try { inside = Element.prototype.attachShadow.call(node, {mode: 'open'}); } catch { note('a shadow root'); }
        }
        if (inside) mend(inside, shadow, stack);
      }
      if (entry.length === 5) mend(node, children, stack);
    }
  };
  try { mendAll(); } catch (error) { note(`its tree (${error})`); }

  const sheetsOf = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  const shadowSheets = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'adoptedStyleSheets');
  const sheetWith = (rules) => {
    const sheet = new CSSStyleSheet({baseURL: of(document, 'baseURI')});
    sheet.replaceSync(rules.join('\n'));
    return sheet;
  };
  if (adopted.length) sheetsOf.set.call(document, [...adopted.map(sheetWith), ...sheetsOf.get.call(document)]);

  const setRules = (sheet, rules) => {
    const now = [...sheet.cssRules].map((rule) => rule.cssText);
    if (now.length === rules.length && now.every((rule, k) => rule === rules[k])) return;
    while (sheet.cssRules.length) sheet.deleteRule(0);
    for (const rule of rules) try { sheet.insertRule(rule, sheet.cssRules.length); } catch { note('a rule of a style sheet'); }
  };
  const put = (element, name, value) => {
    for (let at = Object.getPrototypeOf(element); at; at = Object.getPrototypeOf(at)) {
      const found = Object.getOwnPropertyDescriptor(at, name);
      if (found) { found.set.call(element, value); return; }
    }
  };
  const waits = [];
  const setters = {
    value: (element, value) => put(element, 'value', value),
    checked: (element, value) => put(element, 'checked', value),
    indeterminate: (element, value) => put(element, 'indeterminate', value),
    selected: (element, value) => put(element, 'selected', value),
    modal: (element) => { HTMLElement.prototype.removeAttribute.call(element, 'open'); HTMLDialogElement.prototype.showModal.call(element); },
    popover: (element) => HTMLElement.prototype.showPopover.call(element),
    adopted: (element, sheets) => { const root = of(element, 'shadowRoot'); shadowSheets.set.call(root, sheets.map(sheetWith)); },
    'sheet off': (element) => { of(element, 'sheet').disabled = true; },
    rules: (element, rules) => setRules(of(element, 'sheet'), rules),
    'linked rules': (element, rules) => setRules(of(element, 'sheet'), rules),
    canvas: (element, address) => {
      const image = new Image();
      image.src = address;
      waits.push(image.decode().then(() => {
        const context = HTMLCanvasElement.prototype.getContext.call(element, '2d');
        context.globalCompositeOperation = 'copy';
        context.drawImage(image, 0, 0);
      }));
    },
  };
  const last = states.filter(([, kind]) => kind === 'scroll');
  const set = ([index, kind, value]) => {
    // A sheet of another host may not be read here either; then no script has changed it.
    try { setters[kind](nodes[index], value); } catch { if (kind !== 'linked rules') note(`the ${kind} of an element`); }
  };
  // Boxes that scroll have to be as high as they were first: when images are there.
  setters.scroll = (element, [left, top]) => { element.scrollTo({left, top, behavior: 'instant'}); };
  state.finish = () => { last.forEach(set); return true; };
  states.filter((each) => !last.includes(each)).forEach(set);
  Promise.race([Promise.allSettled(waits), new Promise((done) => setTimeout(done, 5000))]).finally(() => { state.done = true; });
  return true;
})
