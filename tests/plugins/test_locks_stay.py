"""No action of the window drops the locks on the workspace."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess, Qt, QThreadPool
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from annotate.marks.drafts import unsure
from annotate.marks.gold import TYPES, Gold
from annotate.workspace import annotators, workspace_file
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace, page_key
from gui.core.action import Action
from gui.core.autosave import RETRY_MS
from gui.core.when import (
    ALWAYS,
    IN_VIEW,
    ON_PAGE,
    WITH_BLOCK,
    WITH_DOCUMENT,
    WITH_MARK,
    WITH_METHOD,
    WITH_PIECE,
    WITH_TYPE,
    When,
)
from gui.features.checks.controller import ChecksController
from gui.features.checks.state import CheckWalk
from gui.features.drafts.controller import DraftsController
from gui.features.drafts.feature import DROPPED, UNSURE
from gui.features.errors.controller import Errors
from gui.features.errors.state import ErrorWalk
from gui.features.evaluate.feature import IN_TABLE
from gui.features.evaluate.view import EvaluateView
from gui.features.export.feature import WITH_PICTURE
from gui.features.freezing.controller import FreezingController
from gui.features.help.feature import FAILED
from gui.features.layers.feature import METHOD_CURRENT
from gui.features.marks.feature import (
    CONTESTED,
    DROPPABLE,
    FRAMED,
    IN_MARK,
    LOCKED,
    REDOABLE,
    UNDOABLE,
)
from gui.features.pages import feature as pages_feature
from gui.features.pages.controller import PageMenu
from gui.features.pages.feature import HANGING
from gui.features.source.panel import SourceDock
from gui.features.why.controller import WhyActions
from gui.features.why.state import WhyState
from gui.page import page_stage
from gui.plugins.compare.controller import ComparisonController
from gui.plugins.compare.state import ChangeWalk
from gui.plugins.exchange.feature import CHANGED
from gui.plugins.exchange.mirror import Mirror
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.feature import OLDER, OLDER_HERE, OWN
from gui.plugins.guidelines.older_pages import OlderPages
from gui.plugins.method_editor.controller import MethodEditorController
from gui.plugins.page_diff.feature import TWO_PAGES
from gui.plugins.page_diff.view import PageDiffView
from gui.plugins.presentation.feature import PRESENTING
from gui.plugins.presentation.stage import Presentation
from gui.plugins.side_by_side.feature import SIDE_BY_SIDE
from gui.plugins.side_by_side.view import SideBySide
from gui.plugins.site import feature as site_feature
from gui.plugins.site.view import SiteView
from gui.plugins.suggestions.state import SuggestionWalk
from gui.plugins.team_folder.controller import TeamFolderController
from gui.plugins.team_work.agreement.view import AgreementView
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.feature import REVIEWING
from gui.plugins.team_work.review.state import ReviewState
from gui.plugins.view_3d.feature import IN_3D
from gui.plugins.view_3d.panel import View3DPanel
from gui.state.selection import Mode
from gui.window import actions as window_actions
from gui.window.actions import ACTIONS
from gui.window.window import Window
from tests.annotate.datasets.layouts import put
from tests.gui.annotated import gold_of, mark_as
from tests.hand import Hand
from tests.pulse import Pulse

needs_kernel = pytest.mark.skipif(
    sys.platform != "linux", reason="reads the kernel's list of locks"
)

PAGE = "<title>Harbour</title>" + "".join(
    f"<section id=s{k}><h2>Part {k}</h2><p id=p{k}>Paragraph {k} of the ferry.</p></section>"
    for k in range(5)
)

EXEMPT = {
    "reopen-workspace": "another file has the workspace's name: the locks are on one without",
    "quit": "closes the workspace: there is nothing to lock any more",
    "take-backup": "the workspace is damaged: it is held in memory, and the file is not open",
}
"""Actions that are not triggered, and why."""


def locks(path):
    """Return the POSIX locks of this process on a file, as listed by the kernel."""
    inode = path.stat().st_ino
    rows = (line.split() for line in Path("/proc/locks").read_text().splitlines())
    return [r for r in rows if r[1] == "POSIX" and r[4] == str(os.getpid())
            and r[5].endswith(f":{inode}")]  # fmt: skip


@dataclass
class Desk:
    """A window that can be brought into the state that an action needs."""

    window: Window
    hand: Hand
    folder: Path

    def __post_init__(self) -> None:
        self.session, self.workbench = self.hand.session, self.hand.workbench
        self.until = self.hand.qtbot.waitUntil

    def rest(self, seconds: float = 20) -> None:
        """Wait until nothing is loaded, run or waiting to be saved."""
        canvas, runner, saving = self.workbench.canvas, self.workbench.runner, self.workbench.saving
        self.until(
            lambda: not (canvas.is_busy or runner.is_running or saving.is_waiting),
            timeout=round(1000 * seconds),
        )

    def page(self, name: str = "page") -> None:
        """Show a page of a folder of three."""
        self.window.workbench.stop_work()
        while self.window.main_area.leave():  # notes first, then the presentation
            pass
        self.window.main_area.show_page()
        self.rest()
        Pulse(RETRY_MS).wait(self.hand.qtbot, 2)  # delayed loads and saves begin again
        self.rest()
        path = self.folder / name / "a.html"
        if not path.exists():
            put(path.parent, {f"{each}.html": PAGE.replace("ferry", each) for each in "abc"})
        document = self.session.open.document
        is_there = document is not None and str(document.full_path) == str(path)
        if self.session.open.page is None or self.workbench.canvas.pieces is None or not is_there:
            self.hand.open_path(path.parent)
        self.until(self._is_loaded, timeout=20_000)
        self.rest()

    @property
    def is_evaluating(self) -> bool:
        """Whether an evaluation is running."""
        tables = self.window.findChildren(EvaluateView)
        return any(table.running.is_running for table in tables)

    @property
    def is_working(self) -> bool:
        """Whether an action is running: a page is loaded or frozen, a picture or table written."""
        jobs = QThreadPool.globalInstance().activeThreadCount()
        return self.workbench.canvas.is_busy or self.is_evaluating or jobs > 0

    def _is_loaded(self) -> bool:
        canvas = self.workbench.canvas
        return not (self.session.open.page is None or canvas.pieces is None or canvas.is_busy)

    def row(self, selector: str) -> int:
        """Return the row of an element by its identifier, as the session has it."""
        own = self.session.open.page.rendered().attributes
        return next(k for k, each in enumerate(own) if f"#{each.get('id')}" == selector)

    def mark(self, *selectors: str, mode: Mode = Mode.LEVEL_1) -> None:
        """Mark elements, and select nothing."""
        self.workbench.session.selection.set_mode(mode)
        for selector in selectors:
            self.session.selection.set_selected([])
            self.session.selection.set_candidate(self.row(selector))
            self.workbench.marking.take()
        self.workbench.session.selection.set_mode(Mode.SELECT)
        self.rest()

    def select(self, level: int) -> None:
        """Select a block of a level, made if there is none."""
        if not self.session.open.gold.of_level(level):
            where = "#s1" if level == 1 else "#p1"
            self.mark(where, mode=Mode.LEVEL_1 if level == 1 else Mode.LEVEL_2)
        self.session.selection.set_selected([self.session.open.gold.of_level(level)[0].id])
        self.session.selection.set_candidate(self.row("#p2"))

    def method(self) -> None:
        """Show the blocks of a method on the current layer."""
        if all(layer.key != "terrain" for layer in self.session.layers.all):
            self.session.layers.add_method("terrain")
        self.session.layers.change_layer("terrain", visible=True)
        self.session.layers.set_current_layer("terrain")
        self.rest()
        self.until(lambda: "terrain" in self.session.layers.outcomes, timeout=60_000)


def marked(desk: Desk) -> None:
    desk.page()
    desk.select(1)


def framed(desk: Desk) -> None:
    desk.page()
    desk.session.selection.set_candidate(desk.row("#s4"))
    desk.window.actions_.enable(desk.workbench)  # as a right click does


def level_2(desk: Desk) -> None:
    desk.page()
    desk.select(2)


def undone(desk: Desk) -> None:
    marked(desk)
    if not desk.workbench.page_session.undo_group.canRedo():
        desk.mark("#s3")
        desk.workbench.page_session.undo()


def method(desk: Desk) -> None:
    marked(desk)
    desk.method()


def drafts(desk: Desk) -> None:
    method(desk)
    if not unsure(desk.session.open.gold):
        desk.session.selection.set_selected([mark.id for mark in desk.session.open.gold.marks])
        desk.workbench.delete_selected()
        desk.workbench.get(DraftsController).adopt()
    if not unsure(desk.session.open.gold):  # they were dropped before, and are not offered again
        desk.workbench.get(DraftsController).bring_back()
    assert unsure(desk.session.open.gold), desk.session.messages.message
    desk.session.selection.set_selected([unsure(desk.session.open.gold)[0].id])
    desk.rest()


def suggestions(desk: Desk) -> None:
    method(desk)
    if not desk.session.get(SuggestionWalk).is_shown:
        desk.window.tasks.toggle_panel("suggestions")
    desk.until(lambda: bool(desk.session.get(SuggestionWalk).items), timeout=60_000)


def checks(desk: Desk) -> None:
    marked(desk)
    if not desk.session.get(CheckWalk).is_shown:
        desk.workbench.get(ChecksController).toggle()
    desk.until(lambda: bool(desk.session.get(CheckWalk).items))  # a block without a type


def errors(desk: Desk) -> None:
    desk.page()
    if not desk.session.open.gold.of_level(0):
        desk.mark("#p1", mode=Mode.MAIN)
    if all(layer.key != "bte" for layer in desk.session.layers.all):
        desk.session.layers.add_method("bte")
        desk.rest()
    desk.session.layers.set_current_layer("bte")
    if not desk.session.get(ErrorWalk).is_shown:
        desk.workbench.get(Errors).toggle()
    desk.until(lambda: bool(desk.session.get(ErrorWalk).items), timeout=60_000)


def why(desk: Desk) -> None:
    errors(desk)
    desk.session.selection.set_candidate(desk.row("#p2"))
    desk.workbench.get(WhyActions).ask_here()
    desk.until(lambda: bool(desk.session.get(WhyState).answers), timeout=60_000)


def review(desk: Desk) -> None:
    marked(desk)
    workspace = desk.workbench.workspace
    if workspace.annotator.role is not Role.REVIEWER:
        annotators.change(workspace.store, workspace.annotator, "Ruth", Role.REVIEWER)
        ours, theirs = [(1, "Menu", "#s2")], [(1, "Ad", "#s2"), (1, "Logo", "#s3")]
        mark_as(desk.window, "Anna", gold_of(desk.hand, ours, ["#p1"]))
        mark_as(desk.window, "Ben", gold_of(desk.hand, theirs, ["#p4"]))
    if not desk.session.get(ReviewState).is_shown:
        desk.window.tasks.toggle_panel("review")
    desk.until(lambda: bool(desk.session.get(ReviewState).items), timeout=60_000)
    if desk.session.get(ReviewState).index < 0:
        desk.workbench.get(ReviewController).step(1)


def agreement(desk: Desk) -> None:
    review(desk)
    desk.window.main_area.toggle(AgreementView)


def table(desk: Desk) -> None:
    """Evaluate a method on the marked page."""
    method(desk)
    desk.window.main_area.toggle(EvaluateView)
    view = desk.window.main_area.get(EvaluateView)
    desk.until(lambda: view.placeholder.words[0].startswith("Evaluate"), timeout=20_000)
    if not view.model.shown.table.has_results:
        view.run()
    desk.until(lambda: not desk.is_evaluating, timeout=90_000)
    assert view.model.shown.table.has_results


def compared(desk: Desk) -> None:
    """Compare two methods on the pages."""
    method(desk)
    walk = desk.session.get(ChangeWalk)
    if walk.compared is None:
        desk.workbench.get(ComparisonController).compare("bte", "plain")
        desk.until(desk.window.actions_["change-next"].isEnabled, timeout=60_000)


def method_file(desk: Desk) -> None:
    """Open a new method file in the editor."""
    marked(desk)
    editing = desk.workbench.get(MethodEditorController)
    if editing.path is None:
        editing.make(str(desk.folder / "own.py"))
    desk.until(desk.window.actions_["method-save"].isEnabled, timeout=20_000)


def joined(desk: Desk) -> None:
    """Join a team folder with the workspace."""
    marked(desk)
    team = desk.workbench.get(TeamFolderController)
    if not team.is_joined:
        (desk.folder / "team").mkdir(exist_ok=True)
        team.join(desk.folder / "team", "Anna")
    assert team.is_joined, desk.session.messages.message
    desk.until(lambda: not team.is_busy, timeout=20_000)
    desk.rest()


def site(desk: Desk) -> None:
    desk.page()
    desk.window.main_area.toggle(SiteView)


def tile(desk: Desk) -> None:
    site(desk)
    desk.window.main_area.get(SiteView).state.set_selected([1])
    desk.window.actions_.enable(desk.workbench)  # as a right click does


def listed(desk: Desk) -> None:
    """Choose a listed page other than the open one."""
    desk.page()
    other = next(each for each in desk.session.documents if each != desk.session.open.document)
    desk.workbench.get(PageMenu).choose(desk.session.documents.index(other))
    desk.window.actions_.enable(desk.workbench)  # as a right click does


def no_page(desk: Desk) -> None:
    """Choose a file of the folder that is no page."""
    folder = desk.folder / "mirror"
    if not folder.exists():
        put(folder, {"a.html": PAGE, "gone.html": "<title>404 Not Found</title><h1>Not Found</h1>"})
    desk.hand.open_path(folder)
    desk.until(desk._is_loaded, timeout=20_000)
    desk.rest()
    desk.workbench.get(PageMenu).choose(len(desk.session.documents))
    desk.window.actions_.enable(desk.workbench)  # as a right click does


def view_3d(desk: Desk) -> None:
    marked(desk)
    desk.window.main_area.toggle(View3DPanel)


def source(desk: Desk) -> None:
    marked(desk)
    desk.window.panel(SourceDock).show()


def side(desk: Desk) -> None:
    method(desk)
    desk.window.main_area.get(SideBySide).toggle(2)


def page_diff(desk: Desk) -> None:
    desk.page()
    desk.window.main_area.get(SiteView).show_pair()
    desk.until(lambda: desk.window.main_area.shows(PageDiffView), timeout=60_000)


def present(desk: Desk) -> None:
    method(desk)
    desk.window.main_area.toggle(Presentation)


def locked(desk: Desk) -> None:
    if not desk.session.open.is_locked:
        gold = {"one": {"articleBody": "Paragraph 1 of the ferry."}}
        folder = desk.folder / "published"
        put(folder, {"html/one.html": PAGE, "ground-truth.json": json.dumps(gold)})
        desk.hand.open_path(folder)
        desk.rest()


def dropped(desk: Desk) -> None:
    drafts(desk)
    desk.workbench.get(DraftsController).drop_all()
    desk.until(lambda: desk.window.actions_["bring-back-dropped"].isEnabled())


def own_guideline(desk: Desk) -> None:
    marked(desk)
    path = desk.folder / "rules.md"
    path.write_text("# Rules\n\n## Article\n\nA text of its own.\n", encoding="utf-8")
    desk.workbench.get(GuidelineController).use(str(path))


def older_guideline(desk: Desk) -> None:
    own_guideline(desk)
    desk.workbench.get(GuidelineController).drop()
    path = desk.folder / f"rules{time.monotonic_ns()}.md"
    path.write_text(f"# Rules\n\nOf {path.stem}.\n", encoding="utf-8")
    desk.workbench.get(GuidelineController).use(str(path))
    assert desk.workbench.get(OlderPages).open_page is not None


def changed_outside(desk: Desk) -> None:
    marked(desk)
    mirror, beside = desk.workbench.get(Mirror), desk.folder / "page" / "a.gold.json"
    if mirror.changed_file is not None:
        return
    if not mirror.is_on:
        mirror.toggle()
    desk.until(lambda: beside.exists() and not mirror.is_busy, timeout=20_000)
    content = json.loads(beside.read_text("utf-8"))
    beside.write_text(json.dumps({**content, "marks": content["marks"][1:]}))
    desk.until(lambda: mirror.changed_file is not None, timeout=20_000)


def choice(desk: Desk) -> None:
    marked(desk)
    if desk.workbench.saving.is_contested:
        return
    key, nodes = page_key(desk.session.open.document), desk.session.open.page.rendered()
    with Workspace.open(desk.workbench.workspace.path) as other:
        before = other.load_gold(key, nodes)
        other.save_gold(key, Gold() if before.marks else desk.session.open.gold, nodes, "mark")
    desk.workbench.session.selection.set_mode(Mode.LEVEL_1)
    desk.session.selection.set_candidate(desk.row("#s4"))
    desk.workbench.marking.take()


def hang(desk: Desk) -> None:
    if not desk.workbench.canvas.hangs:
        path = desk.folder / "hang.html"
        path.write_text("<!doctype html><p>a<script>for (;;);</script>")
        desk.workbench.navigation.open_path(str(path))
        desk.until(lambda: desk.workbench.page_session.asks_to_wait, timeout=60_000)


def failed(desk: Desk) -> None:
    marked(desk)
    desk.session.messages.say_error("an error", is_saved=True)
    desk.until(lambda: desk.window.actions_["copy-report"].isEnabled())


def frozen(desk: Desk) -> None:
    """Freeze the page to one file and open it."""
    path = next(iter(desk.folder.glob("**/*.wacz")), None)
    if path is None:
        marked(desk)
        desk.workbench.get(FreezingController).freeze()
        desk.until(lambda: any(desk.folder.glob("**/*.wacz")), timeout=60_000)
        desk.rest()
        path = next(iter(desk.folder.glob("**/*.wacz")))
        desk.hand.open_path(path)
    desk.rest()
    desk.until(lambda: desk.session.open.page is not None, timeout=60_000)


BY_WHEN: dict[When, Callable[[Desk], None]] = {
    ALWAYS: marked, WITH_DOCUMENT: marked, ON_PAGE: marked, IN_VIEW: marked,
    WITH_MARK: marked, WITH_BLOCK: marked, WITH_PIECE: marked, WITH_TYPE: marked, UNSURE: drafts,
    WITH_METHOD: method, REVIEWING: review, CONTESTED: choice, LOCKED: locked,
    IN_TABLE: table, IN_3D: view_3d, SIDE_BY_SIDE: side, TWO_PAGES: page_diff,
    PRESENTING: present, HANGING: hang, UNDOABLE: marked, REDOABLE: marked,
    WITH_PICTURE: marked, FRAMED: framed, METHOD_CURRENT: method, site_feature.CHOSEN: tile,
    pages_feature.CHOSEN: listed, pages_feature.OTHER: listed, OWN: own_guideline,
    pages_feature.NO_PAGE: no_page, FAILED: failed, IN_MARK: marked, DROPPABLE: drafts,
    window_actions.WITH_METHOD_HERE: method, DROPPED: dropped,
    CHANGED: changed_outside, OLDER: older_guideline, OLDER_HERE: older_guideline,
}  # fmt: skip

BY_NAME: dict[str, Callable[[Desk], None]] = {
    "redo": undone, "suggestion": suggestions, "check": checks, "error": errors,
    "text-diff": errors, "why": why, "review": review, "fuse": review, "source-": source,
    "copy-extract": method, "toggle-layer": method, "solo-layer": method, "figure": method,
    "all-measures": method, "step-": method, "to-level-1": level_2, "split": level_2,
    "change-": compared, "method-save": method_file, "team-folder-": joined,
}  # fmt: skip
"""States of actions by the beginning of their name."""

AGAIN = {
    "reload": frozen, "freeze": frozen, "export-page": frozen, "export-gold": frozen,
    "export-marks": frozen, "status-done": frozen, "delete": level_2, "ungroup": level_2,
    "agreement": agreement, "work-as": agreement, "site": site, "siblings": site,
    "evaluate": table, "find-page": table, "stop": table, "confirm": drafts, "present": present,
}  # fmt: skip
"""States in which actions are triggered a second time."""


def state_of(action: Action) -> Callable[[Desk], None]:
    """Return the function that prepares the window for an action."""
    if action.arguments and action.arguments[0] in TYPES[2]:
        return level_2
    named = [state for begin, state in BY_NAME.items() if action.name.startswith(begin)]
    return named[0] if named else BY_WHEN.get(action.when, marked)  # the first test names it


def plan() -> dict[Callable[[Desk], None], list[str]]:
    """Return which actions are triggered in which state."""
    planned: dict[Callable[[Desk], None], list[str]] = {}
    for action in ACTIONS:
        if action.name not in EXEMPT:
            planned.setdefault(state_of(action), []).append(action.name)
    for name, state in AGAIN.items():
        if name not in planned.setdefault(state, []):
            planned[state].append(name)
    return planned


@pytest.fixture
def window(new_window):
    """Return a new window, whose workspace is in the folder of the test."""
    return new_window


@pytest.fixture
def desk(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QProcess, "startDetached", lambda *_words: (True, 1))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    monkeypatch.setattr(page_stage, "PATIENCE_S", 2.0)
    window.dialogs._settings.setValue("folder", str(tmp_path))
    return Desk(window, Hand(window.workbench, qtbot, tmp_path), tmp_path)


def close_what_opened(desk: Desk) -> None:
    """Close file dialogs and the type field by the keyboard."""
    for each in QApplication.topLevelWidgets():
        for dialog in each.findChildren(QFileDialog):
            if dialog.isVisible():
                desk.hand.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    field = desk.window.type_field
    if field.isVisible():
        desk.hand.qtbot.keyClick(field.findChild(QLineEdit), Qt.Key.Key_Escape)


def dropped_by(desk: Desk, reader, name: str) -> bool:
    """Trigger an action while the workspace is locked; return whether the lock was dropped."""
    path, canvas = desk.workbench.workspace.path, desk.workbench.canvas
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM pages").fetchone()
    assert locks(path), "nothing is locked: the test would see nothing"
    desk.window.actions_[name].trigger()
    is_dropped = not locks(path)  # at once and at every step: saving takes the lock again
    pulse = Pulse(20)
    for _ in range(1000):
        pulse.wait(desk.hand.qtbot, 1)
        is_dropped |= not locks(path)
        if not desk.is_working or canvas.hangs:
            break
    pulse.wait(desk.hand.qtbot, 1)  # results of other threads are processed
    close_what_opened(desk)
    is_dropped |= not locks(path)
    reader.execute("COMMIT")
    return is_dropped


PLAN = plan()
MOST = 20
"""Number of actions that are triggered in one window."""
PARTS = [
    pytest.param(state, names[k : k + MOST], id=f"{state.__name__}-{k}" if k else state.__name__)
    for state, names in PLAN.items()
    for k in range(0, len(names), MOST)
]


def test_the_plan_triggers_every_action_that_is_not_exempt():
    planned = {name for names in PLAN.values() for name in names}
    assert planned == {action.name for action in ACTIONS} - set(EXEMPT)


def test_every_condition_of_an_action_has_a_state():
    missing = [
        each.name for each in ACTIONS if each.name not in EXEMPT and each.when not in BY_WHEN
    ]
    begun = tuple(BY_NAME)
    assert [name for name in missing if not name.startswith(begun)] == []


@needs_kernel
@pytest.mark.web
@pytest.mark.slow
@pytest.mark.parametrize(("state", "names"), PARTS)
def test_no_action_drops_the_locks(desk, state, names):
    dropped, disabled = [], []
    with closing(workspace_file.connect(desk.workbench.workspace.path, "ro", 1)) as reader:
        for name in names:
            print(name)
            state(desk)
            if not desk.window.actions_[name].isEnabled():
                disabled.append(name)
            elif dropped_by(desk, reader, name):
                dropped.append(name)
    assert not disabled, "they are never triggered"
    assert not dropped


@needs_kernel
@pytest.mark.web
@pytest.mark.slow
def test_reading_the_file_in_this_process_drops_its_locks(window):
    path = window.workbench.workspace.path
    with closing(workspace_file.connect(path, "ro", 1)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM pages").fetchone()
        assert locks(path)
        path.read_bytes()
        assert not locks(path)
