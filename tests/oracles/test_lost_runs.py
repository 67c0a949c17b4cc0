"""What methods that raise, end their process or take too long score as empty: counted by hand."""

import csv
import os

import pytest

from algorithms.own import method_files
from gui.cli.main import main
from tests.commands import close_workers

LOST = '''"""Fails in three ways, by the page's last word."""
import os
import time
from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words


@dataclass(frozen=True)
class LostParams(Params):
    """None."""


def extract(source, params):
    last = source.words[-1]
    if last == "raise":
        raise ValueError("no")
    if last == "end":
        os._exit(3)
    if last == "late":
        time.sleep(300)
    return keep_words(source, np.ones(len(source.words), dtype=bool))


METHOD = Method(
    key="lost", name="Lost", params=LostParams, output="extraction", cite="none", on_source=extract
)
'''


@pytest.mark.slow
@pytest.mark.parametrize("planted", [False, True])
def test_runs_that_raise_end_or_time_out_score_as_an_empty_text(tmp_path, monkeypatch, planted):
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    monkeypatch.delenv(method_files.NAMED, raising=False)
    (tmp_path / "lost.py").write_text(LOST, encoding="utf-8")
    pages = tmp_path / "pages"
    pages.mkdir()
    endings = ("raise", "end", "late", "fine", "good")
    for name in endings:
        text = f"Seven honest words of a page {name}"
        (pages / f"{name}.html").write_text(f"<p>{text}", encoding="utf-8")
        (pages / f"{name}.txt").write_text("" if planted and name == "late" else text, "utf-8")
    out = tmp_path / "run"
    typed = "--methods", "lost", "--measures", "ws", "--timeout", "20"
    asked = ["evaluate", str(pages), *typed, "--method-file", str(tmp_path / "lost.py")]
    try:
        assert main([*asked, "--report", "none", "--no-cache", "--out", str(out)]) == 0
    finally:
        os.environ.pop(method_files.NAMED, None)
        method_files.refresh()
        close_workers()
    with (out / "summary.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["failed"], row["timed out"], row["ok"]) == ("2", "1", "2")
    assert float(row["value"]) == 1.0
    # By hand: two pages of five, three where an empty text is right on the page that is late.
    assert float(row["value_failed_as_empty"]) == pytest.approx((3 if planted else 2) / 5)
