"""Runs of many methods on many pages: every one has a status, and nothing stops the others."""

import os
import pickle
import sys
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from algorithms import batch, catalogue
from algorithms.batch import Case, RunStatus, Setup, evaluate, run_case
from algorithms.catalogue import method
from algorithms.external.processes import close_workers
from algorithms.measures.text import score_texts
from engine.page import Page
from engine.source import Source
from tests.tables import table

LONG = "The ferry came back this morning after nine long years away, and the whole town stood on "
LONG += "the quay to watch it."
HTML = f"<ul><li><a>Home</a><li><a>News</a></ul><p>{LONG}</p><p>{LONG}</p>"


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """Declares commands for this test, also for the processes it starts."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))

    def write(**codes):
        entries = (
            f"[command.{key}]\nrun = [{sys.executable!r}, '-c', {code!r}]\nseconds = 20\n"
            for key, code in codes.items()
        )
        (tmp_path / "methods.toml").write_text("\n".join(entries))
        catalogue._others.cache_clear()

    yield write
    close_workers()
    catalogue._others.cache_clear()


def setup(key, source="original", **values):
    return Setup(key, method(key).params(**values), source)


def case(html=HTML, gold=f"{LONG}\n{LONG}", name="a"):
    page = None if html is None else Page("page", Source.from_text(html))
    return Case("set", name, page, gold, 100)


def test_a_run_is_scored_and_keeps_its_text():
    run, empty = run_case(case(), [setup("bte"), setup("bte", tag_cost=20)], ["ws", "cetr"])
    assert run.status is RunStatus.OK
    assert run.text == f"{LONG}\n{LONG}"
    assert run.scores["ws"].value == 1
    assert run.scores["cetr"].value == 1
    assert run.seconds > 0
    assert empty.status in (RunStatus.OK, RunStatus.EMPTY)
    expected = score_texts(empty.text, f"{LONG}\n{LONG}").ws.f1
    assert empty.scores["ws"].value == expected


def test_a_method_that_finds_nothing_is_empty_and_scored():
    (run,) = run_case(case("<p></p>"), [setup("plain")], ["ws"])
    assert (run.status, run.text) == (RunStatus.EMPTY, "")
    assert (run.scores["ws"].precision, run.scores["ws"].value) == (1, 0)


def test_failures_time_outs_and_skips_have_a_reason_and_no_score(declare):
    declare(breaks="import sys; sys.exit('no model')", hangs="import time; time.sleep(60)")
    setups = [setup("breaks"), setup("hangs", seconds=0.3), setup("bte", "rendered"), setup("bte")]
    breaks, hangs, odd, good = run_case(case(), setups, ["ws"])
    assert (breaks.status, breaks.reason) == (
        RunStatus.FAILED, "ended with status 1: no model",
    )  # fmt: skip
    assert (hangs.status, hangs.reason) == (RunStatus.TIMED_OUT, "took longer than 0.3 s")
    assert (odd.status, odd.reason) == (
        RunStatus.SKIPPED, "the method does not read the rendered page",
    )  # fmt: skip
    assert good.status is RunStatus.OK
    for run in (breaks, hangs, odd):
        assert not run.scores
        assert run.text is None
    assert breaks.if_missing["ws"].value == 0
    assert breaks.if_missing["ws"].precision == 1


def test_pages_without_gold_are_skipped_and_unreadable_ones_fail():
    (run,) = run_case(case(gold=None), [setup("bte")], ["ws"])
    assert (run.status, run.reason) == (RunStatus.SKIPPED, "the page has no gold text")
    broken = Case("set", "a", None, None, problems={"original": "cannot unpack a.gz"})
    (run,) = run_case(broken, [setup("bte")], ["ws"])
    assert (run.status, run.reason) == (RunStatus.FAILED, "cannot unpack a.gz")
    absent = Case("set", "a", case().page, "x", absent={"dom": "there is none"})
    (run,) = run_case(absent, [setup("bte", "dom")], ["ws"])
    assert (run.status, run.reason) == (RunStatus.SKIPPED, "there is none")


def test_an_empty_gold_is_a_gold():
    (run,) = run_case(case("<p></p>", gold=""), [setup("plain")], ["ws"])
    assert run.scores["ws"].value == 1


def test_processes_give_the_same_in_the_same_order(declare):
    declare(mine=f"print({LONG!r})")
    cases = [case(name=f"p{k}", html=HTML * (k + 1)) for k in range(5)]
    setups = [setup("bte"), setup("mine", seconds=9.0)]
    alone = list(evaluate(cases, setups, ["ws"]))
    shared = list(evaluate(iter(cases), setups, ["ws"], jobs=2))
    assert [each.name for each, _ in shared] == [f"p{k}" for k in range(5)]
    for (_, left), (_, right) in zip(alone, shared, strict=True):
        for a, b in zip(left, right, strict=True):
            assert (a.setup, a.status, a.text, a.scores) == (b.setup, b.status, b.text, b.scores)


def test_rendered_pages_travel_to_processes():
    body = ("body", (0, 0, 1000, 800), [("p", (0, 0, 1000, 20), LONG)])
    nodes = table(body)
    views = tuple(MappingProxyType(dict(each)) for each in nodes.attributes)  # as captured
    page = Page("page", None, Source.from_text(HTML), replace(nodes, attributes=views))
    one = Case("set", "a", page, LONG)
    ((_, (run,)),) = evaluate([one], [setup("lsi", "rendered")], ["ws"], jobs=2)
    assert run.status in (RunStatus.OK, RunStatus.EMPTY), run.reason
    ((_, (alone,)),) = evaluate([one], [setup("lsi", "rendered")], ["ws"])
    assert (run.text, run.scores) == (alone.text, alone.scores)


def test_cases_are_taken_as_they_are_needed():
    taken = []

    def cases():
        for k in range(4):
            taken.append(k)
            yield case(name=str(k))

    results = evaluate(cases(), [setup("plain")], ["ws"])
    next(results)
    assert taken == [0]


def _die():
    os._exit(9)


def test_a_method_that_takes_its_process_down_costs_itself_only(monkeypatch):
    # No method does that: the death is put in where the pool is handed its work.
    good, deadly = setup("bte"), Setup("plain", method("plain").params(), "original")
    cases = [case(name="a"), case(name="b")]
    real = batch._pool

    def pool(jobs):
        made = real(jobs)
        submit = made.submit

        def guarded(function, one, setups, measures):
            if one.name == "a" and any(each is deadly for each in setups):
                return submit(_die)
            return submit(function, one, setups, measures)

        made.submit = guarded
        return made

    monkeypatch.setattr(batch, "_pool", pool)
    found = {each.name: runs for each, runs in evaluate(cases, [good, deadly], ["ws"], jobs=2)}
    assert [run.status for run in found["a"]] == [RunStatus.OK, RunStatus.FAILED]
    assert found["a"][1].reason == "the method took the process down that it ran in"
    assert [run.status for run in found["b"]] == [RunStatus.OK, RunStatus.OK]


def test_a_setup_travels_without_its_class():
    sent = setup("bte", tag_cost=2.5)
    assert pickle.loads(pickle.dumps(sent)) == sent


def test_every_method_reads_a_document_of_its_own():
    page = Page("page", Source.from_text(HTML))
    fresh = batch._fresh(page)
    assert fresh.original is not page.original
    assert fresh.original.html == page.original.html
    assert np.array_equal(fresh.original.tokens.spans, page.original.tokens.spans)
