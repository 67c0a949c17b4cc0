"""Pictures of the worst pages: gold and result as in the window; problems per page."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from algorithms.core.batch import Setup
from algorithms.core.catalogue import method
from annotate.datasets.case_files import PageFiles
from annotate.datasets.opening import open_document
from annotate.evaluation.report.pictures import PictureRequest
from annotate.marks.gold import MAIN, Gold, Mark, Target
from engine.errors import InputError
from engine.web.headless import Browser
from gui.pictures.page_picture import draw_page
from gui.state.layers import gold_layers, method_layer

PAGE = """<!doctype html><meta charset=utf-8><body style="margin:0;background:#fff">
<div style="height:200px"><p>News of the day, told at some length so that a method takes it for
content and not for a menu; with a second sentence, and a third one behind it, as stories have.</p>
</div><div style="height:1400px"><a href=#>home</a></div>"""
BAND = 32


@pytest.fixture(scope="module")
def browser(qapp):
    with Browser() as browser:
        yield browser


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


class Files(PageFiles):
    """A page whose gold is its first ``div``; notes how often it is opened."""

    def __init__(self, path):
        self.path, self.opened = path, 0

    def document(self):
        self.opened += 1
        return open_document(str(self.path))

    def marks(self, page):
        return mark_first_div(page)


def mark_first_div(page):
    nodes = page.rendered()
    row = next(row for row in range(len(nodes)) if nodes.name_of(row) == "div")
    return Gold((Mark("a", 1, (Target(row),), "Content"), Mark("b", MAIN, (Target(row),))))


def wanted(files, key="terrain", says="", why_not=""):
    entry = method(key)
    form = "rendered" if entry.on_page else "dom"
    setup = Setup(key, entry.params(), form)
    return PictureRequest(("news", "page", form), key, files, setup, says, why_not)


def colors(path):
    """Return the pixels of a picture, int (h, w, 3)."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def has_color(pixels, color):
    asked = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
    return bool((np.abs(pixels - asked).max(axis=2) < 30).any())


@pytest.mark.web
def test_a_picture_shows_the_whole_page_with_gold_and_result(browser, page, tmp_path):
    asked = wanted(Files(page), says="fuzzy 0.123")
    result = draw_page([asked], tmp_path / "pictures", browser)
    [(position, path)] = result.files.items()
    assert position == (("news", "page", "rendered"), "terrain")
    assert not result.problems
    pixels = colors(path)
    assert pixels.shape[0] > 1600  # the whole page, not only the size of a window
    assert pixels.shape[1] == 1366
    body = pixels[BAND:]
    assert has_color(body, method_layer("terrain").color)
    assert has_color(body, gold_layers()[1].color)
    head = pixels[:BAND]
    assert has_color(head, gold_layers()[1].color)  # the key to colours
    assert has_color(head[:, :300], "#16181d")  # the page's name


@pytest.mark.slow
@pytest.mark.web
def test_each_method_is_drawn_separately_on_a_page_captured_once(browser, page, tmp_path):
    files = Files(page)
    asked = [wanted(files), wanted(files, "accb")]  # ACCB's colour differs much from that of gold
    result = draw_page(asked, tmp_path, browser)
    assert files.opened == 1
    boxes, words = (colors(result.files[each.picture_key]) for each in asked)
    assert has_color(boxes[BAND:], gold_layers()[1].color)
    assert not has_color(
        words[BAND:], gold_layers()[1].color
    )  # an extractor is drawn with main content
    assert boxes.shape == words.shape
    assert (boxes != words).any()


@pytest.mark.web
def test_only_gold_is_drawn_for_a_failed_run(browser, page, tmp_path):
    asked = wanted(Files(page), "block-fusion", why_not="it took more than 120 seconds")
    result = draw_page([asked], tmp_path, browser)
    [path] = result.files.values()
    pixels = colors(path)[BAND:]
    assert has_color(pixels, gold_layers()[1].color)
    assert not has_color(pixels, method_layer("block-fusion").color)


@pytest.mark.web
def test_a_missing_page_is_reported_as_a_problem_of_each_picture(browser, page, tmp_path):
    asked = [wanted(Files(tmp_path / "gone.html"), key) for key in ("terrain", "bte")]
    result = draw_page(asked, tmp_path, browser)
    assert not result.files
    assert list(result.problems) == [each.picture_key for each in asked]
    assert all("gone.html" in why for why in result.problems.values())


@pytest.mark.web
def test_an_unwritable_folder_for_pictures_raises_an_error(browser, page, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        draw_page([wanted(Files(page))], tmp_path / "file" / "pictures", browser)
