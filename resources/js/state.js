// Pagelet's own state in an isolated world, and how its scripts ask the page.  A statement; it runs
// before each of Pagelet's scripts and does something the first time only.
//
// `<a id=pagelet>` or `<iframe name=pagelet>` would answer to a name that nobody has defined, in this
// world too; so the state is a property that cannot be replaced.
if (Object.getOwnPropertyDescriptor(globalThis, 'pagelet')?.configurable !== false) {
  // Forms and documents answer to the names of what is in them (<input name=shadowRoot>): what the
  // platform says is found on their prototypes only.
  const of = (object, name) => {
    for (let at = Object.getPrototypeOf(object); at; at = Object.getPrototypeOf(at)) {
      const found = Object.getOwnPropertyDescriptor(at, name);
      if (found) return found.get ? found.get.call(object) : found.value;
    }
    return undefined;
  };
  const call = (object, name, ...values) => of(object, name)?.apply(object, values);
  // A document as its prototypes know it, whatever its elements are named.
  const bare = (real) => new Proxy({}, {
    get(_, name) {
      const value = of(real, name);
      return typeof value === 'function' ? value.bind(real) : value;
    },
    set(_, name, value) {
      for (let at = Object.getPrototypeOf(real); at; at = Object.getPrototypeOf(at)) {
        const found = Object.getOwnPropertyDescriptor(at, name);
        if (found) { found.set.call(real, value); return true; }
      }
      return false;
    },
  });
  Object.defineProperty(globalThis, 'pagelet', {value: {of, call, bare}});
  // A page is never left at its own wish, and asked by none that loops, or sets off again, when it is.
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
  // Nobody is asked whether a page may go to about:blank; all else it may not do is refused outside.  There,
  // to be refused another site costs the next page the scripts of the view (rendering.md#traps-of-pyside6).
  if (window === window.top) {
    navigation.addEventListener('navigate', (event) => {
      if (!event.isTrusted || !event.cancelable || event.hashChange) return;
      const goal = event.destination.url;
      const toBlank = goal.startsWith('about:');
      if (!toBlank && !(location.protocol === 'pagelet:' && goal.startsWith('http'))) return;
      event.preventDefault();
      if (toBlank) pagelet.hasTriedToBlank = true;
    });
  }
}
