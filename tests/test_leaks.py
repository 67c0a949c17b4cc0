"""Test that tests which leave windows, threads or processes behind are listed."""

import pytest

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
pytest_plugins = ["tests.leaks"]

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    yield
    from tests import leaks
    leaks.look(item)
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


@pytest.mark.slow
def test_leaks_of_tests_are_listed_and_fail_them_if_requested(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(LEFT)
    listed = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    listed.assert_outcomes(passed=5)
    for test, what in (("process", "process *input()*"), ("thread", "thread forgotten"),
                       ("window", "QWidget")):  # fmt: skip
        listed.stdout.fnmatch_lines([f"*::test_a_{test}: {what}"])
    assert "test_nothing" not in listed.stdout.str()
    strict = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider", "--leaks")
    strict.assert_outcomes(passed=5, errors=3)
