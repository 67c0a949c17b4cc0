"""Comments and questions are stored per mark, answered in place, and merged with marks."""

import pytest

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.plugins.team_work import comments
from annotate.plugins.team_work.comments import CommentKind
from annotate.plugins.team_work.merging import merge
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError
from tests.annotate.pages import nodes_of, row_of

KEY = "https://example.org/"


@pytest.fixture
def nodes():
    return nodes_of("<h1>Harbour</h1><p id=a>A ferry</p>")


@pytest.fixture
def workspace(tmp_path, nodes):
    with Workspace.open(tmp_path / "anna.pagelet") as made:
        made.add_pages([Document(KEY, KEY)])
        gold = edits.add_block(made.load_gold(KEY, nodes), nodes, [Target(row_of(nodes, "a"))], 1)
        made.save_gold(KEY, gold, nodes, "mark")
        yield made


def said(workspace):
    return [
        [(each.author, str(each.kind), each.text) for each in thread]
        for thread in comments.threads(workspace, KEY)
    ]


def test_a_question_is_open_until_it_is_answered(workspace, nodes):
    (mark,) = workspace.load_gold(KEY, nodes).marks
    asked = comments.add(workspace, KEY, " Is this one? ", mark.id, CommentKind.QUESTION)
    assert workspace.page(KEY).questions == 1
    comments.add(workspace, KEY, "It is.", mark.id, CommentKind.ANSWER, asked)
    assert workspace.page(KEY).questions == 0
    me = workspace.annotator.shown
    assert said(workspace) == [[(me, "question", "Is this one?"), (me, "answer", "It is.")]]
    comments.settle(workspace, asked, False)
    assert workspace.page(KEY).questions == 1


def test_settling_a_question_twice_changes_nothing_the_second_time(workspace):
    asked = comments.add(workspace, KEY, "Why?", kind=CommentKind.QUESTION)
    comments.settle(workspace, asked)
    before = comments.threads(workspace, KEY)
    Workspace.open(workspace.path).close()  # which removes the journal
    comments.settle(workspace, asked)
    ((question,),) = comments.threads(workspace, KEY)
    assert question.is_settled
    assert comments.threads(workspace, KEY) == before
    assert workspace.page(KEY).questions == 0


def test_taking_back_an_answer_reopens_the_question(workspace):
    asked = comments.add(workspace, KEY, "Why?", kind=CommentKind.QUESTION)
    answer = comments.add(workspace, KEY, "So.", kind=CommentKind.ANSWER, answers=asked)
    comments.take_back(workspace, answer)
    assert workspace.page(KEY).questions == 1


def test_a_question_on_a_page_is_listed_for_annotators_who_can_answer(workspace):
    asked = comments.add(workspace, KEY, "Is it all one article?", kind=CommentKind.QUESTION)
    annotators.add(workspace.store, "Ben")
    workspace.work_as(annotators.annotator_named(workspace.store, "Ben"))
    workspace.add_pages([Document(KEY, KEY)])
    assert workspace.page(KEY).questions == 1
    comments.add(workspace, KEY, "Yes.", kind=CommentKind.ANSWER, answers=asked)
    assert workspace.page(KEY).questions == 0


def test_a_question_on_a_mark_is_listed_only_for_its_annotator(workspace, nodes):
    (mark,), asked = workspace.load_gold(KEY, nodes).marks, workspace.annotator
    for name in ("Ben", "Cleo"):
        annotators.add(workspace.store, name)
        workspace.work_as(annotators.annotator_named(workspace.store, name))
        workspace.add_pages([Document(KEY, KEY)])
    comments.add(workspace, KEY, "Is this one?", mark.id, CommentKind.QUESTION)
    assert workspace.page(KEY).questions == 0  # Cleo asked
    workspace.work_as(annotators.annotator_named(workspace.store, "Ben"))
    assert workspace.page(KEY).questions == 0
    workspace.work_as(asked)
    assert workspace.page(KEY).questions == 1


def test_an_empty_comment_is_refused(workspace):
    with pytest.raises(InputError, match="type a few words"):
        comments.add(workspace, KEY, "  \n ")


def test_a_reviewers_question_on_a_mark_reaches_its_annotator(workspace, tmp_path, nodes):
    (mark,) = workspace.load_gold(KEY, nodes).marks
    out = tmp_path / "both.pagelet"
    merge([workspace.path], out)
    with Workspace.open(out) as both:
        both.add_pages([Document(KEY, KEY)])
        annotators.change(both.store, both.annotator, "Ruth", Role.REVIEWER)
        comments.add(both, KEY, "Really?", mark.id, CommentKind.QUESTION)
        assert both.page(KEY).questions == 1  # a reviewer sees those on all marks
        asked = comments.threads(both, KEY)[0][0].id
        both.work_as(annotators.annotator_named(both.store, "anna"))
        assert both.page(KEY).questions == 1
        with pytest.raises(InputError, match="only its author"):
            comments.take_back(both, asked)
    before = workspace.store.all("SELECT count(*) FROM comments")
    with Workspace.open(tmp_path / "back.pagelet") as back:
        pass
    merge([out, workspace.path], tmp_path / "back.pagelet")
    assert before == [(0,)]
    with Workspace.open(tmp_path / "back.pagelet") as back:
        assert said(back) == [[("Ruth", "question", "Really?")]]
        assert comments.threads(back, KEY)[0][0].owner == "anna"
