"""Guideline panel: a page for each type, with examples and counter-examples from gold."""

import re
from html import escape

from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from annotate.marks.guideline import MAIN_TITLE
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.cropper import Example
from gui.plugins.guidelines.state import GuidelineState
from gui.state.session import Session
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock
from gui.widgets.texts import ClosedBrowser, ClosedDocument, plain
from gui.widgets.theme import theme_of

_HEADING = re.compile(r"^##+ +(.+?) *$", re.MULTILINE)

MOST = 4
"""Largest number of shown examples of a type, and of counter-examples."""


class GuidelineDock(PanelDock):
    """Page of the current type, and a list to choose another."""

    def __init__(
        self, session: Session, host: GuidelineController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Guideline", "GuidelineDock", parent)
        self._state, self._host = session.get(GuidelineState), host
        self.add_close("Close  (Shift+F1)", lambda: self._state.show(False))
        self.pages = QComboBox(self)
        self.pages.setAccessibleName("Page of the guideline")
        self.pages.setToolTip(plain("Page of the guideline"))
        self.pages.activated.connect(lambda row: self._host.turn_to(self.pages.itemText(row)))
        self.text = ClosedBrowser(self)
        self.text.setAccessibleName("What the guideline says of this type")
        self.text.setFrameShape(ClosedBrowser.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(14)
        self.text.document().setIndentWidth(16)
        self.text.anchorClicked.connect(self._on_clicked)
        top = QWidget(self)  # in the body it would get the panel's background
        lay_out(QVBoxLayout(top), self.pages, margins=(14, 2, 14, 2))
        lay_out(self.body, top, (self.text, 1))
        self.shown_examples: tuple[Example, ...] = ()
        """Crops on the open page of the guideline."""
        for signal in (self._state.changed, self._state.shown_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        if not self._state.is_shown:
            return
        state, guideline = self._state, self._state.guideline
        titles = [page.title for page in guideline.pages]
        if titles != [self.pages.itemText(row) for row in range(self.pages.count())]:
            self.pages.clear()
            self.pages.addItems(titles)
        page = guideline.page(state.title)
        self.pages.setCurrentIndex(titles.index(page.title) if page is not None else -1)
        self.set_remark(guideline.name)
        document = ClosedDocument()
        text = page.text if page is not None else f"The guideline has no page on *{state.title}*."
        text = _HEADING.sub(r"**\1**", text)  # as large as the text: the list above names the page
        document.setMarkdown(f"### {state.title}\n\n{text}")
        body = document.toHtml().partition("<body")[2].partition(">")[2].partition("</body>")[0]
        is_type = page is not None and not page.title.startswith(MAIN_TITLE)
        rename = '<p><a href="rename:">Rename this type everywhere…</a></p>' if is_type else ""
        values = "".join(
            f'<br><a href="field:{number}">{escape(name)}</a>: {escape(value or "no value")}'
            for number, (name, value) in enumerate(state.values)
        )
        fields = f"<p><b>This mark</b>{values}</p>" if values else ""
        self.text.setHtml(f"{fields}{body}{self._examples(state.title)}{rename}")

    def _examples(self, title: str) -> str:
        """Return the crops of a type as HTML, each with a link to its mark."""
        name = MAIN_TITLE if title.startswith(MAIN_TITLE) else title
        examples = [
            each for each in self._state.examples if each.title.casefold() == name.casefold()
        ]
        good = [each for each in examples if not each.decided][:MOST]
        other = [each for each in examples if each.decided][:MOST]
        self.shown_examples = (*good, *other)
        muted, kind = theme_of(self.text).muted, QTextDocument.ResourceType.ImageResource.value
        parts = []
        for number, each in enumerate(self.shown_examples):
            if number in (0, len(good)):
                head = "Decided otherwise" if each.decided else "Examples from gold"
                parts.append(f"<p><b>{head}</b></p>")
            picture = QImage()
            picture.loadFromData(each.png)
            self.text.document().addResource(kind, QUrl(f"example:{number}"), picture)
            caption = f"{each.page}: {each.decided}" if each.decided else each.page
            parts.append(
                f'<p><a href="example:{number}"><img src="example:{number}"></a><br>'
                f'<span style="color:{muted}">{escape(caption)}</span></p>'
            )
        return "".join(parts)

    def _on_clicked(self, at: QUrl) -> None:
        if at.scheme() == "example":
            each = self.shown_examples[int(at.path())]
            self._host.jump(each.key, each.mark)
        elif at.scheme() == "field":
            self._host.ask_value(self._state.values[int(at.path())][0])
        elif at.scheme() == "rename":
            self._host.rename()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "shown_examples"):
            self._refresh()
