"""The table of actions: its menus, headings and clashes of keys, and its rows as ``QAction``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from gui.core.action import SUB, Action
from gui.core.main_area import Room, Where
from gui.core.when import ON_PAGE, When
from gui.core.workbench import Workbench
from gui.widgets.texts import plain, translate
from gui.widgets.theme import Theme, icon_in
from gui.window.user_keys import with_keys

MNEMONICS = {
    "File": "F", "Edit": "E", "Mark": "M", "Methods": "T", "Review": "R", "Evaluate": "A",
    "View": "V", "Help": "H",
}  # fmt: skip
"""Menus in their order, each with the letter that opens it, with Alt."""
MENUS = tuple(MNEMONICS)
TYPES = "Mark ▸ Type"
"""The menu of types, which context menus and the toolbar have, too."""
SECTIONS = (
    "Mark", "Walk the page", "Type of a block", "Drafts", "Pages", "Edit", "Methods", "Errors",
    "Review", "Evaluate", "Tasks", "View", "Page in 3-D", "Side by side", "Two pages",
    "Source", "Presentation", "Help",
)  # fmt: skip


def clashes(actions: Iterable[Action]) -> list[str]:
    """Return each key with two meanings that could hold at once, in words."""
    taken: dict[str, list[Action]] = {}
    result = []
    for action in actions:
        for key in action.keys:
            plain = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
            others = taken.setdefault(plain, [])
            both = (other.name for other in others if not _are_apart(action, other))
            result += [f"{plain}: {name} and {action.name}" for name in both]
            others.append(action)
    return result


def _are_apart(one: Action, other: Action) -> bool:
    """Whether two shortcuts never hold at once: different views, or not both in presentations."""
    views = {one.where, other.where}
    if Where.TABLE in views and Where.BLOCK in views:
        return True  # no block can be typed while a table of scores is in the page's place
    if any(each.is_alone for each in views):
        return not (one.in_presentation and other.in_presentation)
    return len(views) == 2 and all(each.is_view for each in views)


def menus_without_letter(actions: Iterable[Action]) -> set[str]:
    """Return the menus whose letter an action has, so that it cannot open them.

    While the page is presented there is no menu, and its keys are free.
    """
    rows = (row for row in actions if not row.where.is_alone)
    keys = {key.casefold() for row in rows for key in row.keys}
    return {name for name, letter in MNEMONICS.items() if f"alt+{letter.casefold()}" in keys}


def menu_title(name: str, *, has_letter: bool = True) -> str:
    """Return what the menu bar writes for a menu, its letter marked for Qt."""
    if not has_letter:
        return name
    letter = MNEMONICS[name]
    at = name.find(letter) if letter in name else name.find(letter.lower())
    return f"{name[:at]}&{name[at:]}"


def section_of(action: Action) -> str:
    """Return the heading of the `?` overlay an action stands under."""
    return action.section or next(
        (part for part in reversed(action.menu.split(SUB)) if part in SECTIONS), action.top_menu
    )


def right_click_submenu(action: Action) -> str:
    """Return the submenu of context menus for an action; "" for none."""
    return (
        TYPES.rpartition(SUB)[2]
        if action.menu == TYPES
        else ("" if action.top_menu else action.submenu)
    )


def shown_keys(action: Action) -> tuple[str, ...]:
    """Return the shortcuts as the platform writes them."""
    return tuple(map(_native, action.keys))


@cache
def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class Owners:
    """The objects of a window that methods of actions are called of, by their class."""

    def __init__(self, owners: Iterable[object]) -> None:
        self._of: dict[tuple[str, str], list[tuple[type, Callable[[], object]]]] = {}
        for owner in owners:
            self.add(type(owner), lambda owner=owner: owner)  # type: ignore[misc]

    def add(self, kind: type, get: Callable[[], object]) -> None:
        """Take in a class; ``get`` gives the object, which may be made only then."""
        for each in kind.__mro__:
            self._of.setdefault((each.__module__, each.__qualname__), []).append((kind, get))

    def bind(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method of a class as one of its object; `KeyError` if there is none.

        `ValueError` for a method that several of the classes inherit: all but one must have an own.
        """
        base, _, name = method.__qualname__.rpartition(".")
        owners = self._of[method.__module__, base]
        found = [get for kind, get in owners if getattr(kind, name) is method]
        if len(found) != 1:
            raise ValueError(f"an action calls {method.__qualname__}: {len(found)} classes have it")
        return lambda *arguments: getattr(found[0](), name)(*arguments)


