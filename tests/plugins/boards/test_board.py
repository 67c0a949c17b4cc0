"""A board has the means that one works out by hand, by data set, type and language."""

import json

import numpy as np
import pytest

from annotate.datasets.cases import DataSet
from annotate.datasets.readers import read_dataset
from annotate.evaluation.run.plan import chosen_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.library.progress import NullProgress
from annotate.plugins.boards.board import BEST, make_board, under_guidelines
from annotate.plugins.boards.board_pages import board_markdown, cell_text, write_board
from annotate.plugins.guidelines.guidelines import shares_of_page
from tests.typed_commands import typed

PAGE = (
    "<html lang='{language}'><title>T</title><nav><a href=/a>one menu entry of many</a></nav>"
    "<main><p>{text}</p><figure><img><figcaption>a caption of five words</figcaption></figure>"
    "</main></html>"
)
TEXTS = {
    "a": ("en", "The ferry came back to the harbour this morning after nine years of repairs."),
    "b": ("en-GB", "A crowd of two thousand people stood on the quay in spite of all the rain."),
    "c": ("de", "Die Fähre kam heute morgen nach neun Jahren der Reparatur wieder in den Hafen."),
}


def data(folder, changed=()):
    folder.mkdir()
    for name, (language, text) in TEXTS.items():
        (folder / f"{name}.html").write_text(PAGE.format(language=language, text=text), "utf-8")
        (folder / f"{name}.txt").write_text("quite elsewhere" if name in changed else text, "utf-8")
    return folder


def with_text():
    return (DataSet("", frozenset({"text"}), ()),)


def board_of(folder, methods="bte,plain", **more):
    datasets = (read_dataset(folder),)
    chosen = under_guidelines(chosen_of(methods, (), datasets))
    options = EvaluationOptions(jobs=1, predictions=True, cache=None)
    return make_board(
        datasets,
        chosen,
        "bow",
        options,
        NullProgress(),
        shares=shares_of_page,
        rule_pages=3,
        **more,
    )


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    return board_of(data(tmp_path_factory.mktemp("board") / "pages", changed=("b",)))


def test_parts_are_the_set_and_its_languages(board):
    assert {name: int(mask.sum()) for name, mask in board.parts.items()} == {
        "pages": 3, "pages · en": 2, "pages · de": 1,
    }  # fmt: skip


def test_a_number_is_the_mean_of_its_pages(board):
    everything = list(board.methods).index("plain")
    for part, mask in board.parts.items():
        number = board.numbers(part)["plain"]
        assert number.pages == int(mask.sum())
        assert number.mean.mean == pytest.approx(board.scores[everything, mask].mean())
    assert board.numbers("pages")[BEST].mean.mean == pytest.approx(board.scores.max(axis=0).mean())
    other = [k for k, page in enumerate(board.pages) if page.name == "b"]
    assert board.scores[everything, other] == pytest.approx(0.0)


def test_a_page_that_a_method_has_seen_is_not_among_the_best(board):
    seen = np.zeros_like(board.seen)
    seen[board.scores.argmax(axis=0)[0], 0] = True
    board.__dict__.pop("best")
    before, board.seen = board.seen, seen
    assert board.best[0] == board.scores[:, 0].min()
    board.seen = before
    board.__dict__.pop("best")


def test_adherence_is_near_where_a_method_keeps_what_gold_keeps(board):
    captions = board.adherence["pages"]["plain"]["captions"]
    assert captions == pytest.approx((0.0, 3))  # no gold has captions, and plain keeps all
    assert board.adherence["pages"]["plain"]["paragraphs"][0] == pytest.approx(2 / 3, abs=0.02)


def test_a_method_with_guidelines_stands_once_for_each():
    labels = {
        each.params.guideline for each in under_guidelines(chosen_of("gleaner", (), with_text()))
    }
    assert labels == {"all content", "one article"}


def test_every_number_opens_the_list_of_its_pages(board, tmp_path):
    path = write_board(tmp_path, board, {("pages", "a"): "bundle/pages/0000-a.html"})
    text = path.read_text("utf-8")
    links = [part.split('"')[0] for part in text.split('href="')[1:]]
    assert len(links) == 3 * len(board.parts)
    for link in links:
        assert "0000-a.html" in (tmp_path / link).read_text("utf-8") or "de" in link
    assert cell_text(board.numbers("pages")["plain"]) in text
    assert board_markdown(board).startswith("# Board")


@pytest.mark.slow
def test_the_command_writes_the_board(tmp_path):
    folder = data(tmp_path / "pages")
    words = ("board", folder, "--methods", "bte,gleaner", "--out", tmp_path / "out", "--no-cache")
    done = typed(*words, "--jobs", "1", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    names = [each["method"] for each in answer["parts"][0]["methods"]]
    assert {"bte", "plain", "gleaner guideline=all content", BEST} <= set(names)
    assert (tmp_path / "out" / "board.html").is_file()
    again = typed("bundle", tmp_path / "out", "--out", tmp_path / "bundle", "--jobs", "1")
    assert again.returncode == 0, again.stderr


def test_structure_of_pages_without_markdown_is_refused(tmp_path):
    done = typed("board", data(tmp_path / "pages"), "--structure", "--methods", "bte")
    assert done.returncode == 2
    assert "has no pages with Markdown as gold" in done.stderr
