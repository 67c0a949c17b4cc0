"""Test captures: resources, settling, freezing and variants."""

import base64
import struct
import time
import zlib

import pytest

from annotate.datasets.opening import list_documents, open_document
from engine.errors import CaptureError, InputError
from engine.source import Source
from engine.web.capture import ENDLESS, Capture

pytestmark = pytest.mark.web


def png(width, height):
    """Return the bytes of a PNG image."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = zlib.compress(b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height)))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def words(page):
    nodes = page.nodes
    return " ".join("".join(t for t, v in zip(nodes.text, nodes.visible, strict=True) if v).split())


def test_a_page_has_its_original_its_dom_and_its_title(capture):
    page = capture("<!doctype html><title> A\n title </title><p>Stra&szlig;e<script>1</script>")
    assert page.original.data.startswith(b"<!doctype html><title> A")
    assert page.dom.html.startswith("<!DOCTYPE html><html><head><title>")
    assert page.title == "A title"
    assert page.notes == ()
    assert page.viewport == (1366, 768)
    assert page.original_alignment.share == 1.0


def test_resources_are_loaded_from_the_folder(capture, row):
    nodes = capture(
        "<!doctype html><link rel=stylesheet href='style.css?v=1'><link rel=stylesheet href=/r.css>"
        "<link rel=stylesheet href='http://www.example.com/host.css'>"
        "<img id=i src='a%20b.png'><p id=p>x</p><script src=s.js></script>",
        **{
            "style.css?v=1": "p{width:123px}",
            "r.css": "p{height:45px}",
            "www.example.com/host.css": "p{padding-left:7px}",
            "a b.png": png(30, 20),
            "s.js": "document.body.append('by script')",
        },
    ).nodes
    assert nodes.rect[row(nodes, "#i"), 2:].tolist() == [30, 20]
    assert nodes.rect[row(nodes, "#p"), 2:].tolist() == [130, 45]
    assert "by script" in nodes.text


def test_missing_and_refused_resources_are_counted(capture, browser):
    capture(
        "<!doctype html><img src=none.png><img src='https://example.org/a.png'>"
        "<script src='//example.org/a.js'></script><p>x"
    )
    gate = browser.view.gate
    assert gate.missing == 2  # the last one takes the page's own scheme
    assert gate.refused == 1


def test_the_next_page_loads_its_own_file_of_the_same_name(capture, row):
    html = "<!doctype html><link rel=stylesheet href=a.css><p>x"
    for width in (100, 200, 300):
        nodes = capture(html, **{"a.css": f"p{{width:{width}px}}"}).nodes
        assert nodes.rect[row(nodes, "p"), 2] == width


_RUSSIAN = "Вода в реке поднялась за ночь на два метра, и жители переехали к родственникам."


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>Straße".encode(), "Straße"),  # undeclared
        ("<p>Straße".encode("latin-1"), "Straße"),
        ("<meta charset=utf-8><p>Straße".encode(), "Straße"),
        ("<meta charset=latin1><p>Straße".encode(), "StraÃŸe"),  # as on the web: it lies
        ("\ufeff<meta charset=latin1><p>Straße".encode(), "Straße"),
        ("<meta charset=shift_jis><p>日本".encode("cp932"), "日本"),
        ("\ufeff<p>日本".encode("utf-16-le"), "日本"),
        (b"<head>%s<meta charset=cp1251><p>\xc2" % (b"<link href=a.css>" * 99), "В"),
        (b"<script>'<meta charset=koi8-r>'</script><p>Stra\xdfe", "Straße"),
        (b"<meta charset=koi8-r charset=cp1251><p>\xc2", "В"),
        (b"<?xml version='1.0' encoding='cp1251'?><p>\xc2", "В"),
        ("<meta charset=gb2312><p>镕喆".encode("gbk"), "镕喆"),
        (f"<p>{_RUSSIAN}".encode("koi8-r"), _RUSSIAN),
        (b"<!-- %s --><p>" % (b"x" * 200_000) + _RUSSIAN.encode("koi8-r"), _RUSSIAN),
        (f"<p>{_RUSSIAN}".encode() + b"\xff", _RUSSIAN + "\ufffd"),
    ],
)
def test_page_and_source_are_decoded_alike(capture, data, text):
    page = capture(data)
    assert words(page) == text
    assert page.original.text == Source.from_bytes(data).text == text


def test_guessed_encodings_and_wrong_letters_are_noted(capture):
    notes = capture(f"<p>{_RUSSIAN}".encode("cp1251")).notes
    assert "the page declares no encoding; windows-1251 is a guess" in notes
    assert not capture(f"<p>{_RUSSIAN}".encode()).notes
    assert (
        "1 letter is wrong in gbk and shown as \ufffd"
        in capture(b"<meta charset=gb2312><p>\xff").notes
    )


def test_text_that_scripts_add_late_is_read(capture):
    page = capture(
        "<!doctype html><p>early</p><script>"
        "setTimeout(() => { document.body.append('late');"
        " setTimeout(() => document.body.append('r'), 60) }, 60)</script>"
    )
    assert words(page) == "earlylater"


def test_lazy_content_is_loaded_by_scrolling(capture, row):
    nodes = capture(
        "<!doctype html><div style='height:4000px'></div>"
        "<img id=i loading=lazy src=a.png><p id=p></p>"
        "<script>new IntersectionObserver(([e]) => { if (e.isIntersecting) "
        "e.target.textContent = 'seen' }).observe(document.querySelector('#p'))</script>",
        **{"a.png": png(30, 20)},
    ).nodes
    assert nodes.rect[row(nodes, "#i"), 2:].tolist() == [30, 20]
    assert "seen" in nodes.text
    assert nodes.rect[0, 1] == 0  # scrolled back


def test_animations_are_frozen_at_their_end_or_start(capture, row):
    style = (
        "@keyframes in { from { opacity: 0; margin-left: 0 } to { opacity: 1; margin-left: 50px } }"
        "#a { animation: in 30s both } #b { animation: in 1s infinite }"
        "p { margin: 0; transition: padding 60s }"
    )
    page = capture(
        f"<!doctype html><style>body{{margin:0}}{style}</style><p id=a>a</p><p id=b>b</p>"
        "<p id=c>c</p><script>requestAnimationFrame(() => requestAnimationFrame(() => "
        "{ document.querySelector('#c').style.paddingLeft = '40px' }))</script>"
    )
    nodes = page.nodes
    assert nodes.rect[row(nodes, "#a"), 0] == 50
    assert nodes.rect[row(nodes, "#b"), 0] == 0
    assert nodes.visible[row(nodes, "#a")]
    assert nodes.rect[row(nodes, "#c") + 1, 0] == 40


def test_scripts_see_their_viewport_from_the_start(capture):
    for size in ((1366, 768), (1024, 768), (800, 600), (1366, 768)):
        page = capture(
            "<!doctype html><p><script>document.write(`${innerWidth}x${innerHeight} "
            "${devicePixelRatio} ${document.visibilityState}`)</script>",
            viewport=size,
        )
        assert words(page) == f"{size[0]}x{size[1]} 1 visible"
        assert page.notes == ()


def test_disabling_scripts_does_not_show_noscript(capture):
    html = "<!doctype html><p>a</p><noscript>b</noscript><script>document.body.append('c')</script>"
    assert words(capture(html)) == "ac"
    assert words(capture(html, scripts=False)) == "a"
    off = capture("<body onload=\"document.body.append('c')\"><iframe src=b.html></iframe>a",
                  scripts=False, **{"b.html": "<script>document.write('d')</script>"})  # fmt: skip
    assert words(off) == "a"
    script = "<p>d</p><script>document.body.append('e')</script>"
    off = capture(f"a<object data=b.html></object><object data='data:text/html,{script}'></object>",
                  scripts=False, **{"b.html": script})  # fmt: skip
    assert "e" not in words(off)


@pytest.mark.slow
def test_the_page_does_not_change_after_the_snapshot(capture, browser):
    capture(
        "<!doctype html><p id=p>0</p><script>let n = 0; const p = document.querySelector('#p');"
        "setInterval(() => { p.textContent = ++n }, 5);"
        "(function again() { p.title = ++n; requestAnimationFrame(again) })();"
        "const c = new MessageChannel(); c.port1.onmessage = () => { p.lang = ++n; "
        "setTimeout(() => c.port2.postMessage(1), 1) }; c.port2.postMessage(1);"
        "addEventListener('scroll', () => { p.className = ++n });"
        "p.onclick = () => { p.id = 'clicked' };"
        "const again = () => fetch('x').then(again, again); again()</script>"
        "<div style='height:3000px'>"
    )
    state = "document.documentElement.outerHTML"
    before = browser.run(state)
    browser.run("(window.scrollTo(0, 500), document.querySelector('#p').click(), true)")
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        assert browser.run(state) == before
    browser.run(
        "fetch('index.html').then(() => 'came', () => 'refused')"
        ".then((answer) => { pagelet.answer = answer }) && true"
    )
    deadline = time.monotonic() + 5
    while (answer := browser.run("pagelet.answer ?? ''")) == "" and time.monotonic() < deadline:
        pass
    assert answer == "refused"


def test_local_storage_is_cleared_between_captures(capture):
    html = (
        "<!doctype html><p><script>document.write(localStorage.visited ?? 'first');"
        "localStorage.visited = 'again'</script>"
    )
    assert words(capture(html)) == "first"
    assert words(capture(html)) == "first"


@pytest.mark.slow
def test_a_page_that_keeps_changing_is_read_with_a_note(capture):
    page = capture(
        "<!doctype html><p>x</p><script>setInterval(() => document.body.append('.'), 10)</script>"
    )
    assert page.notes == ("the page kept changing after 4 s",)
    assert words(page).startswith("x")


@pytest.mark.slow
def test_a_frame_that_is_never_closed_does_not_block_the_page(capture):
    page = capture(
        "<!doctype html><p>story</p><iframe></iframe><script>"
        "document.querySelector('iframe').contentDocument.open().write('<p>ad')</script>"
    )
    assert "story" in words(page)
    assert "ad" in words(page)
    assert page.notes == (ENDLESS,)


@pytest.mark.slow
def test_an_image_that_reloads_forever_does_not_block_the_page(capture, browser):
    page = capture("<!doctype html><p>story<img src=none.png onerror='this.src = this.src'>")
    assert page.notes == (ENDLESS,)
    assert browser.view.gate.missing > 10


def test_a_deleted_file_raises_an_input_error(browser, tmp_path):
    file = tmp_path / "a.html"
    file.write_text("<p>a")
    document = open_document(file)
    file.unlink()
    with pytest.raises(InputError, match=r"cannot read .*a\.html"):
        browser.capture(document)


def test_a_live_page_is_refused_in_an_offline_process(browser):
    with pytest.raises(InputError, match="is a live page, and Pagelet was started offline"):
        browser.capture(open_document("https://example.org/"))


@pytest.mark.slow
def test_a_page_that_removes_its_root_raises_a_capture_error(capture):
    with pytest.raises(CaptureError, match="removed its own root element"):
        capture("<!doctype html><script>document.documentElement.remove()</script>")


def test_a_cancelled_capture_emits_nothing_and_the_next_page_is_read(
    browser, capture, qtbot, tmp_path
):
    (tmp_path / "a.html").write_text("<p>a<script>for (;;);</script>")
    messages = []
    cancelled = Capture(browser.view, open_document(tmp_path / "a.html"))
    cancelled.done.connect(messages.append)
    cancelled.failed.connect(messages.append)
    with qtbot.waitSignal(cancelled.progress):
        cancelled.start()
    cancelled.cancel()
    assert words(capture("<p>next")) == "next"
    assert messages == []


@pytest.mark.slow
@pytest.mark.usefixtures("hangs_soon")
def test_pages_after_a_hanging_page_are_read(browser, tmp_path):
    for name, html in (("a", "<p>a"), ("b", "<script>for (;;);</script>"), ("c", "<p>c")):
        (tmp_path / f"{name}.html").write_text(html)
    first, hanging, last = list_documents(tmp_path)
    assert words(browser.capture(first)) == "a"
    with pytest.raises(CaptureError, match="hangs"):
        browser.capture(hanging, timeout_s=0.5)
    assert words(browser.capture(last)) == "c"


def test_a_document_of_bytes_is_captured(browser):
    data = base64.b64decode("PHA+aGk8L3A+")
    assert words(browser.capture(open_document(data))) == "hi"


@pytest.mark.parametrize("scripts", [True, False])
def test_noscript_stays_hidden_after_scripts_are_stopped(capture, browser, row, scripts):
    page = capture("<p>one</p><noscript>Scripts are off</noscript><p>two</p>", scripts=scripts)
    assert page.nodes.rect[row(page.nodes, "noscript")].tolist() == [0, 0, 0, 0]
    relaid = "(document.body.style.fontSize = '17px', document.body.offsetHeight)"
    assert browser.run(relaid) > 0  # as when a hidden window is shown again
    assert browser.run("document.querySelector('noscript').getClientRects().length") == 0


def test_requests_for_a_missing_file_fail_and_end(capture):
    script = (
        "const say = (word) => { document.body.append(' ' + word) };"
        "for (const init of [{}, {method: 'HEAD'}, {method: 'POST', body: 'x'}])"
        "  fetch('missing.txt', init).then((r) => r.text()).then(say, () => say('no'));"
        "const request = new XMLHttpRequest(); request.open('GET', 'missing.txt');"
        "request.onloadend = () => say('ended'); request.send();"
    )
    page = capture(f"<!doctype html><p>asks</p><script>{script}</script>")
    text = "".join(page.nodes.text).split()
    assert (text.count("no"), text.count("ended")) == (3, 1)
