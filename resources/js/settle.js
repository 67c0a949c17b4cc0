// Waits until the page is what a reader will see: scrolled through once so that lazy content comes,
// fonts and images there, the DOM quiet.  An expression: a function of {scripts, limit} (may scripts
// change the page; ms to wait at most); answers at once, `pagelet.settling.done` turns true later.
//
// A pause counts as long as it was meant to be, so that on a busy machine, where each is longer, as is
// all that is waited for, the same happens as on a quiet one; `most` is ms by the clock.
(({scripts, limit, most}) => {
  const state = {done: false, notes: []};
  pagelet.settling = state;
  const started = performance.now();
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const rootOf = getter(Document, 'documentElement'), scrollerOf = getter(Document, 'scrollingElement');
  const fonts = getter(Document, 'fonts').call(document);
  let now = 0;
  const isLate = () => now > limit || performance.now() - started > most;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const hidden = getter(Document, 'hidden');
  // In a hidden window pauses are stretched to a second on any machine: there the clock counts.
  const spend = async (ms, pause) => {
    const from = performance.now();
    await pause;
    now += hidden.call(document) ? performance.now() - from : ms;
  };
  const wait = (ms) => spend(ms, sleep(ms));
  // A hidden window draws no frames: then the timer answers.
  let patience = hidden.call(document) ? 100 : 2000;
  const draw = async () => {
    const drawn = new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0, true)));
    if (!await Promise.race([drawn, sleep(patience)])) patience = 100;
  };
  const frame = () => spend(16, draw());

  // Long enough for the pauses of pages that write themselves step by step; nobody waits for a page
  // that has no script to change it.
  const QUIET_MS = 250;
  let changed = now;
  let isScripted = scripts && all('script').length > 0;
  const onChange = () => { changed = now; isScripted = scripts; };
  const observer = new MutationObserver(onChange);
  observer.observe(document, {childList: true, subtree: true, characterData: true});
  // document.open() takes the observer away with the nodes, so they are counted as well.
  const elements = Document.prototype.getElementsByTagName.call(document, '*');
  let count = elements.length;
  const isQuiet = () => {
    if (elements.length !== count) { count = elements.length; onChange(); }
    return !isScripted || now - changed > QUIET_MS;
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
      let isDecoded = false;
      const decoded = Promise.allSettled(images.map((image) => image.decode())).then(() => { isDecoded = true; });
      await sleep(0);
      for (const end = now + 500; !isDecoded && now < end;) await spend(15, Promise.race([sleep(15), decoded]));
      await frame();
    }
  })().catch((error) => { state.notes.push(String(error)); }).finally(() => {
    observer.disconnect();
    state.done = true;
  });
  return true;
})
