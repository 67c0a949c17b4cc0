"""What a user of the Figure panel waits for, on a sample page.

    ./test tests/bench/test_bench_figures.py --benchmark-only

Figures of each family beside the plain run of their method, and the hover from the figure to the
page, script included, and from the page to the figure.
"""

import pytest
from pyqtgraph import setConfigOption
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

import resources
from algorithms.core.catalogue import method
from algorithms.figures.figure import NOWHERE
from algorithms.plugins.figure.method_figures import figures_of
from gui.plugins.figure.panel import FigureDock
from tests.plugins.figure.test_figure import drag, move_to, on_line, show

pytestmark = pytest.mark.web

KEYS = ("bte", "dsc", "accb", "cetr", "bp-numwords", "lqf", "vips", "webterrain", "block-fusion")


@pytest.fixture
def dock(hand):
    setConfigOption("mouseRateLimit", 0)  # figures take in each move of the mouse
    hand.open_path(resources.path("corpus") / "news" / "index.html")
    made = FigureDock(hand.workbench)
    hand.qtbot.addWidget(made)
    made.resize(900, 380)
    made.show()
    yield made
    setConfigOption("mouseRateLimit", 100)


@pytest.mark.parametrize("key", KEYS)
def test_figures_of_a_method(sample_pages, benchmark, key):
    page, entry = sample_pages["news"].page, method(key)
    source = entry.inputs[-1] if entry.on_page else "dom"
    assert benchmark(lambda: figures_of(entry, page, entry.params(), source))


@pytest.mark.parametrize("key", KEYS)
def test_plain_run_of_the_same_method(sample_pages, benchmark, key):
    page, entry = sample_pages["news"].page, method(key)
    source = entry.inputs[-1] if entry.on_page else "dom"
    benchmark(lambda: entry.run(page, entry.params(), source))


@pytest.mark.parametrize(
    ("key", "title"), [("accb", "Content code ratio"), ("cetr", "Ratio and jump, by cluster")]
)
def test_hover_in_the_figure_until_the_page_is_lit(hand, dock, benchmark, key, title):
    show(hand, dock, key, title)
    positions = dock.figure.items.places
    items = [k for k in range(len(positions)) if positions[k, 0] != NOWHERE]
    turn = iter(range(10**6))

    def hover():
        move_to(dock, dock.plot.position_of(items[next(turn) * 7 % len(items)]))
        hand.ask("CSS.highlights.size")  # scripts run in order

    benchmark(hover)


def test_hover_on_the_page_until_the_figure_is_lit(hand, dock, benchmark):
    show(hand, dock, "accb", "Content code ratio")
    rows = [r for r in range(len(hand.session.open.page.rendered())) if r % 5 == 0]
    turn = iter(range(10**6))

    def hover():
        hand.session.selection.set_candidate(rows[next(turn) % len(rows)])
        QApplication.processEvents()  # paints what has changed

    benchmark(hover)


def test_one_step_of_a_drag_until_figure_and_layer_have_followed(hand, dock, benchmark):
    show(hand, dock, "accb", "Content code ratio")
    turn = iter(range(10**6))

    def step():
        start = on_line(dock.plot, "threshold")
        way = 14 if next(turn) % 2 else -14
        before = hand.session.layers.outcomes["accb"].result
        drag(dock, start, start + QPointF(0, way))
        hand.qtbot.waitUntil(lambda: hand.session.layers.outcomes["accb"].result is not before)
        hand.qtbot.waitUntil(lambda: not hand.workbench.runner.is_running and not dock.is_busy)

    benchmark.pedantic(step, rounds=6, iterations=1)
