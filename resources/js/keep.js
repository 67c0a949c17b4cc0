// What a frame is, beside its HTML: its exact tree, since no parser makes some trees that scripts make,
// and what of it stands in no attribute.  thaw.js brings both back.
// An expression: a function; called in the isolated world of each frame, once nothing changes any more.
//
// `tree` is in document order, a shadow root's nodes before its host's own children.  An element is
// [namespace, name, attributes, nodes of its shadow root (-1: none), children, a template's HTML]; its
// attributes are name, value, namespace and so on; a text is a string, a comment {comment}.
// `states` are [index into the tree, kind, value], `frames` [index into the tree, index into window].
(() => {
  const {of} = pagelet;
  const tree = [], states = [], notes = new Set();
  const spaces = [], spaceOf = new Map();
  const space = (name) => {
    if (!spaceOf.has(name)) { spaceOf.set(name, spaces.length); spaces.push(name); }
    return spaceOf.get(name);
  };
  const HTML = 'http://www.w3.org/1999/xhtml';
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const frames = [];
  const isOurs = (sheet) => sheet === pagelet.held || sheet === pagelet.still || sheet.ownedByPagelet;

  const rulesOf = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText);
  const isImport = (rule) => rule.startsWith('@import');
  const adopted = (root) => of(root, 'adoptedStyleSheets').filter((sheet) => !isOurs(sheet)).map(rulesOf);
  // The rules of a sheet that scripts have changed, else null.
  const changedRules = (sheet, text) => {
    const fresh = new CSSStyleSheet({baseURL: of(document, 'baseURI')});
    fresh.replaceSync(text);
    const now = rulesOf(sheet), then = rulesOf(fresh);
    const rest = now.filter((rule) => !isImport(rule));
    return rest.length === then.length && rest.every((rule, k) => rule === then[k]) ? null : now;
  };

  const keepSheet = (index, element) => {
    const sheet = of(element, 'sheet');
    if (!sheet) return;
    if (sheet.disabled) states.push([index, 'sheet off', true]);
    if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) {
      try {
        const rules = changedRules(sheet, of(element, 'textContent'));
        if (rules) states.push([index, 'rules', rules]);
      } catch { notes.add('a style sheet could not be read'); }
    } else {
      // Whether a script has changed it is seen at replay, against what is in the file then.
      try { states.push([index, 'linked rules', rulesOf(sheet)]); } catch { /* another host's: scripts could not either */ }
    }
  };

  const PLAIN = new Set(['checkbox', 'radio', 'file', 'hidden', 'submit', 'reset', 'button', 'image']);
  const keepControl = (index, element) => {
    if (element instanceof HTMLInputElement) {
      const kind = of(element, 'type');
      if (kind === 'checkbox' || kind === 'radio') {
        if (of(element, 'checked') !== of(element, 'defaultChecked')) states.push([index, 'checked', of(element, 'checked')]);
        if (of(element, 'indeterminate')) states.push([index, 'indeterminate', true]);
      } else if (kind === 'file') {
        if (of(element, 'value')) notes.add('the file chosen in a form');
      } else if (!PLAIN.has(kind) && kind !== 'password' && of(element, 'value') !== of(element, 'defaultValue')) {
        states.push([index, 'value', of(element, 'value')]);
      } else if (kind === 'password' && of(element, 'value')) notes.add('the password in a form');
    } else if (element instanceof HTMLTextAreaElement) {
      if (of(element, 'value') !== of(element, 'defaultValue')) states.push([index, 'value', of(element, 'value')]);
    } else if (element instanceof HTMLOptionElement) {
      if (of(element, 'selected') !== of(element, 'defaultSelected')) states.push([index, 'selected', of(element, 'selected')]);
    } else if (element instanceof HTMLDialogElement) {
      if (element.matches(':modal')) states.push([index, 'modal', true]);
    }
  };

  const keepElement = (index, element) => {
    const name = of(element, 'localName');
    keepControl(index, element);
    if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement || element instanceof HTMLLinkElement) keepSheet(index, element);
    if (element instanceof HTMLCanvasElement && of(element, 'width') && of(element, 'height')) {
      try { states.push([index, 'canvas', HTMLCanvasElement.prototype.toDataURL.call(element)]); } catch { notes.add('the drawing in a canvas that holds pixels of another host'); }
    }
    if (element instanceof HTMLElement && Element.prototype.hasAttribute.call(element, 'popover') &&
      Element.prototype.matches.call(element, ':popover-open')) states.push([index, 'popover', true]);
    const left = of(element, 'scrollLeft'), top = of(element, 'scrollTop');
    if ((left || top) && element !== of(document, 'scrollingElement')) states.push([index, 'scroll', [left, top]]);
    if (name.includes('-') && of(element, 'namespaceURI') === HTML && Element.prototype.matches.call(element, ':defined')) defined.add(name);
  };
  const defined = new Set();

  const childrenOf = (node) => {
    const found = [];
    for (let at = of(node, 'firstChild'); at; at = of(at, 'nextSibling')) {
      const type = of(at, 'nodeType');
      if (type === Node.ELEMENT_NODE && of(at, 'localName').startsWith('pagelet-')) continue;
      if (type === Node.ELEMENT_NODE || type === Node.TEXT_NODE || type === Node.COMMENT_NODE || type === Node.CDATA_SECTION_NODE) found.push(at);
    }
    return found;
  };
  const root = of(document, 'documentElement');
  const stack = root ? [root] : [];
  while (stack.length) {
    const node = stack.pop();
    const type = of(node, 'nodeType');
    if (type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) { tree.push(of(node, 'data')); continue; }
    if (type === Node.COMMENT_NODE) { tree.push({comment: of(node, 'data')}); continue; }
    const shadow = of(node, 'shadowRoot');
    const inside = shadow ? childrenOf(shadow) : [], own = childrenOf(node);
    const attributes = [];
    for (const {name, value, namespaceURI} of of(node, 'attributes')) attributes.push(name, value, namespaceURI ?? '');
    const index = tree.length;
    const entry = [space(of(node, 'namespaceURI') ?? ''), of(node, 'localName'), attributes, shadow ? inside.length : -1, own.length];
    if (node instanceof HTMLTemplateElement) entry.push(of(node, 'innerHTML'));
    tree.push(entry);
    keepElement(index, node);
    const view = FRAMES.has(entry[1]) ? node.contentWindow : null;
    for (let k = 0; view && k < window.length; k++) if (window[k] === view) frames.push([index, k]);
    if (shadow) {
      const sheets = adopted(shadow);
      if (sheets.length) states.push([index, 'adopted', sheets]);
    }
    for (const child of own.reverse()) stack.push(child);
    for (const child of inside.reverse()) stack.push(child);
  }
  const doctype = of(document, 'doctype');
  return {
    tree, spaces, states, frames, adopted: adopted(document), defined: [...defined], notes: [...notes],
    mode: of(document, 'compatMode'), doctype: doctype ? [doctype.name, doctype.publicId, doctype.systemId] : null,
    address: window.location.href, kind: of(document, 'contentType'),
    families: [...new Set([...of(document, 'fonts')].filter((face) => face.status === 'loaded').map((face) => face.family))],
  };
})
