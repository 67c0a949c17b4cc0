"""Rerun method files when they are saved and report their errors."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from algorithms.core.catalogue import method
from algorithms.own import method_files
from algorithms.own.method_files import MethodFile
from algorithms.params import Params
from engine.errors import InputError, ParameterError
from gui.state.layers import changed
from gui.state.session import Session
from gui.widgets.events import debounce
from gui.widgets.jobs import Task

REST_MS = 150
"""Editors write a file in several steps."""


class MethodWatch(QObject):
    """Updates layers of method files when the files change."""

    read = Signal(object)  # MethodFile: one that is new or has changed

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task = Task(self)
        watcher = QFileSystemWatcher(self)
        self._watcher: QFileSystemWatcher | None = watcher
        self._timer = debounce(self, REST_MS, self._read)
        self.is_in_sight: Callable[[Path], bool] = lambda _path: False  # shown, with errors
        watcher.fileChanged.connect(self._timer.start)
        watcher.directoryChanged.connect(self._timer.start)
        self._watch()

    @property
    def is_busy(self) -> bool:
        return self._task.is_busy or self._timer.isActive()

    def read_again(self) -> None:
        """Schedule reading of new and changed files."""
        self._timer.start()

    def stop(self) -> None:
        """Stop watching: a user has 128 watchers on Linux, of all programs together."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.blockSignals(True)
            watcher.deleteLater()
        self._timer.stop()
        self._task.cancel()

    def _watch(self) -> None:
        """Watch all files, and the folder new ones are dropped into, if it is there."""
        if self._watcher is None:
            return
        paths = {str(file.path) for file in method_files.files() if file.path.exists()}
        folder = method_files.folder()
        if folder.is_dir():
            paths.add(str(folder))
        watched = {*self._watcher.files(), *self._watcher.directories()}
        # An editor that puts a new file in the old one's place ends the watch.
        if new := sorted(paths - watched):
            self._watcher.addPaths(new)

    def _read(self) -> None:
        if self._task.is_busy:  # once more when that is done
            self._timer.start()
            return
        self._task.start(method_files.refresh, self._on_read, lambda _error: self._on_read(()))

    def _on_read(self, files: tuple[MethodFile, ...]) -> None:
        self._watch()
        for file in files:
            self.read.emit(file)
            self._follow(file)

    def _follow(self, file: MethodFile) -> None:
        session, entry = self._session, file.entry
        known = None
        with suppress(InputError):
            known = method(entry.key)
        if known is not entry:
            session.messages.say(
                f"{file.path.name}: there is another method {entry.key!r}; rename its key"
            )
            return
        layer = next((each for each in session.layers.all if each.key == entry.key), None)
        if file.problem:
            if not self.is_in_sight(file.path):
                session.messages.say(file.problem)
        elif layer is None:
            session.messages.say(f"{entry.name} is ready: add it with + in the layers")
        if layer is None or layer.params is None:
            return
        params = _converted(layer.params, entry.params)
        source = (
            layer.source if layer.source in entry.inputs else entry.default_input(is_rendered=True)
        )
        before = (layer.params, layer.source)
        setup = {"name": entry.name, "params": params, "source": source}
        session.layers.set_layers(changed(session.layers.all, entry.key, **setup))
        if (params, source) == before:  # the same parameters, another program
            session.layers.setup_changed.emit(entry.key)


def _converted(before: Params, kind: type[Params]) -> Params:
    """Return parameters of a method as it is now, with the values set that still make sense."""
    params = kind()
    now, usual = params.as_dict(), type(before).defaults()
    for name, value in before.as_dict().items():
        if value != usual[name] and name in now and type(value) is type(now[name]):
            with suppress(ParameterError):
                params = replace(params, **{name: value})
    return params
