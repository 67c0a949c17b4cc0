"""Feature: what one folder of `gui.features` adds to the window, declared in its `feature.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QWidget

from gui.core.action import Action, Where
from gui.core.main_area import View
from gui.core.overlay import Extra
from gui.core.workbench import Workbench
from gui.widgets.parts import PanelDock


class Side(StrEnum):
    """Where a panel stands that is not the guest of another one."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"  # comes when it is asked for


class ShownState(Protocol):
    """A state that a panel comes and goes with."""

    @property
    def is_shown(self) -> bool:
        """Whether the panel is to be seen."""

    @property
    def shown_changed(self) -> SignalInstance: ...

    def show(self, is_shown: bool, /) -> None: ...


@dataclass(frozen=True)
class Panel:
    """A dock of the window.

    Attributes:
        name: What ``beside`` of others calls it.
        make: Makes it in a window.
        at: A side; or the name of the panel whose room it shares as a tab.
        follows: The state it comes and goes with; None where an action of its own shows it.
        where: Which shortcuts hold in it alone.
    """

    name: str
    make: Callable[[Workbench, QWidget], PanelDock]
    at: Side | str
    follows: Callable[[Workbench], ShownState] | None = None
    where: Where | None = None


@dataclass(frozen=True)
class ViewRow:
    """What can stand in the page's place.

    Attributes:
        kind: What it is; `MainArea.get` gives it by this class.
        make: Makes it, when it is first asked for.
        where: Which shortcuts hold in it alone.
    """

    kind: type[View]
    make: Callable[[Workbench], View]
    where: Where | None = None


@dataclass(frozen=True)
class Feature:
    """One thing the window can do.

    Attributes:
        name: That of its folder.
        controllers: Make what acts, in this order, before there is a window; each is found again
            by its class (`Workbench.get`).
        extras: What it draws on the page besides the layers.
        panels: Its docks.
        views: What it shows in the page's place.
        actions: Its rows of the table of actions.
        guide: The page of the documentation that Help opens where the keyboard is in it.
    """

    name: str
    controllers: tuple[Callable[[Workbench], QObject], ...] = ()
    extras: tuple[Callable[[Workbench], Extra], ...] = ()
    panels: tuple[Panel, ...] = ()
    views: tuple[ViewRow, ...] = ()
    actions: tuple[Action, ...] = ()
    guide: str = ""
