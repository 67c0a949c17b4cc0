"""Scripts that read a page, the frames they run in, and how much they may bring.

Their replies are merged in `engine.web.collected`.
"""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWebEngineCore import QWebEngineFrame

from engine import memory
from engine.document import Document
from engine.errors import CaptureError, LoadTimeout, MemoryExceeded, RendererDied
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.web.collected import FrameReply
from engine.web.memory_watch import watch
from engine.web.page_time import PageTime
from engine.web.scripts import total
from engine.web.view import PageView
from resources import read_text

log = logging.getLogger(__name__)

_FRAME_S = 2.0
_MAX_FRAMES = 100
_MANY_WORDS = 10
"""Fewest transparent words that are reported."""
_NEVER_READ = ("fencedframe", "portal")  # the browser makes none (`engine.web.profile`)

LIMITS = {
    "attributes": 1000,
    "value": 4_000_000,
    "name": 256,
    "all": 24_000_000,
    "rows": 300_000,
    "style": 20_000,
    "styles": 48_000_000,
    "html": 96_000_000,
    "title": 4_000,
    "painted": 16_384,
}
"""How much of a page is read: attributes of one element; characters of one attribute or text, of
one name, and of all attributes and texts; elements and texts; characters of one computed value, of
all different styles, of the HTML, of the title; how many px a filtered or blended box may reach
across.  A page of 200 million characters took 3.9 GB of Pagelet's own process, a blurred box scaled
by 1,000 took 4.3 GB."""

_SHARED = {"all": 500_000, "rows": 10_000, "styles": 1_000_000}
"""What the frames of a page have together, and what each has at the least."""

CUTS = {
    "attributes": f"only the first {LIMITS['attributes']:,} attributes of an element were read",
    "value": f"only the first {LIMITS['value']:,} characters of an attribute or text were read",
    "name": f"only the first {LIMITS['name']:,} characters of a name were read",
    "all": f"only the first {LIMITS['all']:,} characters of attributes and texts were read",
    "rows": f"only the first {LIMITS['rows']:,} elements and texts, or fewer of many styles, were "
    "read",
    "style": f"only the first {LIMITS['style']:,} characters of a style were read",
    "painted": "a filter or blend mode over a box of far more than the page was taken off before "
    "it was drawn",
}
IN_FRAMES = "frames of this page were read in part: together they hold too much"
REPEATED = "its scripts had the same random numbers and the same date each time (1 January 2026)"
CHANCE = "its scripts had real random numbers and the real date: it may look different next time"

WHICH_FRAME = """(() => {
  const path = [];
  for (let at = window; at !== at.parent; at = at.parent) {
    let index = -1;
    for (let k = 0; k < at.parent.length; k++) if (at.parent[k] === at) index = k;
    path.unshift(index);
  }
  return path;
})()"""
"""The path of a frame: indices into ``window`` from the main frame down."""


