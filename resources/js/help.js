// The documentation as the window shows it: in the window's theme, without what its bar has.
globalThis.pageletHelp ??= {
  dress(theme) {
    this.theme = theme;
    const set = () => {
      if (document.body && document.body.dataset.theme !== this.theme) {
        document.body.dataset.theme = this.theme;
        document.documentElement.style.colorScheme = this.theme; // the scroll bar's
      }
      const first = this.atResults ? null : document.querySelector("ul.search li a");
      if (first) { // Enter opens it, Tab goes on
        this.atResults = true;
        first.focus({ preventScroll: true });
      }
    };
    set();
    // The site's own script chooses a theme as soon as there is a body; this comes after it.
    this.watch ??= new MutationObserver(set);
    this.watch.observe(document, { childList: true, subtree: true, attributeFilter: ["data-theme"] });
    document.addEventListener("DOMContentLoaded", () => {
      const style = document.createElement("style");
      style.textContent =
        ".sidebar-search-container, .theme-toggle-container, .theme-toggle { display: none !important }";
      document.head.append(style);
    }, { once: true });
  },
  // What Pagelet runs on, where the page has a place for it.
  show(versions) {
    const list = document.getElementById("versions");
    if (list && !list.children.length) {
      for (const [name, version] of Object.entries(versions)) {
        const line = document.createElement("p");
        line.textContent = `${name} ${version}`;
        list.append(line);
      }
    }
  },
};
