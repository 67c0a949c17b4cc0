"""Pages are found by types, comments and scores, without being opened."""

import pytest

from annotate.evaluation.store.stored_runs import store_runs
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.plugins.team_work import comments
from annotate.workspace.page_search import NO_FACTS, facts_of_pages
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.evaluation.test_stored_runs import FAILED, KEY, OTHER, ROWS
from tests.annotate.workspace.test_page_search import NODES


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(tmp_path / "marks.pagelet") as made:
        made.add_pages([Document(KEY, KEY), Document(OTHER, OTHER)])
        yield made


def test_types_comments_and_the_mean_score_are_known(workspace):
    gold = edits.add_block(Gold(), NODES, [Target(2)], 2, "Link list")
    workspace.save_gold(KEY, gold, NODES, "mark")
    comments.add(workspace, KEY, "Is this an Ad?", gold.marks[0].id)
    store_runs(workspace, OTHER, [*ROWS, *FAILED], "gold 1", made=1.5e9)
    facts = facts_of_pages(workspace)
    assert "link list" in facts[KEY].words
    assert "is this an ad?" in facts[KEY].words
    assert facts[KEY].score is None
    assert facts[OTHER].score == pytest.approx(1 / 6)  # a third, and a run that failed
    assert facts_of_pages(workspace).get("elsewhere", NO_FACTS) == NO_FACTS
