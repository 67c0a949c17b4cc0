"""Two pages of a site side by side in the window, by mouse and key."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from gui.features.pages.feature import PageMenu
from gui.plugins.page_diff.template_layers import ALONE, OTHER, SHARED
from gui.plugins.page_diff.view import PageDiffView
from gui.plugins.site.view import SiteView
from tests.gui.parts import cut_off, make_window

pytestmark = pytest.mark.web

MOST_MS = 120_000

FRAME = """<!doctype html><title>{name}</title>
<style>*{{margin:0}} body{{font:16px/24px sans-serif}} p,nav,footer{{padding:30px 10px}}</style>
{advert}<nav><a href=a>News</a> <a href=b>Sport</a></nav>
<main>{story}</main>
<aside id=more><p>More of this every day at seven.</p></aside>
<footer>Imprint of the Courier</footer><div style="height:3000px"></div>"""

ADVERT = "<div class=advert style='height:500px'>Buy a boat</div>"


def story(count, words):
    return "".join(f"<p>{words} {n}.</p>" for n in range(count))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pages = tmp_path / "pages"
    pages.mkdir()
    for name, advert, text in (
        ("ferry.html", "", story(4, "The ferry came back")),
        ("bridge.html", ADVERT, story(9, "A bridge was built")),
        ("other.html", "", "<table><tr><td>1<td>2</table>"),
    ):
        (pages / name).write_text(FRAME.format(name=name, advert=advert, story=text))
    return pages


@pytest.fixture
def window(qtbot, folder, tmp_path):
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(1300, 850)
    made.open_path(str(folder))
    qtbot.waitUntil(lambda: made.session.open.page is not None, timeout=MOST_MS)
    yield made
    made.close_down()


def place(window, name):
    return [document.name for document in window.session.documents].index(name)


def click_tile(window, qtbot, name, modifier=Qt.KeyboardModifier.NoModifier):
    thumbnails = window.main_area.get(SiteView).thumbnails
    at = thumbnails.rect_of(place(window, name)).center()
    qtbot.mouseClick(thumbnails.viewport(), Qt.MouseButton.LeftButton, modifier, at)


@pytest.fixture
def site(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F12)
    site = window.main_area.get(SiteView)
    qtbot.waitUntil(lambda: site.state.overview is not None, timeout=MOST_MS)
    return site


@pytest.fixture
def pair(window, site, qtbot):
    """Compare ferry and bridge, chosen with the mouse among the thumbnails of the site."""
    click_tile(window, qtbot, "ferry.html")
    click_tile(window, qtbot, "bridge.html", Qt.KeyboardModifier.ControlModifier)
    qtbot.mouseClick(site.bar.pair, Qt.MouseButton.LeftButton)
    wait_for_pair(window, qtbot)
    view = window.main_area.get(PageDiffView)
    if view.panes[0].index != place(window, "ferry.html"):
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        page = view.panes[0].canvas.view.focusProxy()
        qtbot.waitUntil(lambda: page.hasFocus() or view.panes[0].canvas.view.hasFocus())
        qtbot.keyClick(page, Qt.Key.Key_F2, both)
        wait_for_pair(window, qtbot)
    return view


def wait_for_pair(window, qtbot):
    qtbot.waitUntil(lambda: len(window.main_area.get(PageDiffView).diffs) == 2, timeout=MOST_MS)


def drawn(pane):
    """Return color → number of boxes that the page draws."""
    return {spec["color"]: len(spec["boxes"]) for spec in pane.canvas.drawn}


def row_of(pane, name):
    nodes = pane.page.rendered()
    return next(row for row in range(len(nodes)) if nodes.name_of(row) == name)


@pytest.mark.slow
def test_two_pages_of_a_site_are_shown_with_shared_and_differing_parts(window, pair, qtbot):
    ferry, bridge = pair.panes
    assert (ferry.choice.currentText(), bridge.choice.currentText()) == (
        "ferry.html",
        "bridge.html",
    )
    assert window.main_area.stack.currentWidget() is pair
    assert drawn(ferry) == {SHARED[0]: 1, SHARED[1]: 1, OTHER: 1}
    assert drawn(bridge) == {SHARED[0]: 1, SHARED[1]: 1, OTHER: 1, ALONE: 1}
    # the same part has the same colour and number on both
    for color, number in ((SHARED[0], "1"), (SHARED[1], "2")):
        for pane in pair.panes:
            spec = next(each for each in pane.canvas.drawn if each["color"] == color)
            assert [box["label"] for box in spec["boxes"]] == [number]
    assert pair.legend.note.startswith("2 parts of the template · 1 position with other content")
    alt = Qt.KeyboardModifier.AltModifier
    page = pair.panes[0].canvas.view.focusProxy()
    qtbot.waitUntil(page.hasFocus)
    qtbot.keyClick(page, Qt.Key.Key_Down, alt)
    assert pair.legend.note == "1 of 2 differences"
    qtbot.keyClick(page, Qt.Key.Key_Down, alt)
    assert pair.legend.note == "2 of 2 differences"
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.main_area.shows(SiteView)
    assert not window.main_area.shows(PageDiffView)
    assert all(pane.page is None for pane in pair.panes)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.main_area.is_covered


@pytest.mark.slow
def test_two_pages_scroll_together_and_one_is_exchanged_and_opened(window, pair, qtbot):
    ferry, bridge = pair.panes
    top, there = (float(p.page.rendered().rect[row_of(p, "aside"), 1]) for p in pair.panes)
    assert there - top > 500
    target = ferry.canvas.view.focusProxy()
    notches = 0
    while ferry.top < top and notches < 60:
        before, at = ferry.top, target.rect().center()
        event = QWheelEvent(
            at.toPointF(), target.mapToGlobal(at).toPointF(), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(target, event)
        qtbot.waitUntil(lambda b=before: ferry.top > b, timeout=MOST_MS)
        notches += 1
    qtbot.waitUntil(
        lambda: abs((bridge.top - there) - (ferry.top - top)) < 80 and bridge.top > 500,
        timeout=MOST_MS,
    )
    other = place(window, "other.html")
    box = pair.panes[1].choice
    box.setFocus()
    box.showPopup()
    popup = box.view()
    popup.setCurrentIndex(box.model().index(other, 0))
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pair.panes[1].index == other)
    wait_for_pair(window, qtbot)
    assert ALONE not in drawn(pair.panes[1])
    qtbot.mouseClick(pair.panes[1].head.button, Qt.MouseButton.LeftButton)
    assert window.session.open.document.name == "other.html"
    assert window.main_area.stack.currentWidget() is not pair


@pytest.mark.slow
def test_shift_f12_compares_the_open_page_with_the_next_one(window, qtbot):
    shift = Qt.KeyboardModifier.ShiftModifier
    here = window.session.documents.index(window.session.open.document)
    qtbot.keyClick(window, Qt.Key.Key_F12, shift)
    wait_for_pair(window, qtbot)
    panes = window.main_area.get(PageDiffView).panes
    assert [pane.index for pane in panes] == [here, (here + 1) % 3]
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.main_area.stack.currentWidget() is window.workbench.canvas


def test_a_listed_page_is_compared_with_the_open_one(window, qtbot):
    opened = window.session.documents.index(window.session.open.document)
    other = next(row for row in range(len(window.session.documents)) if row != opened)
    window.workbench.get(PageMenu).choose(other)
    window.actions_.enable(window.workbench)
    window.actions_["page-compare"].trigger()
    assert window.main_area.shows(PageDiffView)
    assert window.main_area.get(PageDiffView).pair == (opened, other)


@pytest.mark.slow
def test_comparing_two_pages_hides_panels_and_facts_of_the_open_page(window, pair, qtbot):
    assert window.status_bar.hint.toolTip() == "ferry.html · bridge.html"
    assert not any(dock.isVisible() for dock in window.panels.docks)
    for fact in ("viewport", "aligned", "saved"):
        assert not getattr(window.status_bar, fact).isVisible()
    assert not window.actions_["status-done"].isEnabled()
    assert window.actions_["export-picture"].isEnabled()
    assert window.windowTitle().startswith("ferry.html · bridge.html")
    qtbot.mouseClick(pair.panes[1].head.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=MOST_MS)
    assert "bridge.html" in window.status_bar.hint.toolTip()
    assert all(dock.isVisible() for dock in window.panels.docks)
    assert window.status_bar.viewport.text


@pytest.mark.slow
def test_closing_the_window_restores_panels_hidden_by_two_pages(window, pair, qtbot, tmp_path):
    qtbot.keyClick(window, Qt.Key.Key_F12)  # the site view covers the pair
    assert window.main_area.shows(SiteView)
    window.close()
    assert not window.main_area.shows(SiteView)
    assert all(not dock.isHidden() for dock in window.panels.docks)
    window.close_down()
    reopened = make_window(tmp_path)
    qtbot.addWidget(reopened)
    assert all(not dock.isHidden() for dock in reopened.panels.docks)
    reopened.close_down()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1300, 860])
def test_heads_and_legend_of_two_pages_fit_any_width(window, pair, qtbot, width):
    window.resize(width, 700)
    QApplication.processEvents()
    for pane in pair.panes:
        assert pane.words.text().endswith("% on both")
        assert cut_off(pane) == []
    for wide in (width, 400, 200):
        positions = pair.legend.positions(wide)
        assert len(positions) == 3
        ends = [
            x + 24 + pair.legend.fontMetrics().horizontalAdvance(words)
            for (x, _), words in zip(positions, pair.legend.words, strict=True)
        ]
        lines = positions[-1][1] + 1
        assert pair.legend.heightForWidth(wide) >= lines * pair.legend.fontMetrics().height()
        assert wide < 300 or max(ends) <= wide
    assert pair.legend.heightForWidth(200) > pair.legend.heightForWidth(1300)


@pytest.mark.slow
def test_comparing_is_offered_once_two_pages_are_selected(window, site, qtbot):
    button = site.bar.pair
    assert button.isHidden()
    click_tile(window, qtbot, "ferry.html")
    assert button.isHidden()
    click_tile(window, qtbot, "other.html", Qt.KeyboardModifier.ControlModifier)
    assert button.isVisible()
