"""Panel *What changed*: two versions, their difference in numbers, the changed pages."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from algorithms.explain.page_errors import PageError
from annotate.plugins.compare.compare import PageChange, VersionComparison
from annotate.plugins.compare.runs import mixes_guidelines
from annotate.plugins.compare.tables import headline, in_words
from engine.words import plural, sentence
from gui.plugins.compare.state import ChangeWalk, Sort
from gui.plugins.compare.style import badge_of
from gui.state.session import Session
from gui.widgets.elided_combo import ElidedCombo
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, hint, small, tone
from gui.widgets.theme import Theme
from gui.widgets.tips import plain
from gui.widgets.walk_bar import WalkBar
from gui.widgets.walked_list import WalkedList

CHANGE = Qt.ItemDataRole.UserRole + 1
TITLE = CHANGE + 1
_VERSIONS = (
    "What is compared: a package (trafilatura==2.1.0), a checkout (path@v1.2), a method file "
    "(my_method.py, my_method.py@HEAD), a method with parameters (bte tag_cost=2) or an input "
    "(gleaner input=dom)"
)
_FIRST = (
    "Which pages changed from one version of a method to another: the worst come first, with what "
    "was lost and gained. Enter two versions above."
)


class ChangesHost(Protocol):
    """Comparison actions used by the panel."""

    parts: tuple[PageError, ...]
    reason: str

    def compare(self, before: str, after: str) -> None: ...

    def stop(self) -> None: ...

    def read(self) -> None: ...

    def save(self) -> None: ...


class ChangesDock(PanelDock):
    """All changed pages; of the current one the lost and gained text, and the reasons."""

    def __init__(
        self,
        session: Session,
        host: ChangesHost,
        known: Callable[[], Sequence[str]],
        title_of: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        """Create the panel; ``known`` returns known versions, ``title_of`` a page's title."""
        super().__init__("What changed", "ChangesDock", parent)
        self._walk, self._host = session.get(ChangeWalk), host
        self._known, self._title_of = known, title_of
        self.save = IconButton("export", "Save the table", self)
        self.save.clicked.connect(host.save)
        self.close_button = IconButton("close", "Close  (Ctrl+Shift+V)", self)
        self.close_button.clicked.connect(lambda: self._walk.show(False))
        for button in (self.save, self.close_button):
            self.add_to_title(button)
        self.before = self._version("Before", "trafilatura==2.1.0")
        self.after = self._version("After", "trafilatura==2.2.0")
        self.run = QPushButton("Compare", self)
        self.run.setToolTip("Runs both on all pages of the list")
        self.run.clicked.connect(self._start)
        self.halt = QPushButton("Stop", self)
        self.halt.setToolTip(plain("What is done is listed  (Ctrl+.)"))
        self.halt.clicked.connect(host.stop)
        self.summary = self._text("Summary")
        self.sort = ElidedCombo("Which changes are listed: by type of page, or kind", 12, self)
        self.sort.activated.connect(lambda k: self._walk.set_sort(self.sort.itemData(k)))
        self.bar = WalkBar(
            "Previous page that changed  (Ctrl+Alt+P)", "Next page that changed  (Ctrl+Alt+N)", self
        )
        self.bar.stepped.connect(self._walk.step)
        self.detail = self._text("What changed on this page")
        self.list = _ChangeList(host, self)
        self.list.setObjectName("ChangeList")
        self.list.setAccessibleName("Pages that changed")
        self.list.setItemDelegate(EntryDelegate(_entry, self.list))
        self.list.chosen.connect(self._walk.choose)
        self._none = hint("", self)
        self._put_together()
        self._listed: tuple[Sequence[PageChange], str] | None = None
        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self._walk.marked.connect(self._on_index)
        self._walk.shown_changed.connect(self._offer)
        self._refresh()

    def _version(self, name: str, example: str) -> QComboBox:
        result = QComboBox(self)
        result.setEditable(True)
        result.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        result.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        result.setMinimumContentsLength(12)
        result.setAccessibleName(name)
        result.setToolTip(plain(_VERSIONS))
        field = result.lineEdit()
        assert field is not None
        field.setPlaceholderText(example)
        field.setAccessibleName(name)
        field.returnPressed.connect(self._start)
        return result

    def _text(self, name: str) -> QLabel:
        result = small(QLabel("", self), 0.95)
        result.setTextFormat(Qt.TextFormat.PlainText)
        result.setWordWrap(True)
        result.setAccessibleName(name)
        return result

    def _put_together(self) -> None:
        top = QWidget(self)
        top.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(top)
        for name, field in (("Before", self.before), ("After", self.after)):
            label = small(QLabel(name, top), 0.95)
            tone(label, "muted")
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance("Before") + 4)
            column.addLayout(lay_out(QHBoxLayout(), label, (field, 1), spacing=6))
        buttons = lay_out(QHBoxLayout(), self.run, self.halt, (self.sort, 1), spacing=6)
        lay_out(
            column, buttons, self.summary, self.bar, self.detail,
            margins=(14, 2, 10, 4), spacing=5,
        )  # fmt: skip
        self.body.addWidget(top)
        self.body.addWidget(self._none, 1)
        self.body.addWidget(self.list, 1)

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    @property
    def none_text(self) -> str:
        """Text in place of the list; "" if there is a list."""
        return self._none.text()

    def _start(self) -> None:
        self._host.compare(self.before.currentText(), self.after.currentText())

    def _offer(self) -> None:
        """Offer known versions, and keep the typed text."""
        known = self._known() if self._walk.is_shown else ()
        for field in (self.before, self.after):
            typed = field.currentText()
            field.clear()
            field.addItems([*known])
            field.setEditText(typed)

    def _refresh(self) -> None:
        walk = self._walk
        self.run.setVisible(not walk.is_running)
        self.halt.setVisible(walk.is_running)
        self.set_remark(walk.progress if walk.is_running else _remark(walk))
        compared = None if walk.compared is None else walk.compared.result
        self.save.setEnabled(compared is not None)
        if (walk.items, walk.trouble) != self._listed:
            self._listed = walk.items, walk.trouble
            self._fill(compared)
        none = _none(walk)
        self._none.setText(none)
        self._none.setVisible(bool(none))
        self.list.setVisible(not none)
        self._on_index()

    def _fill(self, compared: VersionComparison | None) -> None:
        walk = self._walk
        with self.list.being_filled():
            self.list.clear()
            for change in walk.items:
                item = QListWidgetItem(self.list)
                title = self._title_of(change.page.name)
                item.setData(CHANGE, change)
                item.setData(TITLE, title)
                words = in_words(change)
                spoken = f"{_title(change)}, {title}: {words}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                item.setToolTip(plain(f"{change.page.name}\n{_title(change)}\n{words}"))
        lines = [] if compared is None else _summary(compared)
        if walk.trouble and walk.items:
            lines.append(walk.trouble)
        self.summary.setText("\n".join(lines))
        self.summary.setToolTip(plain("" if compared is None else "\n".join(headline(compared))))
        self.summary.setVisible(bool(lines))
        self.sort.clear()
        for sort in _sorts(compared):
            self.sort.addItem(sort.says, sort)
        self.sort.setCurrentIndex(max(0, self.sort.findText(walk.sort.says)))
        self.sort.setVisible(self.sort.count() > 1)

    def _on_index(self) -> None:
        walk, change = self._walk, self._walk.current
        self.list.show_position(walk.index)
        at = "" if change is None else f"{walk.index + 1} of {plural(len(walk.items), 'page')}"
        self.bar.show_position(at, "Ctrl+Alt+N: to the worst page", can_walk=bool(walk.items))
        self.bar.setVisible(bool(walk.items))
        self.detail.setText("" if change is None else self._detail(change))
        self.detail.setVisible(change is not None)

    def _detail(self, change: PageChange) -> str:
        words = (("lost", change.text.words_lost), ("gained", change.text.words_gained))
        counts = ", ".join(f"{plural(n, 'word')} {name}" for name, n in words if n)
        hidden = sum(round(part.amount) for part in self._host.parts if not part.ranges)
        lines = [f"{_title(change)}: {counts}" if counts else _title(change)]
        if hidden:
            lines.append(f"{plural(hidden, 'word')} of these the page does not show.")
        reasons = self._host.reason or change.reason
        lines += [each for each in reasons.split("; ") if each]
        return "\n".join(lines)


