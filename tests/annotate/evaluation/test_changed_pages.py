"""A resumed run keeps no score of pages or gold that have changed."""

import csv
import gzip
import json
from dataclasses import replace

import pagelet
import pytest

from algorithms.core.batch import Run, RunStatus, Setup, measures_of
from algorithms.core.catalogue import method
from annotate.datasets.case_files import BesideFiles
from annotate.datasets.opening import open_pages
from annotate.datasets.readers import read_dataset
from annotate.evaluation.run.page_work import page_worker
from annotate.evaluation.run.tasks import CaseTask, PageFacts, Work, has_changed, rows_of
from engine.document import plain_document
from engine.errors import CaptureError
from gui.cli.main import main
from tests.annotate.datasets.layouts import LAYOUTS


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "news"
    folder.mkdir()
    for name in ("tea", "cake", "bread"):
        (folder / f"{name}.html").write_text(f"<p>all about {name}")
        (folder / f"{name}.txt").write_text(f"all about {name}")
    return folder


def evaluate(out, data, *more, rc=0):
    words = ["evaluate", data, "--methods", "plain", "--measures", "ws", "--report", "none",
             "--jobs", "1", "--out", out, *more]  # fmt: skip
    assert main([*map(str, words)]) == rc
    files = (
        [out / "scores.csv"] if not (out / "shards").is_dir() else (out / "shards").glob("*.csv")
    )
    return {
        row["page"]: (row["status"], row["value"])
        for file in files
        for row in csv.DictReader(file.read_text("utf-8").splitlines())
    }


@pytest.mark.parametrize(
    "parts",
    [(), pytest.param(("--shard", "1/1"), marks=pytest.mark.slow)],
    ids=["whole", "shards"],
)
def test_changed_pages_and_gold_are_evaluated_again_and_counted(package, tmp_path, capsys, parts):
    out = tmp_path / "out"
    assert set(evaluate(out, package, *parts).values()) == {("ok", "1.0")}
    (package / "tea.txt").write_text("something else")
    (package / "cake.html").write_text("<p>not here any more")
    found = evaluate(out, package, *parts, "--resume")
    assert found == {"tea": ("ok", "0.0"), "cake": ("ok", "0.0"), "bread": ("ok", "1.0")}
    if not parts:
        assert "2 pages changed since, or the gold: run again" in capsys.readouterr().err
    evaluate(out, package, *parts, "--resume")
    assert "changed since" not in capsys.readouterr().err


def test_added_and_corrected_gold_is_used_when_resuming(package, tmp_path):
    (package / "tea.txt").unlink()
    (package / "cake.txt").write_bytes("gâteau".encode("latin-1"))
    out = tmp_path / "out"
    assert evaluate(out, package) == {
        "tea": ("skipped", ""), "cake": ("failed", ""), "bread": ("ok", "1.0")
    }  # fmt: skip
    for name in ("tea", "cake"):
        (package / f"{name}.txt").write_text(f"all about {name}")
    assert set(evaluate(out, package, "--resume").values()) == {("ok", "1.0")}


def test_a_binary_file_named_like_a_page_fails_in_resumed_runs_too(package, tmp_path, capsys):
    (package / "tea.html").write_bytes(b"GIF89a\1\0\1\0")
    out = tmp_path / "out"
    for more in ((), ("--resume",)):
        assert evaluate(out, package, *more)["tea"] == ("failed", "")
    said = capsys.readouterr()
    assert "tea.html is a binary file; expected an HTML page" in said.out
    assert "changed since" not in said.err


def test_phrases_that_were_changed_are_gold_too(tmp_path):
    folder, out = tmp_path / "phrases", tmp_path / "out"
    (folder / "html").mkdir(parents=True)
    (folder / "html" / "tea.html.gz").write_bytes(gzip.compress(b"<p>green tea"))
    truth = folder / "ground-truth.json"
    for phrase, value in (("green", "1.0"), ("black", "0.0")):
        page = {"articleBody": "green tea", "with": [phrase], "without": []}
        truth.write_text(json.dumps({"tea": page}))
        found = evaluate(out, folder, "--measures", "snippets", "--resume")
        assert found["tea"] == ("ok", value)


def test_gold_of_a_benchmark_that_was_changed_is_read_again_in_the_same_process(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "tea.html.gz").write_bytes(gzip.compress(b"<p>green tea"))
    for gold in ("green tea", "black tea"):
        (tmp_path / "ground-truth.json").write_text(json.dumps({"tea": {"articleBody": gold}}))
        assert pagelet.dataset(tmp_path)[0].gold.text == gold


def test_resuming_is_refused_if_a_folder_has_other_measures_or_methods(package, tmp_path, capsys):
    out = tmp_path / "out"
    evaluate(out, package, "--measures", "ws,cs")
    for more, why in (
        (("--measures", "ws"), "it has rows of the measure cs"),
        (("--methods", "bte", "--measures", "ws,cs"), "it has rows of plain pagelet"),
    ):
        evaluate(out, package, "--resume", *more, rc=2)
        assert why in capsys.readouterr().err


def test_a_page_that_cannot_be_rendered_has_not_changed(package, monkeypatch):
    def no_browser(**_):
        raise CaptureError("the browser crashed")

    monkeypatch.setattr("engine.web.worker_browser.open_browser", no_browser)
    (package / "tea.gold.json").write_text("{}")  # it is read after the page is rendered
    case = next(read_dataset(package).cases(["rendered"]))
    case = replace(case, files=BesideFiles(plain_document(package / "tea.html")))
    setup = Setup("pagelets", method("pagelets").params(), "rendered")
    sent = []
    with page_worker(sent.append, Work(("fuzzy",), "nothing")) as do:
        do(CaseTask(0, case, (setup,)))
    facts = next((each for each in sent if isinstance(each, PageFacts)), None)
    run = next(each for each in sent if isinstance(each, Run))
    assert (run.status, run.reason) == (RunStatus.FAILED, "the browser crashed")
    rows = rows_of(case.key, facts, "nothing", setup, run, measures_of("fuzzy").blocks, "words")
    assert not has_changed(rows, case.files)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_texts_has_its_gold_as_bytes(layout, tmp_path):
    _, write, _ = LAYOUTS[layout]
    files = open_pages(write(tmp_path)).files
    assert all(each.gold_bytes() or each.snippets() for each in files)
