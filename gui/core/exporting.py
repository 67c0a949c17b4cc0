"""What leaves the window: a text to the clipboard, marks to a file."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from algorithms.results import Extraction
from annotate.marks import gold_file
from annotate.marks.guideline import GuidelineRef
from engine.words import plural
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session


class Exporting:
    """Copies texts and saves marks, with a message."""

    def __init__(self, session: Session, guideline: Callable[[], GuidelineRef | None]) -> None:
        """``guideline`` names the one that marks are made by."""
        self._session, self._guideline = session, guideline

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
        session, messages = self._session, self._session.messages
        if (page := session.open.page) is not None:
            gold = session.open.gold
            with messages.errors():
                gold_file.write(Path(path), page, gold, guideline=self._guideline())
                messages.say(f"saved {plural(len(gold.marks), 'mark')} in {Path(path).name}")
