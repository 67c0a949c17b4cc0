// Helps to take a picture of the whole page; nothing of it stays when the picture is taken.
// An expression: a function of {step, ...}; called in the isolated world of the main frame.
//
// What is scaled to thousands of windows is painted as several surfaces as high as the picture, so that
// of such a page less is shown (measured: 1.9 GB for 16,384 px, 1.0 GB for these).
(({step, y = 0, height = 0, slack = 0, color = ''}) => {
  const HEAVY_HEIGHT = 8192;
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
  const elements = () => [...Document.prototype.querySelectorAll.call(document, 'body *')]
    .filter((element) => element.localName !== 'pagelet-overlay' && element.localName !== 'pagelet-marker');
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const boxes = () => elements().map((element) => {
    const {x, y, width, height} = boxOf(element);
    return [x + window.scrollX, y + window.scrollY, width, height];
  });
  const isHidden = () => Object.getOwnPropertyDescriptor(Document.prototype, 'hidden').get.call(document);
  const scroll = (to) => window.scrollTo({top: to, left: 0, behavior: 'instant'});
  const steps = {
    // Remembers where everything stands, to see whether a taller viewport moves anything; how high all of it is.
    remember: () => {
      const full = Math.ceil((pagelet.bare(document).scrollingElement ?? root).scrollHeight);
      scroll(0);
      pagelet.boxes = boxes();
      return pagelet.isHeavy ? Math.min(full, HEAVY_HEIGHT) : full;
    },
    // How many elements stand elsewhere now; null if the viewport is not so high yet.  If none, puts the dot there.
    moved: () => {
      if (height && Math.abs(window.innerHeight - height) > slack) return null;
      const before = pagelet.boxes, after = boxes();
      const count = after.filter((box, k) => box.some((value, side) => Math.abs(value - before[k][side]) > 0.5)).length;
      if (color && !count) steps.mark(true);
      return count;
    },
    // What sticks to the window would be in every tile; only the first one shows it.
    unpin: () => {
      pagelet.pinned = elements().filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
        .map((element) => [element, Element.prototype.getAttribute.call(element, 'style')]);
      for (const [element] of pagelet.pinned) element.style.setProperty('visibility', 'hidden', 'important');
      return pagelet.pinned.length;
    },
    restore: () => {
      for (const [element, style] of pagelet.pinned ?? []) {
        if (style === null) Element.prototype.removeAttribute.call(element, 'style');
        else Element.prototype.setAttribute.call(element, 'style', style);
      }
      delete pagelet.pinned;
      delete pagelet.boxes;
      steps.unmark();
      scroll(0);
      return true;
    },
    unmark: () => { pagelet.marker?.remove(); delete pagelet.marker; delete pagelet.frames; return true; },
    scroll: () => { scroll(y); if (color) steps.mark(); return window.scrollY; },
    isHidden,
    // How many frames were drawn since this was asked first: the next one waits until one is shown.
    frames: () => {
      if (!pagelet.frames) {
        const frames = pagelet.frames = {count: 0};
        const tick = () => { frames.count++; if (pagelet.frames === frames) requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
      }
      return pagelet.frames.count;
    },
    // A dot in a corner of the window, or a stripe down its side, that tells when the picture is up to
    // date; '' takes it away.  Narrow: what lies between two marks would be drawn anew with them.
    mark: (isWhole) => {
      delete pagelet.frames;
      const marker = pagelet.marker ??= pagelet.call(document, 'createElement', 'pagelet-marker');
      const looks = {all: 'initial', position: 'fixed', left: '0', top: '0', width: '4px',
        height: isWhole ? '100vh' : '4px', 'z-index': '2147483647', 'pointer-events': 'none',
        display: color ? 'block' : 'none', background: color || 'none'};
      for (const [name, value] of Object.entries(looks)) marker.style.setProperty(name, value, 'important');
      if (!marker.isConnected) Element.prototype.append.call(root, marker);
      // A modal dialog's backdrop lies over all that is not above it in the top layer.
      if (color && pagelet.call(document, 'querySelector', ':modal, :popover-open')) {
        marker.setAttribute('popover', 'manual');
        marker.hidePopover();
        marker.showPopover();
      }
      return true;
    },
  };
  return step === 'mark' ? steps.mark(true) : steps[step]();
})
