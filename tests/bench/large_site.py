"""A site of many pages in the Site view: ``python -m tests.bench.large_site SITES [COUNT]``.

SITES is the folder ``sites`` of the data sets.  Its pages, and copies of them with changes, are put
into a temporary folder and opened in a window without a screen.  Printed are seconds until the
pages are compared, how long the window did not answer at most meanwhile, milliseconds a step of
scrolling, hovering and dragging takes with its drawing, and the memory of all processes (PSS).
Beside the clock stands the processor time of the window's thread, which a busy machine stretches
little.
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path

from gui.plugins.site.view import SiteView

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.window.window import Window
from tests.bench.process_tree import memory_mb
from tests.gui.parts import make_window

COUNT = 500
STUTTER_MS = 50.0
"""From here on a step of what a hand does is seen to stop."""


class Watch:
    """How long the window did not answer at most, since it was asked last."""

    def __init__(self) -> None:
        self._last, self._longest = time.perf_counter(), 0.0
        self._timer = QTimer()
        self._timer.timeout.connect(self._tick)
        self._timer.start(5)

    def _tick(self) -> None:
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def longest_ms(self) -> float:
        """Return it, and begin anew."""
        self._tick()
        result, self._longest = self._longest, 0.0
        return 1000 * result


def changed(html: str, copy: int) -> str:
    """Return a page with another title, a paragraph more and every so manieth paragraph less."""
    count = 0

    def thinned(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return "" if count % (copy + 4) == 0 else found[0]

    html = re.sub(r"<p>[^<]{0,400}</p>", thinned, html)
    html = re.sub(r"(?i)<title>", f"<title>Copy {copy}: ", html, count=1)
    return re.sub(r"(?i)</body>", f"<p>Copy number {copy} of this page.</p></body>", html, count=1)


def build(sites: Path, folder: Path, count: int) -> int:
    """Write so many pages; return their bytes."""
    pages = sorted(sites.glob("*/pages/**/*.html")) + sorted(sites.glob("*/pages/**/*.htm"))
    size = 0
    for number in range(count):
        copy, position = divmod(number, len(pages))
        data = pages[position].read_bytes()
        if copy:
            data = changed(data.decode("utf-8", "surrogateescape"), copy).encode(
                "utf-8", "surrogateescape"
            )
        (folder / f"{pages[position].relative_to(sites).parts[0]}-{number:04}.html").write_bytes(
            data
        )
        size += len(data)
    return size


def wait(done, seconds: float = 600.0) -> float:
    """Let events come until something is done; return how long that took."""
    begun, loop, tick = time.perf_counter(), QEventLoop(), QTimer()
    tick.timeout.connect(
        lambda: loop.quit() if done() or time.perf_counter() - begun > seconds else None
    )
    tick.start(5)
    loop.exec()
    if not done():
        raise SystemExit(f"not done after {seconds:g} s")
    return time.perf_counter() - begun


def steps(name: str, actions) -> None:
    """Do things, and let the window draw after each; print what a step took."""
    took = []
    for act in actions:
        begun, thread = time.perf_counter(), time.thread_time()
        act()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        took.append((time.perf_counter() - begun, time.thread_time() - thread))
    print(f"{name:<34}{len(took):>5} steps", end="")
    for which, ms in zip(("ms", "processor ms"), 1000 * np.array(took).T, strict=True):
        middle, high, most = np.percentile(ms, [50, 95, 100])
        slow = int(np.sum(ms > STUTTER_MS))
        text = f"{middle:5.1f} {high:6.1f} {most:6.1f}"
        print(f"   {which}: median, 95 %, most {text}, over {STUTTER_MS:g}: {slow}", end="")
    print(flush=True)


def move(widget: QWidget, x: float, y: float, kind=QMouseEvent.Type.MouseMove) -> None:
    """Move the mouse, press or release."""
    is_move = kind == QMouseEvent.Type.MouseMove
    button = Qt.MouseButton.NoButton if is_move else Qt.MouseButton.LeftButton
    held = Qt.MouseButton.LeftButton if kind == QMouseEvent.Type.MouseButtonPress else button
    at = QPointF(x, y)
    event = QMouseEvent(
        kind, at, widget.mapToGlobal(at), button, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def wheel(widget: QWidget, notches: int) -> None:
    """Turn the wheel over a widget."""
    at = widget.rect().center().toPointF()
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def show(window: Window, folder: Path, watch: Watch) -> None:
    """Open the folder and do in the Site view what hands do."""
    watch.longest_ms()
    begun, thread = time.perf_counter(), time.thread_time()
    window.open_path(str(folder))
    listed = time.perf_counter() - begun
    wait(lambda: window.session.open.page is not None)
    shown, thread = time.perf_counter() - begun, time.thread_time() - thread
    print(f"opened: pages listed after {listed:.2f} s, the first one shown after {shown:.2f} s "
          f"({thread:.2f} s of processor in the window's thread), "
          f"longest without an answer {watch.longest_ms():.0f} ms", flush=True)  # fmt: skip
    window.actions_["site"].trigger()
    site = window.main_area.get(SiteView)
    seconds = wait(lambda: site.state.overview is not None)
    QApplication.processEvents()
    clusters = len(site.state.clusters())
    print(f"compared: {len(site.state.overview)} pages in {clusters} clusters after {seconds:.1f} "
          f"s, longest without an answer {watch.longest_ms():.0f} ms", flush=True)  # fmt: skip
    wait(lambda: len(site.thumbnails.paths) >= 12)
    view, matrix = site.thumbnails.viewport(), site.matrix
    bar = site.thumbnails.verticalScrollBar()
    notches = bar.maximum() // 120 + 1
    steps("scrolling the pictures", [lambda: wheel(view, -1)] * notches)
    steps("and back, three notches a time", [lambda: wheel(view, 3)] * (notches // 3 + 1))
    wide, high = matrix.width(), matrix.height()
    path = [(wide * k / 120, high * ((7 * k) % 120) / 120) for k in range(120)]
    steps("hovering the matrix", [lambda x=x, y=y: move(matrix, x, y) for x, y in path])
    state = site.state
    lows = np.linspace(0, state.overview.highest, 60).tolist()
    steps("dragging the threshold", [lambda t=t: state.set_threshold(t) for t in lows])
    state.set_threshold(state.overview.threshold)
    total = len(state.names)
    every = [range(min(k, total)) for k in (1, 50, 250, total)]
    steps("selecting pages", [lambda s=s: state.set_selected(list(s)) for s in every])
    print(f"longest without an answer while hands were at work {watch.longest_ms():.0f} ms")
    for key in ("tv", "cps"):
        begun = time.perf_counter()
        site.show_distance(key)
        wait(lambda k=key: state.overview is not None and state.overview.key == k)
        print(f"another distance, {key}: {time.perf_counter() - begun:.1f} s, "
              f"longest without an answer {watch.longest_ms():.0f} ms", flush=True)  # fmt: skip
    wait(lambda: len(site.thumbnails.paths) >= 24)
    print(f"memory of all processes: {memory_mb():.0f} MB")


def main(sites: Path, count: int) -> None:
    """Build the site, and show it."""
    with tempfile.TemporaryDirectory() as position:
        os.environ["XDG_CACHE_HOME"] = str(Path(position) / "cache")
        folder = Path(position) / "site"
        folder.mkdir()
        size = build(sites, folder, count)
        print(f"{count} pages, {size / 2**20:.1f} MB", flush=True)
        window = make_window(Path(position))
        window.resize(1300, 850)
        show(window, folder, Watch())
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    application = QApplication(["large-site"])
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else COUNT)
