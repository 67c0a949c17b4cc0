// Runs in the page's own world before any of its scripts.
(() => {
  // Shadow roots stay readable: closed ones would hide from the snapshot what the reader sees.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    return attach.call(this, {...init, mode: 'open'});
  };
  // A page must not find what the page shown before it, or it itself at another time, has left.
  if (window === window.top) {
    for (const name of ['localStorage', 'sessionStorage']) {
      try { window[name].clear(); } catch { /* a page of no origin has no storage */ }
    }
  }
})();
