"""Worker processes: a method or page that crashes one loses only that step."""

import os
import threading
import time
from dataclasses import dataclass, replace

import pytest

from algorithms.core.batch import RunStatus, Setup
from algorithms.core.catalogue import method
from annotate.datasets.case_files import PageFiles
from annotate.datasets.readers import read_dataset
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.tasks import CaseTask, Work
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.predictions import PredictedPage, write_package
from annotate.marks.gold import Gold
from engine import memory
from engine.processes import descendants
from tests.children import living

STORY = "The ferry came back this morning after nine long years away, and the whole town stood."
PAGES = [
    PredictedPage(
        f"p{k}", f"<p>{STORY}</p><p>{STORY} {k}</p>".encode(), f"{STORY}\n{STORY} {k}", {}
    )
    for k in range(4)
]


def run(tmp_path, keys, jobs=2, inputs=("original",), **options):
    path = tmp_path / "ferries.zip"
    write_package(path, "ferries", PAGES)
    cases = list(read_dataset(path).cases(inputs))
    tasks = [
        CaseTask(n, case, tuple(Setup(key, method(key).params(), case.input) for key in keys))
        for n, case in enumerate(cases)
    ]
    work = Work(("ws",), "nothing", EvaluationOptions(**{"cache": None, **options}))
    done = [page for page in run_in_workers(tasks, work, jobs) if page is not None]
    return sorted(done, key=lambda page: page.task.number)


def test_every_page_is_returned_with_a_run_for_each_setup(tmp_path):
    for page in run(tmp_path, ["bte", "plain"]):
        assert [each.status for each in page.runs] == [RunStatus.OK] * 2
        assert page.runs[1].scores["ws"].value == 1
        assert page.facts.size == len(PAGES[page.task.number].data)
        assert page.facts.gold_text is None


@pytest.mark.slow
def test_one_worker_gives_what_two_give(tmp_path):
    one, two = (run(tmp_path, ["bte", "dsc"], jobs=jobs) for jobs in (1, 2))
    assert [[run.text for run in page.runs] for page in one] == [
        [run.text for run in page.runs] for page in two
    ]


@pytest.mark.slow
def test_pages_include_the_gold_text_if_predictions_are_stored(tmp_path):
    pages = run(tmp_path, ["plain"], predictions=True, out=tmp_path)
    assert [page.facts.gold_text for page in pages] == [each.gold for each in PAGES]


def test_a_method_that_crashes_its_process_fails_only_its_run(tmp_path, declare):
    # A command is a child process: its parent is the keeper, if there is one, then the worker.
    worker = "os.getppid()"
    if descendants.IS_POSSIBLE:
        worker = f"int(open(f'/proc/{{{worker}}}/stat').read().rpartition(')')[2].split()[1])"
    kill = f"'stood. 1' in sys.stdin.read() and os.kill({worker}, 9)"
    declare(deadly=f"import os, sys; {kill}; print('ferry')")
    result = run(tmp_path, ["bte", "deadly", "plain"])
    for number, page in enumerate(result):
        middle = RunStatus.FAILED if number == 1 else RunStatus.OK
        statuses = [each.status for each in page.runs]
        assert statuses == [RunStatus.OK, middle, RunStatus.OK], page.runs
    assert result[1].runs[1].reason == "the method crashed the process it ran in (signal 9)"


def test_a_process_that_is_killed_once_loses_no_run(tmp_path, declare):
    worker = "os.getppid()"
    if descendants.IS_POSSIBLE:
        worker = f"int(open(f'/proc/{{{worker}}}/stat').read().rpartition(')')[2].split()[1])"
    once = tmp_path / "killed"
    kill = f"(os.path.exists({str(once)!r}) or (open({str(once)!r}, 'w'), os.kill({worker}, 9)))"
    declare(deadly=f"import os, sys; 'stood. 1' in sys.stdin.read() and {kill}; print('ferry')")
    for page in run(tmp_path, ["bte", "deadly", "plain"]):
        assert [each.status for each in page.runs] == 3 * [RunStatus.OK]
    assert once.exists()


@pytest.mark.slow
def test_a_method_that_hangs_fails_only_its_run(tmp_path, declare):
    declare(
        slow="import sys, time; 'stood. 2' in sys.stdin.read() and time.sleep(60); print('ferry')"
    )
    result = run(tmp_path, ["slow", "plain"], seconds=3.0)
    assert [page.runs[1].status for page in result] == [RunStatus.OK] * 4
    late = result[2].runs[0]
    assert (late.status, late.reason) == (RunStatus.TIMED_OUT, "the method took more than 3 s")
    assert [p.runs[0].status for p in result if p is not result[2]] == [RunStatus.OK] * 3


def test_runs_without_gold_or_without_the_variant_are_skipped(tmp_path):
    path = tmp_path / "mixed.zip"
    write_package(path, "mixed", PAGES[:1])
    (original, paper) = read_dataset(path).cases(["original", "repaired"])
    setups = (Setup("webterrain", method("webterrain").params(), "rendered"),)
    odd = (Setup("bte", method("bte").params(), "repaired"),)
    wrong = (Setup("bte", method("bte").params(), "rendered"),)
    tasks = [CaseTask(0, original, setups), CaseTask(1, paper, odd), CaseTask(2, original, wrong)]
    done = [
        p
        for p in run_in_workers(tasks, Work(("ws",), "nothing", EvaluationOptions(cache=None)), 1)
        if p is not None
    ]
    assert [page.runs[0].status for page in done] == [RunStatus.SKIPPED] * 3
    assert [page.runs[0].reason for page in done] == [
        "the page has no gold blocks",
        "the data set has no repaired pages",
        "the method does not read the rendered page",
    ]


