"""Errors panel: a method's errors, counted, listed and selected on the page, too."""

from PySide6.QtWidgets import QWidget

from algorithms.core.catalogue import method
from algorithms.explain.page_errors import ErrorOrder, PageError, count_errors
from gui.core.findings import FindingsDock, Row
from gui.core.workbench import Workbench
from gui.features.errors.state import CHANGES, GOLD, INPUTS, ErrorWalk
from gui.page.overlay.error_layers import STYLES
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.parts import Segments, tone

_INPUT_WORDS = {"original": "original HTML", "dom": "DOM", "seen": "page as seen"}


class ErrorsDock(FindingsDock[ErrorWalk]):
    """All errors of the current layer's method, an entry each."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Errors", "ErrorsDock", session.get(ErrorWalk), parent)
        self._session = session
        self.add_close("Show the layers again  (F7)", self.hide_findings)
        name = "Compare with: gold, another input or method, or a changed page"
        against = self.against = ElidedCombo(name, 12, self)
        against.activated.connect(lambda index: self._walk.set_against(against.itemData(index)))
        orders = (
            (ErrorOrder.POSITION, "By position", "From the top of the page to its foot"),
            (ErrorOrder.SIZE, "By size", "The largest first, words or area"),
        )
        self.order = Segments(orders, self)
        self.order.picked.connect(lambda order: self._walk.set_order(ErrorOrder(str(order))))
        self.counts = self.make_text(size=0.92)
        self.make_bar("Previous error  (Shift+J)", "Next error  (J)", "J: to the first")
        self.make_list("Errors")
        self.arrange(self.against, self.counts, self.order, self.bar)
        self._walk.shown_changed.connect(self.refresh)
        session.layers.layers_changed.connect(self._refresh_choices)
        session.layers.outcome_changed.connect(lambda _key: self._refresh_choices())

    def row(self, error: PageError) -> Row:
        """Return sign and size, the heading at the right; below, the beginning of the text."""
        style, title = STYLES[str(error.kind)], error.in_words.removesuffix(" of the page")
        entry = Entry(style.sign, style.color, "#ffffff", title, error.heading, _line(error))
        heading = f", {error.heading}" if error.heading else ""
        text = " ".join(error.text.split())
        tip = text if len(text) <= 400 else f"{text[:399]}…"
        return Row(lambda _theme: entry, f"{error.in_words}{heading}: {_line(error)}", tip)

    def position(self) -> str:
        return self._walk.status

    def _refresh_choices(self) -> None:
        """Offer gold and the methods of the current method's kind."""
        session = self._session
        by_key = {layer.key: layer for layer in session.layers.all}
        current = by_key.get(session.layers.current_layer)
        offered = [(GOLD, "against gold")]
        if current is not None and not current.is_gold:
            entry = method(current.key)
            kind = entry.output
            offered += [
                (key, f"against itself on the {_INPUT_WORDS[source]}")
                for key, source in INPUTS.items()
                if source in entry.inputs and source != current.source and kind == "extraction"
            ]
            offered += [
                (layer.key, f"against {layer.title}")
                for layer in session.layers.all
                if not layer.is_gold and layer is not current and method(layer.key).output == kind
            ]
            if kind == "extraction" and not entry.reads_site:
                offered += [
                    (key, f"against itself, {change.name}") for key, change in CHANGES.items()
                ]
        self.against.offer([(words, key) for key, words in offered])
        if self._walk.against not in dict(offered):
            self._walk.set_against(GOLD)
        self.against.setCurrentIndex(self.against.findData(self._walk.against))
        self.set_remark(current.name if current is not None else "")

    def refresh(self) -> None:
        walk = self._walk
        self._refresh_choices()
        self.order.set_value(walk.order)
        text = walk.trouble or count_errors(walk.items)
        if not text and walk.key:
            text = "No errors: it agrees with gold."
        self.counts.setText(text)
        tone(self.counts, "muted" if walk.trouble or not walk.items else "")
        super().refresh()


def _line(error: PageError) -> str:
    """Return the beginning of the error's text, after other facts on it."""
    parts = [] if error.rows else ["not shown on the page"]
    parts += [] if error.in_gold is None else ["in gold" if error.in_gold else "not in gold"]
    text = " ".join(error.text[:300].split()) or "no text"
    return f"{', '.join(parts)}: {text}" if parts else text


class MethodChoice(ElidedCombo):
    """Makes the layer of a method current."""

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__("The method that is looked at", 16, parent)
        self.setPlaceholderText("Choose a method")
        self._layers = workbench.session.layers
        self.activated.connect(lambda index: self._layers.set_current_layer(self.itemData(index)))
        self._layers.layers_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        layers = self._layers
        self.offer([(each.title, each.key) for each in layers.all if not each.is_gold])
        self.setCurrentIndex(self.findData(layers.current_layer))
