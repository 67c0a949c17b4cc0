"""Test that a page gives the same table in several processes and at any screen scale."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.web, pytest.mark.data]

REPOSITORY = Path(__file__).resolve().parents[3]

PROGRAM = """
import hashlib, json, sys
from PySide6.QtWidgets import QApplication
from engine.archive import pack
from annotate.datasets.opening import list_documents
from engine.web import profile
from engine.web.headless import Browser

profile.prepare(headless=sys.argv[3] == "headless")
app = QApplication([])
found = {}
with Browser() as browser:
    for document in list_documents(sys.argv[1], variant="repaired")[::-1][: int(sys.argv[2])]:
        page = browser.capture(document)
        assert page.notes == (), (document.address, page.notes)
        found[document.title] = hashlib.sha256(pack(page)).hexdigest()
print(json.dumps(found))
"""


def digests(folder, count, *, headless=True, **environment):
    """Capture the last pages of Kreuzer's folder in a new process; return their digests."""
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, folder, str(count), "headless" if headless else "window"],
        cwd=REPOSITORY,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment},
        capture_output=True,
        timeout=120,
    )
    assert answer.returncode == 0, answer.stderr.decode()[-2000:]
    return json.loads(answer.stdout.decode().splitlines()[-1])


@pytest.mark.long
def test_several_processes_capture_the_same_pages(datasets):
    """In twenty: ``PAGELET_PROCESSES=20 ./test -s tests/engine/web/test_determinism.py``."""
    processes = int(os.environ.get("PAGELET_PROCESSES", "3"))
    result = [digests(datasets / "kreuzer-random", 20) for _ in range(processes)]
    same = [page for page in result[0] if len({each[page] for each in result}) == 1]
    print(f"{len(same)} of {len(result[0])} pages the same in {processes} processes")
    assert len(same) == 20


@pytest.mark.long
def test_locale_time_zone_and_scale_do_not_change_the_pages(datasets):
    folder = datasets / "kreuzer-random"
    one = digests(folder, 24)
    other = digests(folder, 24, LANG="tr_TR.UTF-8", TZ="Asia/Tokyo", QT_SCALE_FACTOR="2")
    assert len(one) == 24
    assert one == other


@pytest.mark.slow
def test_the_screen_scale_of_a_window_does_not_change_the_pages(datasets):
    folder = datasets / "kreuzer-random"
    one = digests(folder, 5)
    assert digests(folder, 5, headless=False, QT_SCALE_FACTOR="2") == one
