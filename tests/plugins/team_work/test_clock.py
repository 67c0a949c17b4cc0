"""The work clock counts working time by page and day, and stores it."""

import pytest

from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from gui.core.clock import TICK_S
from gui.plugins.team_work.team.controller import TeamController


@pytest.mark.web
def test_time_is_counted_separately_for_each_annotator(hand):
    bench = hand.workbench
    hand.open("<p>one two three", "shared.html")
    key, team = page_key(hand.session.open.document), bench.get(TeamController)
    for name, ticks, seconds in (("Anna", 3, 3), ("Ben", 1, 1), ("Anna", 1, 4)):
        team.work_as(name, Role.ANNOTATOR)
        hand.qtbot.waitUntil(lambda: hand.session.open.page is not None, timeout=30_000)
        for _ in range(ticks):
            bench.clock.note()
            bench.clock.tick()
        assert bench.clock.on_page(key) == bench.clock.today() == seconds * TICK_S
    bench.clock.keep()
    assert sum(bench.workspace.setting("time spent")[key].values()) == 4 * TICK_S
