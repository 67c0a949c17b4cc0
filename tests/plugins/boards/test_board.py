"""A board has the means that one works out by hand, by data set, type and language."""

import json
import re
from collections import Counter
from html.parser import HTMLParser

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


def f1_of_bags(text, gold):
    """Return F1 of the words of two texts, counted by hand."""
    words = [Counter(re.findall(r"\w+", each.lower())) for each in (text, gold)]
    both = (words[0] & words[1]).total()
    return 2 * both / (words[0].total() + words[1].total())


def test_a_number_is_the_mean_of_its_pages(board):
    shown = "one menu entry of many {text} a caption of five words"
    score = {
        name: f1_of_bags(shown.format(text=text), "quite elsewhere" if name == "b" else text)
        for name, (_, text) in TEXTS.items()
    }
    assert score["b"] == 0.0
    parts = {"pages": "abc", "pages · en": "ab", "pages · de": "c"}
    assert board.parts.keys() == parts.keys()
    for part, names in parts.items():
        number = board.numbers(part)["plain"]
        assert (number.pages, number.failed, number.seen) == (len(names), 0, 0)
        assert number.mean.mean == pytest.approx(sum(score[n] for n in names) / len(names))
        assert number.mean.low <= number.mean.mean <= number.mean.high


def test_the_best_of_a_page_is_that_of_its_best_method(tmp_path):
    folder = data(tmp_path / "pages")
    menu = "one menu entry of many {} a caption of five words"
    (folder / "c.txt").write_text(menu.format(TEXTS["c"][1]), "utf-8")
    board = board_of(folder, "dsc,plain")
    found = {(row.run.method, row.run.page): row.score.value for row in board.rows}
    best = {name: max(found["dsc", name], found["plain", name]) for name in TEXTS}
    assert [found["plain", name] == best[name] for name in TEXTS] == [False, False, True]
    assert board.numbers("pages")[BEST].mean.mean == pytest.approx(sum(best.values()) / 3)


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


class Cells(HTMLParser):
    """Each link of a page: where it leads, and its words."""

    def __init__(self, text):
        super().__init__()
        self.links, self._to = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.links.append([dict(attributes).get("href"), ""])
            self._to = self.links[-1]

    def handle_endtag(self, tag):
        self._to = None if tag == "a" else self._to

    def handle_data(self, data):
        if self._to is not None:
            self._to[1] += data.strip()


def test_every_number_opens_the_list_of_its_pages(board, tmp_path):
    sheets = {("pages", name): f"bundle/pages/000{k}-{name}.html" for k, name in enumerate("abc")}
    path = write_board(tmp_path, board, sheets)
    shown = [(to, words) for to, words in Cells(path.read_text("utf-8")).links]
    parts = {"pages": "abc", "pages · en": "ab", "pages · de": "c"}
    numbers = [
        (cell_text(board.numbers(part)[label]), names)
        for part, names in parts.items() for label in (*board.order, "best per page")
    ]  # fmt: skip
    assert len(shown) == len(numbers)
    found = []
    for to, words in shown:
        listed = Cells((tmp_path / to).read_text("utf-8")).links
        names = [n for n in "abc" if any(link.endswith(f"-{n}.html") for link, _ in listed)]
        found.append((words, "".join(names)))
    assert sorted(found) == sorted(numbers)
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