class Actions(QObject):
    """The table as ``QAction`` objects, bound to those who act."""

    keys_changed = Signal()
    called = Signal()

    def __init__(
        self,
        rows: Sequence[Action],
        owners: Owners,
        window: QWidget,
        scopes: Mapping[Where, QWidget | None],
    ) -> None:
        """Bind each row's method to the object that it is called of.

        ``scopes`` are the widgets that shortcuts of page and panels hold in; None for one that
        comes later (`hold_in`).
        """
        super().__init__(window)
        self._window = window
        self.usual = tuple(rows)
        self._made: dict[str, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        self._checked: dict[str, object] = {}  # group → value that holds, whatever was pressed
        self._held: dict[When, bool] = {}
        self._is_presentation = False
        self._reasons = {row.name: "" for row in rows}  # as each action shows it
        self.rows = self.usual
        self._menus: dict[str, QMenu] = {}
        self._bar: QMenuBar | None = None
        self.await_painted: Callable[[], bool] = lambda: True
        """Waits until the page shows what actions of it are about; whether it does."""
        for row in self.usual:
            self._make(row, owners.bind(row.run), scopes)

    def set_keys(self, keys: Mapping[str, tuple[str, ...]]) -> None:
        """Replace the default keys by the user's; action's name → keys."""
        before = self.rows
        self.rows = with_keys(self.usual, keys)
        for row, was in zip(self.rows, before, strict=True):
            if row.keys != was.keys:
                self._made[row.name].setShortcuts([QKeySequence(key) for key in row.keys])
                self._say_tip(row)
        self._give_letters()
        self.keys_changed.emit()

    def __getitem__(self, name: str) -> QAction:
        return self._made[name]

    def key(self, name: str) -> str:
        """Return the first shortcut of an action as the platform writes it; "" for none."""
        if name not in self._made:
            return ""
        return self._made[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def _make(
        self, row: Action, handler: Callable[..., Any], scopes: Mapping[Where, QWidget | None]
    ) -> None:
        action = QAction(translate(row.text), self)
        action.setObjectName(row.name)
        action.setShortcuts([QKeySequence(key) for key in row.keys])
        action.setToolTip(plain(tool_tip(row)))
        action.setStatusTip("")
        action.setShortcutVisibleInContextMenu(True)
        if row.group:
            # Qt has checked it by now, and what it does may be refused.
            action.triggered.connect(lambda: self.check(row.group, self._checked.get(row.group)))
            if row.group not in self._groups:
                self._groups[row.group] = QActionGroup(self)
            self._groups[row.group].addAction(action)
        action.triggered.connect(lambda: self._call(row, handler))
        action.setCheckable(bool(row.group) or row.is_on is not None)
        if row.where in scopes:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            if (scope := scopes[row.where]) is not None:
                scope.addAction(action)
        else:
            self._window.addAction(action)
        self._made[row.name] = action

    def _call(self, row: Action, handler: Callable[..., Any]) -> None:
        self.called.emit()
        if not row.when.of_page or self.await_painted():
            handler(*row.arguments)

    def hold_in(self, where: Where, widget: QWidget) -> None:
        """Bind the shortcuts of a scope to its new widget."""
        widget.addActions([self._made[row.name] for row in self.usual if row.where == where])

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Put the menus into a menu bar; return them and submenus, "File ▸ Export", by name."""
        self._bar = bar
        menus = self._menus = {name: bar.addMenu(name) for name in MENUS}
        self._give_letters()
        for row in self.usual:
            if not row.top_menu:
                continue
            if row.line:
                _nearest(menus, row.menu).addSeparator()
            _menu_of(menus, row.menu).addAction(self._made[row.name])
        for each in (bar, *menus.values()):
            self.keep_keys(each)
        return menus

    def keep_keys(self, menu: QWidget) -> None:
        """Pass keys to an open menu before its actions.

        Qt takes the shortcuts of a page's actions for live while their menu has the keyboard: an
        arrow would move the frame on the page.
        """
        menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the keys of menus; Esc leaves an open menu and the bar at once."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
            and watched in self._menus.values()
        ):
            QTimer.singleShot(0, self._leave_bar)
        return False

    def _leave_bar(self) -> None:
        if self._bar is not None and not any(menu.isVisible() for menu in self._menus.values()):
            pressed, none = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
            QApplication.sendEvent(self._bar, QKeyEvent(pressed, Qt.Key.Key_Escape, none))

    def _give_letters(self) -> None:
        """Open menus by Alt and a letter, unless the user's keys use it."""
        without = menus_without_letter(self.rows)
        for name in MENUS if self._menus else ():
            title = menu_title(name, has_letter=name not in without)
            self._menus[name].setTitle(translate(title))

    def tint(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        for row in self.usual:
            if row.icon:
                self._made[row.name].setIcon(icon_in(theme, row.icon))
        self._made["theme"].setIcon(icon_in(theme, "sun" if theme.name == "dark" else "moon"))

    def enable(self, now: Workbench) -> None:
        """Disable actions that cannot run now, with the reason as tool tip."""
        is_presentation = now.main_area.current.room is Room.WHOLE_SCREEN
        held = {when: when.holds(now) for when in {row.when for row in self.usual}}
        if (held, is_presentation) == (self._held, self._is_presentation):
            return
        self._held, self._is_presentation = held, is_presentation
        for row in self.rows:
            reason = self.reason(row)
            if reason != self._reasons[row.name]:
                self._reasons[row.name] = reason
                self._made[row.name].setEnabled(not reason)
                self._say_tip(row)

    def tick(self, now: Workbench) -> None:
        """Tick active switches and set changed names, before a menu shows them."""
        for row in self.usual:
            if row.is_on is not None:
                self._made[row.name].setChecked(row.is_on(now))
            if row.named is not None:
                self._made[row.name].setText(row.named(now))

    def reason(self, row: Action) -> str:
        """Return why an action cannot be had now; "" if it can."""
        if self._is_presentation and not row.in_presentation:
            return "leave the presentation first (Esc)"
        if self._held.get(row.when, True):
            return ""
        is_without_page = row.when.of_page and not self._held.get(ON_PAGE, True)
        return (ON_PAGE if is_without_page else row.when).reason

    def _say_tip(self, row: Action) -> None:
        self._made[row.name].setToolTip(plain(tool_tip(row, self._reasons[row.name])))

    def check(self, group: str, value: object) -> None:
        """Check the action of a group with this ``value``; none if there is none."""
        self._checked[group] = value
        for row in self.usual:
            if row.group == group and row.value == value:
                self._made[row.name].setChecked(True)
                return
        made, policy = self._groups[group], QActionGroup.ExclusionPolicy
        if (checked := made.checkedAction()) is not None:
            made.setExclusionPolicy(policy.ExclusiveOptional)
            checked.setChecked(False)
            made.setExclusionPolicy(policy.Exclusive)


def _nearest(menus: Mapping[str, QMenu], path: str) -> QMenu:
    """Return a menu, or the nearest above it that has been made."""
    return menus[path] if path in menus else _nearest(menus, path.rpartition(SUB)[0])


def _menu_of(menus: dict[str, QMenu], path: str) -> QMenu:
    """Return a menu by its path; make it, and those above it, behind existing entries."""
    if path not in menus:
        above, _, title = path.rpartition(SUB)
        menus[path] = _menu_of(menus, above).addMenu(translate(title))
    return menus[path]


def tool_tip(row: Action, reason: str = "") -> str:
    """Return the tool tip of the action's button: text, keys, help, why not now."""
    keys = " or ".join(shown_keys(row)[:2])
    text = translate(row.text).removesuffix("…")
    head = f"{text}  ({keys})" if keys else text
    not_now = f"{translate('Not now')}: {translate(reason)}" if reason else ""
    return "\n".join(filter(None, (head, translate(row.help), not_now)))
