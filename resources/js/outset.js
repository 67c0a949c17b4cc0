// Runs in the page's own world before any of its scripts.
(() => {
  // Shadow roots stay readable: closed ones would hide from the snapshot what the reader sees.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    return attach.call(this, {...init, mode: 'open'});
  };
  // What is said on the console would go to the browser's process line by line, as fast as a loop can
  // say it, and nobody reads it there.
  for (const name of ['assert', 'clear', 'count', 'countReset', 'debug', 'dir', 'dirxml', 'error', 'group',
    'groupCollapsed', 'groupEnd', 'info', 'log', 'table', 'time', 'timeEnd', 'timeLog', 'timeStamp', 'trace', 'warn']) {
    console[name] = {[name]() {}}[name];
  }
  // Tasks that each post the next one come before everything else that is waited for, for ever.
  const MOST_TASKS = 1000, PAUSE_MS = 4;
  let tasks = 0;
  const isFlood = () => ++tasks > MOST_TASKS;
  const {postTask, yield: giveWay} = globalThis.Scheduler?.prototype ?? {};
  if (postTask) Scheduler.prototype.postTask = {postTask(task, options) {
    if (!isFlood()) return postTask.call(this, task, options);
    return postTask.call(this, task, {...options, delay: Math.max(Number(options?.delay) || 0, PAUSE_MS)});
  }}.postTask;
  if (giveWay) Scheduler.prototype.yield = {yield() {
    return isFlood() ? postTask.call(this, () => {}, {delay: PAUSE_MS}) : giveWay.call(this);
  }}.yield;
  // A fetch that a policy refuses fails at once; who tries again then does so for ever, before all else.
  const {fetch} = window;
  window.fetch = {fetch(input, init) {
    return fetch.call(this ?? window, input, init).catch((error) => new Promise((_, refuse) => {
      error instanceof TypeError ? setTimeout(refuse, PAUSE_MS, error) : refuse(error);
    }));
  }}.fetch;
})();
