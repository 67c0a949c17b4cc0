"""How soon the next page is there once it was read ahead: in the whole window, its marks drawn.

    ./test tests/bench/test_bench_next_page.py -s

Prints the time from the key to the page with its marks on it, and, beside it, of the same pages
loaded as they are without reading ahead.  Methods run afterwards.  The goal is 150 ms for 95 %.
Processor time is that of the window's own thread, which a busy machine does not change.
"""

import statistics
import time

import pytest

from annotate.datasets.opening import list_documents
from tests.gui.parts import make_window
from tests.hand import Hand

pytestmark = [pytest.mark.web, pytest.mark.data, pytest.mark.long]

PAGES, LOADED, WAIT, AHEAD = 30, 10, 120_000, 40_000


def comes(hand, is_there) -> bool:
    """Wait for a condition; return whether it came."""
    try:
        hand.qtbot.waitUntil(is_there, timeout=AHEAD)
    except hand.qtbot.TimeoutError:  # a page that cannot be read ahead is loaded when it is wanted
        return False
    return True


def walk(hand, documents, *, is_ahead: bool) -> tuple[list[float], list[float]]:
    """Return the seconds from one page to the next, and the processor's, for each."""
    workbench, session = hand.workbench, hand.session
    workbench.navigation.reads_ahead = is_ahead
    with hand.qtbot.waitSignal(session.page_changed, timeout=WAIT):
        workbench.navigation.open_document(0)
    times, busy = [], []
    for _ in documents[1:]:
        hand.wait_for_methods()
        if is_ahead and not comes(hand, lambda: workbench.canvas.is_next_ready):
            print(f"not read ahead: the page after {session.document.name}")
            with hand.qtbot.waitSignal(session.page_changed, timeout=WAIT):
                workbench.navigation.next_page()
            continue
        hand.qtbot.wait(300)  # nobody turns a page while the next one is still being painted
        start, own = time.perf_counter(), time.thread_time()
        with hand.qtbot.waitSignal(session.page_changed, timeout=WAIT):
            workbench.navigation.next_page()
        workbench.drawing.draw()
        hand.ask("1")  # scripts run in order: the marks are on the page
        times.append(time.perf_counter() - start)
        busy.append(time.thread_time() - own)
    return times, busy


def test_the_next_page(qtbot, tmp_path, datasets):
    documents = list_documents(datasets / "kreuzer-random", variant="repaired", problems=[])[:PAGES]
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.resize(1300, 850)
    hand = Hand(window.workbench, qtbot, tmp_path)
    window.workbench.workspace.add_pages(documents)
    window.session.set_documents(documents)
    for name, is_ahead, some in (
        ("read ahead", True, documents),
        ("loaded", False, documents[:LOADED]),
    ):
        unsorted, busy = walk(hand, some, is_ahead=is_ahead)
        times = sorted(unsorted)
        p95 = times[min(len(times) - 1, round(0.95 * len(times)))]
        print(
            f"{name:<12} {len(times)} pages: median {1000 * statistics.median(times):6.0f} ms, "
            f"95 % {1000 * p95:6.0f} ms, worst {1000 * times[-1]:6.0f} ms; "
            f"processor {1000 * statistics.median(busy):4.0f} ms"
        )
    window.close_down()
