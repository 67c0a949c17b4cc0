"""The Figure panel by mouse: highlights from figure to page and back, thresholds, sweeps."""

import numpy as np
import pytest
from pyqtgraph import PlotWidget, setConfigOption
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from algorithms.core.attempt import attempt
from algorithms.core.catalogue import method
from algorithms.explain.differences import words_kept
from annotate.marks.gold import Gold, Mark, Target
from gui.plugins.figure.panel import SWEEP, FigureDock
from gui.state.selection import NOTHING, Mode
from gui.state.shown_scores import headline

PAGE = (
    "<ul><li><a href=a>home</a><li><a href=b>news</a><li><a href=c>sport</a></ul>"
    "<p id=story>" + "The ferry went back to the island this morning with the tide. " * 12 + "</p>"
    "<p id=more>" + "Nobody had thought that the old cable would hold it so long. " * 9 + "</p>"
    "<div><i>ad</i><b>buy</b><i>now</i><b>here</b></div>"
)
LEFT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@pytest.fixture(autouse=True)
def every_move():
    """Let figures handle every move of the mouse, not only the usual 100 per second."""
    setConfigOption("mouseRateLimit", 0)
    yield
    setConfigOption("mouseRateLimit", 100)


@pytest.fixture
def dock(hand):
    hand.open(PAGE)
    made = FigureDock(hand.workbench)
    hand.qtbot.addWidget(made)
    made.resize(800, 380)
    made.show()
    hand.qtbot.waitExposed(made)
    return made


def show(hand, dock, key: str, title: str) -> None:
    hand.session.layers.add_method(key)
    hand.wait_for_methods()
    hand.qtbot.waitUntil(
        lambda: dock.choice.findText(title) >= 0 and not dock.is_busy, timeout=10_000
    )
    dock.choose(title)
    QApplication.processEvents()  # for the layout of the plot


