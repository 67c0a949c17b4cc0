"""Pictures of the worst pages: gold and result as the window draws them, one problem a page."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from algorithms.catalogue import method
from annotate.gold import MAIN, Gold, Mark, Target
from engine.document import open_document
from engine.errors import InputError
from engine.web.headless import Browser
from gui.evaluation.report.pictures import Subject, draw_worst
from gui.layers import gold_layers, method_layer

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


def mark_first_div(page):
    nodes = page.rendered()
    row = next(row for row in range(len(nodes)) if nodes.name_of(row) == "div")
    return Gold((Mark("a", 1, (Target(row),), "Content"), Mark("b", MAIN, (Target(row),))))


def subject(path, key="terrain", page="page", **more):
    entry = method(key)
    form = "rendered" if entry.on_page else "dom"
    return Subject(
        ("news", page, form), key, lambda: open_document(str(path)), mark_first_div,
        entry, entry.params(), form, **more,
    )  # fmt: skip


def colors(path):
    """The pixels of a picture, int (h, w, 3)."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def has_color(pixels, color):
    wanted = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
    return bool((np.abs(pixels - wanted).max(axis=2) < 30).any())


@pytest.mark.web
def test_a_picture_shows_the_whole_page_with_gold_and_result(browser, page, tmp_path):
    found = draw_worst([subject(page, says="fuzzy 0.123")], tmp_path / "pictures", browser)
    [(place, path)] = found.pictures.items()
    assert place == (("news", "page", "rendered"), "terrain")
    assert not found.problems
    pixels = colors(path)
    assert pixels.shape[0] > 1600  # all of it, not only what fits a window
    assert pixels.shape[1] == 1366
    body = pixels[BAND:]
    assert has_color(body, method_layer("terrain", 0).color)
    assert has_color(body, gold_layers()[1].color)
    head = pixels[:BAND]
    assert has_color(head, gold_layers()[1].color)  # the key to colours
    assert has_color(head[:, :300], "#16181d")  # the page's name


@pytest.mark.web
def test_each_method_is_drawn_alone_on_a_page_captured_once(browser, page, tmp_path):
    opened = []

    def document():
        opened.append(1)
        return open_document(str(page))

    first, second = subject(page), subject(page, "bte")
    said = []
    subjects = [
        Subject(("news", "page", "dom"), each.setup, document, each.gold, each.entry, each.params,
                each.form)
        for each in (first, second)
    ]  # fmt: skip
    found = draw_worst(
        subjects, tmp_path, browser, say=lambda done, total: said.append((done, total))
    )
    assert len(opened) == 1
    assert said == [(1, 2), (2, 2)]
    boxes, words = (colors(found.pictures[each.key, each.setup]) for each in subjects)
    assert has_color(boxes[BAND:], gold_layers()[1].color)
    assert not has_color(words[BAND:], gold_layers()[1].color)  # an extractor is seen with content
    assert boxes.shape == words.shape
    assert (boxes != words).any()


@pytest.mark.web
def test_a_run_that_failed_is_not_run_again_and_gold_is_drawn(browser, page, tmp_path):
    found = draw_worst([subject(page, why_not="it took more than 120 seconds")], tmp_path, browser)
    [path] = found.pictures.values()
    pixels = colors(path)[BAND:]
    assert has_color(pixels, gold_layers()[1].color)
    assert not has_color(pixels, method_layer("terrain", 0).color)


@pytest.mark.web
def test_a_page_that_cannot_be_had_is_a_problem_of_its_own(browser, page, tmp_path):
    def gone():
        raise InputError("the file has gone")

    lost = subject(page, page="lost")
    lost = Subject(lost.key, lost.setup, gone, lost.gold, lost.entry, lost.params, lost.form)
    found = draw_worst([lost, subject(page)], tmp_path, browser)
    assert found.problems == {(lost.key, "terrain"): "the file has gone"}
    assert [key[1] for key, _ in found.pictures] == ["page"]


@pytest.mark.web
def test_a_folder_for_pictures_that_cannot_be_made_is_one_sentence(browser, page, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        draw_worst([subject(page)], tmp_path / "file" / "pictures", browser)
