"""Pages that leave something in every store a browser has, and write down what they find there.

Each store is one asynchronous function of JavaScript that returns what was there and leaves the
page's name; it runs in the page, and again in a worker where there is such a store.
"""

STORES = {
    "indexedDB": """
        const db = await new Promise((done, fail) => {
          const asked = indexedDB.open('x', 1)
          asked.onupgradeneeded = () => asked.result.createObjectStore('s')
          asked.onsuccess = () => done(asked.result)
          asked.onerror = fail
        })
        const store = db.transaction('s', 'readwrite').objectStore('s')
        const found = await new Promise((done) => {
          const asked = store.get('k')
          asked.onsuccess = () => done(asked.result)
        })
        store.put(me, 'k')
        return found""",
    "localStorage": "const found = localStorage.k; localStorage.k = me; return found",
    "sessionStorage": "const found = sessionStorage.k; sessionStorage.k = me; return found",
    "cookie": "const found = document.cookie; document.cookie = 'k=' + me; return found",
    "window.name": "const found = window.name; window.name = me; return found",
    "history": """
        const found = [history.length > 2, history.state]
        history.replaceState(me, '')
        return found[0] || found[1] ? JSON.stringify(found) : ''""",
    "caches": """
        const cache = await caches.open('x')
        const found = await cache.match('https://a.invalid/k')
        await cache.put('https://a.invalid/k', new Response(me))
        return found && await found.text()""",
    "OPFS": """
        const folder = await navigator.storage.getDirectory()
        let found = ''
        for await (const name of folder.keys()) found += name
        await folder.getFileHandle(me, {create: true})
        return found""",
    "file system": """
        const root = await new Promise((done, fail) => webkitRequestFileSystem(0, 999, done, fail))
        const found = await new Promise((done) => root.root.createReader().readEntries(done))
        await new Promise((done, fail) => root.root.getFile(me, {create: true}, done, fail))
        return found.map((each) => each.name).join()""",
    "shared worker": """
        const source = "let left = ''; onconnect = (e) => { const [port] = e.ports;"
          + " port.onmessage = (e) => { port.postMessage(left); left = e.data } }"
        const worker = new SharedWorker('data:text/javascript,' + encodeURIComponent(source), 'x')
        const found = await new Promise((done, fail) => {
          worker.port.onmessage = (event) => done(event.data)
          worker.onerror = fail
          worker.port.postMessage(me)
        })
        return found""",
    "broadcast": """
        const channel = globalThis.channel = new BroadcastChannel('x')
        channel.onmessage = (event) => {
          if (event.data === 'who?') channel.postMessage(me)
          else note('broadcast', event.data)
        }
        channel.postMessage('who?')
        return ''""",
    "locks": """
        const state = await navigator.locks.query()
        navigator.locks.request('x' + me, () => new Promise(() => {}))
        return state.held.map((each) => each.name).join()""",
    "buckets": """
        const found = await navigator.storageBuckets.keys()
        await navigator.storageBuckets.open(me)
        return found.join()""",
    "service worker": """
        const found = await navigator.serviceWorker.getRegistrations()
        return found.map((each) => each.scope).join()""",
}

IN_WORKERS = ("indexedDB", "caches", "OPFS", "buckets")

_PAGE = """<!doctype html><meta charset=utf-8><title>NAME</title><h1>Head of a page</h1>
<p>Some honest words of a paragraph that stands here to be read by anybody.</p><ul id=found></ul>
<script>
const me = 'left-by-NAME'
const note = (store, found) => {
  const line = document.createElement('li')
  line.textContent = store + ' holds: ' + found + ' and more words of a line that is long enough'
  document.getElementById('found').append(line)
}
const ask = (store, call) => call().then(
  (found) => note(store, found || 'nothing'), (error) => note(store, 'nothing'))
ASKED
</script>HANGS"""


def page_of(name: str, *, hangs: bool = False) -> str:
    """Return the HTML of a page of this name; one that ``hangs`` never ends its script."""
    asked = [f"ask({store!r}, async () => {{ {code} }})" for store, code in STORES.items()]
    for store in IN_WORKERS:
        source = (
            f"const me = 'left-by-{name}-worker'; (async () => {{ {STORES[store]} }})()"
            ".then((found) => postMessage(found || 'nothing'), () => postMessage('nothing'))"
        )
        asked.append(
            f"ask('worker’s {store}', () => new Promise((done) => {{"
            f"const worker = new Worker(URL.createObjectURL(new Blob([{source!r}])));"
            "worker.onmessage = (event) => done(event.data) }))"
        )
    lines = ";\n".join(asked)
    end = "<script>setTimeout(() => { for (;;); }, 800)</script>" if hangs else ""
    return _PAGE.replace("ASKED", lines).replace("NAME", name).replace("HANGS", end)
