"""A process beside the window: answers in turn, and what becomes of orders it cannot answer."""

import pytest

from gui.widgets.worker_process import QtWorkerProcess
from tests.children import living
from tests.gui.widgets import echo


@pytest.fixture
def worker(qtbot):
    made = QtWorkerProcess(echo.echo_worker, doing="echoing", seconds=3.0)
    yield made
    made.end()


@pytest.fixture
def answers(worker):
    """What has come so far."""
    result = []
    worker.progressed.connect(result.append)
    worker.answered.connect(result.append)
    return result


def test_an_order_is_open_until_its_last_answer(worker, answers, qtbot):
    worker.hand(2)
    worker.hand(0)
    assert worker.is_busy
    qtbot.waitUntil(lambda: not worker.is_busy, timeout=20_000)
    assert answers == [(0, 2), (1, 2), (2, 2), (0, 0)]


def test_an_answer_may_ask_for_the_next_one(worker, answers, qtbot):
    worker.answered.connect(lambda _answer: len(answers) < 3 and worker.hand(0))
    worker.hand(0)
    qtbot.waitUntil(lambda: len(answers) == 3 and not worker.is_busy, timeout=20_000)


def test_who_hears_of_it_may_end_the_process(worker, answers, qtbot):
    before = living()
    worker.progressed.connect(lambda _message: worker.end())
    with qtbot.waitSignal(worker.progressed, timeout=20_000):
        worker.hand(5)
    assert not worker.is_busy
    assert len(answers) == 1
    assert living() <= before


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("die", "echoing crashed the process it ran in (status 3)"),
        ("sleep", "echoing took more than 3 s"),
        ("refuse", "this order cannot be answered"),
    ],
)
def test_an_order_without_an_answer_costs_itself_only(worker, answers, qtbot, order, why):
    with qtbot.waitSignal(worker.failed, timeout=20_000) as failed:
        worker.hand(order)
    assert failed.args == [why]
    assert not worker.is_busy
    with qtbot.waitSignal(worker.answered, timeout=20_000):
        worker.hand(0)
    assert answers == [(0, 0)]


def test_a_worker_that_cannot_be_made_says_why_for_each_order(qtbot):
    worker = QtWorkerProcess(echo.broken_worker, doing="echoing")
    for _ in range(2):
        with qtbot.waitSignal(worker.failed, timeout=20_000) as failed:
            worker.hand(1)
        assert failed.args == ["there is no Qt"]
    worker.end()
