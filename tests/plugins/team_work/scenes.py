"""Pictures of marks by two annotators: their review and agreement."""

import random

import resources
from annotate.datasets.opening import open_pages
from annotate.marks.gold import MAIN, Gold
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from gui.plugins.team_work.agreement.view import AgreementView
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.state import ReviewState
from gui.plugins.team_work.team.controller import TeamController
from gui.window.window import Window
from tests.gui.scenes import PAGE, Scene, wait


def review(window: Window) -> None:
    mark_by_two(window)
    window.session.get(ReviewState).show(True)
    wait(lambda: bool(window.session.get(ReviewState).items), 60)
    window.workbench.get(ReviewController).step(1)


def agreement(window: Window) -> None:
    mark_by_two(window)
    window.main_area.toggle(AgreementView)
    view = window.main_area.get(AgreementView)
    wait(lambda: view.is_ready, 120)
    view.plot.set_cut(3)


def mark_by_two(window: Window) -> None:
    """Mark the page as Anna and Ben, with some differences, and review them as Ruth."""
    workbench, session = window.workbench, window.session
    page, document = session.open.page, session.open.document
    assert page is not None
    assert document is not None
    nodes, chance = page.rendered(), random.Random(3)
    files = open_pages(resources.path("corpus")).files
    gold, _ = next(each for each in files if PAGE in each.document().path).shown(page)
    blocks = [mark for mark in gold.marks if mark.level != MAIN]
    changed = {mark.id for mark in chance.sample(blocks, len(blocks) // 3)}
    missing = {mark.id for mark in chance.sample(gold.marks, len(gold.marks) // 8)}
    marks = {
        "Anna": [mark for mark in gold.marks if mark.id not in missing],
        "Ben": [
            mark.with_(type=("Article", "Sidebar")[mark.level == 1]) if mark.id in changed else mark
            for mark in gold.marks
        ],
    }
    workbench.get(TeamController).work_as("Ruth", Role.REVIEWER)
    wait(lambda: session.open.page is not None and not workbench.canvas.is_busy, 60)
    me, workspace, key = workbench.workspace.annotator, workbench.workspace, page_key(document)
    for name, own in marks.items():
        with workspace.store.saving():
            who = annotators.add(workspace.store, name)
        workspace.work_as(who)
        workspace.save_gold(key, Gold(tuple(own)), nodes, "mark")
    workspace.work_as(me)
    workspace.load_gold(key, nodes)
    wait(lambda: not workbench.runner.is_running, 60)


SCENES = {
    "review-dark": Scene(review, (1100, 700), "dark", of_corpus=False),
    "agreement-light": Scene(agreement, (1300, 850), of_corpus=False),
}
