// Puts what no HTML can say of a frame where HTML can say it, before the frame is read for good: an
// image out of the page's memory becomes a data address, and where a script's animation has brought
// an element becomes its style.  An expression: a function; called in the isolated world of each
// frame; answers at once, `pagelet.settled.done` turns true later.
(() => {
  const state = {done: false, notes: []};
  pagelet.settled = state;
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const get = (element, name) => Element.prototype.getAttribute.call(element, name);
  const count = (number, one, many) => (number === 1 ? one : `${number} ${many}`);
  const isOwn = (animation) => !(animation instanceof CSSAnimation || animation instanceof CSSTransition);
  for (const animation of Document.prototype.getAnimations.call(document).filter(isOwn)) {
    try { animation.commitStyles(); animation.cancel(); } catch { /* it moves what has no style */ }
  }
  let lost = 0;
  const write = async (image) => {
    try {
      await image.decode();
      const canvas = pagelet.call(document, 'createElement', 'canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext('2d').drawImage(image, 0, 0);
      Element.prototype.setAttribute.call(image, 'src', canvas.toDataURL());
      await image.decode();
    } catch { lost++; }
  };
  const blobs = all('img[src^="blob:"]').filter((image) => image instanceof HTMLImageElement);
  Promise.race([Promise.all(blobs.map(write)), new Promise((done) => setTimeout(done, 3000))]).finally(() => {
    if (lost) state.notes.push(count(lost, 'an image that a script had made', 'images that scripts had made'));
    const films = all('video').filter((film) => film instanceof HTMLVideoElement && film.readyState >= 2).length;
    if (films) state.notes.push(count(films, "a film's picture", "films' pictures"));
    state.done = true;
  });
  return true;
})
