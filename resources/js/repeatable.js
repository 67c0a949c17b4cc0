// Chance and time for pages that are to look the same each time.  Runs in the page's own world before
// any of its scripts.
(() => {
  let state = 0x9E3779B9;
  const next = () => {  // mulberry32
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = function random() { return next() / 4294967296; };
  Crypto.prototype.getRandomValues = function getRandomValues(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let k = 0; k < bytes.length; k++) bytes[k] = next();
    return array;
  };
  if (Crypto.prototype.randomUUID) Crypto.prototype.randomUUID = function randomUUID() {
    const digits = () => next().toString(16).padStart(8, '0');
    const [a, b, c, d] = [digits(), digits(), digits(), digits()];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
  };
  // A millisecond a look: who waits until it is later does not wait for ever.
  const RealDate = Date;
  let time = RealDate.UTC(2026, 0, 1, 12);
  RealDate.now = function now() { return time++; };
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, made) => Reflect.construct(target, values.length ? values : [RealDate.now()], made),
    apply: () => new RealDate(RealDate.now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
})();