def test_a_page_that_cannot_be_read_fails_with_its_reason(tmp_path):
    path = tmp_path / "ferries.zip"
    write_package(path, "ferries", PAGES[:1])
    tasks = [
        CaseTask(0, case, (Setup("bte", method("bte").params(), "original"),))
        for case in read_dataset(path).cases(["original"])
    ]
    path.unlink()
    (page,) = [
        p
        for p in run_in_workers(tasks, Work(("ws",), "nothing", EvaluationOptions(cache=None)), 1)
        if p is not None
    ]
    assert page.runs[0].status is RunStatus.FAILED
    assert "ferries.zip" in page.runs[0].reason
    assert page.facts is None


@dataclass(frozen=True)
class OddGold(PageFiles):
    """A page whose gold hangs, crashes, raises or takes too much memory."""

    files: PageFiles
    trouble: str

    def document(self):
        return self.files.document()

    def marks(self, page):
        return Gold()

    def text(self, render):
        if self.trouble == "kills":
            os.kill(os.getpid(), 9)
        elif self.trouble == "hangs":
            time.sleep(60)
        elif self.trouble == "grows":
            much = [b"x" * 50_000_000 for _ in range(20)]
            time.sleep(60 if much else 0)
        raise ValueError("no such alphabet")


def run_on_odd_gold(tmp_path, trouble, **options):
    path = tmp_path / "ferries.zip"
    write_package(path, "ferries", PAGES[:2])
    odd, good = read_dataset(path).cases(["original"])
    odd = replace(odd, files=OddGold(odd.files, trouble))
    setups = tuple(Setup(key, method(key).params(), "original") for key in ("bte", "plain"))
    work = Work(("ws",), "nothing", EvaluationOptions(**{"cache": None, **options}))
    tasks = [CaseTask(0, odd, setups), CaseTask(1, good, setups)]
    done = [page for page in run_in_workers(tasks, work, 1) if page is not None]
    first, second = sorted(done, key=lambda page: page.task.number)
    assert [each.status for each in second.runs] == [RunStatus.OK] * 2
    return first.runs


def test_gold_that_raises_an_error_fails_with_its_reason(tmp_path, capfd):
    for each in run_on_odd_gold(tmp_path, "breaks"):
        assert each.status is RunStatus.FAILED
        assert each.reason == ("reading or scoring the page crashed (ValueError: no such alphabet)")
    assert capfd.readouterr().err == ""  # causes are for --verbose


@pytest.mark.slow
def test_a_crash_while_reading_gold_is_not_blamed_on_the_method(tmp_path):
    for each in run_on_odd_gold(tmp_path, "kills"):
        assert each.status is RunStatus.FAILED
        assert each.reason == (
            "reading the page and its gold crashed the process it ran in (signal 9)"
        )


@pytest.mark.slow
def test_exceeding_the_memory_limit_fails_with_its_reason(tmp_path, monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "0.5")
    for each in run_on_odd_gold(tmp_path, "grows"):
        assert each.status is RunStatus.FAILED
        assert each.reason == (
            "reading the page and its gold took more than 0.5 GB of memory "
            "(allow more with --memory)"
        )


@pytest.mark.slow
def test_gold_that_hangs_is_waited_for_only_once(tmp_path, caplog):
    for each in run_on_odd_gold(tmp_path, "hangs", seconds=3.0):
        assert each.status is RunStatus.TIMED_OUT
        assert each.reason == "reading the page and its gold took more than 3 s"
    assert caplog.messages == ["p0: reading took more than 3 s"]


def test_a_process_that_dies_before_it_reads_the_page_loses_no_run(tmp_path):
    before = living()

    def kill_first():
        while not (new := living() - before):
            time.sleep(0.001)
        for child in new:
            child.kill()

    killer = threading.Thread(target=kill_first)
    killer.start()
    result = run(tmp_path, ["plain"], jobs=1)
    killer.join()
    assert [page.runs[0].status for page in result] == [RunStatus.OK] * 4


def test_the_time_limit_of_a_method_excludes_the_start_of_its_worker(tmp_path):
    result = run(tmp_path, ["plain"], jobs=1, seconds=0.25)  # importing alone takes longer
    assert [page.runs[0].status for page in result] == [RunStatus.OK] * 4


@pytest.mark.slow
@pytest.mark.web
def test_an_unwritable_cache_loses_no_page(tmp_path):
    (tmp_path / "file").write_text("")
    result = run(tmp_path, ["plain"], jobs=1, inputs=("dom",), cache=tmp_path / "file")
    assert [page.runs[0].status for page in result] == [RunStatus.OK] * 4
    notes = [note for page in result for note in page.facts.notes]
    assert len(notes) == 1
    assert "snapshots of pages are not kept: cannot write to" in notes[0]
