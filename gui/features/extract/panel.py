"""Extract panel: the current layer's text with its elements, to be read and copied."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from algorithms.results import Extraction, Segmentation
from algorithms.structure import Form, form_of
from engine.words import plural
from gui.state.layers import GOLD_LAYERS, GOLD_MAIN
from gui.state.session import Session
from gui.widgets.controls import text_label
from gui.widgets.events import debounce
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, Segments
from gui.widgets.texts import ClosedBrowser

RENDERED, MARKDOWN, HTML = "rendered", "markdown", "html"
_FORMS = (
    (RENDERED, "Rendered", "As a reader sees it"),
    (MARKDOWN, "Markdown", "CommonMark with tables"),
    (HTML, "HTML", "Clean HTML, without scripts, styles and boxes"),
)


class ExtractDock(PanelDock):
    """Follows the current layer: rendered, as Markdown, or as clean HTML."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Extract", "ExtractDock", parent)
        self._session = session
        self._task, self._copy = Task(self), Task(self)
        self._made: tuple[object, ...] = ()  # shown result and form
        self.forms = Segments(_FORMS, self)
        self.forms.set_value(RENDERED)
        self._form = RENDERED
        self.reader = ClosedBrowser(self)
        self.reader.setAccessibleName("Extract as a reader sees it")
        self.reader.setFrameShape(ClosedBrowser.Shape.NoFrame)
        self.reader.setOpenLinks(False)
        self.reader.document().setDocumentMargin(14)
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName("Extract as text with markup")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.document().setDocumentMargin(14)
        self.empty = text_label(self, factor=0.9)
        self.empty.setMargin(14)
        self.title_button("copy", "Copy as Markdown, or HTML where that is shown", self.copy_shown)
        self.add_close("Close  (Alt+Shift+U)")
        top = QWidget(self)  # in the body they would get the panel's background
        lay_out(QHBoxLayout(top), self.forms, margins=(12, 0, 10, 6))
        lay_out(self.body, top, (self.reader, 1), (self.text, 1), (self.empty, 1))
        self._show(None, "")
        self._soon = debounce(self, 0, self._refresh)
        self.forms.picked.connect(self.set_form)
        self.visibilityChanged.connect(self._later)
        opened, layers = session.open, session.layers
        for signal in (
            opened.page_changed, layers.layers_changed, layers.outcome_changed, opened.gold_changed
        ):  # fmt: skip
            signal.connect(self._later)

    # actions -------------------------------------------------------------------------------
    def set_form(self, form: object) -> None:
        """Show the extract rendered, as Markdown or as HTML."""
        self._form = str(form)
        self.forms.set_value(form)
        self._later()

    def next_form(self) -> None:
        """Show the next form."""
        self.set_form({RENDERED: MARKDOWN, MARKDOWN: HTML, HTML: RENDERED}[self._form])

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

        self._copy.start(self._formed(result, form), keep)

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

    def _formed(self, result: Extraction | Segmentation, form: Form) -> Callable[[], str]:
        page = self._session.open.page
        return partial(form_of, result, form, "" if page is None else page.url)

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
        if key in GOLD_LAYERS or shown != self._made:
            self._made = shown
            work = self._formed(result, "markdown" if self._form == MARKDOWN else "html")
            self._task.start(work, partial(self._show, self._form))

    def _show(self, form: str | None, text: str) -> None:
        self.reader.setVisible(form == RENDERED)
        self.text.setVisible(form in (MARKDOWN, HTML))
        self.empty.setVisible(form is None)
        why = self._why_none()
        self.empty.setText(f"{why[:1].upper()}{why[1:]}.")
        key = self._session.layers.current_layer
        self.set_remark("" if form is None else self._session.layers.layer(key).name)
        if form == RENDERED:
            self.reader.setHtml(_WITH_RULES + text)
        elif form is not None:
            self.text.setPlainText(text)


_WITH_RULES = """<style>
table { border-collapse: collapse; } td, th { border: 1px solid #9aa0ac; padding: 3px 6px; }
pre { background-color: rgba(128, 128, 128, 0.14); }
</style>"""
"""Qt draws no table borders by default."""
