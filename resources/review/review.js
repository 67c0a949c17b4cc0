// One says of each mark: right, wrong, this block instead; answers are a log that only grows.
"use strict";
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const KEPT = `pagelet-review ${data.digest}`;
const GLYPH = { right: "✓", wrong: "✗", instead: "⇄" };
const WORD = { right: "right", wrong: "wrong", instead: "another block instead", open: "open again" };
let state = { session: "", who: "", log: [] };
let keeps = true, saved = 0;
let page = 0, mark = "", frame = -1, choosing = false;
const hidden = new Set(); // numbers of layers that are off

const drawn = (name, values) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in values) element.setAttribute(key, values[key]);
  return element;
};
const made = (name, text, values = {}) => Object.assign(document.createElement(name), { textContent: text, ...values });
const plain = (text) => new TextDecoder().decode(new TextEncoder().encode(text)).replaceAll("\0", "");
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const say = (words) => { $("said").textContent = words; };

// -- what is kept: in the browser's storage, where it has one that works
function stored() {
  try { return JSON.parse(localStorage.getItem(KEPT)); } catch { return null; }
}
function join() { // another tab may have gone on, or begun
  const there = stored();
  if (!there || !Array.isArray(there.log) || there.log.length <= state.log.length) return;
  if (!state.log.length || there.session === state.session) state = { ...there, who: there.who || state.who };
}
function keep() {
  join();
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
    keeps = stored() !== null;
  } catch { keeps = false; }
  if (!keeps) say("This browser keeps nothing: save the answers before you close the page.");
}
function begin() {
  const there = stored();
  if (there && Array.isArray(there.log)) state = there;
  else state.session = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  saved = there ? there.saved || 0 : 0;
  $("who").value = state.who;
}
function add(entry) {
  join();
  state.log.push({ page: data.pages[page].id, mark: "", block: -1, words: "", ...entry, time: new Date().toISOString() });
  keep();
}

// -- answers
function answers(id) {
  const result = new Map();
  for (const each of state.log) if (each.page === id && each.verdict !== "comment") result.set(each.mark, each);
  return result;
}
const verdictOf = (id) => { const each = answers(data.pages[page].id).get(id); return each && each.verdict !== "open" ? each : null; };
const marksOf = (entry) => entry.layers.flatMap((layer) => layer.marks);
const shownMarks = () => data.pages[page].layers.flatMap((layer, n) => (hidden.has(n) ? [] : layer.marks));
function open(entry) {
  const given = answers(entry.id);
  return new Set(marksOf(entry).map((each) => each.id).filter((id) => !given.has(id) || given.get(id).verdict === "open")).size;
}
function answer(verdict, block = -1) {
  if (!mark) return say("There is no mark to answer for: choose another page or layer.");
  add({ mark, verdict, block });
  say(`The mark is ${WORD[verdict]}.`);
  choosing = false;
  step(1, true);
}
function undo() {
  const id = data.pages[page].id;
  const last = state.log.findLast((each) => each.page === id && each.verdict !== "comment" && !each.undone);
  if (!last) return say("There is nothing to undo on this page.");
  let before = null;
  for (const each of state.log) if (each !== last && each.page === id && each.mark === last.mark && each.verdict !== "comment" && !each.undone) before = each;
  last.undone = true; // only for this list of steps: the answer itself stays in the log
  mark = last.mark;
  add({ mark, verdict: before ? before.verdict : "open", block: before ? before.block : -1 });
  state.log[state.log.length - 1].undone = true;
  keep();
  say("The last answer is taken back.");
  draw();
}
function step(by, onlyOpen = false) {
  const marks = shownMarks(), given = answers(data.pages[page].id);
  const isOpen = (each) => !given.has(each.id) || given.get(each.id).verdict === "open";
  const at = marks.findIndex((each) => each.id === mark);
  const order = marks.map((_, n) => marks[(at + by * (n + 1) + marks.length * (n + 2)) % marks.length]);
  const next = onlyOpen ? order.find((each) => isOpen(each)) : order[0];
  if (next) mark = next.id;
  else if (onlyOpen && marks.length) say(page + 1 < data.pages.length ? "This page is done: the full stop goes on to the next." : "This page is done: save the answers.");
  frame = -1;
  go(page, mark);
}

