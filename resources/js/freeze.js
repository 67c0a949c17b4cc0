// Brings all that moves by itself to one fixed state: what is finite to its end, what is endless to
// its start.  An expression: a function; called in the isolated world of each frame.
(() => {
  const all = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  if (!pagelet.still) {
    const sheet = new CSSStyleSheet();
    // Scripts are stopped later, and what stands in for them must not come up then.
    const unseen = (element) => element.getClientRects().length === 0;
    const standIns = [...all('noscript')].every(unseen) ? 'noscript { display: none !important }' : '';
    sheet.replaceSync(standIns + '*, *::before, *::after { animation-play-state: paused !important; ' +
      'transition: none !important; scroll-behavior: auto !important }');
    const sheets = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
    sheets.set.call(document, [...sheets.get.call(document), sheet]);
    pagelet.still = sheet;
  }
  for (const animation of Document.prototype.getAnimations.call(document)) {
    try {
      const {endTime} = animation.effect.getComputedTiming();
      if (animation instanceof CSSTransition || endTime !== Infinity) animation.finish();
      else { animation.pause(); animation.currentTime = 0; }
    } catch { /* an animation without effect or end */ }
  }
  // Inside SVG these names are those of elements that do nothing.
  for (const marquee of all('marquee')) if (marquee instanceof HTMLMarqueeElement) HTMLMarqueeElement.prototype.stop.call(marquee);
  for (const media of all('audio, video')) if (media instanceof HTMLMediaElement) HTMLMediaElement.prototype.pause.call(media);
  return true;
})
