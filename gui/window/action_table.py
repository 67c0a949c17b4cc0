"""Queries on the table of actions: its menus and headings, clashes of keys, keys in words."""

from collections.abc import Iterable
from functools import cache

from PySide6.QtGui import QKeySequence

from gui.core.action import VIEWS, Action, Where

MENUS = (
    "File", "Edit", "Mark", "Type", "Drafts", "Layers", "Errors", "Review", "Evaluate", "View",
    "Help",
)  # fmt: skip
MNEMONICS = {
    "File": "F", "Edit": "E", "Mark": "M", "Type": "T", "Drafts": "D", "Layers": "L",
    "Errors": "O", "Review": "R", "Evaluate": "A", "View": "V", "Help": "H",
}  # fmt: skip
"""The letter that opens a menu, with Alt."""
SECTIONS = (
    "Mark", "Walk the page", "Type of a block", "Drafts", "Pages", "Edit", "Layers", "Errors",
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
            result += [
                f"{plain}: {other.name} and {action.name}"
                for other in others
                if not _are_apart(action, other)
            ]
            others.append(action)
    return result


def _are_apart(one: Action, other: Action) -> bool:
    """Whether two shortcuts never hold at once: different views, or not both in presentations."""
    views = {one.where, other.where}
    if Where.PRESENTATION in views:
        return not (one.in_presentation and other.in_presentation)
    return len(views) == 2 and views <= VIEWS


def menus_without_letter(actions: Iterable[Action]) -> set[str]:
    """Return the menus whose letter an action has, so that it cannot open them.

    While the page is presented there is no menu, and its keys are free.
    """
    keys = {
        key.casefold() for row in actions for key in row.keys if row.where is not Where.PRESENTATION
    }
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
    return action.section or action.top_menu


def right_click_submenu(action: Action) -> str:
    """Return the submenu of context menus for an action; "" for none."""
    return action.menu if action.menu == "Type" else "" if action.top_menu else action.submenu


def shown_keys(action: Action) -> tuple[str, ...]:
    """Return the shortcuts as the platform writes them."""
    return tuple(map(_native, action.keys))


@cache
def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
