"""Placeholder shown while there is no table."""

from collections.abc import Collection

from PySide6.QtWidgets import QWidget

from annotate.evaluation.tables.axes import OutputKind
from engine.words import listed, plural
from gui.features.evaluate.measures import KIND_NAMES, KINDS
from gui.widgets.empty_state import EmptyState


class Placeholder(EmptyState):
    """Placeholder that explains why there is no table and how to get one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.no_pages()

    def say(self, pages: int, methods: int, golds: Collection[OutputKind]) -> None:
        """Show which of pages, gold and methods is missing, or that a run can start."""
        if not pages:
            self.no_pages()
        elif not golds:
            self.no_gold()
        elif not methods:
            self.no_methods(golds)
        else:
            self.ready(pages, methods)

    def no_pages(self) -> None:
        """Show that there are no pages to evaluate."""
        self._show(
            "pages",
            "No pages to evaluate",
            "Open pages that have gold: main content or blocks somebody marked.",
            (("open-sample", "Open the sample pages"), ("open-folder", "Folder…")),
        )

    def no_gold(self) -> None:
        """Show that there is no gold to score against."""
        self._show(
            "main",
            "None of these pages has gold yet",
            "Mark the main content or the blocks of a page, then come back.",
            (("evaluate", "Mark this page"), ("open-sample", "Open the sample pages")),
        )

    def no_methods(self, golds: Collection[OutputKind]) -> None:
        """Show that no method can be scored."""
        kinds = listed([KIND_NAMES[kind].lower() for kind in KINDS if kind in golds])
        self._show(
            "sliders",
            "No method is chosen",
            f"These pages have gold of {kinds}: choose methods that find it.",
            (("evaluate-methods", "Choose methods"),),
        )

    def ready(self, pages: int, methods: int) -> None:
        """Show that nothing was run, though all is ready."""
        counts = f"{plural(methods, 'method')} on {plural(pages, 'page')}"
        self._show(
            "evaluate",
            f"Evaluate {counts}",
            "Every method runs on every page and is scored against its gold.",
            (("evaluate-run", "Run"), ("evaluate-methods", "Choose methods")),
            "Shift+F8 runs, F8 goes to the page and back",
            "accent",
        )
