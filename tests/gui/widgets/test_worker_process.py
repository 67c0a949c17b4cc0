"""A worker process of the window: it answers orders in turn and reports failed ones."""

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
    """Collect progress and answers of the worker."""
    result = []
    worker.progressed.connect(result.append)
    worker.answered.connect(result.append)
    return result


def test_a_worker_is_busy_until_the_last_answer_of_its_orders(worker, answers, qtbot):
    worker.hand(2)
    worker.hand(0)
    assert worker.is_busy
    qtbot.waitUntil(lambda: not worker.is_busy, timeout=20_000)
    assert answers == [(0, 2), (1, 2), (2, 2), (0, 0)]


def test_an_order_can_be_given_while_an_answer_is_handled(worker, answers, qtbot):
    worker.answered.connect(lambda _answer: len(answers) < 3 and worker.hand(0))
    worker.hand(0)
    qtbot.waitUntil(lambda: len(answers) == 3 and not worker.is_busy, timeout=20_000)


def test_the_process_can_be_ended_while_a_message_is_handled(worker, answers, qtbot):
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
def test_a_failed_order_is_reported_and_the_next_answered(worker, answers, qtbot, order, why):
    with qtbot.waitSignal(worker.failed, timeout=20_000) as failed:
        worker.hand(order)
    assert failed.args == [why]
    assert not worker.is_busy
    with qtbot.waitSignal(worker.answered, timeout=20_000):
        worker.hand(0)
    assert answers == [(0, 0)]


def test_a_worker_that_cannot_start_reports_the_reason_for_each_order(qtbot):
    worker = QtWorkerProcess(echo.broken_worker, doing="echoing")
    for _ in range(2):
        with qtbot.waitSignal(worker.failed, timeout=20_000) as failed:
            worker.hand(1)
        assert failed.args == ["there is no Qt"]
    worker.end()
