"""Feature: what one folder adds to the window, declared in its `feature.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from annotate.datasets.looking.found import Found
from gui.core.action import Action
from gui.core.main_area import Room, View, Where
from gui.core.overlay_sync import PageOverlay
from gui.core.workbench import Workbench
from gui.state.selection import Mode
from gui.state.session import Session
from gui.state.walk import Shown
from gui.widgets.parts import PanelDock

MakeDock = Callable[[Workbench, QWidget], PanelDock]
C = TypeVar("C", bound=QObject)


class Side(StrEnum):
    """Side of the window for a panel that is not a tab of another."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"  # comes when it is asked for


@dataclass(frozen=True)
class Panel:
    """A dock of the window.

    Attributes:
        name: Its name in ``at`` of other panels.
        make: Creates it in a window.
        at: A side, or the name of the panel of which it is a tab.
        follows: The state of the session that it comes and goes with; None for none.
        toggle: The action that shows and hides it, without `run`; None if others do.
        where: Which shortcuts hold in it alone.
        tasks: Names of task views that it is part of, at its side, behind those they name.
    """

    name: str
    make: MakeDock
    at: Side | str
    follows: type[Shown] | None = None
    toggle: Action | None = None
    where: Where | None = None
    tasks: tuple[str, ...] = ()


def dock_of(kind: Callable[[Session, QWidget], PanelDock]) -> MakeDock:
    """Return a function that creates a panel from session and window."""
    return lambda workbench, window: kind(workbench.session, window)


def dock_with(kind: Callable[[Session, C, QWidget], PanelDock], controller: type[C]) -> MakeDock:
    """Return a function that creates a panel from session, controller and window."""
    return lambda workbench, window: kind(workbench.session, workbench.get(controller), window)


@dataclass(frozen=True)
class ViewRow:
    """A view that can replace the page.

    Attributes:
        kind: What it is; `MainArea.get` gives it by this class.
        make: Makes it, when it is first asked for.
        where: Which shortcuts hold in it alone.
    """

    kind: type[View]
    make: Callable[[Workbench], View]
    where: Where | None = None


@dataclass(frozen=True)
class TaskView:
    """Panels and view for one kind of work.

    Attributes:
        name: What settings and code call it.
        text: What the switch calls it.
        help: What it is for.
        words: Other names for it.
        first_step: What to do first, while no page is open.
        left, right, below: Its panels by the names in their features, from the top down.
        more: Panels below those at the right, in a very wide window.
        walks: Those of them that follow a state, each with the action that begins it.
        view: What takes the page's place; None for the page.
        before: The task that it precedes in the switch; "" for the end.
        tools: Actions in the bar, each with what its button says.
        parts: Create widgets of the bar behind them, from workbench and bar.
        mode: What a click on the page does at first.
        card: Title and sentence on the start page; () for none.
        ends_pages: Whether the bar has *Done*.
        facts: Notes of the status line, at most three; the others are behind its ⓘ.
    """

    name: str
    text: str
    help: str
    words: tuple[str, ...]
    first_step: str
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    walks: tuple[tuple[str, str], ...] = ()
    view: type[View] | None = None
    before: str = ""
    tools: tuple[tuple[str, str], ...] = ()
    parts: tuple[Callable[[Workbench, QWidget], QWidget], ...] = ()
    mode: Mode = Mode.SELECT
    card: tuple[str, str] | tuple[()] = ()
    ends_pages: bool = False
    facts: tuple[str, ...] = ("who", "saved")

    @property
    def is_visit(self) -> bool:
        """Whether it has no panels: leaving it leads back to the task before."""
        return self.view is not None and self.view.room is not Room.BESIDE_PANELS


@dataclass(frozen=True)
class FileStep:
    """Step offered for a file that is not a page, when it is opened or dropped.

    Attributes:
        kinds: Those of `Found.kind` that it is for.
        deed: That of `annotate.datasets.looking.found.NextStep`.
        take: Does it.
        preview: Returns what it would bring onto the open page, a line each.
    """

    kinds: tuple[str, ...]
    deed: str
    take: Callable[[Workbench, Found], None]
    preview: Callable[[Workbench, Found], list[str]] | None = None


@dataclass(frozen=True)
class Feature:
    """A feature of the window.

    Attributes:
        name: Name of its folder.
        controllers: Create its controllers, in this order, before there is a window;
            `Workbench.get` returns each by its class.
        overlays: Its drawings on the page besides the layers.
        panels: Its docks.
        views: Its views, which replace the page.
        actions: Its rows of the table of actions.
        guide: Page of the documentation that Help opens if the feature has the focus.
        tasks: Kinds of work that it adds to the switch.
        file_steps: Its actions for files that are not pages.
        after: The feature that it follows in the order of `gui.window.features`, for one of a
            plug-in; "" for the end.
    """

    name: str
    controllers: tuple[Callable[[Workbench], QObject], ...] = ()
    overlays: tuple[Callable[[Workbench], PageOverlay], ...] = ()
    panels: tuple[Panel, ...] = ()
    views: tuple[ViewRow, ...] = ()
    actions: tuple[Action, ...] = ()
    guide: str = ""
    tasks: tuple[TaskView, ...] = ()
    file_steps: tuple[FileStep, ...] = ()
    after: str = ""
