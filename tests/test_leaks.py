"""Test that tests fail which leave windows, threads or processes behind."""

import os

import pytest

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
pytest_plugins = ["tests.leaks"]

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    yield
    from tests import leaks
    leaks.look(item, nextitem)
"""
LEFT = """
import subprocess, sys, threading
import pytest
kept = []

@pytest.fixture(scope="module")
def own():
    kept.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
    yield
    kept[0].kill()
    kept[0].wait()

def test_a_process(own):
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_a_thread():
    kept.append(threading.Thread(target=kept[1].wait, name="forgotten"))
    kept[2].start()

def test_a_window(qtbot):
    from PySide6.QtWidgets import QWidget
    kept.append(QWidget())

def test_nothing(own, qtbot):
    from PySide6.QtWidgets import QWidget
    qtbot.addWidget(QWidget())
    subprocess.run([sys.executable, "-c", ""], check=True)

def test_they_end():
    kept[1].communicate(b"\\\\n")
    kept[2].join()
"""
SHARED = """
from pathlib import Path

from engine.processes.foreign import worker_for

def test_starts_a_worker():
    assert worker_for("answers", "").ask({}, 20) == {"number": 1}

def test_finds_it_there():
    assert worker_for("answers", "").ask({}, 20) == {"number": 2}
    Path("number").write_text(str(worker_for("answers", "").process_id))
"""
ANSWERS = """
from itertools import count

def load(name):
    numbers = count(1)
    return lambda request: {"number": next(numbers)}
"""
ENDED = """
from pathlib import Path

def test_it_has_ended():
    assert not Path("/proc", Path("number").read_text()).exists()
"""


@pytest.mark.slow
def test_what_a_test_leaves_behind_fails_it(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(LEFT)
    ended = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    ended.assert_outcomes(passed=5, errors=3)
    for test, what in (("process", "process *input()*"), ("thread", "thread forgotten"),
                       ("window", "QWidget")):  # fmt: skip
        ended.stdout.fnmatch_lines([f"*at teardown of test_a_{test} *", f"left behind: {what}"])


def test_a_shared_worker_is_ended_with_its_file_of_tests(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=os.pathsep)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(answers=ANSWERS, test_a_shared=SHARED, test_b_ended=ENDED)
    ended = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    ended.assert_outcomes(passed=3)


IN_SIGHT = """
from PySide6.QtWidgets import QWidget
kept = []

def test_a_window_in_sight(qtbot):
    kept.append(QWidget())
    kept[0].show()

def test_it_is_hidden():
    assert not kept[0].isVisible()
"""


def test_a_window_left_in_sight_fails_its_test_and_is_hidden(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(IN_SIGHT)
    ended = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    ended.assert_outcomes(passed=2, errors=1)
