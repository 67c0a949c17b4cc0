// Mouse on the page → Pagelet.  Injected into the isolated world before the page's own scripts, so
// that its listeners come first and the page's never hear a thing: no link is followed, no menu opens.
(() => {
  if (window !== window.top) return;
  // Documents and forms answer to the names of what is in them: never read from the object.
  const { of, call, bare } = pagelet, doc = bare(document);
  pagelet.mode ??= "select";
  let bridge = null;
  const Channel = QWebChannel;
  pagelet.connect = () => {
    bridge = null;
    new Channel(qt.webChannelTransport, (channel) => { bridge = channel.objects.bridge; });
  };
  // Whether the way from here to Pagelet is open: the same number comes back over it.
  pagelet.ping = (number) => {
    bridge?.receive(JSON.stringify({ event: "ping", number }));
    return Boolean(bridge);
  };
  // Says so once what is drawn by now has been painted; false where nothing will be.
  pagelet.awaitPaint = (number) => {
    if (!bridge || doc.hidden) return false;
    const say = () => bridge.receive(JSON.stringify({ event: "painted", number, y: scrollY }));
    requestAnimationFrame(() => requestAnimationFrame(say));
    return true;
  };
  pagelet.connect();

  const DRAG = 4; // px the mouse may move within a click
  let pressed = null;
  let hover = null;
  let pending = 0;

  // Nodes under a point, front to back, shadow roots opened; [indices, frame point or null].
  function under(x, y) {
    const found = [];
    let inFrame = null;
    const look = (root, seen) => {
      for (const element of root.elementsFromPoint(x, y)) {
        if (pagelet.overlay?.isHit(element)) {
          const frame = pagelet.overlay.frameAt(x, y);
          const index = frame && pagelet.rows?.get(frame);
          if (index !== undefined && !inFrame) {
            const r = frame.getBoundingClientRect();
            inFrame = [index, x - r.left, y - r.top];
          }
          continue;
        }
        const shadow = of(element, "shadowRoot");
        if (shadow && shadow !== root && !seen.has(element)) {
          seen.add(element);
          look(shadow, seen);
        }
        const index = pagelet.rows?.get(element);
        if (index !== undefined && !found.includes(index)) found.push(index);
      }
    };
    look(doc, new Set());
    return { rows: found.slice(0, 40), frame: inFrame };
  }

  // A node's index; in a frame the indices of the frames' elements from the page down, then its own.
  function indexOf(node) {
    const win = bare(of(node, "ownerDocument")).defaultView;
    const own = win.pagelet?.rows?.get(node) ?? -1;
    return win === window ? own : [indexOf(win.frameElement), own].flat();
  }

  // An offset into a text node, or a child index of an element, as [index of a text node, offset].
  function textPoint(node, offset, isEnd) {
    if (of(node, "nodeType") === Node.TEXT_NODE) return [indexOf(node), offset];
    const page = bare(of(node, "ownerDocument"));
    const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT);
    const limit = of(node, "childNodes")[offset];
    let last = null;
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const isBefore = limit
        ? text.compareDocumentPosition(limit) & Node.DOCUMENT_POSITION_FOLLOWING && !call(limit, "contains", text)
        : text.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING || call(node, "contains", text);
      if (!isBefore) {
        if (!isEnd) return [indexOf(text), 0];
        break;
      }
      last = text;
    }
    return last ? [indexOf(last), last.data.length] : [-1, 0];
  }

  function report(name, event, more = {}) {
    if (!bridge || !pagelet.rows) return;
    const keys = { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey };
    const at = "clientX" in event ? [event.clientX + scrollX, event.clientY + scrollY] : null;
    bridge.receive(JSON.stringify({ event: name, y: scrollY, at, ...keys, ...more }));
  }

  // While text is dragged over, the selection shows what is taken: no frame follows the mouse.
  const isDragging = (event) => pressed && pagelet.mode === "main" && event.buttons & 1
    && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG;

  // Elsewhere, and there from beside the text or with Alt or Ctrl, what is dragged is a rectangle
  // around what is meant.
  const isBand = (event) => pressed
    && (pressed.grip || (pagelet.mode !== "why"
      && (pagelet.mode !== "main" || pressed.isKeyed || !pressed.isOnText)))
    && event.buttons & 1 && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG;
  const EDGE = 28, STEP = 24; // px from the edge where the page begins to move, and how far at a time
  const MOST = 400; // px: the longer it takes, the faster it goes
  let scrolling = 0, ticks = 0;
  function bandTo(event) {
    const { scrollWidth, scrollHeight } = doc.documentElement;
    const within = (value, most) => Math.max(0, Math.min(value, most));
    // What is beside the page is none of it.
    const x = within(event.clientX + scrollX, Math.max(scrollWidth, innerWidth));
    const y = within(event.clientY + scrollY, Math.max(scrollHeight, innerHeight));
    if (pressed.grip) return pagelet.handles.boxTo(pressed.grip, x, y);
    return [Math.min(x, pressed.left), Math.min(y, pressed.top), Math.abs(x - pressed.left), Math.abs(y - pressed.top)];
  }
  // What a drag means: a rectangle, a box that a handle has changed, or an end of a text.
  function reportDrag(name, event) {
    const { grip } = pressed;
    if (!grip?.shift) {
      const box = bandTo(event);
      pagelet.overlay?.setBand(name === "band" ? box : null);
      report(grip ? `handle-${name}` : name, event, { box, press: pressed.time });
      return;
    }
    const at = { clientX: event.clientX + grip.shift[0], clientY: event.clientY + grip.shift[1] };
    const caret = pressed.caretAt(at), end = grip.name;
    const text = caret && textPoint(caret.startContainer, caret.startOffset, end === "last");
    report(`handle-${name}`, event, { text: text ?? [-1, 0], end, press: pressed.time });
  }
  function drawBand(event) {
    cancelAnimationFrame(scrolling);
    scrolling = 0;
    if (!pressed) return;
    if (pressed.grip) pagelet.handles.follow(event.clientX, event.clientY);
    reportDrag("band", event);
    const way = event.clientY < EDGE ? -1 : event.clientY > innerHeight - EDGE ? 1 : 0;
    ticks = way ? ticks + 1 : 0;
    const by = way * Math.min(MOST, STEP * (1 + ticks / 12));
    const before = scrollY;
    if (by) scrollBy({ top: by, behavior: "instant" });
    if (scrollY !== before) scrolling = requestAnimationFrame(() => drawBand(event));
  }
  function endBand() {
    cancelAnimationFrame(scrolling);
    scrolling = 0;
    pagelet.overlay?.setBand(null);
  }

  // Gives up what is dragged.
  pagelet.endDrag = () => {
    pressed = null;
    endBand();
  };

  const caretFrom = (event) => doc.caretRangeFromPoint(event.clientX, event.clientY);
  const caretAt = (event) => pagelet.overlay ? pagelet.overlay.below(() => caretFrom(event)) : caretFrom(event);
  const select = (from, to) => {
    if (!to || of(to.startContainer, "ownerDocument") !== of(from.startContainer, "ownerDocument")) return;
    bare(of(from.startContainer, "ownerDocument")).getSelection().setBaseAndExtent(
      from.startContainer, from.startOffset, to.startContainer, to.startOffset);
  };

  // Whether a press is meant for the text its caret is in: in the element of that, or hardly beside.
  const BESIDE = 8; // px
  function isOnText(caret, x, y) {
    const text = caret?.startContainer;
    if (!text || of(text, "nodeType") !== Node.TEXT_NODE) return false;
    const around = of(text, "parentElement");
    if (!around) return false;
    const r = call(around, "getBoundingClientRect");
    return r.left - BESIDE <= x && x <= r.right + BESIDE && r.top <= y && y <= r.bottom;
  }

  // The caret at a point in a frame, or in a frame inside it; null where its document is another's.
  function caretIn(frame, x, y) {
    if (!frame.contentDocument) return null;
    const page = bare(frame.contentDocument);
    const r = frame.getBoundingClientRect(), style = getComputedStyle(frame);
    const scale = r.width / frame.offsetWidth || 1;
    const within = (value, most) => Math.max(0, Math.min(value, most - 1));
    const left = within((x - r.left) / scale - frame.clientLeft - parseFloat(style.paddingLeft),
      page.defaultView.innerWidth);
    const top = within((y - r.top) / scale - frame.clientTop - parseFloat(style.paddingTop),
      page.defaultView.innerHeight);
    const inner = page.elementFromPoint(left, top);
    return inner?.contentDocument ? caretIn(inner, left, top) : page.caretRangeFromPoint(left, top);
  }

  // The page's own scrolling parts lie under what takes the mouse: they are scrolled by hand.
  function scrollInside(event) {
    const scrolls = (value) => value === "auto" || value === "scroll";
    const found = doc.elementsFromPoint(event.clientX, event.clientY);
    let element = found.find((each) => !pagelet.overlay?.isHit(each));
    for (; element && element !== doc.body && element !== doc.documentElement;
      element = of(element, "parentElement")) {
      const style = getComputedStyle(element);
      const placeOf = () => [of(element, "scrollLeft"), of(element, "scrollTop")];
      const before = placeOf();
      call(element, "scrollBy", {
        left: scrolls(style.overflowX) ? event.deltaX : 0, top: scrolls(style.overflowY) ? event.deltaY : 0,
        behavior: "instant",
      });
      if (placeOf().some((value, side) => value !== before[side])) return true;
    }
    return false;
  }

  const listeners = {
    pointermove(event) {
      if (isBand(event)) {
        hover = null;
        pressed.isBand = true;
        drawBand(event);
        return;
      }
      if (isDragging(event)) {
        if (pressed.caret) select(pressed.caret, pressed.caretAt(event));
        return;
      }
      hover = event;
      pending ||= requestAnimationFrame(() => {
        pending = 0;
        if (!hover) return;
        pagelet.overlay?.fadeChips(hover.clientX, hover.clientY);
        pagelet.overlay?.setCursor(pagelet.handles.at(hover.clientX, hover.clientY)?.cursor ?? cursorOf());
        report("hover", hover, under(hover.clientX, hover.clientY));
      });
    },
    pointerdown(event) {
      pressed = { x: event.clientX, y: event.clientY, left: event.clientX + scrollX, top: event.clientY + scrollY,
        time: Date.now(), // tells one press from another
        isKeyed: event.altKey || event.ctrlKey || event.metaKey, ...under(event.clientX, event.clientY) };
      pressed.grip = event.button === 0 && pagelet.handles.at(event.clientX, event.clientY);
      // What lies over the page takes the mouse, so that a selection is led by hand.
      const frame = pressed.frame && pagelet.nodes[pressed.frame[0]];
      pressed.caretAt = frame ? (at) => caretIn(frame, at.clientX, at.clientY) : caretAt;
      pressed.caret = pressed.caretAt(event);
      pressed.isOnText = pagelet.mode !== "main" || Boolean(frame) || isOnText(pressed.caret, event.clientX, event.clientY);
    },
    pointerup(event) {
      if (!pressed || event.button !== 0) return;
      const { x, y, rows, frame, caret } = pressed;
      if (pressed.isBand) {
        reportDrag("rect", event);
        pagelet.endDrag();
        return;
      }
      pressed = null;
      const isClick = Math.hypot(event.clientX - x, event.clientY - y) <= DRAG;
      const selection = bare(caret ? of(caret.startContainer, "ownerDocument") : document).getSelection();
      if (!isClick && pagelet.mode === "main" && frame && !caret) {
        report("drag", event, { start: [-1, 0], end: [-1, 0] });
      } else if (!isClick && pagelet.mode === "main" && selection.rangeCount && !selection.isCollapsed) {
        const range = selection.getRangeAt(0);
        const start = textPoint(range.startContainer, range.startOffset, false);
        const end = textPoint(range.endContainer, range.endOffset, true);
        selection.removeAllRanges();
        report("drag", event, { start, end });
      } else if (isClick) {
        selection.removeAllRanges(); // a double click has selected a word
        const at = pagelet.mode === "why" && !frame ? caretAt(event) : null;
        const text = at ? textPoint(at.startContainer, at.startOffset, false) : null;
        report("click", event, { rows, frame, text });
      }
    },
    contextmenu(event) {
      const { rows, frame } = under(event.clientX, event.clientY);
      report("menu", event, { rows, frame, view: [event.clientX, event.clientY] });
    },
    wheel(event) {
      if (!event.altKey && !event.ctrlKey) return scrollInside(event);
      report("wheel", event, { steps: Math.sign(event.deltaY || event.deltaX) });
      return true;
    },
    pointerout(event) {
      if (!event.relatedTarget) {
        hover = null;
        if (!pressed?.isBand) report("leave", event);
      }
    },
  };

  // Swallowed: everything a page could act on.  Left alone: what scrolling and selecting need.
  const silent = ["click", "auxclick", "dblclick", "contextmenu", "dragstart", "submit", "mouseover",
    "mouseout", "mouseenter", "mouseleave", "mousemove", "mouseup", "pointerover", "pointerenter",
    "pointerleave", "touchstart", "touchend", "keypress", "keyup", "beforeunload"];
  const prevented = new Set(["click", "auxclick", "dblclick", "contextmenu", "dragstart", "submit"]);
  // Keys stay with Pagelet; the browser's own scrolling by key is kept.
  const SCROLLS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown",
    "Home", "End", " "]);
  const install = () => {
    for (const name of [...Object.keys(listeners), ...silent, "mousedown", "keydown", "focusin"]) {
      window.removeEventListener(name, onEvent, { capture: true });
      window.addEventListener(name, onEvent, { capture: true, passive: false });
    }
  };

  function onEvent(event) {
    if (!event.isTrusted) return;
    const taken = listeners[event.type]?.(event);
    if (event.type !== "wheel" || taken) event.stopImmediatePropagation();
    if (taken || prevented.has(event.type)) event.preventDefault();
    if (event.type === "focusin") release();
    if (event.type === "keydown" && (event.ctrlKey || event.metaKey || !SCROLLS.has(event.key))) {
      event.preventDefault();
    }
    if (event.type === "mousedown") {
      event.preventDefault(); // nothing is focused, and no text is selected but by hand
    }
  }

  // A field that has the focus, by `autofocus` say, would take the letters meant for Pagelet.
  function release() {
    if (!pagelet.rows) return; // the page is not read yet: leave it as it is
    let active = doc.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    if (active && active !== doc.body && active !== doc.documentElement) active.blur();
  }

  // Pages that forbid selecting must still let the annotator drag over text; set after the snapshot.
  const sheet = new CSSStyleSheet();
  const cursorOf = () => ({ main: "text", select: "default" })[pagelet.mode] ?? "crosshair";
  pagelet.setMode = (mode) => {
    pagelet.mode = mode;
    install();
    release();
    const cursor = cursorOf();
    pagelet.overlay?.setCursor(cursor);
    sheet.replaceSync(`* { cursor: ${cursor} !important; -webkit-user-drag: none !important;
      -webkit-user-modify: read-only !important; ${mode === "main" ? "user-select: text !important;" : ""} }`);
    if (!doc.adoptedStyleSheets.includes(sheet)) {
      doc.adoptedStyleSheets = [...doc.adoptedStyleSheets, sheet];
    }
  };
  install();
  doc.addEventListener("DOMContentLoaded", install);
  window.addEventListener("scroll", (event) => report("scroll", event), { passive: true });
})()
