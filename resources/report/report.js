// Sorting of tables, placing of definitions, and what is opened for print.  Without it the report
// is complete, only not sortable.
"use strict";

const number = (text) => {
  const plain = text.replace(/★|●|!|\s/g, "").replace("−", "-").replace(/^<\./, "0.");
  return plain === "–" || plain === "" ? NaN : parseFloat(plain);
};

function sortBy(table, column, downward) {
  const body = table.tBodies[0];
  const lines = [...body.rows].map((line, place) => {
    const text = line.cells[column].textContent.trim();
    return { line, place, text, value: number(text) };
  });
  const isNumeric = lines.some((each) => !Number.isNaN(each.value)) &&
    lines.every((each) => !Number.isNaN(each.value) || each.text === "–" || each.text === "");
  lines.sort((one, other) => {
    let order;
    if (isNumeric) {
      const missing = Number.isNaN(one.value) - Number.isNaN(other.value);
      if (missing) return missing; // what has no value stays at the end, whatever the direction
      order = Number.isNaN(one.value) ? 0 : one.value - other.value;
    } else {
      order = one.text.localeCompare(other.text);
    }
    return (downward ? -order : order) || one.place - other.place;
  });
  body.append(...lines.map((each) => each.line));
}

for (const table of document.querySelectorAll("table.sorts")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.classList.contains("still")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    const about = head.querySelector(".about");
    button.append(...[...head.childNodes].filter((node) => node !== about));
    head.prepend(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      // Numbers first from the top, names first from A.
      const downward = was ? was === "ascending" : column > 0;
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", downward ? "descending" : "ascending");
      sortBy(table, column, downward);
    });
  });
}

// What has to be scrolled can be reached by keyboard; what fits is no stop on the way.
const fits = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth;
    target.tabIndex = isWide ? 0 : -1;
    if (isWide) target.setAttribute("role", "region");
    else target.removeAttribute("role");
  }
});
for (const box of document.querySelectorAll(".scroll")) fits.observe(box);

for (const popover of document.querySelectorAll("[popover]")) {
  popover.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    const source = document.activeElement;
    if (!source || source.getAttribute("popovertarget") !== popover.id) return;
    const at = source.getBoundingClientRect();
    const size = popover.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.left), innerWidth - size.width - 8);
    const below = at.bottom + 6;
    popover.style.left = `${left}px`;
    popover.style.top = `${below + size.height < innerHeight ? below : Math.max(8, at.top - size.height - 6)}px`;
    popover.style.margin = "0";
  });
}

// A button within a summary opens its definition, not the fold.
for (const button of document.querySelectorAll("summary .about")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById(button.getAttribute("popovertarget"))?.togglePopover?.();
    event.stopPropagation();
  });
}
