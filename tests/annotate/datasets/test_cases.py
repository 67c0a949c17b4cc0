"""Data sets as cases; predictions and packages written for scorers."""

import gzip
import json
import pickle
import zipfile

import pytest

import resources
from annotate.datasets.cases import BLOCKS, TEXT
from annotate.datasets.opening import list_documents
from annotate.datasets.readers import read_dataset
from annotate.evaluation.store.predictions import PredictedPage, Predictions, write_package
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from tests.annotate.pages import nodes_of, row_of

PAGES = [
    PredictedPage("a.b", b"<p>caf\xe9", "café", {"encoding": "iso-8859-1", "url": "http://x/a"}),
    PredictedPage("deep/c", b"<p>two", "two", {"encoding": "utf-8"}),
]


def never():
    raise AssertionError("nothing is to be rendered for this")


def test_a_written_package_is_read_back(tmp_path):
    path = tmp_path / "mine.zip"
    write_package(path, "mine", PAGES)
    dataset = read_dataset(path)
    assert (dataset.name, dataset.is_package, dataset.problems) == ("mine", True, ())
    assert dataset.golds == {TEXT}
    cases = list(dataset.cases(["original", "dom"]))
    assert [case.key for case in cases[::2]] == [
        ("mine", "a.b", "original"), ("mine", "deep/c", "original"),
    ]  # fmt: skip
    received = cases[0].files.document().receive()
    assert (received.data, received.charset) == (b"<p>caf\xe9", "iso-8859-1")
    assert cases[0].files.text(never) == "café"
    assert cases[0].files.blocks(never) is None
    again = tmp_path / "again.zip"
    write_package(again, "mine", PAGES)
    assert again.read_bytes() == path.read_bytes()


def test_a_page_of_a_package_without_gold_has_none(tmp_path):
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("a.html", "<p>a")
    (case,) = read_dataset(path).cases(["original"])
    assert case.files.text(never) is None


def test_the_article_benchmark_is_read_as_cases(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "f00.html.gz").write_bytes(gzip.compress(b"<p>story"))
    truth = {"f00": {"articleBody": "story", "url": "http://x/"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    (case,) = read_dataset(tmp_path).cases(["original"])
    assert (case.key[1], case.files.text(never)) == ("f00", "story")
    assert case.files.document().read() == b"<p>story"


def test_pages_with_gold_files_have_both_kinds_of_gold():
    dataset = read_dataset(resources.path("corpus"))
    assert dataset.golds == {TEXT, BLOCKS}
    assert len(dataset.pages) == 15
    sent = pickle.loads(pickle.dumps(list(dataset.cases(["rendered"]))))
    assert sent == list(dataset.cases(["rendered"]))


def test_a_workspace_is_a_data_set_of_its_marked_pages(tmp_path):
    body = "<p id=one>one</p><p id=two>two</p>"
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(body)
    documents = list_documents(tmp_path)
    page = Page("a", nodes=nodes_of(body), dom=Source.from_text(body))
    path = tmp_path / "mine.pagelet"
    with Workspace.open(path) as workspace:
        workspace.add_pages(documents)
        gold = edits.add_block(Gold(), page.nodes, [Target(row_of(page.nodes, "two"))], 1)
        workspace.save_gold(page_key(documents[0]), gold, page.nodes, "Mark")
    dataset = read_dataset(path)
    (case,) = dataset.cases(["rendered"])
    assert case.key == ("mine", "a.html", "rendered")
    assert case.files.blocks(lambda: page).texts == [("two", 1)]
    assert case.files.text(lambda: page) is None
    assert case.files.problems(lambda: page) == ()
    other = Page("a", nodes=nodes_of("<p id=one>one</p>"))
    assert case.files.problems(lambda: other) == ("marks not found on the page: 1",)


def test_a_workspace_without_marks_is_refused_as_a_data_set(tmp_path):
    Workspace.open(tmp_path / "new.pagelet").close()
    with pytest.raises(InputError, match="nothing is marked in it yet"):
        read_dataset(tmp_path / "new.pagelet")


def test_predictions_hold_any_text(tmp_path):
    path = tmp_path / "sub" / "bte--original.json"
    Predictions("bte--original", {"a": 0.25}, {"a": "café \ud800\n猫"}).write(path)
    assert json.loads(path.read_text("utf-8")) == {
        "name": "bte--original", "seconds": {"a": 0.25}, "output": {"a": "café \ud800\n猫"},
    }  # fmt: skip
    with pytest.raises(InputError, match="cannot write"):
        Predictions("x").write(path / "below")


def test_pages_in_kreuzers_layout_need_not_have_every_variant(tmp_path):
    line = '"http://a.org/" : "/opt/dataset-random/a.org/index.html",'
    (tmp_path / "mapping.txt").write_text(line)
    with pytest.raises(
        InputError, match=r"holds no page with gold: mapping.txt: there is no file a\.org"
    ):
        read_dataset(tmp_path)
    (tmp_path / "a.org").mkdir()
    for name in ("index.html", "index.blocks.html"):
        (tmp_path / "a.org" / name).write_text("<p data-block=1>ferry</p>")
    dataset = read_dataset(tmp_path, ("html", "dom", "repaired"))
    assert [case.input for case in dataset.cases(dataset.inputs)] == ["html", "repaired"]
    assert dataset.problems == ("mapping.txt: there is no file a.org/index.html (dom)",)
