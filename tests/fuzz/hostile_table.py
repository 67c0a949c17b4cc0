"""The hostile samples before and after, as one table in Markdown:

    python -m tests.fuzz.hostile_table [FOLDER] [NAME ...]

Each sample is opened twice, as a worker of an evaluation does and in the window, each time in a
process of its own.  Said are how it ended, seconds, and the most MB that Pagelet's own process and
one renderer held.  What happened before is read from the folder's README.  Ends with status 1 where
one hung, crashed or held more than `MOST_MB`.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

from tests.outside import hostile_folder
from tests.plugin_parts import modules

MOST_MB = 1_500
_SECONDS = 150.0
_CHECK_S = 0.1
_MARK = "PAGELET_HOSTILE_TABLE"
REPOSITORY = Path(__file__).resolve().parents[2]


# In a process of its own --------------------------------------------------------------------


def as_worker(sample: Path) -> str:
    """Read a sample without a window; return how that ended, in words."""
    if sample.suffix in (".pagelet", ".toml"):
        return without_browser(sample)
    from annotate.datasets.opening import open_document
    from engine.web.headless import Browser

    document = open_document(sample)
    with Browser() as browser:
        page = browser.capture(document)
        browser.pixels()
    notes = f": {page.notes[0]}" if page.notes else ""
    return f"{len(page.nodes):,} nodes{notes}"


def without_browser(sample: Path) -> str:
    """Open a workspace, or run declared methods."""
    if sample.suffix == ".pagelet":
        from annotate.workspace.workspace import Workspace

        with Workspace.open(sample) as workspace:
            return workspace.damage or f"{len(workspace.pages())} pages"
    run = next(each.run_declared for each in modules("trials") if hasattr(each, "run_declared"))
    return str(run(sample))


def in_window(sample: Path) -> str:
    """Open a sample in the window; return what that says."""
    os.environ["XDG_CACHE_HOME"] = str(sample.parent / "cache")
    from PySide6.QtCore import QDeadlineTimer, QEventLoop
    from PySide6.QtWidgets import QApplication

    from engine.errors import PageletError
    from engine.web import profile
    from engine.web.qt_log import silence_qt_log
    from tests.gui.parts import make_window

    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication([])
    if sample.suffix == ".pagelet":
        shutil.copy(sample, sample.parent / "marks.pagelet")
    window = make_window(sample.parent)
    workbench = window.workbench
    refused: list[str] = []
    workbench.navigation.refused.connect(refused.append)
    is_over = sample.suffix not in (".html", ".zip")
    if not is_over:
        workbench.navigation.open_path(str(sample))
    end = QDeadlineTimer(int(_SECONDS * 1000))
    session = workbench.session
    while not (is_over or end.hasExpired()):
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
        is_read = session.open.page is not None and not workbench.runner.is_running
        is_over = is_read or bool(refused or workbench.page_session.failure)
    text = workbench.page_session.failure or session.messages.message
    if session.open.page is not None:
        with suppress(PageletError):
            workbench.canvas.whole_picture()
        text = f"{len(session.open.page.nodes):,} nodes"
    elif sample.suffix == ".pagelet":
        text = workbench.workspace.damage or "opened"
    window.close_down()
    return text or "opened"


_WAYS: dict[str, Callable[[Path], str]] = {"worker": as_worker, "window": in_window}


def one(way: str, sample: Path) -> None:
    """Open a sample one way; print what came of it."""
    from engine.errors import PageletError

    try:
        ended = _WAYS[way](sample)
    except PageletError as error:
        ended = f"refused: {error}"
    print(json.dumps(ended), flush=True)
    os._exit(0)  # what hangs in closing is measured by other tests


# The table ----------------------------------------------------------------------------------


def tree(process_id: int) -> Iterator[tuple[int, str, int]]:
    """Yield id, name and most MB of a process and all below it."""
    children: dict[int, list[int]] = {}
    facts: dict[int, tuple[str, int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                lines = (folder / "status").read_text().splitlines()
                result = dict(line.split(":", 1) for line in lines)
                number = int(folder.name)
                children.setdefault(int(result["PPid"]), []).append(number)
                peak = int(result.get("VmHWM", "0 kB").split()[0]) // 1024
                facts[number] = result["Name"].strip(), peak
    waiting = [process_id]
    while waiting:
        number = waiting.pop()
        if number in facts:
            yield number, *facts[number]
        waiting += children.get(number, [])


def measured(way: str, sample: Path) -> tuple[str, float, int, int]:
    """Open a copy of a sample one way; return how it ended, seconds, own MB and a renderer's."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / sample.name
        if sample.is_dir():
            shutil.copytree(sample, copy)
            copy = copy / "index.html"
        else:
            shutil.copy(sample, copy)
        words = [sys.executable, "-m", "tests.fuzz.hostile_table", "--one", way, str(copy)]
        if sample.name == "egress.html":
            words = ["unshare", "-n", *words]
        mark = secrets.token_hex(8)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", _MARK: mark}
        began = time.monotonic()
        process = subprocess.Popen(
            words, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        data: list[str] = []
        reader = threading.Thread(target=lambda: data.extend(process.stdout), daemon=True)
        reader.start()
        own = renderer = 0
        while process.poll() is None and time.monotonic() - began < _SECONDS:
            for _, name, peak in tree(process.pid):
                if name.startswith("QtWebEngine"):
                    renderer = max(renderer, peak)
                else:
                    own = max(own, peak)
            time.sleep(_CHECK_S)
        took = time.monotonic() - began
        hangs = process.poll() is None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        status = process.wait()
        time.sleep(1.0)  # keepers and browsers end after their starter
        left = end_marked(mark)
        reader.join()
        if left:
            return f"LEFT {left}", took, own, renderer
        if hangs:
            return "HANGS", took, own, renderer
        ended = json.loads(data[-1]) if data else f"BROKE DOWN (status {status})"
        return " ".join(str(ended).split()), took, own, renderer


def end_marked(mark: str) -> int:
    """End what was started with a mark in its environment; return how many there were."""
    result = 0
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                os.kill(int(folder.name), 9)
                result += 1
    return result


def before(folder: Path) -> list[tuple[list[str], str]]:
    """Return what the README says happened, each with the patterns of its files."""
    result = []
    for line in (folder / "README.md").read_text("utf-8").splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if line.startswith("|") and len(cells) == 3 and "." in cells[0]:
            names = cells[0].replace("`", "").split(",")
            result.append(([name.strip().removesuffix("/index.html") for name in names], cells[1]))
    return result


def main(words: list[str]) -> int:
    """Print the table of all samples, or of those named."""
    if words[:1] == ["--one"]:
        one(words[1], Path(words[2]))
    given = Path(words[0]) if words else hostile_folder()
    samples = [each for each in sorted(given.iterdir()) if each.name != "README.md"]
    samples = [s for s in samples if not words[1:] or any(fnmatch(s.name, w) for w in words[1:])]
    known = before(given)
    print("| sample | before | worker | s | MB own | MB page | window | s | MB own | MB page |")
    print("| --- | --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    bad = 0
    for sample in samples:
        was = next((w for names, w in known if any(fnmatch(sample.name, n) for n in names)), "")
        cells = [sample.name, was]
        for way in _WAYS:
            ended, took, own, renderer = measured(way, sample)
            bad += ended.isupper() or ended.startswith("BROKE") or own > MOST_MB
            cells += [ended[:160].replace("|", "¦"), f"{took:.1f}", str(own), str(renderer)]
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{len(samples)} samples, {bad} that hung, crashed or took over {MOST_MB:,} MB")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
