// Clicks the first element that is seen of those a selector or XPath names, as a hand would.  An
// expression: a function of that name; answers {clicked} in words, or {problem}.
((name) => {
  let found;
  try {
    if (/^[/(]/.test(name)) {
      const kind = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
      const all = Document.prototype.evaluate.call(document, name, document, null, kind, null);
      found = Array.from({ length: all.snapshotLength }, (_, place) => all.snapshotItem(place));
    } else {
      found = [...Document.prototype.querySelectorAll.call(document, name)];
    }
  } catch {
    return { problem: "is neither a selector nor an XPath" };
  }
  found = found.filter((each) => each instanceof Element);
  const element = found.find((each) => each.getClientRects().length) ?? found[0];
  if (!element) return { problem: "names nothing on the page" };
  const tag = element.localName;
  const said = (element.textContent || element.getAttribute("aria-label") || "").replace(/\s+/g, " ").trim();
  const make = (Kind, event) => element.dispatchEvent(
    new Kind(event, { bubbles: true, cancelable: true, composed: true, view: window }));
  make(PointerEvent, "pointerdown");
  make(MouseEvent, "mousedown");
  make(PointerEvent, "pointerup");
  make(MouseEvent, "mouseup");
  if (element instanceof HTMLElement) HTMLElement.prototype.click.call(element);
  else make(MouseEvent, "click");
  return { clicked: `<${tag}>${said ? ` “${said.slice(0, 80)}”` : ""}` };
})
