"""Count what the window shows at rest: controls, page, cut texts, overlaps (WINDOW.md)."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QScrollBar,
    QTabBar,
    QWidget,
)

from gui.widgets.parts import PanelDock
from gui.widgets.theme import contrast
from gui.window.status_bar import Fact
from gui.window.window import Window

SIZES = {"1600": (1600, 1000), "1100": (1100, 700), "200 %": (960, 540)}
"""Sizes of the window, px, at which it is counted."""

_KINDS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSlider, QAbstractSpinBox, Fact)


def is_seen(widget: QWidget) -> bool:
    """Return whether any pixel of a widget is shown; of what scrolls, of its inner part."""
    parts = [widget, *([widget.viewport()] if isinstance(widget, QAbstractScrollArea) else [])]
    return widget.isVisible() and any(not part.visibleRegion().isEmpty() for part in parts)


def controls(window: QWidget) -> list[str]:
    """Return what is pressed, typed into or read as a fact or title; rows of lists are not."""
    return [*_controls(window)]


def _controls(window: QWidget) -> Iterator[str]:
    for each in window.findChildren(QWidget):
        if not is_seen(each) or each.window() is not window or _is_part(each):
            continue
        if isinstance(each, QMenuBar):
            yield from (f"menu {a.text()}" for a in each.actions() if a.isVisible())
        elif isinstance(each, QTabBar):
            yield from (f"tab {each.tabText(k)}" for k in range(each.count()))
        elif isinstance(each, _KINDS):
            yield f"{type(each).__name__} {_name(each)}"
        elif isinstance(each, PanelDock) and is_seen(each.titleBarWidget()):
            yield f"title {each.windowTitle()}"


def _is_part(widget: QWidget) -> bool:
    """Return whether a widget is part of a control that is counted, of a table or of the page."""
    if isinstance(widget, QScrollBar):
        return True
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, (*_KINDS, QTabBar, QMenuBar, QHeaderView)):
            return True
        if isinstance(above, QAbstractItemView) or "WebEngine" in type(above).__name__:
            return True
        above = above.parentWidget()
    return False


def _name(widget: QWidget) -> str:
    words = widget.text if isinstance(widget, Fact) else widget.accessibleName()
    if not words and isinstance(widget, QAbstractButton):
        words = widget.text()
    return str(words or widget.objectName())


def page_share(window: Window) -> float:
    """Return the share of the window's area that the middle has: page, or view in its place."""
    widget = window.main_area.current.widget
    size = widget.rect().intersected(window.rect()).size()
    return size.width() * size.height() / (window.width() * window.height())


def cut_texts(window: QWidget) -> list[str]:
    """Return labels and buttons whose text needs more room than they have."""
    result = []
    for each in window.findChildren(QWidget):
        if not is_seen(each) or not isinstance(each, QLabel | QAbstractButton):
            continue
        if not each.text() or type(each).__name__ in ("ElidedLabel", "SearchButton"):
            continue
        if isinstance(each.parentWidget(), QLineEdit):  # an icon; its text is for readers
            continue
        if isinstance(each, QLabel) and (each.wordWrap() or not each.pixmap().isNull()):
            wanted = each.heightForWidth(each.width()) if each.wordWrap() else 0
            if wanted > each.height() + 1:
                result.append(f"{each.text()}: {wanted} > {each.height()} px high")
            continue
        wanted = each.minimumSizeHint().width()
        if wanted > each.width() + 1:
            result.append(f"{each.text()}: {wanted} > {each.width()} px wide")
    return result


def overlaps(window: QWidget) -> list[str]:
    """Return pairs of seen siblings, buttons and labels, that lie over one another."""
    result = []
    parents = {each.parentWidget() for each in window.findChildren(QWidget) if is_seen(each)}
    for parent in filter(None, parents):
        children = [
            (each, QRect(each.mapTo(window, QPoint()), each.size()))
            for each in parent.children()
            if isinstance(each, QLabel | QAbstractButton | QLineEdit) and is_seen(each)
        ]
        for k, (one, box) in enumerate(children):
            for other, its in children[k + 1 :]:
                common = box.intersected(its)
                if common.width() > 1 and common.height() > 1:
                    result.append(f"{_name_of(one)} over {_name_of(other)}")
    return result


def _name_of(widget: QWidget) -> str:
    text = getattr(widget, "text", str)
    return f"{type(widget).__name__} {widget.accessibleName() or text()}"


def docks(window: Window) -> list[QDockWidget]:
    """Return the panels that are seen."""
    return [each for each in window.findChildren(QDockWidget) if is_seen(each)]


LEAST_CONTRAST = 4.5


def faint_texts(window: QWidget) -> list[str]:
    """Return labels and buttons whose drawn text stands out less than 4.5 : 1 from its ground.

    The ground is the most frequent colour where the text is drawn; the ink is what differs most.
    """
    result = []
    for each in window.findChildren(QWidget):
        if not is_seen(each) or not isinstance(each, QLabel | QAbstractButton):
            continue
        is_word = any(letter.isalnum() for letter in each.text())
        if not is_word or not each.isEnabled() or isinstance(each.parentWidget(), QLineEdit):
            continue
        colors = _colors(each)
        ground = max(colors, key=colors.__getitem__)
        most = max(contrast(ground, ink) for ink in colors)
        if most < LEAST_CONTRAST:
            result.append(f"{each.text()}: {most:.1f} : 1 on {ground}")
    return result


def _colors(widget: QWidget) -> dict[str, int]:
    """Return how often each colour is drawn where a widget is seen."""
    seen = widget.visibleRegion().boundingRect()
    above = widget.window()
    image = above.grab(seen.translated(widget.mapTo(above, QPoint()))).toImage()
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), dtype="<u4") & 0xFFFFFF
    values, counts = np.unique(pixels, return_counts=True)
    return {f"#{value:06x}": int(n) for value, n in zip(values, counts, strict=True)}
