"""Packages and the article benchmark as cases; predictions and packages written for scorers."""

import gzip
import json
import zipfile

import pytest

from annotate.cases import read_dataset
from annotate.predictions import PackagePage, Predictions, write_package
from engine.errors import InputError

PAGES = [
    PackagePage("a.b", b"<p>caf\xe9", "café", {"encoding": "iso-8859-1", "url": "http://x/a"}),
    PackagePage("deep/c", b"<p>two", "two", {"encoding": "utf-8"}),
]


def test_a_written_package_is_read_back(tmp_path):
    path = tmp_path / "mine.zip"
    write_package(path, "mine", PAGES)
    dataset = read_dataset(path)
    assert (dataset.name, dataset.is_package, dataset.problems) == ("mine", True, ())
    assert [case.name for case in dataset.cases] == ["a.b", "deep/c"]
    first = dataset.cases[0]
    received = first.document().receive()
    assert (received.data, received.charset) == (b"<p>caf\xe9", "iso-8859-1")
    assert first.gold() == "café"
    again = tmp_path / "again.zip"
    write_package(again, "mine", PAGES)
    assert again.read_bytes() == path.read_bytes()


def test_a_page_of_a_package_without_gold_has_none(tmp_path):
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("a.html", "<p>a")
    assert read_dataset(path).cases[0].gold() is None


def test_the_article_benchmark_is_read_as_cases(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "f00.html.gz").write_bytes(gzip.compress(b"<p>story"))
    truth = {"f00": {"articleBody": "story", "url": "http://x/"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    dataset = read_dataset(tmp_path)
    (case,) = dataset.cases
    assert (case.name, case.gold(), case.document().read()) == ("f00", "story", b"<p>story")


def test_two_pages_of_one_name_are_bad_input(tmp_path):
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("a.html", "<p>a")
        package.writestr("a.htm", "<p>a")
    with pytest.raises(InputError, match="two pages of the name a"):
        read_dataset(path)


def test_predictions_hold_any_text(tmp_path):
    path = tmp_path / "sub" / "bte--original.json"
    Predictions("bte--original", {"a": 0.25}, {"a": "café \ud800\n猫"}).write(path)
    assert json.loads(path.read_text("utf-8")) == {
        "name": "bte--original", "seconds": {"a": 0.25}, "output": {"a": "café \ud800\n猫"},
    }  # fmt: skip
    with pytest.raises(InputError, match="cannot write"):
        Predictions("x").write(path / "below")
