"""Retold: what a view shows, as a command line and as Python, to be run again elsewhere."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from algorithms.core.catalogue import method
from annotate.evaluation.tables.axes import Column
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.nodes import NodeTable
from gui.core.workbench import Workbench
from gui.features.evaluate.view import EvaluateView
from gui.features.why.state import WhyState
from gui.state.layers import LayerState

WORDS = 8
"""So many words of a text are asked about: enough to find it again."""


def asked_words(nodes: NodeTable, row: int, offset: int) -> str:
    """Return the words of a row's text from that at ``offset`` on, at most `WORDS`."""
    text = nodes.text_below(row)
    start = max(text.rfind(" ", 0, max(offset, 0)) + 1, text.rfind("\n", 0, max(offset, 0)) + 1)
    return " ".join(text[start:].split()[:WORDS])


class _Name(str):
    """A name in a script, written without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


_CASES = _Name("cases")


def _call(name: str, arguments: Sequence[object], values: Mapping[str, object]) -> str:
    parts = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in values.items())]
    return f"{name}({', '.join(parts)})"


class Retold(QObject):
    """Copies what the current view shows: scores, a question why, or a method's result."""

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench, self._session = workbench, workbench.session

    def copy_command(self) -> None:
        """Copy it as a command line."""
        self._copy(shlex.join(("pagelet", *self.command())), "to be run in a terminal")

    def copy_python(self) -> None:
        """Copy it as Python."""
        self._copy(self.python(), "to be run in Python")

    def _copy(self, text: str, use: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._session.messages.say(f"copied, {use}: {text.splitlines()[-1]}")

    def command(self) -> list[str]:
        """Return the arguments of ``pagelet``."""
        view = self._workbench.main_area.current
        if isinstance(view, EvaluateView):
            return self._evaluation(view.model.shown.table.columns, view)
        layer, page = self._layer(), self._page()
        question = self._question()
        name = "extract" if method(layer.key).output == "extraction" else "segment"
        rest = [
            part for pair in _settings(layer).items() for part in ("--set", "{}={}".format(*pair))
        ]
        rest += ["--input", str(layer.source)] if layer.source else []
        rest += ["--text", question] if question else []
        return ["why" if question else name, layer.key, page, *rest]

    def python(self) -> str:
        """Return a script."""
        view = self._workbench.main_area.current
        if isinstance(view, EvaluateView):
            return self._evaluation_script(view.model.shown.table.columns, view)
        layer, question = self._layer(), self._question()
        values: dict[str, object] = {"input": str(layer.source)} if layer.source else {}
        run = _call("page.run", [layer.key], values | _settings(layer))
        ask = (
            f'print({question!r} in " ".join(run.text.split()))' if question else "print(run.text)"
        )
        if method(layer.key).output != "extraction":
            ask = "print(run.blocks)"
        opened = _call("pagelet.open", [self._page()], {})
        return f"import pagelet\n\npage = {opened}\nrun = {run}\n{ask}\nprint(run.score())"

    # the table of scores
    def _evaluation(self, columns: Sequence[Column], view: EvaluateView) -> list[str]:
        result = ["evaluate", *self._places()]
        result += ["--methods", ",".join(dict.fromkeys(column.method for column in columns))]
        result += ["--input", ",".join(dict.fromkeys(column.input for column in columns))]
        for column in columns:
            for name, value in column.changed.items():
                result += ["--set", f"{column.method}.{name}={value}"]
        return [*result, "--measures", ",".join(self._measures(columns, view))]

    def _evaluation_script(self, columns: Sequence[Column], view: EvaluateView) -> str:
        methods = [(c.method, dict(c.changed)) if c.changed else c.method for c in columns]
        inputs = ",".join(dict.fromkeys(column.input for column in columns))
        values = {"measures": ",".join(self._measures(columns, view)), "inputs": inputs}
        evaluation = _call("pagelet.evaluate", [_CASES, methods], values)
        return (
            f"import pagelet\n\ncases = {_call('pagelet.dataset', self._places(), {})}\n"
            f"results = {evaluation}\nprint(results.summary())"
        )

    def _measures(self, columns: Sequence[Column], view: EvaluateView) -> list[str]:
        shown = view.model.shown
        return list(dict.fromkeys(shown.shown[column.kind].base for column in columns))

    def _places(self) -> list[str]:
        """Return where gold of the listed pages is: the workspace if it was changed, or folders."""
        workspace = self._workbench.workspace
        changed = workspace.gold_digests()
        if any(page_key(document) in changed for document in self._session.documents):
            return [str(workspace.path)]
        roots = (str(each.root or _place(each)) for each in self._session.documents)
        return list(dict.fromkeys(roots))

    # a page
    def _layer(self) -> LayerState:
        layers = [each for each in self._session.layers.all if not each.is_gold]
        current = self._session.layers.current_layer
        return min(layers, key=lambda each: (each.key != current, not each.visible))

    def _page(self) -> str:
        document = self._session.open.document
        assert document is not None
        return _place(document)

    def _question(self) -> str:
        """Return the words asked about, "" while nothing is asked."""
        state, page = self._session.get(WhyState), self._session.open.page
        if not state.is_shown or state.location is None or page is None or state.location.row < 0:
            return ""
        return asked_words(page.rendered(), state.location.row, state.location.offset)


def _settings(layer: LayerState) -> dict[str, object]:
    return {} if layer.params is None else dict(layer.params.changed())


def _place(document: Document) -> str:
    path = Path(document.root or "", document.path or "")
    return str(path) if not document.is_live and path.is_file() else document.address
