"""Placeholder shown while there is no table."""

from collections.abc import Collection

from PySide6.QtWidgets import QWidget

from annotate.evaluation.tables.axes import OutputKind
from engine.words import join_words, plural
from gui.features.evaluate.measures import KIND_NAMES, KINDS
from gui.widgets.empty_state import EmptyState


class Placeholder(EmptyState):
    """Placeholder that explains why there is no table and how to get one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.say(0, 0, ())

    def say(self, pages: int, methods: int, golds: Collection[OutputKind]) -> None:
        """Show which of pages, gold and methods is missing, or that a run can start."""
        samples = ("open-sample", "Open the sample pages")
        choose = ("evaluate-methods", "Choose methods")
        icon, color, keys = "evaluate", "muted", ""
        actions: tuple[tuple[str, str], ...]
        if not pages:
            icon, title = "pages", "No pages to evaluate"
            text = "Open pages that have gold: main content or blocks somebody marked."
            actions = (samples, ("open-folder", "Folder…"))
        elif not golds:
            icon, title = "main", "None of these pages has gold yet"
            text = "Mark the main content or the blocks of a page, then come back."
            actions = (("evaluate", "Mark this page"), samples)
        elif not methods:
            icon, title = "sliders", "No method is chosen"
            kinds = join_words([KIND_NAMES[kind].lower() for kind in KINDS if kind in golds])
            text = f"These pages have gold of {kinds}: choose methods that find it."
            actions = (choose,)
        else:
            title = f"Evaluate {plural(methods, 'method')} on {plural(pages, 'page')}"
            text = "Every method runs on every page and is scored against its gold."
            color, actions = "accent", (("evaluate-run", "Run"), choose)
            keys = "Shift+F8 runs, F8 goes to the page and back"
        self._show(icon, title, text, actions, keys, color)
