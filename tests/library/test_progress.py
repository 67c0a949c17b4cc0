"""Test how the library reports progress."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pagelet
import pytest


def test_progress_reports_all_pages_to_a_function_at_the_end():
    lines = []
    cases = pagelet.dataset(pagelet.samples())[:2]
    pagelet.evaluate(cases, ["bte"], measures="ws", progress=lines.append)
    assert lines[-1].startswith("2/2 pages, ")


@pytest.mark.slow
def test_progress_counts_the_pages_of_shards():
    lines = []
    cases = pagelet.dataset(pagelet.samples())[:3]
    with ThreadPoolExecutor(1) as executor:
        pagelet.evaluate(
            cases, ["bte"], measures="ws", executor=executor, shard_pages=1, progress=lines.append
        )
    assert lines[-1].startswith("3/3 pages, ")


def test_progress_is_printed_outside_a_terminal_only_if_true(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # of a test of notebooks
    cases = pagelet.dataset(pagelet.samples())[:1]
    pagelet.evaluate(cases, ["bte"], measures="ws")
    assert capsys.readouterr().err == ""
    pagelet.evaluate(cases, ["bte"], measures="ws", progress=True)
    assert "\r1/1 pages" in capsys.readouterr().err
