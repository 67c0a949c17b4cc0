"""Extract panel: the current layer's text with its elements, to be read and copied."""

from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QTextBrowser, QWidget

from algorithms.results import Extraction, Segmentation
from algorithms.structure.forms import Form, form_of
from engine.words import plural
from gui.state.layers import GOLD_LAYERS, GOLD_MAIN
from gui.state.session import Session
from gui.widgets.debounce import debounce
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, Segments, small, tone

RENDERED, MARKDOWN, HTML = "rendered", "markdown", "html"


class _Reader(QTextBrowser):
    """Shows HTML and fetches nothing: neither pictures of the web nor local files."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return None


class ExtractDock(PanelDock):
    """Follows the current layer: rendered, as Markdown, or as clean HTML."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Extract", "ExtractDock", parent)
        self._session = session
        self._task, self._copy = Task(self), Task(self)
        self._made: tuple[object, ...] = ()  # shown result and form
        self.forms = Segments(
            [
                (RENDERED, "Rendered", "As a reader sees it"),
                (MARKDOWN, "Markdown", "CommonMark with tables"),
                (HTML, "HTML", "Clean HTML, without scripts, styles and boxes"),
            ],
            self,
        )
        self.forms.set_value(RENDERED)
        self._form = RENDERED
        self.reader = _Reader(self)
        self.reader.setAccessibleName("Extract as a reader sees it")
        self.reader.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.reader.setOpenLinks(False)
        self.reader.document().setDocumentMargin(14)
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName("Extract as text with markup")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.document().setDocumentMargin(14)
        self.empty = small(QLabel("", self))
        self.empty.setWordWrap(True)
        self.empty.setMargin(14)
        tone(self.empty, "muted")
        self._put_together()
        self._show(None, "")
        self._soon = debounce(self, 0, self._refresh)
        self.forms.picked.connect(self.set_form)
        self.visibilityChanged.connect(lambda _shown: self._later())
        for signal in (
            session.open.page_changed,
            session.layers.layers_changed,
            session.layers.outcome_changed,
            session.open.gold_changed,
        ):
            signal.connect(self._later)

    def _put_together(self) -> None:
        copy = IconButton("copy", "Copy as Markdown, or HTML where that is shown", self)
        copy.clicked.connect(self.copy_shown)
        close = IconButton("close", "Close  (Alt+Shift+U)", self)
        close.clicked.connect(self.hide)
        for button in (copy, close):
            self.add_to_title(button)
        top = QWidget(self)
        lay_out(QHBoxLayout(top), self.forms, margins=(12, 0, 10, 6))
        self.body.addWidget(top)
        for part in (self.reader, self.text, self.empty):
            self.body.addWidget(part, 1)

    # actions -------------------------------------------------------------------------------
    def set_form(self, form: object) -> None:
        """Show the extract rendered, as Markdown or as HTML."""
        self._form = str(form)
        self.forms.set_value(form)
        self._later()

    def next_form(self) -> None:
        """Show the next form."""
        forms = (RENDERED, MARKDOWN, HTML)
        self.set_form(forms[(forms.index(self._form) + 1) % len(forms)])

    def copy_markdown(self) -> None:
        """Copy the current layer's extract to the clipboard, as Markdown."""
        self._copy_as("markdown")

    def copy_shown(self) -> None:
        """Copy the extract to the clipboard in its shown form; as Markdown if rendered."""
        self._copy_as("html" if self._form == HTML else "markdown")

    def _copy_as(self, form: Form) -> None:
        result = self._result()
        if result is None:
            self._session.messages.say(self._why_none())
            return

        def keep(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            name = "Markdown" if form == "markdown" else "HTML"
            self._session.messages.say(f"copied {plural(len(text.split()), 'word')} as {name}")

        self._copy.start(partial(form_of, result, form, self._address()), keep)

    # contents ------------------------------------------------------------------------------
    def _later(self, *_: object) -> None:
        if not self.isHidden():
            self._soon.start()

    def _result(self) -> Extraction | Segmentation | None:
        """Return the result of the current layer; None if it has none, or not yet."""
        session, key = self._session, self._session.layers.current_layer
        if session.open.page is None:
            return None
        if key in GOLD_LAYERS:
            gold = session.open.gold
            if key == GOLD_MAIN:
                return gold.as_extraction(session.open.page) if gold.has_main else None
            blocks = gold.as_segmentation(session.open.page)
            return blocks if blocks.blocks else None
        outcome = session.layers.outcomes.get(key)
        return None if outcome is None else outcome.result

    def _address(self) -> str:
        page = self._session.open.page
        return "" if page is None else page.url

    def _why_none(self) -> str:
        if self._session.open.page is None:
            return "open a page to see an extract of it"
        name = self._session.layers.layer(self._session.layers.current_layer).name
        return f"{name} keeps nothing on this page"

    def _refresh(self) -> None:
        result = self._result()
        if result is None:
            self._made = ()
            self._task.cancel()
            self._show(None, "")
            return
        key = self._session.layers.current_layer
        shown = (result, key, self._form)
        if key not in GOLD_LAYERS and shown == self._made:
            return
        self._made = shown
        form: Form = "markdown" if self._form == MARKDOWN else "html"
        self._task.start(
            partial(form_of, result, form, self._address()), partial(self._show, self._form)
        )

    def _show(self, form: str | None, text: str) -> None:
        is_rendered = form == RENDERED
        self.reader.setVisible(is_rendered)
        self.text.setVisible(form in (MARKDOWN, HTML))
        self.empty.setVisible(form is None)
        self.empty.setText(f"{self._why_none()[:1].upper()}{self._why_none()[1:]}.")
        key = self._session.layers.current_layer
        self.set_remark("" if form is None else self._session.layers.layer(key).name)
        if is_rendered:
            self.reader.setHtml(_WITH_RULES + text)
        elif form is not None:
            self.text.setPlainText(text)


_WITH_RULES = """<style>
table { border-collapse: collapse; } td, th { border: 1px solid #9aa0ac; padding: 3px 6px; }
pre { background-color: rgba(128, 128, 128, 0.14); }
</style>"""
"""Qt draws no table borders by default."""
