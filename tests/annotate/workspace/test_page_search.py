"""Pages are found by types, comments and scores, without being opened."""

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.page_search import Query, facts_of_pages, query_of, unsure_marks
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.evaluation.test_stored_runs import KEY, OTHER
from tests.annotate.pages import nodes_of

NODES = nodes_of("<p>One</p><p>Two</p>")


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(tmp_path / "marks.pagelet") as made:
        made.add_pages([Document(KEY, KEY), Document(OTHER, OTHER)])
        yield made


def test_a_query_is_split_into_words_and_conditions():
    assert query_of("  Menu score<.5 harbour ") == Query(("menu", "harbour"), (("<", 0.5),))
    assert query_of("") == Query()


@pytest.mark.parametrize(
    ("typed", "score", "is_found"),
    [
        ("score<.5", 0.4, True),
        ("score<.5", 0.5, False),
        ("score >= 0.5", 0.5, True),
        ("score>.2 score<=.3", 0.25, True),
        ("score<.5", None, False),
        ("menu", None, True),
        ("menu ad", None, False),
    ],
)
def test_all_words_and_all_conditions_must_hold(typed, score, is_found):
    assert query_of(typed).finds("the menu of the harbour", score) is is_found


def test_pages_with_unsure_marks_are_known_and_their_gold_is_the_same(workspace):
    gold = edits.add_block(Gold(), NODES, [Target(2)], 2, "Link list")
    workspace.save_gold(KEY, gold, NODES, "mark")
    before = workspace.gold_digests()
    flagged = edits.set_unsure(gold, [gold.marks[0].id], True)
    workspace.save_gold(KEY, flagged, NODES, "flag 1 mark as unsure")
    assert unsure_marks(workspace) == {KEY: 1}
    assert workspace.gold_digests() == before  # scores still hold
    facts = facts_of_pages(workspace)[KEY]
    assert (facts.unsure, "unsure" in facts.words) == (1, True)
