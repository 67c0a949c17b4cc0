// Waits until the page is what a reader will see: scrolled through once so that lazy content comes,
// fonts and images there, the DOM quiet.  An expression: a function of {scripts, limit} (may scripts
// change the page; ms to wait at most); answers at once, `pagelet.settling.done` turns true later.
(({scripts, limit}) => {
  const state = {done: false, notes: []};
  pagelet.settling = state;
  const started = performance.now();
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const rootOf = getter(Document, 'documentElement'), scrollerOf = getter(Document, 'scrollingElement');
  const fonts = getter(Document, 'fonts').call(document);
  const isLate = () => performance.now() - started > limit;
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  // A hidden window draws no frames: then the timer answers.
  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))), wait(100)]);

  // Long enough for the pauses of pages that write themselves step by step; nobody waits for a page
  // that has no script to change it.
  const QUIET_MS = 250;
  let changed = performance.now();
  let isScripted = scripts && all('script').length > 0;
  const onChange = () => { changed = performance.now(); isScripted = scripts; };
  const observer = new MutationObserver(onChange);
  observer.observe(document, {childList: true, subtree: true, characterData: true});
  // document.open() takes the observer away with the nodes, so they are counted as well.
  const elements = Document.prototype.getElementsByTagName.call(document, '*');
  let count = elements.length;
  const isQuiet = () => {
    if (elements.length !== count) { count = elements.length; onChange(); }
    return !isScripted || performance.now() - changed > QUIET_MS;
  };

  const isLoaded = () => fonts.status === 'loaded' &&
    all('img').every((image) => image.complete || image.loading === 'lazy');
  const MOST_STEPS = 24;
  const scrollThrough = async () => {
    const scroller = scrollerOf.call(document) ?? rootOf.call(document);
    const step = () => Math.max(window.innerHeight, scroller.scrollHeight / MOST_STEPS);
    for (let y = step(), k = 0; y < scroller.scrollHeight && k < 2 * MOST_STEPS && !isLate(); y += step(), k++) {
      window.scrollTo({top: y, behavior: 'instant'});
      await frame();
    }
    window.scrollTo({top: 0, left: 0, behavior: 'instant'});
    await frame();
  };

  (async () => {
    while (rootOf.call(document) === null && scripts && !isLate()) await wait(15);
    if (rootOf.call(document) !== null) {
      if (scripts || all('[loading=lazy]').length) await scrollThrough();
      else window.scrollTo({top: 0, left: 0, behavior: 'instant'});
      while (!(isLoaded() && isQuiet()) && !isLate()) await wait(15);
      if (isLate()) state.notes.push(isLoaded() ? 'the page kept changing' : 'fonts or images were still loading');
      // Decoded, an image is painted with the page; broken ones reject, large ones need not be waited for.
      const images = all('img').filter((image) => image.complete && image.naturalWidth > 0);
      await Promise.race([Promise.allSettled(images.map((image) => image.decode())), wait(500)]);
      await frame();
    }
  })().catch((error) => { state.notes.push(String(error)); }).finally(() => {
    observer.disconnect();
    state.done = true;
  });
  return true;
})
