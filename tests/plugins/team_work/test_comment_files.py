"""Comments are written to files for users without Pagelet."""

import csv
import json

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.plugins.team_work import comments
from annotate.plugins.team_work.comment_files import COLUMNS, write_comments
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError
from tests.annotate.pages import nodes_of, row_of

FIRST, SECOND = "https://example.org/a", "https://example.org/b"


@pytest.fixture
def workspace(tmp_path):
    nodes = nodes_of("<h1>Harbour</h1><p id=a>A ferry</p>")
    with Workspace.open(tmp_path / "anna.pagelet") as made:
        made.add_pages([Document(FIRST, FIRST, title="Quay"), Document(SECOND, SECOND)])
        gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "a"))], 2, "Article")
        made.save_gold(SECOND, gold, nodes, "mark")
        asked = comments.add(made, SECOND, "=Is it?", gold.marks[0].id, CommentKind.QUESTION)
        comments.add(made, FIRST, "On the page")
        comments.add(made, SECOND, "It is.", gold.marks[0].id, CommentKind.ANSWER, asked)
        yield made


def test_comments_are_ordered_by_page_with_answers_after_questions(workspace):
    found = [[(each.page, each.text) for each in thread] for thread in comments.threads(workspace)]
    assert found == [
        [(FIRST, "On the page")], [(SECOND, "=Is it?"), (SECOND, "It is.")],
    ]  # fmt: skip


def test_a_table_and_json_have_the_quote_of_the_mark_and_no_formula(workspace, tmp_path):
    assert write_comments(workspace, tmp_path / "out.json") == 3
    rows = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [list(row) for row in rows] == [list(COLUMNS)] * 3
    question, answer = rows[1:]
    assert (question["level"], question["type"], question["quote"]) == (2, "Article", "A ferry")
    assert (question["kind"], question["resolved"]) == ("question", True)
    assert answer["answers"] == question["id"]
    assert (rows[0]["title"], rows[0]["level"]) == ("Quay", None)
    write_comments(workspace, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["text"] for row in table] == ["On the page", "'=Is it?", "It is."]


def test_another_file_ending_is_refused_with_a_sentence(workspace, tmp_path):
    with pytest.raises(InputError, match=r"must end in .csv or .json"):
        write_comments(workspace, tmp_path / "out.xlsx")
