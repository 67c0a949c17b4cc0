// Runs a reader (Readability.js, Defuddle) on a copy of the document, and notes what it says of elements.
//
// An expression: a function of {kind, options, traces}; the reader's own script stands before it, in the
// isolated world of the main frame.  Returns {content, ms}; where `traces` is true also
//   words: all words of the copy, in order;
//   said: [{what, first, last, kept, score}] in the order it was said: words of the element it is about;
//     `kept` false where the element was removed; `score` null where there is none.
(({kind, options, traces}) => {
  const AT = 'data-pagelet-at', UNREAD = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD']);
  const BEST = 5; // candidates that are told of
  const copy = document.cloneNode(true);
  const words = [], extents = [], previews = new Map();
  let said = [];

  // Number all elements, and say which words are in each.
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      words.push(...(node.data.match(/\S+/g) ?? []));
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || UNREAD.has(node.nodeName)) return;
    const at = extents.length;
    extents.push([words.length, 0]);
    node.setAttribute(AT, at);
    for (const child of node.childNodes) walk(child);
    extents[at][1] = words.length;
  };
  const preview = (node) => (node.textContent ?? '').trim().substring(0, 200);
  const at = (node) => Number(node?.getAttribute?.(AT) ?? -1);
  const note = (node, what, kept = false, score = null) => {
    const place = typeof node === 'number' ? node : at(node);
    const [first, last] = extents[place] ?? [0, 0];
    if (last > first) said.push({what, first, last, kept, score});
  };
  if (traces) {
    walk(copy.documentElement);
    for (const node of copy.querySelectorAll(`[${AT}]`)) {
      const text = preview(node);
      previews.set(text, [...(previews.get(text) ?? []), at(node)]);
    }
  }

  const readability = () => {
    const reader = new Readability(copy, options);
    if (traces) {
      let last = '', looked = null, scores = [];
      reader.log = (...parts) => {
        const node = parts.find((part) => part?.nodeType === Node.ELEMENT_NODE);
        const text = parts.filter((part) => typeof part === 'string').join(' ').trim();
        if (text === 'Starting grabArticle loop') { said = []; scores = []; }
        else if (text === 'Cleaning Conditionally') looked = node;
        else if (text === 'Checks failed') note(looked, `checks failed: ${[parts[1]].flat().join(', ')}`);
        else if (text.startsWith('Removing header')) note(node, 'header with low class weight');
        else if (text.startsWith('Candidate:')) scores.push([Number(text.match(/-?[\d.]+$/)), node]);
        else if (text.startsWith('Removing ')) last = text.slice('Removing '.length).trim();
      };
      const remove = reader._removeAndGetNext;
      if (remove) {
        reader._removeAndGetNext = function (node) {
          note(node, last || 'on the way through the page (a byline, a double title, an empty element)');
          last = '';
          return remove.call(this, node);
        };
      }
      const article = reader.parse();
      scores.sort((one, other) => other[0] - one[0]);
      const best = scores.slice(0, BEST).map(([score, node]) => ({node, score}));
      const removed = said;
      said = [];
      for (const {node, score} of best.reverse()) note(node, 'candidate, its score', true, score);
      said.push(...removed);
      return article?.content ?? '';
    }
    return reader.parse()?.content ?? '';
  };

  const defuddle = () => {
    const Reader = Defuddle.Defuddle ?? Defuddle.default ?? Defuddle;
    const found = new Reader(copy, {...options, debug: traces}).parse();
    for (const {step, selector, reason, text} of found?.debug?.removals ?? []) {
      const places = previews.get(text) ?? [];
      const what = [step, reason, selector].filter(Boolean).join(', ');
      if (places.length) note(places.length > 1 ? places.shift() : places[0], what);
    }
    return found?.content ?? '';
  };

  const run = {readability, defuddle}[kind];
  const start = performance.now();
  const content = run();
  return {content, ms: performance.now() - start, ...(traces ? {words, said} : {})};
})
