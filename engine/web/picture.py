"""A picture of the whole captured page, laid out as it was captured.

A taller viewport shows all of a page at once, but moves what is sized or placed by the viewport; so
it is used where nothing moves, and else the page is scrolled and tiled, with what sticks to the
window in the first tile only.

Cost: a frame (16 ms) or two to lay out, two to paint, one for each tile after the first, and what
Chromium needs to draw a tall page.
"""

import json
import random
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QPoint, QRect, QTimer
from PySide6.QtGui import QColor, QImage, QPainter

from engine.web.view import PageView
from resources import read_text

MAX_HEIGHT = 16384
"""How far down a picture goes, in px: the largest surface Chromium draws in software."""

_PATIENCE_S = 4.0
_POLL_MS = 4
"""Asking costs a third of a millisecond; a frame takes 16."""

_MARK = 4
"""Side of the dot in the top left corner, in px, that tells which frame is shown."""

_chance = random.Random()

Run = Callable[[str], Any]


def take_picture(view: PageView, run: Run) -> QImage:
    """Return the page in ``view`` from its top down, one pixel a CSS px.

    Args:
        view: Holds a captured page; it is left in its canonical viewport.
        run: Evaluates an expression in the isolated world and returns its value.
    """
    width, height = view.canonical_size
    try:
        if (view.width(), view.height()) != (width, height):  # a window shows it larger or smaller
            view.set_canonical((width, height))
            _await_size(run, width, height)
        full = min(int(_step(run, "remember")), MAX_HEIGHT)
        if full <= height:
            return _grab(view, run)
        view.set_canonical((width, full))
        color = _new_color()
        if not _await_height(run, full, color):
            return _grab(view, run, color)
        view.set_canonical((width, height))
        _await_height(run, height)
        return _tiled(view, run, width, height, full)
    finally:
        _step(run, "restore")
        view.set_canonical((width, height))


def take_top(view: PageView, run: Run) -> QImage:
    """Return what the page in ``view`` shows in its canonical viewport, one pixel a CSS px."""
    try:
        _step(run, "remember")
        return _grab(view, run)
    finally:
        _step(run, "restore")


def take_shown(view: PageView, run: Run) -> QImage:
    """Return what ``view`` shows of its page at its size and zoom, once that is painted."""
    try:
        return _grab(view, run)
    finally:
        _step(run, "unmark")


def _await_size(run: Run, width: int, height: int) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while run("[window.innerWidth, window.innerHeight]") != [width, height]:
        if time.monotonic() > deadline:
            return
        _pause(_POLL_MS)


def _tiled(view: PageView, run: Run, width: int, height: int, full: int) -> QImage:
    whole = QImage(width, full, QImage.Format.Format_RGB32)
    painter = QPainter(whole)
    try:
        painter.drawImage(QPoint(0, 0), _grab(view, run))
        _step(run, "unpin")
        top = height
        while top < full:
            # Tiles overlap by the dot, so that nothing has to be painted again without it.
            color = _new_color()
            at = int(_step(run, "scroll", y=top - _MARK, color=color.name()))
            _await_corner(view, color)
            painter.drawImage(
                QPoint(0, at + _MARK), view.grab().toImage(), _below_dot(width, height)
            )
            top = max(at, top - _MARK) + height
    finally:
        painter.end()
    return whole


def _below_dot(width: int, height: int) -> QRect:
    return QRect(0, _MARK, width, height - _MARK)


def _grab(view: PageView, run: Run, marked: QColor | None = None) -> QImage:
    """Grab the view once it shows the page as it is now: painting lags behind scripts.

    ``marked`` is the colour of the dot if there is one already.
    """
    color = marked or _new_color()
    if marked is None:
        _step(run, "mark", color=color.name())
    _await_corner(view, color)
    _step(run, "mark", color="")
    _await_corner(view, color, want=False)
    return view.grab().toImage()


def _new_color() -> QColor:
    """Return a colour that is none of the page's own but by a rare chance."""
    return QColor(*(_chance.randrange(256) for _ in range(3)))


def _await_corner(view: PageView, color: QColor, *, want: bool = True) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        corner = view.grab(QRect(0, 0, _MARK, _MARK)).toImage().pixelColor(1, 1)
        if (corner == color) == want:
            return
        _pause(_POLL_MS)


def _await_height(run: Run, height: int, color: QColor | None = None) -> bool:
    """Wait until the page has a viewport so high; return whether anything in it moved.

    Where nothing did, the dot is there, in a ``color`` if one is given.
    """
    deadline = time.monotonic() + _PATIENCE_S
    name = "" if color is None else color.name()
    while True:
        is_late = time.monotonic() > deadline
        moved = _step(run, "moved", height=0 if is_late else height, color=name)
        if moved is not None:
            return bool(moved)
        _pause(_POLL_MS)


def _step(run: Run, step: str, **more: object) -> Any:  # noqa: ANN401  any JSON value
    return run(f"({read_text('js/picture.js')})({json.dumps({'step': step, **more})})")


def _pause(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    # A window may ask for a picture: what its user does meanwhile comes after.
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
