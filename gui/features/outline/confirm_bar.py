"""Bar below the outline for marks to be confirmed."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from algorithms.core.catalogue import available
from annotate.marks.drafts import origin_of
from annotate.marks.gold import Mark, MarkState
from annotate.marks.learned.drafts import LEARNED
from engine.words import quoted
from gui.state.describe import QUOTE
from gui.widgets.layouts import lay_out
from gui.widgets.parts import small, tone


class ConfirmBar(QFrame):
    """Offers actions for selected drafts and for moved or lost marks."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Note")
        self._text = small(QLabel("", self), 0.92)
        self._text.setWordWrap(True)
        tone(self._text, "warn")
        self.confirm = QPushButton("Confirm", self)
        self.confirm.setToolTip("It is right where it stands now  (Y)")
        self.delete = QPushButton("Delete", self)
        buttons = lay_out(QHBoxLayout(), self.confirm, self.delete, None, spacing=6)
        lay_out(QVBoxLayout(self), self._text, buttons, margins=(12, 8, 12, 9), spacing=6)
        self.hide()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Offer actions for these marks; hidden if all are sure."""
        unsure = [mark for mark in marks if mark.state is not MarkState.EXACT or mark.awaits_type]
        is_lost = any(mark.state is MarkState.LOST for mark in unsure)
        is_draft = not is_lost and any(mark.state is MarkState.DRAFT for mark in unsure)
        self._text.setText(
            "The text of this mark is no longer on the page. It is kept until you delete it."
            if is_lost
            else _draft_words(unsure)
            if is_draft
            else _guess_words(unsure)
            if all(mark.state is MarkState.EXACT for mark in unsure)
            else _moved_words(unsure)
        )
        self.confirm.setVisible(not is_lost)
        self.setVisible(bool(unsure))


def _guess_words(unsure: Sequence[Mark]) -> str:
    guess = next((mark.guess for mark in unsure if mark.guess is not None), None)
    if guess is None:
        return ""
    return f"Suggested type: {guess.type} ({guess.why}). Is it right?"


def _moved_words(unsure: Sequence[Mark]) -> str:
    like = min((mark.score for mark in unsure), default=1.0)
    text = f" ({like:.0%} alike)" if like < 1 else ""
    text = (
        f"The position or text of this mark has changed{text}: no gold until confirmed. Is it "
        "right? Ctrl+Alt+Y shows the next likely position."
    )
    quote = next((mark.quote for mark in unsure if mark.quote), "")
    return f"{text} It was: {quoted(quote, QUOTE)}" if quote else text


def _draft_words(unsure: Sequence[Mark]) -> str:
    seed = next((mark.seed for mark in unsure if mark.seed is not None), None)
    if seed is None:
        return "This mark was transferred here from another page. Is it right?"
    transferred = [origin for origin in map(origin_of, unsure) if origin is not None]
    if transferred:
        page, confidence = min(transferred, key=lambda each: each[1])
        return f"Transferred from {page or 'another page'}, {confidence:.0%} certain. Is it right?"
    if seed.method == LEARNED:
        sure = min(mark.seed.confidence or 0.0 for mark in unsure if mark.seed is not None)
        return f"A draft learned from what you confirmed, {sure:.0%} certain. Is it right?"
    name = next((each.name for each in available() if each.key == seed.method), seed.method)
    return f"A draft, as {name} has it. Is it right?"
