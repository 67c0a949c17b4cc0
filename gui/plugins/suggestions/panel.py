"""Suggestions panel: proposals of the visible methods and their agreement; accepted by key."""

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from annotate.marks.gold import MAIN
from annotate.plugins.suggestions.suggestions import Suggestion
from gui.core.findings import FindingsDock, Row
from gui.plugins.suggestions.controller import SuggestionsController
from gui.plugins.suggestions.state import SuggestionWalk
from gui.state.describe import beginning, describe_pictures
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session
from gui.widgets.controls import search_field
from gui.widgets.entry_delegate import Entry
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Segments
from gui.widgets.theme import Theme, mix_colors

AGREED = (("any method", 1), ("two or more", 2), ("three or more", 3), ("all methods", 0))


class SuggestionsDock(FindingsDock[SuggestionWalk]):
    """List of suggestions, in document order."""

    def __init__(
        self, session: Session, host: SuggestionsController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Suggestions", "SuggestionsDock", session.get(SuggestionWalk), parent)
        self._session = session
        self.add_close("Close  (Ctrl+J)", self.hide_findings)
        self.level = Segments(
            [
                (None, "All", "Main content and blocks of both levels"),
                (MAIN, "M", "Main content only"),
                (1, "1", "Level-1 blocks only"),
                (2, "2", "Level-2 blocks only"),
            ],
            self,
        )
        self.level.set_value(None)
        self.level.picked.connect(lambda level: self._change_filter(level=level))
        self.agreed = QComboBox(self)
        self.agreed.setAccessibleName("How many methods must agree")
        self.agreed.setToolTip("How many of the methods shown must propose the same")
        for words, number in AGREED:
            self.agreed.addItem(words, number)
        self.agreed.activated.connect(
            lambda index: self._change_filter(agreed=self.agreed.itemData(index))
        )
        name = "Filter suggestions by type or method"
        self.filter = search_field("Type or method", self, name)
        self.filter.setProperty("quiet", True)
        self.filter.textChanged.connect(lambda words: self._change_filter(words=words))
        self.make_bar(
            "Previous suggestion  (Shift+Up)", "Next suggestion  (Shift+Down)",
            "Shift+Down: to the first",
            ("check", "Accept: mark it  (Shift+Return)", host.accept),
            ("delete", "Reject: not suggested again  (Shift+Backspace)", host.reject),
        )  # fmt: skip
        self.make_list("Suggestions", enter=host.accept, delete=host.reject)
        choices = lay_out(QHBoxLayout(), self.level, (self.agreed, 1), spacing=6)
        self.arrange(choices, self.filter, self.bar, margins=(12, 2, 8, 4))

    def _change_filter(self, **changes: Any) -> None:  # noqa: ANN401
        self._walk.set_filter(replace(self._walk.active_filter, **changes))

    def row(self, each: Suggestion) -> Row:
        """Return level and type, the agreeing methods at the right; below, the text's beginning."""
        page = self._session.open.page
        assert page is not None
        nodes, title, count = page.rendered(), _title(each), f"{len(each.methods)} of {each.asked}"
        quote = beginning(nodes, each.rows, 200) or describe_pictures(nodes, each.rows)
        names = {layer.key: layer.title for layer in self._session.layers.all}
        made_by = f"{count}: {', '.join(names.get(key, key) for key in each.methods)}"

        def draw(theme: Theme) -> Entry:
            layers = self._session.layers.all
            level = next(layer for layer in layers if GOLD_LAYERS.get(layer.key) == each.level)
            colors = {layer.key: layer.color for layer in layers}
            return Entry(
                {MAIN: "M", 1: "1", 2: "2"}[each.level], mix_colors(level.color, theme.panel, 0.22),
                theme.text, title, count, quote or "no text", border=level.color,
                squares=tuple(colors.get(key, "#808080") for key in each.methods[:6]),
            )  # fmt: skip

        return Row(
            draw, f"{title}, {made_by}: {quote or 'no text'}", f"{title}\n{made_by}\n{quote}"
        )

    def refresh(self) -> None:
        walk = self._walk
        self.level.set_value(walk.active_filter.level)
        self.agreed.setCurrentIndex(self.agreed.findData(walk.active_filter.agreed))
        hidden = len(walk.all_items) - len(walk.items)
        none = "" if walk.items else walk.trouble or "Nothing more is suggested on this page."
        if not walk.items and hidden:
            none = f"{hidden} more are filtered out."
        self.show_none(none)
        self.set_remark(str(len(walk.items)) if walk.items else "")
        super().refresh()


def _title(each: Suggestion) -> str:
    if each.level == MAIN:
        return "Main content"
    return each.type or f"Level-{each.level} block"