class _ChangeList(WalkedList):
    """List of changes; Enter focuses the page."""

    def __init__(self, host: ChangesHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._host = host

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._host.read()
        else:
            super().keyPressEvent(event)


def _entry(index: ItemIndex, _theme: Theme) -> Entry | None:
    change: PageChange | None = index.data(CHANGE)
    if change is None:
        return None
    sign, color = badge_of(change)
    title = str(index.data(TITLE))
    return Entry(sign, color, "#ffffff", _title(change), title, in_words(change))


def _title(change: PageChange) -> str:
    if change.difference is None:
        return str(change.text.kind)
    return f"{change.difference:+.3f} · {change.text.kind}".replace("-", "−", 1)


def _summary(compared: VersionComparison) -> list[str]:
    """Return the difference in a few short lines."""
    lines, interval, (before, after) = (
        [" → ".join(compared.names)],
        compared.interval,
        compared.means,
    )
    if interval is None or before is None or after is None:
        return lines
    numbers = f"{interval.mean:+.3f} (95 %: {interval.low:+.3f} to {interval.high:+.3f})"
    whole = compared.whole
    worst = min((each.difference or 0.0 for each in compared.changes), default=0.0)
    return [
        *lines,
        f"{compared.measure.label} {before:.3f} → {after:.3f}: {numbers.replace('-', '−')}",
        f"{whole.better} gained more than {compared.threshold:g}, {whole.worse} lost; "
        f"the worst {worst:+.2f}".replace("-", "−"),
        *filter(None, [mixes_guidelines([*compared.by_guideline])]),
    ]


def _sorts(compared: VersionComparison | None) -> Iterable[Sort]:
    if compared is None:
        return
    yield Sort("", False, f"All {plural(len(compared.changes), 'page')} that changed")
    for name, share in compared.by_type.items():
        mean = "" if share.mean is None else f", mean {share.mean:+.3f}".replace("-", "−")
        yield Sort(
            name, False, f"{name}: {share.changed} of {share.pages}{mean}, "
            f"{share.better} gained, {share.worse} lost",
        )  # fmt: skip
    for kind, (pages, words) in compared.by_kind.items():
        yield Sort(str(kind), True, f"{kind}: {plural(pages, 'page')}, {plural(words, 'word')}")


def _remark(walk: ChangeWalk) -> str:
    if walk.compared is None:
        return ""
    return (
        f"{len(walk.compared.result.changes)} of {plural(len(walk.compared.result.pages), 'page')}"
    )


def _none(walk: ChangeWalk) -> str:
    """Return the text in place of the list: what to do, what is wrong, or that all is well."""
    if walk.is_running and walk.compared is None:
        return f"{walk.progress}."
    if walk.trouble and not walk.items:
        return sentence(walk.trouble)
    if walk.compared is None:
        return _FIRST
    names = " and ".join(walk.compared.result.names)
    pages = plural(len(walk.compared.result.pages), "page")
    return "" if walk.items else f"{names} give the same text on all of {pages}."
