"""Decisions of the review, as buttons: in the bar of its view, elsewhere in its panel."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from engine.words import shorten
from gui.core.workbench import Workbench
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.state import ReviewState
from gui.state.session import Session
from gui.widgets.layouts import lay_out
from gui.widgets.texts import plain


class Decisions(QWidget):
    """A button for each decision on the current difference; those that cannot be made are away."""

    def __init__(self, session: Session, host: ReviewController, parent: QWidget) -> None:
        super().__init__(parent)
        self._review = session.get(ReviewState)
        rows = (("left", "Ctrl+Left"), ("both", "Ctrl+Down"), ("right", "Ctrl+Right"),
                ("none", "Ctrl+Up"))  # fmt: skip
        self.buttons = {side: self._button(keys, partial(host.take, side)) for side, keys in rows}
        lay_out(QHBoxLayout(self), *self.buttons.values(), spacing=4)
        self._review.changed.connect(self._refresh)
        self._review.shown_changed.connect(self._refresh)
        self._refresh()

    def _button(self, keys: str, take: partial[None]) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("tool", "mode")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setStatusTip(keys)
        button.clicked.connect(lambda: take())
        return button

    def _refresh(self) -> None:
        review = self._review
        is_there = bool(review.items) and review.is_shown
        left, right = review.left, review.right
        for side, sign, name in (
            ("left", "←", left), ("both", "↓", "Both"), ("right", "→", right),
            ("none", "↑", "Neither"),
        ):  # fmt: skip
            button = self.buttons[side]
            # A long name must not push the other buttons out.
            button.setText(f"{shorten(name, 12) or side.capitalize()} {sign}".replace("&", "&&"))
            what = {"both": "both", "none": "neither, and mark what should be there"}.get(side)
            keys = button.statusTip()
            button.setToolTip(plain(f"Take {what or f'the {side} version'}  ({keys})"))
            is_version = side in ("left", "right")
            button.setAccessibleName(f"{side.capitalize()}: {name}" if is_version else name)
            button.setVisible(is_there and (bool(right) or side in ("left", "none")))


class DecisionsInBar(Decisions):
    """The decisions in the bar; the panel leaves them out meanwhile."""

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(workbench.session, workbench.get(ReviewController), parent)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._review.set_in_bar(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._review.set_in_bar(False)
