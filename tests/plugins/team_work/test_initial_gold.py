"""Gold that comes with pages: shown, locked if published, copied to be changed."""

import pytest

from annotate.datasets.opening import open_pages
from annotate.marks.gold import MAIN
from annotate.plugins.team_work.assignments import Assigned, assign
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from tests.gui.core.test_initial_gold import benchmark

pytestmark = pytest.mark.web


def test_the_gold_of_a_control_page_is_not_shown(hand):
    folder, workspace = benchmark(hand.folder), hand.workbench.workspace
    key = page_key(open_pages(folder).documents[0])
    annotators.change(workspace.store, workspace.annotator, "Anna", Role.ANNOTATOR)
    assign(workspace.store, {"Anna": [Assigned(key, True)]})
    hand.open_path(folder)
    assert page_key(hand.session.open.document) == key
    assert hand.marked(MAIN) == []
    assert not hand.session.open.is_locked
    assert hand.workbench.pages.is_assigned(hand.session.open.document)
