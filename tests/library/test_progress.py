"""The library tells how far an evaluation is: by a function, in a terminal, or not at all."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pagelet
import pytest


def test_a_function_is_told_of_the_end_with_all_pages_counted():
    lines = []
    cases = pagelet.dataset(pagelet.samples())[:2]
    pagelet.evaluate(cases, ["bte"], measures="ws", progress=lines.append)
    assert lines[-1].startswith("2/2 pages, ")


@pytest.mark.slow
def test_shards_of_an_executor_are_counted_by_their_pages():
    lines = []
    cases = pagelet.dataset(pagelet.samples())[:3]
    with ThreadPoolExecutor(1) as executor:
        pagelet.evaluate(
            cases, ["bte"], measures="ws", executor=executor, shard_pages=1, progress=lines.append
        )
    assert lines[-1].startswith("3/3 pages, ")


def test_true_renews_a_line_and_without_a_terminal_nothing_is_said(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # of a test of notebooks
    cases = pagelet.dataset(pagelet.samples())[:1]
    pagelet.evaluate(cases, ["bte"], measures="ws")
    assert capsys.readouterr().err == ""
    pagelet.evaluate(cases, ["bte"], measures="ws", progress=True)
    assert "\r1/1 pages" in capsys.readouterr().err