// -- what is shown; the address names page, layer and mark
function go(to, id) {
  page = Math.max(0, Math.min(data.pages.length - 1, to));
  const layers = data.pages[page].layers;
  const marks = shownMarks();
  if (!marks.some((each) => each.id === id)) id = (marks.find((each) => !verdictOf(each.id)) || marks[0] || { id: "" }).id;
  mark = id;
  const layer = layers.findIndex((each) => each.marks.some((one) => one.id === mark));
  const address = `#page=${page + 1}&layer=${layer + 1}&mark=${encodeURIComponent(mark)}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  draw();
}
function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  hidden.delete(Number(asked.get("layer")) - 1);
  choosing = false;
  go((Number(asked.get("page")) || 1) - 1, asked.get("mark") || "");
}
function draw() {
  const entry = data.pages[page], current = marksOf(entry).find((each) => each.id === mark);
  $("page").replaceChildren(...data.pages.map((each, n) => {
    const left = open(each);
    return made("option", `${left ? "" : "✓ "}${n + 1} of ${data.pages.length}: ${each.title}`, { value: n, selected: n === page });
  }));
  $("before").disabled = page === 0;
  $("after").disabled = page === data.pages.length - 1;
  $("address").textContent = entry.address;
  drawLayers(entry);
  drawMarks();
  drawComments(entry);
  drawStage(entry, current);
  for (const id of ["right", "wrong", "instead"]) $(id).disabled = !current;
  $("instead").setAttribute("aria-pressed", choosing);
  const left = open(entry), whole = data.pages.reduce((sum, each) => sum + open(each), 0);
  $("left").textContent = whole ? `${left} left here, ${whole} in all` : "All marks are answered: save the answers.";
}
function drawLayers(entry) {
  $("layers").replaceChildren(...entry.layers.map((layer, n) => {
    const label = made("label", "", { className: "layer" });
    const box = made("input", "", { type: "checkbox", checked: !hidden.has(n) });
    box.addEventListener("change", () => toggle(n));
    const swatch = drawn("svg", { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" });
    swatch.append(drawn("rect", { width: 14, height: 14, rx: 3, fill: layer.color, stroke: "currentColor", "stroke-opacity": 0.4 }));
    label.append(box, swatch, made("span", `${layer.name}, ${plural(layer.marks.length, "mark")}`), made("kbd", String(n + 1)));
    return label;
  }));
}
function toggle(n) {
  if (n >= data.pages[page].layers.length) return;
  if (!hidden.delete(n)) hidden.add(n);
  go(page, mark);
}
const nameOf = (each) => (each.level ? `Block, level ${each.level}${each.type ? `: ${each.type}` : ""}` : "Main content") + (each.draft ? ", draft" : "");
function drawMarks() {
  $("marks").replaceChildren(...shownMarks().map((each) => {
    const given = verdictOf(each.id), item = made("li", "");
    const button = made("button", "", { type: "button" });
    if (each.id === mark) button.setAttribute("aria-current", "true");
    button.style.borderLeftColor = data.pages[page].layers.find((layer) => layer.marks.includes(each)).color;
    const title = made("span", nameOf(each));
    const glyph = made("span", given ? GLYPH[given.verdict] : "·");
    glyph.setAttribute("role", "img");
    glyph.setAttribute("aria-label", given ? WORD[given.verdict] : "not answered");
    button.append(glyph, title, made("small", each.text || (each.boxes.length ? "without text" : "")));
    button.addEventListener("click", () => { frame = -1; choosing = false; go(page, each.id); });
    item.append(button);
    return item;
  }));
  const current = $("marks").querySelector("[aria-current]");
  if (current) current.scrollIntoView({ block: "nearest" });
}
function drawComments(entry) {
  const own = state.log.filter((each) => each.page === entry.id && each.verdict === "comment" && ["", mark].includes(each.mark));
  $("comments").replaceChildren(...own.map((each) => made("p", each.words)));
}
const boxed = (box, more) => drawn("rect", { x: box[0], y: box[1], width: Math.max(box[2], 1), height: Math.max(box[3], 1), ...more });
let onStage = -1;
function drawStage(entry, current) {
  const stage = $("stage");
  if (onStage !== page) {
    onStage = page;
    const empty = made("p", entry.problem || (marksOf(entry).length ? "" : "There is no mark on this page: go on to the next, or comment on the page."), { id: "empty", className: "faint" });
    stage.replaceChildren(empty);
    if (entry.picture) stage.append(made("img", "", { src: entry.picture, alt: `Picture of ${entry.title}`, width: entry.size[0], height: entry.size[1] }));
    if (entry.size[0]) stage.append(drawn("svg", { viewBox: `0 0 ${entry.size.join(" ")}`, preserveAspectRatio: "xMidYMin slice" }));
  }
  stage.classList.toggle("choosing", choosing);
  const svg = stage.querySelector("svg");
  if (!svg) return;
  const boxes = [];
  entry.layers.forEach((layer, n) => {
    if (hidden.has(n)) return;
    for (const each of layer.marks) {
      const given = verdictOf(each.id), isCurrent = each.id === mark;
      const gone = given && given.verdict !== "right";
      for (const box of each.boxes) {
        boxes.push(boxed(box, { fill: layer.color, "fill-opacity": isCurrent ? 0.22 : each.level ? 0 : 0.12, stroke: layer.color, "stroke-width": isCurrent ? 5 : 2, "stroke-dasharray": gone ? "8 6" : "none", "stroke-opacity": isCurrent ? 1 : 0.6 }));
      }
      if (given && given.verdict === "instead") boxes.push(boxed(entry.blocks[given.block], { fill: "none", stroke: layer.color, "stroke-width": 3 }));
    }
  });
  if (choosing && frame >= 0) boxes.push(boxed(entry.blocks[frame], { fill: "#1f4fc4", "fill-opacity": 0.18, stroke: "#1f4fc4", "stroke-width": 4 }));
  svg.replaceChildren(...boxes);
  const lead = choosing && frame >= 0 ? entry.blocks[frame] : current && current.boxes[0];
  if (lead) bring(svg, entry, lead);
}
let brought = "";
function bring(svg, entry, box) {
  const what = `${page} ${mark} ${choosing ? box : ""}`;
  if (what === brought) return;
  brought = what;
  const around = svg.getBoundingClientRect(), scale = around.width / entry.size[0];
  const top = around.top + box[1] * scale, room = innerHeight - $("writing").closest("footer").offsetHeight;
  if (top < 60 || top + Math.min(box[3] * scale, 200) > room) scrollBy(0, top - room / 3);
}

// -- another block
function choose() {
  if (!mark) return;
  choosing = !choosing;
  const entry = data.pages[page], box = marksOf(entry).find((each) => each.id === mark).boxes[0];
  frame = entry.blocks.findLastIndex((each) => [0, 1, 2, 3].every((n) => each[n] === box[n]));
  if (frame < 0) frame = at(box[0] + 1, box[1] + 1);
  if (choosing) $("stage").focus({ preventScroll: true }); // Enter is for the block, not for the last button
  if (choosing) say("Click the block that should be there. Keys: arrows choose, Enter takes it, Esc leaves.");
  draw();
}
function at(x, y) {
  return data.pages[page].blocks.findLastIndex((each) => x >= each[0] && y >= each[1] && x < each[0] + each[2] && y < each[1] + each[3]);
}
function pointed(event) {
  const entry = data.pages[page], around = $("stage").querySelector("svg").getBoundingClientRect(), scale = entry.size[0] / around.width;
  return [(event.clientX - around.left) * scale, (event.clientY - around.top) * scale];
}
function walk(key) {
  const blocks = data.pages[page].blocks, around = frame >= 0 ? blocks[frame][4] : -1;
  const beside = [...blocks.keys()].filter((n) => blocks[n][4] === around), place = beside.indexOf(frame);
  const to = { ArrowUp: around, ArrowDown: blocks.findIndex((each) => each[4] === frame), ArrowLeft: beside[place - 1], ArrowRight: beside[place + 1] }[key];
  if (to >= 0) frame = to;
  draw();
}
$("stage").addEventListener("click", (event) => {
  if (!$("stage").querySelector("svg")) return;
  const [x, y] = pointed(event);
  if (choosing) {
    const block = at(x, y);
    return block < 0 ? say("There is no block there: click on another place.") : answer("instead", block);
  }
  const over = shownMarks().filter((each) => each.boxes.some((box) => x >= box[0] && y >= box[1] && x < box[0] + box[2] && y < box[1] + box[3]));
  const area = (each) => each.boxes.reduce((sum, box) => sum + box[2] * box[3], 0);
  if (over.length) go(page, over.sort((one, other) => area(one) - area(other))[0].id);
});
$("stage").addEventListener("pointermove", (event) => {
  if (!choosing || event.pointerType === "touch") return;
  const block = at(...pointed(event));
  if (block !== frame) { frame = block; brought = `${page} ${mark} ${block >= 0 ? data.pages[page].blocks[block] : ""}`; drawStage(data.pages[page]); }
});

// -- comments
function write(shows) {
  $("writing").hidden = !shows;
  if (shows) $("words").focus(); else $("comment").focus();
}
function comment() {
  const words = plain($("words").value).trim();
  if (!words) return say("The comment is empty: type a few words.");
  add({ mark, verdict: "comment", words });
  $("words").value = "";
  write(false);
  say("The comment is kept.");
  draw();
}

// -- the file of answers
function crc(text) {
  let result = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    result ^= byte;
    for (let bit = 0; bit < 8; bit++) result = (result >>> 1) ^ (0xedb88320 & -(result & 1));
  }
  return (~result >>> 0).toString(16).padStart(8, "0");
}
const FIELDS = ["page", "mark", "verdict", "block", "words", "time"];
const checked = (file) => crc([file.bundle, file.session, file.who, ...file.log.flatMap((each) => FIELDS.map((name) => String(each[name])))].join("\0"));
function save() {
  const who = plain($("who").value).trim();
  if (!who) { say("Type your name first: the answers are kept as yours."); return $("who").focus(); }
  if (!state.log.length) return say("There is no answer yet: answer for a mark first.");
  state.who = who;
  keep();
  const log = state.log.map((each) => Object.fromEntries(FIELDS.map((name) => [name, each[name]])));
  const file = { format: "pagelet-answers", version: 1, bundle: data.digest, who, session: state.session, log };
  file.check = checked(file);
  const address = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
  const name = who.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "answers";
  const link = made("a", "", { href: address, download: `answers-${name}.json` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  saved = log.length;
  say(`Saved as ${link.download}, ${plural(log.length, "answer")}: send this file back.`);
}
async function load(file) {
  let read = null;
  try { read = JSON.parse(await file.text()); } catch { /* said below */ }
  if (!read || read.format !== "pagelet-answers" || !Array.isArray(read.log) || checked(read) !== read.check) return say("This file holds no answers, or is damaged.");
  if (read.bundle !== data.digest) return say("These answers are to other pages: open the review they came from.");
  const isLonger = read.session === state.session && read.log.length > state.log.length;
  if (state.log.length && !isLonger) return say("There are other answers here already: open these pages in a private window for this file.");
  state = { session: read.session, who: read.who, log: read.log };
  $("who").value = state.who;
  keep();
  say(`Going on from ${plural(read.log.length, "answer")}.`);
  draw();
}

// -- hands
$("who").addEventListener("change", () => { state.who = plain($("who").value).trim(); keep(); });
$("save").addEventListener("click", save);
$("load").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => { if ($("file").files[0]) load($("file").files[0]); $("file").value = ""; });
$("page").addEventListener("change", () => go(Number($("page").value), ""));
$("before").addEventListener("click", () => go(page - 1, ""));
$("after").addEventListener("click", () => go(page + 1, ""));
$("right").addEventListener("click", () => answer("right"));
$("wrong").addEventListener("click", () => answer("wrong"));
$("instead").addEventListener("click", choose);
$("comment").addEventListener("click", () => write(true));
$("undo").addEventListener("click", undo);
$("keep").addEventListener("click", comment);
$("leave").addEventListener("click", () => write(false));
$("writing").addEventListener("submit", (event) => event.preventDefault());
$("words").addEventListener("keydown", (event) => {
  if (event.key === "Escape") write(false);
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); comment(); }
});
addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
  const name = (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + (event.shiftKey && event.key.length === 1 ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const inStage = choosing && !event.target.closest("button, a");
  const keys = {
    y: () => answer("right"), Delete: () => answer("wrong"), Backspace: () => answer("wrong"), i: choose, "Alt+n": () => write(true),
    "Ctrl+z": undo, "Shift+n": () => step(1, true), "Shift+p": () => step(-1, true), ",": () => go(page - 1, ""), ".": () => go(page + 1, ""),
  };
  if (choosing) Object.assign(keys, { Escape: choose, ArrowUp: () => walk("ArrowUp"), ArrowDown: () => walk("ArrowDown"), ArrowLeft: () => walk("ArrowLeft"), ArrowRight: () => walk("ArrowRight"), "]": () => walk("ArrowUp"), "[": () => walk("ArrowDown") });
  if (inStage && frame >= 0) keys.Enter = () => answer("instead", frame);
  for (let n = 1; n <= 9; n++) keys[n] = () => toggle(n - 1);
  if (!keys[name]) return;
  event.preventDefault();
  keys[name]();
});
addEventListener("hashchange", follow);
addEventListener("storage", (event) => { if (event.key === KEPT) { join(); draw(); } });
addEventListener("beforeunload", (event) => { if (!keeps && state.log.length > saved) event.preventDefault(); });
begin();
follow();
if (!state.log.length) say("Say of each mark whether it is right. Nothing is sent: save the answers, and send the file back.");
