"""Test changed user methods, runs in which every page failed, and JSON output."""

import csv
import json

import pytest

from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.store.predictions import PredictedPage, write_package
from tests.typed_commands import typed

METHOD = """
import numpy as np
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words
import rules

def extract(source, params):
    if rules.FAILS:
        raise ValueError("no tea left")
    return keep_words(source, np.ones(len(source.words), dtype=bool))

METHOD = Method("mine", "Mine", Params, "extraction", "me", on_source=extract)
"""
TEXT = "The ferry came back this morning after nine long years."


@pytest.fixture
def method(tmp_path):
    path = tmp_path / "methods" / "mine.py"
    path.parent.mkdir()
    (path.parent / "rules.py").write_text("FAILS = False\n")
    path.write_text(METHOD)
    return path


def change(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


@pytest.fixture
def package(tmp_path):
    path = tmp_path / "ferries.zip"
    pages = [
        PredictedPage(f"p{k}", f"<p>{TEXT}</p>".encode(), TEXT, {"encoding": "utf-8"})
        for k in range(6)
    ]
    write_package(path, "ferries", pages)
    return path


def evaluate(package, methods, out, *more):
    return typed("evaluate", package, "--methods", methods, "--out", out, "--jobs", "1",
                 "--report", "none", *more)  # fmt: skip


@pytest.mark.slow
def test_resuming_with_changed_code_is_refused(package, method, tmp_path):
    out = tmp_path / "out"
    assert evaluate(package, method, out).returncode == 0
    again = evaluate(package, method, out, "--resume")
    assert again.returncode == 0, again.stderr
    for path, before, after in (
        (method, "np.ones", "np.zeros"),
        (method.parent / "rules.py", "FAILS = False", "FAILS = 0"),
    ):
        change(path, before, after)
        refused = evaluate(package, method, out, "--resume")
        assert refused.returncode == 2
        assert "another evaluation (it has rows of mine mine.py " in refused.stderr
        change(path, after, before)
    assert evaluate(package, method, out, "--resume").returncode == 0


@pytest.mark.slow
def test_a_run_in_which_every_page_failed_ends_with_an_error(package, method, tmp_path):
    change(method.parent / "rules.py", "False", "True")
    done = evaluate(package, method, tmp_path / "out")
    assert done.returncode == 1
    assert "mine failed on every page; the first: mine.py, line 10: ValueError: no tea" in (
        done.stderr
    )
    both = evaluate(package, f"{method},bte", tmp_path / "both")
    assert both.returncode == 0
    assert "mine failed on every page" in both.stderr


def test_json_output_of_an_evaluation_equals_its_summary(package, tmp_path):
    out = tmp_path / "out"
    done = evaluate(package, "bte", out, "--json")
    result = json.loads(done.stdout)
    with (out / "summary.csv").open(newline="") as file:
        written = list(csv.DictReader(file))
    assert [each["measure"] for each in result] == [each["measure"] for each in written]
    assert [each["value"] for each in result] == [float(each["value"]) for each in written]
    assert result[0]["pages"] == 6
    assert result[0]["parameters"] == json.loads(written[0]["parameters"])


@pytest.mark.slow
def test_limit_evaluates_the_first_pages_and_excludes_sample(package, tmp_path):
    done = evaluate(package, "plain", tmp_path / "out", "--limit", "2")
    assert done.stdout.startswith("ferries: 2 pages\n")
    for words, message in (
        (("--limit", "0"), "--limit must be at least 1, got 0"),
        (("--limit", "2", "--sample", "2"), "--limit and --sample exclude each other"),
    ):
        refused = evaluate(package, "plain", tmp_path / "no", *words)
        assert refused.returncode == 2
        assert message in refused.stderr


def test_a_sample_of_pages_is_reproducible_and_in_order():
    some = PageChoice(sample=3).numbers(100)
    assert list(some) == sorted(some)
    assert PageChoice(sample=3).numbers(100) == some
    assert PageChoice(sample=3, seed=5).numbers(100) != some
    assert list(PageChoice(sample=30).numbers(4)) == [0, 1, 2, 3]


def test_extract_prints_the_text_of_a_page_as_json(tmp_path):
    page = tmp_path / "a.html"
    page.write_text(f"<p>{TEXT}</p>")
    result = json.loads(typed("extract", "bte", page, "--json").stdout)
    assert (result["status"], result["text"], result["words"]) == ("ok", TEXT, 10)


@pytest.mark.slow
def test_bundle_prints_its_pages_and_index_as_json(package, tmp_path):
    evaluate(package, "bte", tmp_path / "out")
    done = typed("bundle", tmp_path / "out", "--out", tmp_path / "b", "--no-content", "--json")
    result = json.loads(done.stdout)
    assert (result["pages"], result["index"]) == (6, str(tmp_path / "b" / "index.html"))
