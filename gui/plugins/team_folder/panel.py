"""Held panel: changes in logs of devices that nobody has accepted, and lost records."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from annotate.plugins.team_folder.held import Held
from annotate.plugins.team_folder.state import Voice
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint
from gui.widgets.texts import plain, translate
from gui.widgets.walked_list import line_list

_SUBJECT = Qt.ItemDataRole.UserRole + 1
"""Subject of a heading: `Held`, or the name of a log with lost records."""


class HeldDock(PanelDock):
    """Heading for each log and person, and below it a line for each change."""

    def __init__(
        self, answer: Callable[[Held, bool], None], forget: Callable[[str], None], parent: QWidget
    ) -> None:
        """Create the panel; ``answer`` accepts or refuses a log, ``forget`` drops a loss."""
        super().__init__("Held back", "HeldDock", parent)
        self.add_close()
        self._answer, self._forget = answer, forget
        self._none = hint("Nothing: each writes only in his own name.", self)
        self.list = line_list("Held back", self)
        self.list.currentItemChanged.connect(self._enable)
        self.accept_button, self.refuse_button = QPushButton(self), QPushButton(self)
        self.accept_button.clicked.connect(lambda: self._say(is_accepted=True))
        self.refuse_button.clicked.connect(lambda: self._say(is_accepted=False))
        self.forget_button = QPushButton(translate("Forget"), self)
        self.forget_button.setToolTip("Say no more what is gone; what came of it stays here")
        self.forget_button.clicked.connect(self._on_forget)
        self._buttons = QWidget(self)
        lay_out(
            QHBoxLayout(self._buttons), self.accept_button, self.refuse_button, self.forget_button,
            None,
            margins=(14, 6, 14, 8), spacing=8,
        )  # fmt: skip
        self.body.addWidget(self._none)
        room = QWidget(self)
        lay_out(QVBoxLayout(room), (self.list, 1), margins=(10, 2, 6, 0))
        self.body.addWidget(room, 1)
        self.body.addWidget(self._buttons)
        self.show_held(())

    def entries(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def toggle(self) -> None:
        """Show or hide the panel; its own, since an action finds a panel by the class of this."""
        super().toggle()

    def show_held(self, held: Sequence[Held], gone: Sequence[tuple[str, str]] = ()) -> None:
        """List held logs, and logs with lost records; the selection is kept."""
        chosen = self._chosen()
        self.list.clear()
        for each in held:
            row = self._add(each.file, each)
            self._add(f"{each.origin}: {each.why}", None)
            for change in each.changes:
                self._add(f"· {change}", None)
            if each.voice == chosen:
                self.list.setCurrentItem(row)
        for name, what in gone:
            row = self._add(name, name)
            self._add(what, None)
            if name == chosen:
                self.list.setCurrentItem(row)
        count = len(held) + len(gone)
        if self.list.currentItem() is None and count:
            self.list.setCurrentRow(0)
        self._none.setVisible(not count)
        for part in (self.list, self._buttons):
            part.setVisible(count > 0)
        self.set_remark(str(count or ""))
        self._enable()

    def _add(self, text: str, subject: Held | str | None) -> QListWidgetItem:
        item = QListWidgetItem(text, self.list)
        item.setToolTip(plain(text))
        if subject is None:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # describes a change, and cannot be chosen
        else:
            item.setData(_SUBJECT, subject)
            font = item.font()
            font.setBold(True)
            item.setFont(font)
        return item

    def _subject(self) -> Held | str | None:
        """Return what the current line is of: arrow keys stop at the lines below a heading, too."""
        rows = range(self.list.currentRow(), -1, -1)
        found = (self.list.item(row).data(_SUBJECT) for row in rows)
        return next((each for each in found if isinstance(each, Held | str)), None)

    def _chosen(self) -> Voice | str | None:
        subject = self._subject()
        return subject.voice if isinstance(subject, Held) else subject

    def _enable(self, *_items: object) -> None:
        subject = self._subject()
        held = subject if isinstance(subject, Held) else None
        texts = ("It is me", "Not me") if held and held.is_mine else ("Accept here", "Refuse")
        for button, text in zip((self.accept_button, self.refuse_button), texts, strict=True):
            button.setText(translate(text))
            button.setVisible(held is not None)
        self.refuse_button.setEnabled(held is not None and not held.is_refused)
        self.forget_button.setVisible(isinstance(subject, str))

    def _say(self, *, is_accepted: bool) -> None:
        subject = self._subject()
        if isinstance(subject, Held):
            self._answer(subject, is_accepted)

    def _on_forget(self) -> None:
        subject = self._subject()
        if isinstance(subject, str):
            self._forget(subject)
