// Keeps a page, local or live, from being painted until it is read.  Runs in the isolated world before the page's own
// scripts.  Not painted is not left out: layout, scripts, frames and loading go on as ever; collect.js
// lifts it, once it has seen what would take gigabytes to paint.
(() => {
  if (window !== window.top) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0 !important }');
  const sheets = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
  sheets.set.call(document, [...sheets.get.call(document), sheet]);
  pagelet.held = sheet;
})()
