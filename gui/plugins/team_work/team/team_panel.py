"""Team panel: the people of the workspace and their progress."""

from collections.abc import Callable

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from annotate.plugins.team_work.quiz import Member
from gui.widgets.parts import PanelDock, hint
from gui.widgets.tips import plain


class TeamDock(PanelDock):
    """A line for each person: pages done, quiz result, unsure marks."""

    def __init__(
        self, members: Callable[[], tuple[Member, ...]], changed: SignalInstance, parent: QWidget
    ) -> None:
        """Create the panel; ``members`` returns who is listed, again after each ``changed``."""
        super().__init__("Team", "TeamDock", parent)
        self.add_close()
        self._members = members
        self.list = QListWidget(self)
        self.list.setAccessibleName("Team")
        self.list.setWordWrap(True)
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._none = hint("Nobody has a name yet: Alt+W gives you one.", self)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)
        changed.connect(self.refresh)

    def entries(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def refresh(self) -> None:
        """Update the list."""
        if self.isHidden():
            return
        members = self._members()
        self.list.clear()
        for each in members:
            role = " (reviewer)" if each.role == "reviewer" else ""
            item = QListWidgetItem(f"{each.name}{role}: {each}", self.list)
            item.setToolTip(plain(item.text()))
        self._none.setVisible(not members)
        self.set_remark(str(len(members)) if members else "")

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()
