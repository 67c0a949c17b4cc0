"""Certificate of a frozen page, in Details: restored parts, differences, losses."""

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.frozen_file import FrozenFile
from engine.errors import InputError
from engine.words import plural
from gui.state.session import Session
from gui.widgets.controls import push_button, text_label
from gui.widgets.layouts import grid, lay_out
from gui.widgets.parts import Fold, clear, small, tone

_MOST = 12
"""Largest number of listed changes and losses; the file has all."""

_TONES = {"identical": "good", "different": "bad", "failed": "bad"}
_TITLES = {
    "identical": "Comes back identical",
    "different": "Comes back different",
    "failed": "Does not come back",
}


class CertificatePart(QWidget):
    """Certificate, visible while a frozen page is open."""

    verify_requested = Signal()
    row_requested = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._path = ""
        self.certificate: Certificate | None = None
        self.title = small(QLabel("", self), 1.0, QFont.Weight.DemiBold)
        self.made = text_label(self)
        tip = "Reopens the page in a fresh process, without network"
        self.again = push_button("Verify again", self, self._on_again, tip, look="link")
        self._grid = grid(spacing=(10, 2), wide=1)
        self.more = text_label(self, color="")
        self.more.setTextFormat(Qt.TextFormat.RichText)
        self.more.linkActivated.connect(lambda link: self.row_requested.emit(int(link)))
        head = lay_out(QHBoxLayout(), (self.title, 1), self.again)
        lay_out(
            QVBoxLayout(self), head, self.made, self._grid, self.more, Fold(self),
            margins=(0, 4, 0, 0), spacing=5,
        )  # fmt: skip
        session.open.document_changed.connect(self._refresh)
        self._refresh()

    def show_certificate(self, path: str, certificate: Certificate) -> None:
        """Show the result of verifying a file, if it is the open one."""
        if path == self._path:
            self.again.setEnabled(True)
            self._show(certificate)

    def _refresh(self) -> None:
        document = self._session.open.document
        store = None if document is None else document.store
        self.setVisible(isinstance(store, FrozenFile))
        self.again.setEnabled(True)
        if not isinstance(store, FrozenFile):
            self._path, self.certificate = "", None
            return
        self._path = str(store.path)
        try:
            self._show(store.certificate())
        except InputError as error:
            self._show(None)
            self.made.setText(str(error))

    def _on_again(self) -> None:
        self.again.setEnabled(False)
        self.made.setText("Reopening it in a fresh process …")
        self.verify_requested.emit()

    def _show(self, certificate: Certificate | None) -> None:
        self.certificate = certificate
        clear(self._grid)
        self.more.hide()
        if certificate is None:
            self.title.setText("Frozen page")
            tone(self.title, "muted")
            self.made.setText("It was never reopened to check that it is the same.")
            return
        self.title.setText(_TITLES[certificate.verdict])
        tone(self.title, _TONES[certificate.verdict])
        day, _, hour = certificate.made.partition("T")
        self.made.setText(f"{day} {hour[:5]} UTC, {certificate.engine}")
        for line, check in enumerate(certificate.checks):
            name = f"{'✓' if check.is_same else '✗'}  {check.name}"
            color = "" if check.is_same else "bad"
            self._grid.addWidget(text_label(self, name, color), line, 0)
            self._grid.addWidget(text_label(self, check.said), line, 1)
        self.more.setText(_more(certificate))
        self.more.setVisible(bool(self.more.text()))


def _more(certificate: Certificate) -> str:
    """Return notes, changed nodes and losses as the label's markup."""
    lines = [f"clicked before: {escape(_short(each))}" for each in certificate.clicked]
    lines += [escape(note) for note in certificate.notes]
    if certificate.changes:
        lines.append(f"<b>{plural(len(certificate.changes), 'node')} changed</b>")
    for change in certificate.changes[:_MOST]:
        name = escape("/".join(change.path.split("/")[-2:]))
        link = f'<a href="{change.row}">{name}</a>' if change.row >= 0 else name
        was = escape(f"{change.before} → {change.after}")
        lines.append(f"{link}: {escape(change.what)}: {was}")
    if certificate.lost:
        lines.append(f"<b>{certificate.lost_in_words}</b>")
    lines += [escape(_short(each)) for each in certificate.lost[:_MOST]]
    hidden = max(len(certificate.lost) - _MOST, 0) + max(len(certificate.changes) - _MOST, 0)
    if hidden:
        lines.append(f"and {hidden} more: <i>pagelet verify</i> lists all")
    return "<br>".join(lines)


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:70]}…{text[-48:]}"
