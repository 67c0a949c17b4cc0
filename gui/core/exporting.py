"""What leaves the window: a text to the clipboard, marks and pictures to files."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from algorithms.results import Extraction
from annotate.marks import gold_file
from annotate.marks.guideline import GuidelineRef
from engine.errors import PageletError
from engine.words import plural
from gui.page.canvas import PageCanvas
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session


class Exporting:
    """Copies and saves the shown page and results, with a message."""

    def __init__(
        self,
        session: Session,
        canvas: PageCanvas,
        guideline: Callable[[], GuidelineRef | None] = lambda: None,
    ) -> None:
        """``guideline`` names the one that marks are made by."""
        self._session, self._canvas, self._guideline = session, canvas, guideline

    def copy_text(self, key: str) -> None:
        """Copy the text of a layer to the clipboard."""
        page = self._session.open.page
        outcome = self._session.layers.outcomes.get(key)
        if page is not None and key in GOLD_LAYERS:
            text = self._session.open.gold.as_extraction(page).text
        elif outcome is not None and isinstance(outcome.result, Extraction):
            text = outcome.result.text
        else:
            self._session.messages.say(
                "this layer has no text to copy; choose main content or an extractor"
            )
            return
        QGuiApplication.clipboard().setText(text)
        self._session.messages.say(f"copied {plural(len(text.split()), 'word')}")

    def save_gold(self, path: str) -> None:
        """Write the page's marks to a gold file, such as the one that may lie beside the page."""
        page = self._session.open.page
        if page is None:
            return
        try:
            gold_file.write(Path(path), page, self._session.open.gold, guideline=self._guideline())
        except PageletError as error:
            self._session.messages.say(str(error))
        else:
            marks = plural(len(self._session.open.gold.marks), "mark")
            self._session.messages.say(f"saved {marks} in {Path(path).name}")

    def save_picture(self, path: str) -> None:
        """Save what the page area shows, layers included, as a picture."""
        if not self._canvas.picture().save(path):
            self._session.messages.say(f"the picture could not be written to {path}")
        else:
            self._session.messages.say(f"saved {Path(path).name}")
