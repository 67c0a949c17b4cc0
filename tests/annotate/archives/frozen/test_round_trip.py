"""Frozen pages are restored by a process that has only the file."""

import io
import json
import zipfile
from hashlib import sha256

import numpy as np
import pytest
from PySide6.QtGui import QImage
from warcio.archiveiterator import ArchiveIterator

from annotate.archives.frozen.fonts import font_changes
from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.frozen.verifying import verify
from annotate.datasets.opening import open_document
from tests.annotate.archives.frozen.pages import write_frozen, write_page
from tests.sample_pages import CORPUS

pytestmark = pytest.mark.web


def test_a_page_with_state_outside_its_html_is_restored_identically(frozen_hard):
    _, certificate = frozen_hard
    assert certificate.verdict == "identical", list(certificate.lines())
    assert {check.name for check in certificate.checks} >= {"tree", "boxes", "text", "picture"}
    assert not certificate.lost
    assert not certificate.notes


def test_nested_frames_written_by_a_script_are_restored(browser, tmp_path):
    html = """<!doctype html><meta charset=utf-8><p>Ferry back</p><iframe id=one></iframe><script>
    const outer = document.getElementById('one').contentDocument;
    outer.open(); outer.write('<p>penned</p><iframe id=two></iframe>'); outer.close();
    const inner = outer.getElementById('two').contentDocument;
    inner.open(); inner.write('<p>twice</p>'); inner.close();
    </script>"""
    out = tmp_path / "page.wacz"
    certificate = write_frozen(browser, write_page(tmp_path, html), out)
    assert certificate.verdict == "identical", list(certificate.lines())
    texts = {text.strip() for text in FrozenFile(out).reference().rendered().text}
    assert {"penned", "twice"} <= texts


def test_xhtml_and_frames_without_a_doctype_keep_their_layout_mode(browser, tmp_path):
    (tmp_path / "page.xhtml").write_text(
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Old</title></head><body>'
        "<h1>Boats</h1><table><tr><td>at nine</td></tr></table>"
        '<iframe srcdoc="&lt;p>Boats&lt;table>&lt;tr>&lt;td>at ten"></iframe></body></html>'
    )
    out = tmp_path / "page.wacz"
    certificate = write_frozen(browser, tmp_path / "page.xhtml", out)
    assert certificate.verdict == "identical", list(certificate.lines())


def test_objects_are_restored_next_to_an_unplayable_flash_film(browser, tmp_path):
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='60'>"
        "<rect width='99' height='60' fill='teal'/></svg>"
    )
    (tmp_path / "a.svg").write_text(svg, encoding="utf-8")
    (tmp_path / "part.html").write_text("<!doctype html><p>an inner page", encoding="utf-8")
    (tmp_path / "film.swf").write_bytes(b"FWS")
    html = """<!doctype html><meta charset=utf-8><p>Ferry back</p>
    <object data=a.svg type="image/svg+xml" width=120 height=60>no picture</object>
    <object data=part.html width=300 height=80>no inner page</object>
    <object width=200 height=100><param name=movie value=film.swf>
    <embed src=film.swf type="application/x-shockwave-flash" width=200 height=100></object>"""
    out = tmp_path / "page.wacz"
    certificate = write_frozen(browser, write_page(tmp_path, html), out)
    assert certificate.verdict == "identical", list(certificate.lines())
    nodes = FrozenFile(out).reference().rendered()
    assert "an inner page" in {text.strip() for text in nodes.text}
    picture = QImage.fromData(FrozenFile(out).picture())
    row = next(r for r, own in enumerate(nodes.attributes) if own.get("data") == "a.svg")
    x, y = nodes.rect[row, :2].tolist()
    assert picture.pixelColor(round(x) + 9, round(y) + 9).name() == "#008080"


def test_the_frozen_file_holds_forms_scroll_shadow_roots_and_canvas_pixels(browser, frozen_hard):
    """Otherwise the round trip would only compare one empty page with another."""
    out, _ = frozen_hard
    page = browser.capture(FrozenFile(out).document())
    nodes = page.rendered()
    texts = {text.strip() for text in nodes.text}
    assert {"shadow", "written", "third", "a p in a p", "inside"} <= texts
    values = browser.run(
        "[...document.querySelectorAll('input, textarea, select')].map((e) => e.value + e.checked)"
    )
    assert values == ["typedfalse", "ontrue", "b\ncundefined", "twoundefined"]
    assert browser.run("document.querySelector('#box').scrollTop") == 120
    assert browser.run("document.querySelector('dialog').matches(':modal')") is True
    pixel = "document.querySelector('canvas').getContext('2d').getImageData(10, 10, 1, 1).data[0]"
    assert browser.run(pixel) == 0xCC
    row = next(r for r, own in enumerate(nodes.attributes) if own.get("id") == "moves")
    assert nodes.pixels("font-size")[row] == 30
    assert nodes.rect[row, 0] >= 90
    assert nodes.attributes[row]["style"].endswith("left: 90px;")
    made = next(own for own in nodes.attributes if own.get("id") == "made")
    assert made["src"].startswith("data:image/png")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gallery", "script"])
def test_sample_pages_are_restored_identically(browser, tmp_path, name):
    certificate = write_frozen(browser, CORPUS / name / "index.html", tmp_path / "a.wacz")
    assert certificate.verdict == "identical", list(certificate.lines())


