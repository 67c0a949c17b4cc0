"""Training on the workspace's marks in another process; each model becomes a layer."""

import re
from pathlib import Path

from PySide6.QtCore import QObject

from algorithms.own import method_files
from algorithms.own.method_files import MethodFile
from algorithms.plugins.training.boosting import FEWEST_PAGES, check_lightgbm
from annotate.marks.gold import MAIN
from engine.errors import PageletError
from engine.words import plural
from gui.core.method_watch import MethodWatch
from gui.core.workbench import Workbench
from gui.plugins.training.trainer import Learned, LearningOrder, learning_worker
from gui.widgets.worker_process import QtWorkerProcess

SETTING = "learned"
"""Workspace setting: file of each learned method's model."""

_NAMES = {"gleaner": "Gleaner", "terrain-learned": "Terrain, learned"}


class TrainingController(QObject):
    """Trains one model at a time: on main content, then on blocks, if there are enough marks."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._watch = workbench.get(MethodWatch)
        self._watch.read.connect(self._on_read)
        self._files: set[Path] = set()  # models to become layers once readable
        self._orders: list[LearningOrder] = []  # the first is running
        self._worker = QtWorkerProcess(learning_worker, doing="training", parent=self)
        self._worker.progressed.connect(self._show)
        self._worker.answered.connect(self._on_learned)
        self._worker.failed.connect(self._on_failed)
        workbench.stop_asked.connect(self.stop)

    @property
    def is_busy(self) -> bool:
        """Whether a model is being trained."""
        return bool(self._orders)

    def learn(self) -> None:
        """Start training on the current marks; show a message if there are too few."""
        say = self._session.messages.say
        if self.is_busy:
            say("a model is being trained already: Ctrl+. stops it")
            return
        try:
            check_lightgbm()
            self._orders = self._possible()
        except PageletError as error:
            say(str(error))
            return
        if self._orders:
            say("a model is being trained on your marks; go on meanwhile")
            self._next()

    def stop(self) -> None:
        """Stop training; the model stays as it is."""
        if self.is_busy:
            self._files.difference_update(order.out for order in self._orders)
            self._end()
            self._session.messages.say("training stopped: no model has changed")

    def _possible(self) -> list[LearningOrder]:
        """Return the orders for methods with enough marks; shows the counts if there are none."""
        marked = self._workbench.workspace.marked().values()
        counts = {
            "gleaner": sum(any(level == MAIN for level, _ in kinds) for kinds in marked),
            "terrain-learned": sum(any(level != MAIN for level, _ in kinds) for kinds in marked),
        }
        if max(counts.values()) < FEWEST_PAGES:
            self._session.messages.say(
                f"mark {FEWEST_PAGES} pages first: {counts['gleaner']} have main content, "
                f"{counts['terrain-learned']} have blocks"
            )
        workspace = self._workbench.workspace.path
        return [
            LearningOrder(learner, workspace, self._file_for(learner), count)
            for learner, count in counts.items()
            if count >= FEWEST_PAGES
        ]

    def _file_for(self, learner: str) -> Path:
        """Return the file of the workspace's model: the existing one, else a new one."""
        workspace, folder = self._workbench.workspace, method_files.folder()
        stored = workspace.setting(SETTING)
        names = stored if isinstance(stored, dict) else {}
        name = names.get(learner)
        if isinstance(name, str) and Path(name).name == name and name.endswith(".npz"):
            return folder / name
        stem = re.sub(r"[^\w.-]+", "-", workspace.path.stem).strip("-.") or "marks"
        path, number = folder / f"{learner}-{stem}.npz", 1
        while path.exists():
            number += 1
            path = folder / f"{learner}-{stem}-{number}.npz"
        workspace.set_setting(SETTING, {**names, learner: path.name})
        return path

    def _next(self) -> None:
        if not self._orders:
            self._end()
            return
        self._files.add(self._orders[0].out)
        self._show("reading pages")
        self._worker.hand(self._orders[0])

    def _end(self) -> None:
        self._orders = []
        self._worker.end()  # the worker's browser is no longer needed
        self._workbench.note("learning", "", "")

    def _show(self, line: str) -> None:
        name = _NAMES[self._orders[0].learner]
        tip = f"Trains {name} on your marks. You can go on meanwhile; Ctrl+. stops"
        self._workbench.note("learning", f"Learning: {line}", tip)

    def _on_learned(self, learned: Learned) -> None:
        order = self._orders.pop(0)
        said = _sentence(_NAMES[order.learner], learned)
        self._session.messages.say("; ".join((said, *learned.notes)))
        self._watch.read_again()
        self._next()

    def _on_failed(self, why: str) -> None:
        order = self._orders.pop(0)
        self._files.discard(order.out)
        self._session.messages.say(f"{_NAMES[order.learner]} was not trained: {why}")
        self._next()

    def _on_read(self, file: MethodFile) -> None:
        """Add the layer of a newly trained model."""
        if file.path in self._files:
            self._files.discard(file.path)
            if not file.problem:
                self._session.layers.add_method(file.entry.key)


def _sentence(name: str, learned: Learned) -> str:
    pages = plural(learned.pages, "page")
    text = f"{name} learned from {pages}"
    if learned.left_out:
        text += f" ({learned.left_out} left out)"
    if learned.f1 is None:
        return f"{text}; all are of one site, so how good it is on others is unknown"
    text += f": F1 {learned.f1:.2f} on sites it had not seen"
    return text if learned.shipped is None else f"{text}, Pagelet's own model {learned.shipped:.2f}"
