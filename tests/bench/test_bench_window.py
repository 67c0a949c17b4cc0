"""What a user waits for in the window.

    ./test tests/bench/test_bench_window.py --benchmark-only -s

Prints times from opening a page to overlay and scores over the pages of the data set, and from a
click to new numbers on screen, beside lexbor's parse of the same bytes in the same run.
"""

import statistics
import time

import pytest
from selectolax.lexbor import LexborHTMLParser

from algorithms.results import Extraction
from annotate.datasets.opening import list_documents
from annotate.marks.gold import MAIN, Target
from gui.state.selection import Mode

pytestmark = [pytest.mark.web, pytest.mark.data, pytest.mark.long]

CLICKS = 12


def quantiles(values):
    ordered = sorted(values)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


def test_open_to_overlay_and_scores_and_click_to_scores(hand, datasets, benchmark, record_property):
    documents = list_documents(datasets / "kreuzer-random", variant="repaired", problems=[])
    workbench, session = hand.workbench, hand.session
    workbench.workspace.add_pages(documents)
    session.set_documents(documents)
    opened, parsed, clicked = [], [], {1: [], MAIN: []}

    def run():
        for index, document in enumerate(documents):
            data = document.read()
            start = time.perf_counter()
            LexborHTMLParser(data)
            parsed.append(time.perf_counter() - start)
            start = time.perf_counter()
            with hand.qtbot.waitSignal(session.open.page_changed, timeout=40_000):
                workbench.navigation.open_document(index)
            hand.wait_for_methods()
            workbench.drawing.draw()
            hand.ask("1")  # scripts run in order: the layers are on the page
            opened.append(time.perf_counter() - start)
            for level, times in clicked.items():
                times.extend(click_times(hand, level))

    benchmark.pedantic(run, rounds=1, iterations=1)
    parse = statistics.median(parsed)
    lines = [f"pages {len(opened)}, lexbor parse median {1000 * parse:.2f} ms"]
    for name, values in (
        ("open → overlay and scores", opened),
        ("block click → scores", clicked[1]),
        ("main-content click → scores", clicked[MAIN]),
    ):
        median, p95 = quantiles(values)
        lines.append(
            f"{name:<30} median {1000 * median:7.1f} ms  p95 {1000 * p95:7.1f} ms  "
            f"median/lexbor {median / parse:7.1f}"
        )
    report = "\n".join(lines)
    record_property("report", report)
    print(f"\n{report}")
    assert len(opened) == len(documents)


def click_times(hand, level):
    """Seconds from a click's edit to the new scores in the session, panels refreshed."""
    session, workbench = hand.session, hand.workbench
    nodes = session.open.page.rendered()
    methods = [o for o in session.layers.outcomes.values() if o.result is not None]
    assert any(isinstance(o.result, Extraction) for o in methods)
    rows = [
        row
        for row in range(2, len(nodes))
        if nodes.visible[row] and not nodes.is_text[row] and nodes.text_below(row).strip()
    ]
    if not rows:
        return []
    workbench.session.selection.set_mode(Mode.MAIN if level == MAIN else Mode.LEVEL_1)
    times = []
    for row in rows[:: max(1, len(rows) // CLICKS)][:CLICKS]:
        if any(m.targets == (Target(row),) for m in session.open.gold.of_level(level)):
            continue
        session.selection.set_candidate(row)
        start = time.perf_counter()
        workbench.marking.take()
        times.append(time.perf_counter() - start)
        hand.qtbot.waitUntil(lambda: True)
    return times