def test_scripts_stay_disabled_in_a_restored_page(browser, tmp_path):
    html = "<p id=a>before</p><script>document.title += 'ran '; a.append('once')</script>"
    certificate = write_frozen(browser, write_page(tmp_path, html), tmp_path / "a.wacz")
    assert certificate.verdict == "identical", list(certificate.lines())
    page = browser.capture(FrozenFile(tmp_path / "a.wacz").document())
    assert page.title == "ran"
    assert page.rendered().text.count("once") == 1


def test_the_original_is_the_received_html_and_the_dom_has_the_changes(browser, frozen_hard):
    out, _ = frozen_hard
    page = browser.capture(FrozenFile(out).document())
    assert page.original is not None
    assert "third" not in page.original.html
    assert page.original.html.startswith("<!doctype html><title>Hard to keep")
    assert "a p in a p" in page.dom.html


def test_the_file_is_a_wacz_that_other_tools_read(frozen_hard):
    out, _ = frozen_hard
    with zipfile.ZipFile(out) as package:
        names = set(package.namelist())
        assert {"archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl"} <= names
        warc = package.getinfo("archive/data.warc.gz")
        assert warc.compress_type == zipfile.ZIP_STORED
        listed = json.loads(package.read("datapackage.json"))["resources"]
        assert {each["path"] for each in listed} == names - {
            "datapackage.json",
            "datapackage-digest.json",
        }
        page = json.loads(package.read("pages/pages.jsonl").splitlines()[1])
        assert page["url"] == "https://local.invalid/index.html"
        lines = package.read("indexes/index.cdx").decode().splitlines()
        data = package.read("archive/data.warc.gz")
    assert len(lines) == 3  # the page, its style sheet, the frame
    about = json.loads(lines[0].split(" ", 2)[2])
    start, length = int(about["offset"]), int(about["length"])
    record = next(iter(ArchiveIterator(io.BytesIO(data[start : start + length]))))
    assert record.rec_headers.get_header("WARC-Target-URI") == about["url"]


def test_open_document_opens_a_frozen_page(frozen_hard):
    out, _ = frozen_hard
    assert is_frozen(out)
    document = open_document(out)
    assert document.title == "Hard to keep"
    assert not document.scripts
    assert document.url == "pagelet://local/index.html"


def test_verifying_reports_nodes_whose_boxes_have_changed(frozen_hard, tmp_path):
    """Simulate the file of another engine, whose node table has other boxes."""
    out, _ = frozen_hard
    changed = tmp_path / "changed.wacz"
    tamper(out, changed, "pagelet/reference-columns-rect.npy", shifted)
    certificate = verify(changed)
    assert certificate.verdict == "different"
    assert [check.name for check in certificate.failed] == ["boxes"]
    assert len(certificate.changes) == 1
    assert certificate.changes[0].what == "box"
    assert certificate.changes[0].path.startswith("/html[1]")


def shifted(data):
    rect = np.load(io.BytesIO(data))
    rect[5, 0] += 1
    out = io.BytesIO()
    np.save(out, rect)
    return out.getvalue()


def tamper(source, out, name, change, *, is_told=True):
    """Copy a frozen page with one member changed, and the lists that name it if ``is_told``."""
    members = members_in(source)
    members[name] = change(members[name])
    pack(out, with_lists(members) if is_told else members)


def members_in(path):
    """Return all members of a zip, by name."""
    with zipfile.ZipFile(path) as package:
        return {each: package.read(each) for each in package.namelist()}


def with_lists(members):
    """Return members with correct digests in the manifest and the descriptions."""
    result = dict(members)
    manifest = json.loads(result["pagelet/manifest.json"])
    if isinstance(manifest, dict) and isinstance(manifest.get("members"), dict):
        listed = {name: digest(result[name]) for name in manifest["members"] if name in result}
        result["pagelet/manifest.json"] = json.dumps(manifest | {"members": listed}).encode()
    package = json.loads(result["datapackage.json"])
    package["resources"] = [
        {
            **each,
            "hash": f"sha256:{digest(result[each['path']])}",
            "bytes": len(result[each["path"]]),
        }
        for each in package["resources"]
        if each["path"] in result
    ]
    result["datapackage.json"] = json.dumps(package).encode()
    about = {"path": "datapackage.json", "hash": f"sha256:{digest(result['datapackage.json'])}"}
    return result | {"datapackage-digest.json": json.dumps(about).encode()}


def digest(data):
    """Return the SHA-256 in the form of the lists."""
    return sha256(data).hexdigest()


def pack(path, members):
    """Write members as a zip."""
    with zipfile.ZipFile(path, "w") as package:
        for each, data in members.items():
            package.writestr(each, data)
    return path


def test_font_changes_name_the_old_and_the_new_default_font():
    page = {"Arial": {"file": "A.ttf", "sha256": "1"}, "serif": {"file": "S.ttf", "sha256": "2"}}
    before = page | {"DejaVu Serif": {"file": "DejaVuSerif.ttf", "sha256": "3"}}
    serif = {"file": "T.ttf", "sha256": "4"}
    now = page | {"serif": serif, "Times New Roman": serif}
    assert font_changes(before, before) == ""
    assert font_changes(before, now) == (
        "serif differ on this machine; the default font was DejaVu Serif, now Times New Roman"
    )
