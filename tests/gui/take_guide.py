"""Take pictures of working together on marks: ``python -m tests.gui.take_guide FOLDER [NAME…]``.

Drafts, suggested types, suggestions, review, agreement with its dial, and the certificate of a
frozen page, at two sizes, light and dark, for review; the guide shows some of them.
"""

import random
import shutil
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

import resources
from annotate.datasets.opening import open_pages
from annotate.marks.gold import MAIN, Gold
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.drafts.controller import DraftsController
from gui.features.freezing.controller import FreezingController
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.plugins.suggestions.controller import SuggestionsController
from gui.plugins.suggestions.state import SuggestionWalk
from gui.plugins.team_work.agreement.view import AgreementView
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.state import ReviewState
from gui.plugins.team_work.team.controller import TeamController
from gui.state.selection import Mode
from gui.widgets.theme import CHOICES
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.take_figures import rest, wait

SIZES = {"small": (1100, 700), "large": (1300, 850)}
PAGE = "news"


def drafts(window: Window) -> None:
    use(window, "terrain")
    window.workbench.get(DraftsController).adopt()
    window.workbench.get(DraftsController).step(1)


def types(window: Window) -> None:
    """Show blocks with suggested types, one selected, and the frame under the mouse."""
    session = window.session
    session.selection.suggests_types = True
    session.layers.set_gold_only(True)
    assert session.open.page is not None
    nodes = session.open.page.rendered()
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    rows = [
        next(r for r in range(len(nodes)) if nodes.name_of(r) == tag and nodes.visible[r])
        for tag in ("nav", "h1", "footer", "p")
    ]
    for row in rows:
        session.selection.set_candidate(row)
        window.workbench.marking.take()
    session.selection.set_selected([session.open.gold.marks[0].id])
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    texts = [r for r in range(len(nodes)) if nodes.name_of(r) == "p" and nodes.visible[r]]
    window.workbench.marking.point([texts[1]])


def suggestions(window: Window) -> None:
    for key in ("webterrain", "vips", "terrain"):
        use(window, key)
    session = window.session
    for layer in session.layers.all:
        if not layer.is_gold:
            is_asked = layer.key in ("webterrain", "vips", "terrain")
            session.layers.change_layer(layer.key, visible=is_asked)
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    window.workbench.get(SuggestionsController).step(1)
    wait(lambda: bool(session.get(SuggestionWalk).items))
    window.workbench.get(SuggestionsController).step(1)


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


def certificate(window: Window) -> None:
    session = window.session
    there = len(session.documents)
    window.workbench.get(FreezingController).freeze()
    wait(lambda: len(session.documents) > there, 180)
    wait(lambda: session.open.page is not None and not window.workbench.canvas.is_busy, 60)
    wait(lambda: not window.workbench.runner.is_running, 60)


SCENES = (drafts, types, suggestions, review, agreement, certificate)
IN_FRONT = {drafts: LayersDock, certificate: DetailsDock}
"""The panel in front when a small window has two as tabs."""


def use(window: Window, key: str) -> None:
    session = window.session
    session.layers.add_method(key)
    session.layers.set_current_layer(key)
    wait(lambda: not window.workbench.runner.is_running, 60)


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


def bare_page(folder: Path) -> Path:
    """Copy the page without its gold into a folder; return its file."""
    bare = folder / PAGE
    ignored = shutil.ignore_patterns("*.gold.json")
    shutil.copytree(resources.path("corpus") / PAGE, bare, ignore=ignored)
    return bare / "index.html"


def take(scene, folder: Path) -> None:
    """Take all pictures of a scene, in a window and workspace of its own."""
    with tempfile.TemporaryDirectory() as position:
        window = make_window(Path(position))
        window.resize(*SIZES["large"])
        window.workbench.navigation.open_path(str(bare_page(Path(position))))
        wait(lambda: window.session.open.page is not None, 60)
        wait(lambda: not window.workbench.runner.is_running, 60)
        scene(window)
        for size, (width, height) in SIZES.items():
            window.resize(width, height)
            rest(300)
            if scene in IN_FRONT:
                window.panel(IN_FRONT[scene]).raise_()
            for theme in CHOICES[1:]:
                window.themes.choose(theme)
                rest(1200)
                window.toast.hide()
                if window.main_area.stack.currentWidget() is window.workbench.canvas:
                    window.workbench.canvas.settled_picture()  # waits until the page is painted
                file = folder / f"{scene.__name__}-{size}-{theme}.png"
                window.grab().save(str(file))
                print(file.name, flush=True)
        window.close_down()


def main(folder: Path, names: list[str]) -> None:
    """Take all pictures, or those of some scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if not names or scene.__name__ in names:
            take(scene, folder)


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
