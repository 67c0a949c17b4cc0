"""Commands that are started once and answer page after page, and their versions."""

import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.plugins.external.declared import read_declared
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.source import Source

EXAMPLE = Path(__file__).with_name("examples") / "serving.py"
LOOP = """
import json, os, sys, time
print(os.getpid(), file=open("started", "a"))
for line in sys.stdin:
    html = json.loads(line)["html"]
    if "hang" in html: time.sleep(60)
    if "die" in html: sys.exit("no memory")
    if "garbage" in html: print("tea", flush=True); continue
    if "refuse" in html: print(json.dumps({"error": "too odd"}), flush=True); continue
    print(json.dumps({"text": "tea", "seconds": 0}), flush=True)
"""


@pytest.fixture(autouse=True)
def _end_workers():
    yield
    close_workers()


@pytest.fixture
def declare(tmp_path):
    """Return a function that writes methods.toml and returns its methods and problems."""

    def write(words, more="serve = true\n"):
        path = tmp_path / "methods.toml"
        path.write_text(f"[command.mine]\nrun = {json.dumps(words)}\n{more}", "utf-8")
        return read_declared(path)

    return write


def run(entry, html, **values):
    return attempt(entry, Page("page", Source.from_text(html)), entry.params(**values), "original")


def started(tmp_path):
    """Return the ids of the processes started so far."""
    return [int(line) for line in (tmp_path / "started").read_text().split()]


def is_there(number):
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_the_example_serving_command_answers_page_after_page(declare):
    (entry,), problems = declare([sys.executable, str(EXAMPLE)])
    assert not problems
    assert run(entry, "<p>One</p><i>and</i><p>two</p>").result.text == "One\ntwo"
    assert run(entry, "<p>Žluťoučký kůň 猫</p>").result.text == "Žluťoučký kůň 猫"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("hang", "took longer than"),
        ("die", "ended with status 1: no memory"),
        ("garbage", "its answer is not a line of JSON"),
        ("refuse", "too odd"),
    ],
)
def test_a_failure_concerns_one_page_and_the_next_one_is_answered(declare, tmp_path, word, reason):
    (entry,), _ = declare([sys.executable, "-c", LOOP])
    assert run(entry, "<p>tea").result.text == "tea"
    failed = run(entry, f"<p>{word}", seconds=1.0)
    assert (failed.status, failed.result) == (OutcomeStatus.FAILED, None)
    assert reason in failed.error
    assert run(entry, "<p>tea").result.text == "tea"
    first, *others = started(tmp_path)
    assert len(others) == (word != "refuse"), "only one that is in order goes on"
    assert is_there(first) == (word == "refuse")


def test_a_serving_command_killed_between_pages_is_started_again(declare, tmp_path):
    (entry,), _ = declare([sys.executable, "-c", LOOP])
    for _ in range(2):
        assert run(entry, "<p>tea").result.text == "tea"
    (first,) = started(tmp_path)
    os.kill(first, signal.SIGKILL)
    ends = [run(entry, "<p>tea").status for _ in range(2)]
    assert ends[-1] == OutcomeStatus.OK
    assert len(started(tmp_path)) == 2


def test_a_version_is_given_as_text_or_by_the_first_line_of_a_command(declare):
    prints = [sys.executable, "-c", "print('mine 1.2'); print('more')"]
    (entry,), _ = declare(prints, f"version = {prints!r}\n")
    assert entry.version == "mine 1.2"
    (entry,), _ = declare(prints, "version = '7'\n")
    assert entry.version == "7"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("serve = 1\n", "serve must be true or false, got 1"),
        ("serve = true\nsite = true\n", "serve and site cannot both be true"),
        ("version = 1\n", "version is 1; expected a text, or words"),
        ("version = ['no-such-tool-at-all']\n", "no-such-tool-at-all cannot be started"),
        ("version = ['true']\n", "version: true prints nothing"),
    ],
)
def test_an_invalid_entry_is_refused_with_one_sentence(declare, more, sentence):
    methods, (problem,) = declare(["true"], more)
    assert not methods
    assert sentence in problem
