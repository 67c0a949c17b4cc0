"""One page with its layers as a file: HTML without scripts, SVG, PNG, PDF."""

import re
from html import unescape

import pytest
from lxml import etree
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtPdf import QPdfDocument

from engine.errors import InputError
from gui.cli.main import main
from gui.pictures.page_drawing import DrawnBox, DrawnLayer, PageDrawing
from gui.pictures.page_files import KINDS, save
from tests.reader import read_in_browser

pytestmark = pytest.mark.usefixtures("qapp")

HOSTILE = "</title><script>ran = 1</script>\"'&\x00\x0b\ud800"
SVG = "{http://www.w3.org/2000/svg}"


def drawing(title=HOSTILE):
    """Return a page of 400 × 300 px: blocks of one method in blue, texts of another in red."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("#fafafa"))
    box = DrawnBox((50, 60, 100, 40), "#0000ff", "solid", 2.0, 0.5, HOSTILE, (50, 46, 60))
    blocks = DrawnLayer("a", "Blocks", "F1 0.500", "#0000ff", "solid", 1.0, (box,))
    texts = DrawnLayer(HOSTILE, HOSTILE, "", "#ff0000", "dotted", 0.8, (), ((200, 100, 80, 20),))
    return PageDrawing(title, "index.html", image, (blocks, texts))


def pixel(path, x, y):
    return QImage(str(path)).pixelColor(x, y).getRgb()[:3]


def test_a_picture_has_the_layers_at_their_place_and_a_legend_above(tmp_path):
    save(drawing(), tmp_path / "with.png")
    save(drawing(), tmp_path / "without.png", has_legend=False)
    half = pytest.approx((125, 125, 252), abs=1)  # half blue, half paper
    assert pixel(tmp_path / "without.png", 100, 80) == half
    assert pixel(tmp_path / "without.png", 300, 250) == (250, 250, 250)
    above = QImage(str(tmp_path / "with.png")).height() - 300
    assert above > 20
    assert pixel(tmp_path / "with.png", 100, 80 + above) == half


def test_svg_is_valid_xml_with_a_group_per_layer_and_escaped_texts(tmp_path):
    save(drawing(), tmp_path / "page.svg")
    root = etree.parse(tmp_path / "page.svg").getroot()
    groups = [g for g in root.iter(f"{SVG}g") if (g.get("id") or "").startswith("layer-")]
    assert [g.findtext(f"{SVG}title")[:6] for g in groups] == ["Blocks", "</titl"]
    assert root.get("width") == "400"
    assert not list(root.iter(f"{SVG}script"))
    assert root.find(f".//{SVG}image").get("href").startswith("data:image/png;base64,")


def test_pdf_is_one_page_of_the_size_of_the_web_page_with_names_as_text(qapp, tmp_path):
    save(drawing("Tea"), tmp_path / "page.pdf", has_legend=False)
    result = QPdfDocument()
    result.load(str(tmp_path / "page.pdf"))
    assert result.pageCount() == 1
    size = result.pagePointSize(0)
    assert (round(size.width()), round(size.height())) == (300, 225)  # 400 × 300 px
    # With letter spacing by the font, the reader takes each letter for a line.
    assert "script" in "".join(result.getAllText(0).text().split())
    result.close()


def test_html_has_no_scripts_or_external_files_and_a_strict_policy(tmp_path):
    save(drawing(), tmp_path / "page.html")
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "<script" not in html
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in unescape(html)
    assert " style=" not in html
    assert set(re.findall(r'(?:href|src)="([^"]{5})', html)) == {"data:"}


def test_unknown_file_extensions_and_missing_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"end it in html, png, svg (and|or) pdf"):
        save(drawing(), tmp_path / "page.doc")
    for kind in KINDS:
        with pytest.raises(InputError, match="cannot write"):
            save(drawing(), tmp_path / "missing" / f"page.{kind}")


@pytest.mark.web
def test_layers_of_the_html_file_are_toggled_by_mouse_and_keys(qtbot, tmp_path):
    save(drawing(), tmp_path / "page.html")
    shown = "getComputedStyle(document.querySelector('.layer-a')).display !== 'none'"
    with read_in_browser(tmp_path / "page.html", qtbot) as reader:
        assert reader.ask("typeof ran") == "undefined"
        assert reader.ask("document.querySelector('h1').innerText").startswith("</title><script>")
        assert reader.ask(shown)
        reader.click("document.querySelectorAll('label')[1]")
        reader.wait(f"!({shown})")
        reader.press(Qt.Key.Key_Space)  # the clicked box has the focus
        reader.wait(shown)
        box = "document.querySelectorAll('input')[1]"
        assert reader.ask(f"document.activeElement === {box}")
        reader.press(Qt.Key.Key_Tab)  # out of the page or to the first box
        reader.wait(f"document.activeElement !== {box}")
        assert reader.ask("['BODY', 'INPUT'].includes(document.activeElement.tagName)")


@pytest.mark.web
def test_the_command_draws_methods_and_gold_on_a_page_in_all_kinds(tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text(
        "<title>Tea</title><body style='margin:0'><p style='height:40px;margin:0'>Tea is a drink "
        "of hot water and leaves, <b style='display:none'>hidden</b> and has been for long.</p>",
        encoding="utf-8",
    )
    outs = [tmp_path / f"tea.{kind}" for kind in KINDS]
    words = [word for out in outs for word in ("--out", str(out))]
    assert main(["picture", str(page), "bte", "page-style", *words]) == 0
    root = etree.parse(tmp_path / "tea.svg").getroot()
    texts = root.find(f".//{SVG}g[@id='layer-bte']")
    rects = [[float(r.get(k)) for k in ("x", "y", "width")] for r in texts.iter(f"{SVG}rect")]
    assert len(rects) == 2  # the texts before and after the hidden one
    assert rects[0][:2] == [0, 0]
    assert rects[1][0] == pytest.approx(
        rects[0][2], abs=6
    )  # the second begins where the first ends
    html = (tmp_path / "tea.html").read_text("utf-8")
    assert str(tmp_path) not in html
    assert main(["picture", str(page), "bte", "--out", str(tmp_path / "x.gif")]) == 2
    assert "end it in" in capsys.readouterr().err
