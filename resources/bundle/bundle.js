// Layers on and off by their boxes or by 1 to 9; pages with the left and right arrow.
"use strict";
for (const box of document.querySelectorAll("[data-layer]")) {
  const layer = document.getElementById(box.dataset.layer);
  const show = () => layer.classList.toggle("off", !box.checked);
  box.addEventListener("change", show);
  show();
}
// A long text begins where the first layer does: what was lost, or gold.
const text = document.querySelector(".stage.text");
const first = text && (text.querySelector(".t1") || text.querySelector(".t2"));
if (first) text.scrollTop = first.offsetTop - 60;
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const boxes = document.querySelectorAll("[data-layer]");
  const number = Number(event.key);
  if (number >= 1 && number <= boxes.length) boxes[number - 1].click();
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Escape: "up" }[event.key];
  const link = rel && document.querySelector(`a[rel=${rel}]`);
  if (link) link.click();
});
