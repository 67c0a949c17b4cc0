"""A page with state that its HTML does not contain, and helpers that freeze pages."""

from pathlib import Path

from annotate.archives.frozen.capturing import write_verified
from annotate.archives.frozen.certificate import Certificate
from annotate.datasets.opening import open_document
from engine.web.freezing import Frozen, freeze
from engine.web.headless import Browser

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000d49444154789c6360f8cf500f0003860181b5b3a1"
    "1d0000000049454e44ae426082"
)

HARD = """<!doctype html><title>Hard to keep</title><meta charset=utf-8>
<link rel=stylesheet href="linked.css"><style id=own>p { margin: 4px }</style>
<form><input id=name value=old><input type=checkbox id=tick><textarea id=long>a</textarea>
<select><option>one<option id=two>two</select></form>
<canvas id=drawn width=60 height=40></canvas><img id=made width=50 height=50>
<div id=box style="height:60px;width:200px;overflow:auto"><p style="height:500px">inside</div>
<div id=host></div><x-card>card</x-card><style>x-card:not(:defined) { display: none }</style>
<dialog id=asks>really?</dialog><div popover id=pops>pops</div>
<iframe id=blank width=300 height=60></iframe>
<iframe src="inner.html" width=300 height=60></iframe>
<p id=moves style="position:relative">moves</p><p id=nests>nests</p>
<script>
const get = (id) => document.getElementById(id);
get('name').value = 'typed'; get('tick').checked = true; get('long').value = 'b\\nc';
get('two').selected = true;
const pen = get('drawn').getContext('2d'); pen.fillStyle = '#c00'; pen.fillRect(5, 5, 30, 20);
const small = document.createElement('canvas'); small.width = small.height = 8;
small.getContext('2d').fillRect(0, 0, 8, 8);
small.toBlob((blob) => { get('made').src = URL.createObjectURL(blob) });
get('own').sheet.insertRule('p { color: rgb(0, 90, 0); padding-left: 30px }', 1);
document.styleSheets[0].insertRule('form { outline: 3px solid blue }', 0);
const sheet = new CSSStyleSheet(); sheet.replaceSync('#moves { font-size: 30px }');
document.adoptedStyleSheets = [sheet];
const inside = get('host').attachShadow({mode: 'closed'});
inside.innerHTML = '<b>shadow</b><slot></slot>';
const look = new CSSStyleSheet(); look.replaceSync('b { font-size: 40px }');
inside.adoptedStyleSheets = [look];
customElements.define('x-card', class extends HTMLElement {});
get('asks').showModal(); get('pops').showPopover(); get('box').scrollTop = 120;
get('moves').animate([{left: '0px'}, {left: '90px'}], {duration: 1, fill: 'forwards'});
const nested = document.createElement('p'); nested.textContent = 'a p in a p';
get('nests').append(nested, document.createTextNode('two'), document.createTextNode('texts'));
const first = document.createElement('iframe'); first.src = 'inner.html'; first.height = 50;
document.body.prepend(first);
get('blank').contentDocument.body.innerHTML = '<h2>written</h2>';
</script>"""
INNER = """<!doctype html><p>inner</p><script>
document.body.append(parent.length === 3 ? 'third' : 'other', ' frame');</script>"""


def write_page(folder: Path, html: str = HARD, **files: bytes | str) -> Path:
    """Write a page and its files; return the page's file."""
    needed = {"inner.html": INNER, "linked.css": "form { margin: 9px }", "index.html": html}
    for name, content in {**needed, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "index.html"


def frozen_page(browser: Browser, address: object) -> Frozen:
    """Freeze the page at an address."""
    return freeze(browser, open_document(address))


def write_frozen(browser: Browser, address: object, out: Path) -> Certificate:
    """Freeze a page into a file; return its certificate."""
    return write_verified(frozen_page(browser, address), out, "an engine")
