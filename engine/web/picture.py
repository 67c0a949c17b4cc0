"""Picture of the whole captured page in its captured layout.

A taller viewport shows all of a page at once, but moves elements sized or placed by the viewport;
so it is used where nothing moves, and else the page is scrolled and tiled, with what sticks to the
window in the first tile only.

Painting lags behind scripts, on a busy machine by seconds, and may happen in parts.
So a stripe of a distinct colour is added down the side of the page; the picture is taken once its
whole length was seen, and then none of it any longer.

Cost: a frame (16 ms) or two to lay out, two to paint, one for each tile after the first, and what
Chromium needs to draw a tall page.
"""

import json
import logging
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QBuffer, QEventLoop, QIODevice, QPoint, QRect, QTimer
from PySide6.QtGui import QColor, QImage, QPainter

from engine.errors import CaptureError
from engine.web.event_loop import wait_in
from engine.web.memory_watch import watch
from engine.web.view import PageView
from resources import read_text

log = logging.getLogger(__name__)

MAX_HEIGHT = 16384
"""How far down a picture goes, in px: the largest surface Chromium draws in software."""

_PATIENCE_S = 1.0
_MOST_S = 30.0
_STEP_S = 0.1
"""No step of waiting counts for more: on a busy machine each takes longer, and nothing is wrong."""

_FRAMES = 20
"""After so many frames that were shown without it, a mark cannot be seen: on a page whose root is
moved or transparent, or is no HTML."""

_POLL_MS = 4
"""Asking costs a third of a millisecond; a frame takes 16."""

_MARK = 4
"""Width of the stripe, and side of the dot in the top left corner of a tile, in px."""

_chance = random.Random()

RunScript = Callable[[str], Any]


def take_picture(view: PageView, run: RunScript) -> QImage:
    """Return the page in ``view`` from its top down, one pixel a CSS px.

    Args:
        view: Holds a captured page; it is left in its canonical viewport.
        run: Evaluates an expression in the isolated world and returns its value.

    Raises:
        CaptureError: The page died, or was not painted in time.
    """
    width, height = view.canonical_size
    watch.begin(id(view))
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
        watch.end(id(view))
        _step(run, "restore")
        view.set_canonical((width, height))


def take_top(view: PageView, run: RunScript) -> QImage:
    """Return a picture of the page in ``view`` in its canonical viewport, one pixel a CSS px."""
    try:
        _step(run, "remember")
        return _grab(view, run)
    finally:
        _step(run, "restore")


def take_shown(view: PageView, run: RunScript) -> QImage:
    """Return a picture of ``view`` at its size and zoom, once that is painted."""
    try:
        return _grab(view, run)
    finally:
        _step(run, "unmark")


def image_bytes(image: QImage, kind: str, quality: int = -1) -> bytes:
    """Return an image as the bytes of a file, such as "PNG"; -1 is Qt's own quality."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # The stubs declare bytes where PySide6 needs a text.
    image.save(buffer, kind, quality)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


class _Wait:
    """Time waited for something, on a machine with time for it."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._last = time.monotonic()

    @property
    def slack(self) -> int:
        """Allowed deviation of a size so far, in px: a zoomed view cannot have each."""
        return int(self.seconds > _PATIENCE_S)

    def step(self) -> None:
        """Pause; `CaptureError` where it has taken too long."""
        if self.seconds > _MOST_S:
            raise CaptureError(f"the page was not painted within {_MOST_S:g} s")
        _pause(_POLL_MS)
        now = time.monotonic()
        self.seconds += min(now - self._last, _STEP_S)
        self._last = now


def _await_size(run: RunScript, width: int, height: int) -> None:
    wait = _Wait()
    while True:
        slack = wait.slack
        result = run("[window.innerWidth, window.innerHeight]")
        if max(abs(result[0] - width), abs(result[1] - height)) <= slack:
            return
        if slack and _step(run, "isHidden"):
            return
        wait.step()


def _tiled(view: PageView, run: RunScript, width: int, height: int, full: int) -> QImage:
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
            _await_mark(view, run, color, is_whole=False)
            below_dot = QRect(0, _MARK, width, height - _MARK)
            painter.drawImage(QPoint(0, at + _MARK), view.grab().toImage(), below_dot)
            top = max(at, top - _MARK) + height
    finally:
        painter.end()
    return whole


def _grab(view: PageView, run: RunScript, marked: QColor | None = None) -> QImage:
    """Grab the view once it shows the page as it is now: painting lags behind scripts.

    ``marked`` is the colour of the stripe if it already exists.
    """
    color = marked or _new_color()
    if marked is None:
        _step(run, "mark", color=color.name())
    _await_mark(view, run, color)
    _step(run, "mark", color="")
    _await_mark(view, run, color, want=False)
    return view.grab().toImage()


def _new_color() -> QColor:
    """Return a colour that is none of the page's own but by a rare chance."""
    return QColor(*(_chance.randrange(256) for _ in range(3)))


def _await_mark(
    view: PageView, run: RunScript, color: QColor, *, want: bool = True, is_whole: bool = True
) -> None:
    """Wait until the mark is seen on its whole length, or (not ``want``) nothing of it.

    A mark that cannot be seen is waited for until enough frames were shown, and so not at all where
    none are, as in a hidden window.
    """
    wait = _Wait()
    while not _is_seen(view, color, want, is_whole):
        if wait.seconds > _PATIENCE_S:
            if _step(run, "isHidden"):
                return
            if _step(run, "frames") >= _FRAMES:
                log.info("the mark cannot be seen on this page")
                return
        wait.step()


def _is_seen(view: PageView, color: QColor, want: bool, is_whole: bool) -> bool:
    """Return whether all sampled pixels have the mark's colour, or (not ``want``) none."""
    heights = [_MARK, view.height()] if is_whole else [_MARK]  # first what costs next to nothing
    return all(((_column(view, height) == color.rgb()) == want).all() for height in heights)


def _column(view: PageView, height: int) -> npt.NDArray[np.uint32]:
    """Return the colours of the second column of pixels, top down."""
    image = view.grab(QRect(0, 0, _MARK, height)).toImage()
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    lines = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), -1)
    return lines[:, 1].copy()


def _await_height(run: RunScript, height: int, color: QColor | None = None) -> bool:
    """Wait until the page has a viewport so high; return whether anything in it moved.

    Where nothing did, the stripe is there, in a ``color`` if one is given.
    """
    wait = _Wait()
    name = "" if color is None else color.name()
    while True:
        slack = wait.slack
        target_height = 0 if slack and _step(run, "isHidden") else height
        moved = _step(run, "moved", height=target_height, slack=slack, color=name)
        if moved is not None:
            return bool(moved)
        wait.step()


def _step(run: RunScript, step: str, **more: object) -> Any:  # noqa: ANN401  any JSON value
    return run(f"({read_text('js/picture.js')})({json.dumps({'step': step, **more})})")


def _pause(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    # A window may ask for a picture: what its user does meanwhile comes after.
    wait_in(loop, QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