def collector(*, serialise: bool, frames: int = 1) -> str:
    """Return the expression that reads a document.

    Args:
        serialise: Whether its HTML is read, too.
        frames: How many documents share what may be read of them.
    """
    limits = dict(LIMITS)
    if frames > 1:
        limits |= {name: max(LIMITS[name] // frames, least) for name, least in _SHARED.items()}
    options = json.dumps({"properties": STYLE_PROPERTIES, "serialise": serialise, "limits": limits})
    still = f"({read_text('js/freeze.js')})()"
    return f"({still} && ({read_text('js/collect.js')})({options}))"


def frames_below(frame: QWebEngineFrame) -> list[QWebEngineFrame]:
    """Return the frames in a frame and in those, in document order."""
    return [each for child in frame.children() for each in (child, *frames_below(child))]


def notes_on(
    document: Document,
    columns: dict[str, Any],
    frames: Sequence[FrameReply],
    nodes: NodeTable,
    *,
    has_ended: bool,
) -> list[str]:
    """Return what was not read of a page, or in another way than usual, a sentence each.

    Args:
        document: What was loaded.
        columns: The reply of its main frame.
        frames: The replies of the others.
        nodes: All of them as one table.
        has_ended: Whether a frame was ended for its memory.
    """
    notes = [CUTS[cut] for cut in columns["cuts"]]
    if any(reply.columns["cuts"] for reply in frames):
        notes.append(IN_FRAMES)
    if has_ended:
        notes.append(f"a frame was left out: it {memory.too_much()}")
    if document.repeatable is not None and document.scripts:
        notes.append(REPEATED if document.repeatable else CHANCE)
    if tuple(columns["viewport"]) != document.viewport or columns["ratio"] != 1:
        width, height = columns["viewport"]
        notes.append(
            f"drawn in {width}x{height} at {columns['ratio']:g} px a CSS px, "
            f"not in {document.viewport[0]}x{document.viewport[1]}"
        )
    if (words := transparent_words(nodes)) >= _MANY_WORDS:
        notes.append(
            f"{words:,} words are transparent, as where scripts fade text in: methods on the "
            "rendered page leave them out, the input seen has them"
        )
    left_out = (name for name in _NEVER_READ if name in nodes.names)
    return notes + [f"a frame was left out: a <{name}> cannot be read" for name in left_out]


def transparent_words(nodes: NodeTable) -> int:
    """Return how many words in the flow of a page have a place and are wholly transparent.

    Menus and tips, placed over the page, do not count.  One pass over the styles, and one
    over the rows below transparent ones.
    """
    looks = [dict(zip(STYLE_PROPERTIES, style, strict=True)) for style in nodes.styles]
    is_clear = np.array([look["opacity"] == "0" for look in looks], dtype=bool)
    is_placed = np.array([look["position"] in ("absolute", "fixed") for look in looks], dtype=bool)
    count = end = 0
    for row in np.flatnonzero((is_clear | is_placed)[nodes.style] & ~nodes.is_text).tolist():
        if row < end:
            continue
        end = int(nodes.end[row])
        if is_placed[nodes.style[row]]:
            continue
        if nodes.rect[row, 2:].all() and looks[nodes.style[row]]["visibility"] == "visible":
            count += len(nodes.text_below(row).split())
    return count


class FrameCollector(QObject):
    """Reads the documents in all frames below the main one; skips those that do not answer.

    Args:
        view: Shows the page.
        notes: Gets a sentence for each frame that is left out.
    """

    done = Signal(object)  # list[FrameReply]
    failed = Signal(object)  # CaptureError: the whole page ended
    crashed = Signal(object)  # Exception

    def __init__(self, view: PageView, notes: list[str], parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._notes = view, notes
        self._frames_ended = 0
        self._replies: list[FrameReply] = []
        self._silent: set[int] = set()  # frames that have yet to answer
        self._patience = PageTime(view, self._on_silent_frames, parent=self)

    def collect(self, limit_s: float, frames_ended: int) -> None:
        """Start; without frames, ``done`` comes before this returns.

        Args:
            limit_s: How long to wait at most.
            frames_ended: How many had been ended for their memory when the page began to load.
        """
        self._frames_ended = frames_ended
        frames = frames_below(self._view.page().mainFrame())
        if len(frames) > _MAX_FRAMES:
            self._notes.append(f"only {_MAX_FRAMES} of {len(frames)} frames were read")
            del frames[_MAX_FRAMES:]
        self._replies = []
        self._silent = set(range(len(frames)))
        script = (
            f"{{path: {WHICH_FRAME}, columns: {collector(serialise=False, frames=len(frames))}}}"
        )
        for which, frame in enumerate(frames):
            answered, failed = partial(self._on_frame, which), partial(self._on_frame_error, which)
            self._view.run(script, answered, failed, limit_s, frame=frame)
        if frames:
            self._patience.start(_FRAME_S)
        else:
            self.done.emit(self._replies)

    def stop(self) -> None:
        """Stop; ``done`` does not come."""
        self._silent.clear()
        self._patience.stop()

    def _on_crash(self, error: Exception) -> None:
        with suppress(RuntimeError):  # deleted with its capture, which an earlier frame ended
            self.crashed.emit(error)

    @total
    def _on_frame(self, which: int, reply: dict[str, Any]) -> None:
        if which in self._silent and reply["columns"] is not None:
            self._replies.append(FrameReply(tuple(map(int, reply["path"])), reply["columns"]))
        self._on_frames_over({which})

    @total
    def _on_frame_error(self, which: int, error: CaptureError) -> None:
        if isinstance(error, RendererDied | MemoryExceeded):
            self.failed.emit(error)
        elif isinstance(error, LoadTimeout):
            self._on_silent_frames()
        elif which in self._silent:
            log.info("a frame could not be read: %s", error)
            self._notes.append("a frame was left out: it could not be read")
            self._on_frames_over({which})

    @total
    def _on_silent_frames(self, _: object = None) -> None:
        """Skip the frames that have not answered while the page itself did.

        Those whose process was ended for its memory are noted as such.  They have one of their own
        only where Chromium was started with ``--site-per-process``; else the page ends with them.
        """
        if len(self._silent) > watch.frames_ended - self._frames_ended:
            self._notes.append(f"a frame was left out: it did not answer within {_FRAME_S:g} s")
        if self._silent:
            self._on_frames_over(set(self._silent))

    def _on_frames_over(self, which: set[int]) -> None:
        if self._silent:
            self._silent -= which
            if self._silent:
                self._patience.start(_FRAME_S)  # many frames take long: each answer counts
            else:
                self._patience.stop()
                self.done.emit(self._replies)
