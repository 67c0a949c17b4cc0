"""A page out of a folder gets what it is drawn with, and reads no file beside it.

The independent truth is a secret that lies in each file: a page that shows it, in text, tree or
frames, has read it.
"""

import numpy as np
import pytest

from engine.document import plain_document
from engine.web import scheme
from engine.web.headless import Browser

pytestmark = pytest.mark.web

SECRET = "PRIVATE-KEY-7788"
FILES = (
    *(".ssh/id_rsa", ".env", "sub/.git/config", "notes.txt", "table.csv", "data.json"),
    *("sub/deep.txt", "id_rsa", "book.xml"),
)

WAYS = {
    "fetch": "fetch(F).then((r) => r.text()).then(show)",
    "XHR": "const x = new XMLHttpRequest(); x.onload = () => show(x.responseText);"
    "x.open('GET', F); x.send()",
    "sync XHR": "const x = new XMLHttpRequest(); x.open('GET', F, false);"
    "x.send(); show(x.response)",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('${new URL(F, location)}')"
    ".then((r) => r.text()).then(postMessage)`]))).onmessage = (event) => show(event.data)",
    "worker after a picture": "const i = new Image(); i.src = F; i.onerror = () =>"
    "new Worker(URL.createObjectURL(new Blob([`fetch('${new URL(F, location)}')"
    ".then((r) => r.text()).then(postMessage)`]))).onmessage = (event) => show(event.data)",
    "json module of a worker": "const i = new Image(); i.src = F; i.onerror = () =>"
    "new Worker(URL.createObjectURL(new Blob([`import('${new URL(F, location)}', "
    "{with: {type: 'json'}}).then((m) => postMessage(m.default.a))`])), {type: 'module'})"
    ".onmessage = (event) => show(event.data)",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([`onconnect = (e) =>"
    "fetch('${new URL(F, location)}').then((r) => r.text()).then((t) =>"
    " e.ports[0].postMessage(t))`]))).port.onmessage = (event) => show(event.data)",
    "frame": "const f = document.createElement('iframe'); f.src = F; o.append(f);"
    "f.onload = () => show(f.contentDocument.body.textContent)",
    "object": "const f = document.createElement('object'); f.data = F; o.append(f)",
    "embed": "const f = document.createElement('embed'); f.src = F; o.append(f)",
    "json module": "import(F, {with: {type: 'json'}}).then((m) => show(JSON.stringify(m.default)))",
    "text module": "import(F, {with: {type: 'text'}}).then((m) => show(m.default))",
    "style": "const f = document.createElement('link'); f.rel = 'stylesheet'; f.href = F;"
    "f.onload = () => show(f.sheet.cssRules[0].cssText); document.head.append(f)",
}

STYLE = "body { margin: 0 } p { height: 20px; margin: 0 }"
PIXEL = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,"
    b"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)


def page_of(ways: dict[str, str]) -> str:
    calls = "".join(
        f"try {{ const F = {file!r}; {code} }} catch {{ }}\n"
        for file in FILES
        for code in ways.values()
    )
    return f"""<!doctype html><meta charset=utf-8><title>News</title><h1>Head</h1>
        <p>Some honest words of a paragraph.</p><div id=o></div>
        <iframe src=notes.txt></iframe><iframe src=.env></iframe><object data=data.json></object>
        <script>const show = (text) => {{
          const p = document.createElement('p'); p.textContent = 'READ ' + text; o.append(p) }}
        {calls}</script>"""


def seen(folder, ways: dict[str, str]) -> list[str]:
    """Return which of the ways a secret came by, each tried by itself."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f'{{"a": "{SECRET}"}}' if "json" in name else SECRET)
    found = []
    with Browser() as browser:
        for way, code in ways.items():
            (folder / "page.html").write_text(page_of({way: code}))
            page = browser.capture(plain_document(folder / "page.html"))
            nodes = page.rendered()
            if SECRET in " ".join(nodes.text) or SECRET in page.source("dom").html:
                found.append(way)
    return found


def test_a_page_reads_no_file_beside_it_in_any_way(qapp, tmp_path):
    found = seen(tmp_path, WAYS)
    print(f"{len(WAYS)} ways, {len(FILES)} files; a secret came by: {found}")
    assert not found


@pytest.mark.slow
def test_the_oracle_finds_a_page_that_reads(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(scheme.Gate, "may_read", lambda *_: True)
    monkeypatch.setattr(scheme, "_NO_READING", b"img-src *")
    assert {"fetch", "XHR", "worker", "shared worker", "frame"} <= set(seen(tmp_path, WAYS))


def test_a_saved_page_is_drawn_with_all_that_it_needs(qapp, tmp_path):
    files = {
        "a.css": "@import 'b.css'; .css { width: 11px }", "b.css": ".imported { width: 12px }",
        "a.js": "document.getElementById('js').style.width = '13px'",
        "m.js": "import {wide} from './n.js'; document.getElementById('module').style.width = wide",
        "n.js": "export const wide = '14px'",
        "f.html": "<p>words of a frame</p>", "frame": "<p>words of a frame without a suffix</p>",
        "s.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='15' height='9'></svg>",
        "w.js": "postMessage('16px')",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for name in ("p.gif", "q.gif", "r.gif"):
        (tmp_path / name).write_bytes(PIXEL)
    (tmp_path / "page.html").write_text("""<!doctype html><link rel=stylesheet href=a.css>
        <style>div { height: 5px; width: 1px } iframe { display: block }</style>
        <div class=css></div><div class=imported></div><div id=js></div><div id=module></div>
        <div id=worker></div>
        <iframe src=f.html></iframe><iframe src=frame></iframe><object data=s.svg></object>
        <img src=p.gif><img srcset="q.gif 1x"><img id=late><script src=a.js></script>
        <script type=module src=m.js></script>
        <script>late.src = 'r.gif'
        new Worker('w.js').onmessage = (e) => { worker.style.width = e.data }</script>""")
    with Browser() as browser:
        page = browser.capture(plain_document(tmp_path / "page.html"))
        drawn = browser.run("[...document.images].map((each) => each.naturalWidth)")
    nodes = page.rendered()
    assert drawn == [1, 1, 1]
    widths = nodes.rect[np.flatnonzero(nodes.has_tag("div")), 2].tolist()
    assert widths == [11, 12, 13, 14, 16]
    assert "words of a frame" in nodes.text
    assert "words of a frame without a suffix" in nodes.text
    assert nodes.rect[np.flatnonzero(nodes.has_tag("object")), 2].tolist() == [15]
