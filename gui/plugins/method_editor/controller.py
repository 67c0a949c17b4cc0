"""Editing of a method file: after saving it runs on the open page, then on all pages.

The version before is a copy (`_copy_of`), which the new one is compared with.
"""

import hashlib
import re
import shlex
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from algorithms.core.attempt import Outcome
from algorithms.own import method_files
from algorithms.own.method_files import MethodFile
from algorithms.own.trusted_code import change_of, is_trusted, trust
from engine import bounded_file
from engine.bounded_file import atomic_write
from engine.errors import PageletError, convert_os_error
from engine.page_cache import default_folder
from gui.core.method_watch import MethodWatch
from gui.core.workbench import Workbench
from gui.features.layers.feature import ShownLayers
from gui.widgets.events import debounce
from resources import read_text

SETTING = "method editor"
"""Workspace setting: the open file and its unsaved text."""

MOST_BYTES = 1_000_000
TEMPLATE = "plugins/template.py"
_DRAFT_MS = 1000
_LINE = re.compile(r", line (\d+): ")

_MOST_COPIES = 40
"""So many copies stay; older ones are deleted."""


class MethodEditorController(QObject):
    """Method file open in the editor."""

    opened = Signal()  # another file, or its text on disk has changed
    state_changed = Signal()  # the error or the saved state changed

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self.watch = workbench.get(MethodWatch)
        self.path: Path | None = None
        self.offered: Path | None = None  # named by the workspace, and not opened here yet
        self.change = ""  # how the offered file differs from the one that was opened here
        self.text = ""  # as typed
        self.saved_text = ""
        self.problem = ""
        self.is_on_all = True  # whether saving runs it on all pages
        self._entry = ""  # key of the method, once the file could be read
        self._last: Path | None = None  # a copy of the version that was read last
        self._good: Path | None = None  # of the last one without errors
        self._is_saving = False
        self._keeps = True  # drafts are stored, until the window closes
        self._drafts = debounce(self, _DRAFT_MS, self._keep_draft)
        self.watch.read.connect(self._on_read)
        self._session.layers.outcome_changed.connect(self._on_outcome)
        self._start = debounce(self, 0, self._resume)
        self._start.start()

    @property
    def is_modified(self) -> bool:
        return self.text != self.saved_text

    # choice ------------------------------------------------------------------------------------
    def ask_file(self) -> None:
        """Ask for a method file."""
        self._workbench.main_area.files.open(
            "Open a method file", "Python (*.py)", lambda path: self.open(Path(path))
        )

    def ask_new(self) -> None:
        """Ask for a new file, and fill it with the template."""
        files = self._workbench.main_area.files
        files.save("New method file", "Python", ("py",), self.make, "long_texts.py")

    def make(self, path: str) -> None:
        """Write the template to a file, and open it; its method is named like the file."""
        file = Path(path)
        words = re.sub("[_-]", " ", file.stem)
        text = read_text(TEMPLATE).replace('key="long-texts"', f'key="{words.replace(" ", "-")}"')
        text = text.replace('name="Long texts"', f'name="{words.capitalize()}"')
        if self._write(file, text):
            self.open(file)

    def restore(self) -> None:
        """Open the last file; offer it if it was not opened on this computer before.

        An open file is run, and the workspace that names it may be anybody's.
        """
        path, _ = self._last_time()
        if self.path is not None or path is None:
            return
        folder = self._workbench.workspace.path.parent
        if is_trusted(folder, str(path)):
            self._open_last()
        else:
            self.change = change_of(folder, str(path))
            self.offered = path
            self.state_changed.emit()

    def _resume(self) -> None:
        """Open the last file at the start, with its layer, if it is still as it was opened here."""
        path, _ = self._last_time()
        if self.path is None and path is not None:
            with suppress(OSError, UnicodeDecodeError, PageletError):
                if is_trusted(self._workbench.workspace.path.parent, str(path)):
                    method_files.name(path)
                    self._workbench.get(ShownLayers).revive()
                    self._open_last()

    def accept(self) -> None:
        """Open the offered file."""
        if self.offered is not None:
            self._open_last()

    def _open_last(self) -> None:
        path, text = self._last_time()
        if path is not None and self.open(path) and text is not None:
            self.type(text)
            self.opened.emit()

    def _last_time(self) -> tuple[Path | None, str | None]:
        """Return the file named in the workspace, None if missing, and its draft."""
        known = self._workbench.workspace.setting(SETTING, {})
        if not isinstance(known, dict) or not isinstance(known.get("path"), str):
            return None, None
        try:
            path = Path(known["path"]).resolve()
            is_there = path.is_file()
        except (OSError, ValueError):  # a name that is too long
            return None, None
        text = known.get("text")
        return path if is_there else None, text if isinstance(text, str) else None

    def open(self, path: Path) -> bool:
        """Open a file; False, with a message, if it cannot be read."""
        try:
            text = bounded_file.read_text(path, most=MOST_BYTES)
            resolved = method_files.name(path)
        except (OSError, UnicodeDecodeError, PageletError) as error:
            why = getattr(error, "strerror", "") or str(error)
            self._session.messages.say(
                why if path.name in why else f"cannot read {path.name}: {why}"
            )
            return False
        with suppress(OSError, PageletError):  # else it is offered again the next time
            trust(self._workbench.workspace.path.parent, str(resolved))
        self.path, self.offered, self.text, self.saved_text = resolved, None, text, text
        self._keeps = True
        self.problem, self._entry, self._last, self._good = "", "", None, None
        self._is_saving = False
        known = next((each for each in method_files.files() if each.path == resolved), None)
        if known is not None:
            self._on_read(known)
        self.watch.read_again()
        self._keep_draft()
        self.opened.emit()
        self.state_changed.emit()
        self._workbench.requests.enable.emit()
        return True

    # text --------------------------------------------------------------------------------------
    def type(self, text: str) -> None:
        """Take over the typed text."""
        was, self.text = self.is_modified, text
        if self._keeps:
            self._drafts.start()
        if was != self.is_modified:
            self.state_changed.emit()

    def save(self) -> None:
        """Write the file; it runs on the open page, and on all pages against the last version."""
        if self.path is None:
            self._session.messages.say("open a method file first, or begin a new one")
            return
        if self._write(self.path, self.text):
            self._is_saving = self.is_modified
            self.saved_text = self.text
            self._keep_draft()
            self.watch.read_again()
            self.state_changed.emit()

    def set_on_all(self, is_on_all: bool) -> None:
        self.is_on_all = is_on_all

    def stop(self) -> None:
        """Save a pending draft."""
        self._start.stop()
        self._keeps = False
        if self._drafts.isActive():
            self._drafts.stop()
            self._keep_draft()

    def _write(self, path: Path, text: str) -> bool:
        with self._session.messages.errors(), convert_os_error(f"write {path.name}"):
            with atomic_write(path) as beside:
                beside.write_text(text, encoding="utf-8")
            return True
        return False

    def _keep_draft(self) -> None:
        if self.path is not None:
            known = {"path": str(self.path)} | ({"text": self.text} if self.is_modified else {})
            self._workbench.workspace.set_setting(SETTING, known)

    # running -----------------------------------------------------------------------------------
    @property
    def error_line(self) -> int:
        """Line with an error, from 1; 0 for none."""
        match = _LINE.search(self.problem)
        return int(match[1]) if match is not None else 0

    def _on_read(self, file: MethodFile) -> None:
        """Show the problem of the file; without one, compare it with its previous version."""
        if file.path != self.path:
            return
        self._take_from_disk(file.path)
        if not self.problem:
            self._good = self._last
        self.problem = file.problem
        if not file.problem:
            is_new = not self._entry
            self._entry = file.entry.key
            self._compare(file)
            same = (each for each in method_files.files() if each.entry.key == self._entry)
            shown = {layer.key for layer in self._session.layers.all}
            is_new = is_new and self._entry not in shown
            if is_new and all(each.path == file.path for each in same):
                self._session.layers.add_method(self._entry)
        self.state_changed.emit()

    def _take_from_disk(self, path: Path) -> None:
        """Show changes by another editor, unless there are changes here."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return
        if text == self.saved_text:
            return
        was_modified, self.saved_text = self.is_modified, text
        if was_modified:
            self._session.messages.say(
                f"{path.name} was changed by another program: saving overwrites that"
            )
            return
        self.text, self._is_saving = text, True
        self.opened.emit()

    def _compare(self, file: MethodFile) -> None:
        before = self._good
        with self._session.messages.errors():
            with convert_os_error(f"copy {file.path.name}"):
                self._last = _copy_of(file.path, file.imports)
            is_asked, self._is_saving = self._is_saving and self.is_on_all, False
            if is_asked and before not in (None, self._last) and self._session.documents:
                texts = (shlex.quote(str(each)) for each in (before, self._last))
                self._workbench.requests.ask("compare", *texts, ("last saved", "now"))

    def _on_outcome(self, key: str) -> None:
        """Show the line that failed on the open page."""
        if self.path is None or key != self._entry:
            return
        error = self._session.layers.outcomes.get(key, Outcome()).error
        problem = error if error.startswith(self.path.name) else ""
        if problem != self.problem:
            self.problem = problem
            self.state_changed.emit()


def _versions_folder() -> Path:
    return default_folder().with_name("method-versions")


def _copy_of(path: Path, imports: Sequence[Path] = ()) -> Path:
    """Copy a file to a folder named after its path and content; return the copy's path.

    Args:
        path: The file.
        imports: Files of its folder, or below, that it imports: they are copied, too.
    """
    files = {each: each.read_bytes() for each in (path, *imports) if each.is_file()}
    digest = hashlib.blake2b(str(path).encode(), digest_size=8)
    for each, data in files.items():
        digest.update(str(each).encode() + b"\0" + data)
    result = _versions_folder() / digest.hexdigest()
    for each, data in files.items():
        target = result / each.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != data:
            target.write_bytes(data)
    result.touch()
    _delete_old()
    return result / path.name


def _delete_old() -> None:
    known = sorted(_versions_folder().iterdir(), key=lambda each: -each.stat().st_mtime)
    for each in known[_MOST_COPIES:]:
        shutil.rmtree(each, ignore_errors=True)