def mouse(widget, kind, place, button, buttons) -> None:
    at = QPointF(place)
    event = QMouseEvent(
        kind, at, widget.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def on_line(plot, parameter: str) -> QPointF:
    """Return a point on the line of a parameter, in pixels of the plot."""
    line = plot.line(parameter)
    (left, right), (low, high) = line.getViewBox().viewRange()
    middle = QPointF((left + right) / 2, line.value())
    at = middle if line.angle == 0 else QPointF(line.value(), (low + high) / 2)
    return QPointF(line.getViewWidget().mapFromScene(line.getViewBox().mapViewToScene(at)))


def area_of(plot, item) -> QRectF:
    """Return the area of an item of the figure, in pixels of the plot."""
    view = plot.findChild(PlotWidget)
    return QRectF(view.mapFromScene(item.sceneBoundingRect()).boundingRect())


def drawn_area(plot) -> QRectF:
    """Return the area between the axes."""
    return area_of(plot, plot.findChild(PlotWidget).getViewBox())


def move_to(dock, place: QPointF) -> None:
    canvas = dock.plot.canvas
    for at in (place + QPointF(3, 3), place):
        mouse(canvas, QEvent.Type.MouseMove, at, NO, NO)


def drag(dock, start: QPointF, end: QPointF) -> None:
    canvas = dock.plot.canvas
    move_to(dock, start)
    mouse(canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for k in range(1, 9):
        mouse(canvas, QEvent.Type.MouseMove, start + (end - start) * k / 8, NO, LEFT)
        QApplication.processEvents()
    mouse(canvas, QEvent.Type.MouseButtonRelease, end, LEFT, NO)


def story_item(hand, dock) -> int:
    row = hand.row("#story")
    words = dock._words(
        hand.session.open.page, row, int(hand.session.open.page.rendered().end[row])
    )
    return int(dock.figure.items.on(*words)[0])


@pytest.mark.web
def test_pointing_at_an_item_of_the_figure_highlights_it_on_the_page(hand, dock):
    show(hand, dock, "accb", "Content code ratio")
    item = story_item(hand, dock)
    move_to(dock, dock.plot.position_of(item))
    lit = hand.session.selection.highlight
    assert lit.first_row == hand.row("#story") + 1
    result = hand.ask(
        "[...CSS.highlights.get('light-of-pagelet')].map(r => r.startContainer.data).join(' ')"
    )
    assert result.startswith("The ferry went back")
    assert "at most" in dock.readout.text()
    QApplication.sendEvent(dock.plot, QEvent(QEvent.Type.Leave))
    assert hand.session.selection.highlight == NOTHING
    assert hand.ask("CSS.highlights.has('light-of-pagelet')") is False


@pytest.mark.web
def test_pointing_at_an_element_of_the_page_highlights_it_in_the_figure(hand, dock):
    show(hand, dock, "cetr-tm", "Tag ratios")
    lit: list[list[int]] = []
    dock.plot.light = lambda items: lit.append(list(items))
    hand.hover("#more")
    hand.qtbot.waitUntil(lambda: bool(lit) and bool(lit[-1]))
    words = dock.figure.items.places[lit[-1]]
    text = hand.session.open.page.dom.words[words[0, 0] : words[-1, 1]]
    assert "Nobody" in text
    assert "ferry" not in text[4:]


@pytest.mark.web
@pytest.mark.parametrize(
    ("key", "title", "parameter"),
    [
        ("accb", "Content code ratio", "threshold"),
        ("cetr-tm", "Tag ratios", "strictness"),
        ("dsc", "Slope of each window", "slope"),
    ],
)
def test_dragging_a_threshold_changes_a_layer_as_one_undo_step(hand, dock, key, title, parameter):
    show(hand, dock, key, title)
    before = hand.session.layers.layer(key).params
    changes: list[float] = []
    hand.session.layers.setup_changed.connect(
        lambda _: changes.append(getattr(hand.session.layers.layer(key).params, parameter))
    )
    start = on_line(dock.plot, parameter)
    drag(dock, start, start - QPointF(0, 60))
    after = hand.session.layers.layer(key).params
    assert getattr(after, parameter) > getattr(before, parameter)
    assert len(changes) >= 4, "the layer follows while the line moves"
    assert changes == sorted(changes)
    hand.qtbot.waitUntil(
        lambda: (
            not dock.is_busy
            and not hand.workbench.runner.is_running
            and dock.figure is not None
            and dock.figure.thresholds[0].at / dock.figure.thresholds[0].unit
            == pytest.approx(getattr(after, parameter))
        ),
    )
    assert dock.plot.line(parameter).value() == pytest.approx(dock.figure.thresholds[0].at)
    assert hand.workbench.page_session.undo_text is not None
    hand.workbench.page_session.undo()
    assert hand.session.layers.layer(key).params == before
    assert hand.workbench.page_session.undo_text is None
    hand.workbench.page_session.redo()
    assert hand.session.layers.layer(key).params == after


@pytest.mark.web
def test_dragging_the_threshold_up_drops_the_items_below_it(hand, dock):
    show(hand, dock, "accb", "Content code ratio")
    start = on_line(dock.plot, "threshold")
    drag(dock, start, QPointF(start.x(), 4))
    hand.wait_for_methods()
    hand.qtbot.waitUntil(lambda: not hand.workbench.runner.is_running and not dock.is_busy)
    result = hand.session.layers.outcomes["accb"].result
    figure = dock.figure
    above = figure.items.y > hand.session.layers.layer("accb").params.threshold
    is_kept = words_kept(result)
    for (first, last), is_above in zip(figure.items.places.tolist(), above.tolist(), strict=True):
        assert np.all(is_kept[first:last] == is_above)


@pytest.mark.web
def test_a_drag_redraws_only_its_layer_until_it_is_released(hand, dock):
    show(hand, dock, "accb", "Content code ratio")
    session, runner = hand.session, hand.workbench.runner
    runner._pause.setInterval(600_000)  # so that a slow machine does not count as a pause
    drawn: list[object] = []
    messages: list[str] = []
    session.layers.passing_changed.connect(
        lambda key: drawn.append(session.layers.outcomes[key].result)
    )
    session.layers.outcome_changed.connect(messages.append)
    session.layers.layers_changed.connect(lambda: messages.append("layers"))
    before = session.layers.outcomes["accb"].result
    canvas, start = dock.plot.canvas, on_line(dock.plot, "threshold")
    move_to(dock, start)
    mouse(canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for k in range(1, 9):
        mouse(canvas, QEvent.Type.MouseMove, start - QPointF(0, 6 * k), NO, LEFT)
        QApplication.processEvents()
    hand.qtbot.waitUntil(lambda: bool(drawn) and not runner.is_running, timeout=60_000)
    assert drawn[-1] is not before
    assert len(drawn) <= 8
    assert messages == []
    mouse(canvas, QEvent.Type.MouseButtonRelease, start - QPointF(0, 48), LEFT, NO)
    hand.qtbot.waitUntil(lambda: not runner.is_running and not dock.is_busy, timeout=60_000)
    assert set(messages) == {"accb", "layers"}
    layer = session.layers.layer("accb")
    fresh = attempt(method("accb"), session.open.page, layer.params, layer.source).result
    assert session.layers.outcomes["accb"].result.spans.tolist() == fresh.spans.tolist()


@pytest.mark.web
def test_a_drag_that_pauses_is_scored_before_its_release(hand, dock):
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#story")
    show(hand, dock, "accb", "Content code ratio")
    hand.qtbot.waitUntil(lambda: "accb" in hand.session.layers.scores, timeout=60_000)
    before = hand.session.layers.scores["accb"]
    canvas, start = dock.plot.canvas, on_line(dock.plot, "threshold")
    move_to(dock, start)
    mouse(canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for at in (start - QPointF(0, 8), QPointF(start.x(), 4)):
        mouse(canvas, QEvent.Type.MouseMove, at, NO, LEFT)
    hand.qtbot.waitUntil(lambda: hand.session.layers.scores["accb"] is not before, timeout=60_000)
    assert hand.session.layers.dragged == ""
    mouse(canvas, QEvent.Type.MouseButtonRelease, QPointF(start.x(), 4), LEFT, NO)
    hand.wait_for_methods()


@pytest.mark.web
@pytest.mark.parametrize("width", [800, 300])
@pytest.mark.parametrize(
    ("key", "title"), [("vips", "Blocks with their DoC"), ("cetr", "Ratio and jump, by cluster")]
)
def test_the_legend_is_above_the_plot_and_not_cut_off(hand, dock, key, title, width):
    dock.resize(width, 300)
    show(hand, dock, key, title)
    plot = dock.plot
    names = {dots.name for dots in dock.figure.dots if dots.name}
    assert len(names) > 1

    def lies_above():
        drawn, legend = drawn_area(plot), area_of(plot, plot._legend)
        return legend.height() > 10 and legend.bottom() <= drawn.top() + 1

    hand.qtbot.waitUntil(lies_above)
    assert area_of(plot, plot._legend).right() <= plot.canvas.width()
    dots = [plot.position_of(item) for item in range(len(dock.figure.items))]
    assert min(dot.y() for dot in dots) > area_of(plot, plot._legend).bottom()


@pytest.mark.web
def test_a_figure_fills_its_area_at_first_and_after_a_resize(hand, dock):
    show(hand, dock, "vips", "Blocks with their DoC")
    plot = dock.plot

    def share():
        """Return the used share of the area along both axes."""
        dots = [plot.position_of(item) for item in range(len(dock.figure.items))]
        area = drawn_area(plot)
        across, down = [dot.x() for dot in dots], [dot.y() for dot in dots]
        return ((max(across) - min(across)) / area.width(), (max(down) - min(down)) / area.height())

    for size in ((800, 380), (900, 600)):
        dock.resize(*size)
        hand.qtbot.waitUntil(lambda: min(share()) > 0.55)


@pytest.mark.web
def test_the_figure_is_written_in_every_format_and_a_failure_is_reported(hand, dock, tmp_path):
    show(hand, dock, "cetr", "Ratio and jump, by cluster")
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"series,kind"}
    for ending, start in starts.items():
        file = tmp_path / f"figure.{ending}"
        dock.save(str(file))
        assert file.read_bytes().startswith(start)
    dock.save(str(tmp_path / "no" / "figure.csv"))
    assert "could not be written" in hand.session.messages.message


@pytest.mark.web
def test_the_panel_without_a_method_asks_to_choose_one(hand, dock):
    show(hand, dock, "accb", "Content code ratio")
    assert dock.plot.isVisible()
    assert dock.choice.isVisible()
    hand.session.layers.set_current_layer("gold-main")
    hand.qtbot.waitUntil(lambda: "Choose a method" in dock.empty.text())
    assert dock.empty.isVisible()
    assert not dock.choice.isVisible()
    assert not dock.plot.isVisible()


@pytest.mark.web
def test_the_best_value_of_a_score_curve_is_applied_by_a_click(hand, dock):
    page_gold = hand.session.open.gold
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#story")
    hand.qtbot.waitUntil(lambda: hand.session.open.gold != page_gold)
    show(hand, dock, "accb", SWEEP)
    assert "Choose one parameter" in dock.empty.text()
    dock.sweep.first.setCurrentText("threshold")
    hand.qtbot.mouseClick(dock.sweep.button, LEFT)
    sweep = dock.sweep.sweep
    hand.qtbot.waitUntil(lambda: not dock.sweep.is_running and sweep.done == sweep.size)
    assert dock.sweep.button.text() == "Start"
    (position,), top = sweep.best
    assert f"F1 {top:.3f}" in dock.readout.text()
    QApplication.processEvents()
    at = dock.plot.position_of(position)
    move_to(dock, at)
    hand.qtbot.mouseClick(dock.plot.canvas, LEFT, pos=at.toPoint())
    layer = hand.session.layers.layer("accb")
    assert layer.params.threshold == sweep.values[0][position]
    hand.wait_for_methods()
    hand.qtbot.waitUntil(lambda: not hand.workbench.runner.is_running)
    shown = headline(
        hand.session.layers.scores["accb"], 0, hand.session.layers.outcomes["accb"].result
    )
    assert shown.prf.f1 == pytest.approx(top)
    hand.workbench.page_session.undo()
    assert hand.session.layers.layer("accb").params.threshold == 0.75


@pytest.mark.web
def test_a_sweep_needs_marks_and_can_be_stopped(hand, dock):
    show(hand, dock, "accb", SWEEP)
    hand.qtbot.mouseClick(dock.sweep.button, LEFT)
    assert "mark main content" in hand.session.messages.message
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#story")
    hand.qtbot.waitUntil(lambda: bool(hand.session.open.gold.marks))
    dock.sweep.first.setCurrentText("range")
    dock.sweep.second.setCurrentText("threshold")
    dock.sweep.start()
    sweep = dock.sweep.sweep
    hand.qtbot.waitUntil(lambda: sweep.done > 2)
    hand.qtbot.mouseClick(dock.sweep.button, LEFT)
    assert not dock.sweep.is_running
    assert sweep.done < sweep.size
    assert dock.figure.strips is not None


@pytest.mark.slow
def test_a_sweep_over_all_pages_scores_those_with_gold(hand, dock, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    folder = tmp_path / "site"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>{PAGE}")
    hand.open_path(folder)
    first = hand.session.open.page
    story = hand.row("#story")
    hand.session.set_gold(Gold((Mark("m", 0, (Target(story),)),)))
    show(hand, dock, "lqf", SWEEP)
    hand.workbench.navigation.next_page()
    hand.qtbot.waitUntil(lambda: hand.session.open.page not in (None, first), timeout=20_000)
    hand.wait_for_methods()
    hand.qtbot.waitUntil(lambda: not dock.is_busy)
    dock.choose(SWEEP)
    words = [dock.sweep.pages.itemText(k) for k in range(dock.sweep.pages.count())]
    assert words == ["this page", "all 3 pages"]
    dock.sweep.pages.setCurrentIndex(1)
    hand.qtbot.mouseClick(dock.sweep.button, LEFT)
    sweep = dock.sweep.sweep
    hand.qtbot.waitUntil(lambda: not dock.sweep.is_running, timeout=60_000)
    assert (sweep.counted, sweep.left_out) == (1, 2)
    assert sweep.best is not None
    assert "mean of 1 page" in dock.figure.note
