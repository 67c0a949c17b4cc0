"""Panel *What changed*: two versions, their difference in numbers, the changed pages."""

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from algorithms.core.catalogue import method
from algorithms.explain.differences import ErrorKind
from algorithms.explain.page_errors import PageError
from annotate.evaluation.bundle.page import GAINED_COLOR as GAINED
from annotate.evaluation.bundle.page import LOST_COLOR as LOST
from annotate.plugins.compare.compare import PageChange, VersionComparison, largest
from annotate.plugins.compare.runs import mixes_guidelines
from annotate.plugins.compare.tables import headline, in_words
from engine.words import plural, sentence
from gui.core.findings import FindingsDock, Row, frame_box
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec
from gui.plugins.compare.controller import ComparisonController
from gui.plugins.compare.state import ChangeFilter, ChangeWalk
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.layouts import lay_out
from gui.widgets.parts import small, tone
from gui.widgets.texts import plain

_DASHES = {ErrorKind.MISSING: "dashed", ErrorKind.SUPERFLUOUS: "solid"}
"""Both underlined: strike-through is for superfluous text of errors."""
_COLORS = {ErrorKind.MISSING: LOST, ErrorKind.SUPERFLUOUS: GAINED}
_WORDS = {ErrorKind.MISSING: "lost", ErrorKind.SUPERFLUOUS: "gained"}


def badge_of(change: PageChange) -> tuple[str, str]:
    """Return the sign of a change and its colour: by the score, or by words without one."""
    words = change.text.words_gained - change.text.words_lost
    value = words if change.difference is None else change.difference
    return ("−", LOST) if value < 0 else ("+", GAINED)


def change_specs(parts: Sequence[PageError], pieces: PageNumberings) -> list[LayerSpec]:
    """Return the layers of lost and gained texts, and a frame around the largest of them."""
    framed = largest(tuple(parts))
    result: list[LayerSpec] = []
    for kind, word in _WORDS.items():
        those = [part for part in parts if part.kind is kind and part.ranges]
        if not those:
            continue
        boxes = [
            frame_box(part.rows, f"{word}: {plural(round(part.amount), 'word')}", pieces)
            for part in framed
            if part.kind is kind
        ]
        ranges = [pieces.range(*each) for part in those for each in part.ranges]
        look = {"color": _COLORS[kind], "dash": _DASHES[kind], "opacity": 1.0}
        result.append({"id": f"change-{word}", **look, "boxes": boxes, "ranges": ranges})
    return result


_VERSIONS = (
    "What is compared: a package (trafilatura==2.1.0), a checkout (path@v1.2), a method file "
    "(my_method.py, my_method.py@HEAD), a method with parameters (bte tag_cost=2) or an input "
    "(gleaner input=dom)"
)
_FIRST = (
    "Which pages changed from one version of a method to another: the worst come first, with what "
    "was lost and gained. Enter two versions above."
)


class ChangesDock(FindingsDock[ChangeWalk]):
    """All changed pages; of the current one the lost and gained text, and the reasons."""

    def __init__(
        self, session: Session, host: ComparisonController, parent: QWidget | None = None
    ) -> None:
        super().__init__("What changed", "ChangesDock", session.get(ChangeWalk), parent)
        self._host, self._session = host, session
        self.save = self.title_button("export", "Save the table", host.save)
        self.add_close("Close  (Ctrl+Shift+V)", self.hide_findings)
        self.before = self._version("Before", "trafilatura==2.1.0")
        self.after = self._version("After", "trafilatura==2.2.0")
        self.run = QPushButton("Compare", self)
        self.run.setToolTip("Runs both on all pages of the list")
        self.run.clicked.connect(self._start)
        self.halt = QPushButton("Stop", self)
        self.halt.setToolTip(plain("What is done is listed  (Ctrl+.)"))
        self.halt.clicked.connect(host.stop)
        self.summary = self.make_text("Summary")
        self.sort = ElidedCombo("Which changes are listed: by type of page, or kind", 12, self)
        self.sort.activated.connect(lambda k: self._walk.set_sort(self.sort.itemData(k)))
        self.make_bar(
            "Previous page that changed  (Ctrl+Alt+P)", "Next page that changed  (Ctrl+Alt+N)",
            "Ctrl+Alt+N: to the worst page",
        )  # fmt: skip
        self.detail = self.make_text("What changed on this page")
        self.make_list("Pages that changed", enter=host.read)
        self._filled: object = None
        self._put_together()
        self._walk.marked.connect(self.show_current)
        for signal in (
            self._walk.shown_changed, session.layers.layers_changed, session.layers.setup_changed,
        ):  # fmt: skip
            signal.connect(lambda *_: self._offer())

    def _version(self, name: str, example: str) -> QComboBox:
        result = QComboBox(self)
        result.setEditable(True)
        result.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        result.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        result.setMinimumContentsLength(12)
        result.setAccessibleName(name)
        result.setToolTip(plain(_VERSIONS))
        field = result.lineEdit()
        assert field is not None
        field.setPlaceholderText(example)
        field.setAccessibleName(name)
        field.returnPressed.connect(self._start)
        return result

    def _put_together(self) -> None:
        fields = QVBoxLayout()
        for name, field in (("Before", self.before), ("After", self.after)):
            label = small(QLabel(name, self), 0.95)
            tone(label, "muted")
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance("Before") + 4)
            fields.addLayout(lay_out(QHBoxLayout(), label, (field, 1), spacing=6))
        fields.setSpacing(5)
        buttons = lay_out(QHBoxLayout(), self.run, self.halt, (self.sort, 1), spacing=6)
        top = self.arrange(
            fields, buttons, self.summary, self.bar, self.detail, margins=(14, 2, 10, 4)
        )
        top.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.body.setStretchFactor(self.none, 1)

    def _start(self) -> None:
        self._host.compare(self.before.currentText(), self.after.currentText())

    def _offer(self) -> None:
        """Offer known versions, and keep the typed text."""
        known = _known_versions(self._session) if self._walk.is_shown else ()
        for field in (self.before, self.after):
            typed = field.currentText()
            field.clear()
            field.addItems([*known])
            field.setEditText(typed)

    def row(self, change: PageChange) -> Row:
        sign, color = badge_of(change)
        title, page, words = _title(change), self._host.title_of(change.page.name), in_words(change)
        entry = Entry(sign, color, "#ffffff", title, page, words)
        tip = f"{change.page.name}\n{title}\n{words}"
        return Row(lambda _theme: entry, f"{title}, {page}: {words}", tip)

    def refresh(self) -> None:
        walk = self._walk
        self.run.setVisible(not walk.is_running)
        self.halt.setVisible(walk.is_running)
        self.set_remark(walk.progress if walk.is_running else _remark(walk))
        compared = None if walk.compared is None else walk.compared.result
        self.save.setEnabled(compared is not None)
        self.show_none(_none(walk))
        filled = walk.compared, walk.items, walk.trouble
        if filled == self._filled:
            self.show_current()
            return
        self._filled = filled
        self._summarize(compared)
        super().refresh()

    def _summarize(self, compared: VersionComparison | None) -> None:
        walk = self._walk
        lines = [] if compared is None else _summary(compared)
        if walk.trouble and walk.items:
            lines.append(walk.trouble)
        self.summary.setText("\n".join(lines))
        self.summary.setToolTip(plain("" if compared is None else "\n".join(headline(compared))))
        self.summary.setVisible(bool(lines))
        self.sort.clear()
        for sort in _sorts(compared):
            self.sort.addItem(sort.says, sort)
        self.sort.setCurrentIndex(max(0, self.sort.findText(walk.sort.says)))
        self.sort.setVisible(self.sort.count() > 1)

    def position(self) -> str:
        walk = self._walk
        count = plural(len(walk.items), "page")
        return "" if walk.current is None else f"{walk.index + 1} of {count}"

    def show_current(self) -> None:
        super().show_current()
        change = self._walk.current
        self.bar.setVisible(bool(self._walk.items))
        self.detail.setText("" if change is None else self._detail(change))
        self.detail.setVisible(change is not None)

    def _detail(self, change: PageChange) -> str:
        words = (("lost", change.text.words_lost), ("gained", change.text.words_gained))
        counts = ", ".join(f"{plural(n, 'word')} {name}" for name, n in words if n)
        hidden = sum(round(part.amount) for part in self._host.parts if not part.ranges)
        lines = [f"{_title(change)}: {counts}" if counts else _title(change)]
        if hidden:
            lines.append(f"{plural(hidden, 'word')} of these the page does not show.")
        reasons = self._host.reason or change.reason
        lines += [each for each in reasons.split("; ") if each]
        return "\n".join(lines)


def _title(change: PageChange) -> str:
    if change.difference is None:
        return str(change.text.kind)
    return f"{change.difference:+.3f} · {change.text.kind}".replace("-", "−", 1)


def _summary(compared: VersionComparison) -> list[str]:
    """Return the difference in a few short lines."""
    names, interval, whole = " → ".join(compared.names), compared.interval, compared.whole
    before, after = compared.means
    if interval is None or before is None or after is None:
        return [names]
    numbers = f"{interval.mean:+.3f} (95 %: {interval.low:+.3f} to {interval.high:+.3f})"
    worst = min((each.difference or 0.0 for each in compared.changes), default=0.0)
    return [
        names,
        f"{compared.measure.label} {before:.3f} → {after:.3f}: {numbers.replace('-', '−')}",
        f"{whole.better} gained more than {compared.threshold:g}, {whole.worse} lost; "
        f"the worst {worst:+.2f}".replace("-", "−"),
        *filter(None, [mixes_guidelines([*compared.by_guideline])]),
    ]


def _sorts(compared: VersionComparison | None) -> Iterable[ChangeFilter]:
    if compared is None:
        return
    yield ChangeFilter("", False, f"All {plural(len(compared.changes), 'page')} that changed")
    for name, share in compared.by_type.items():
        mean = "" if share.mean is None else f", mean {share.mean:+.3f}".replace("-", "−")
        counts = f"{share.better} gained, {share.worse} lost"
        yield ChangeFilter(name, False, f"{name}: {share.changed} of {share.pages}{mean}, {counts}")
    for kind, (pages, words) in compared.by_kind.items():
        yield ChangeFilter(
            str(kind), True, f"{kind}: {plural(pages, 'page')}, {plural(words, 'word')}"
        )


def _remark(walk: ChangeWalk) -> str:
    if walk.compared is None:
        return ""
    result = walk.compared.result
    return f"{len(result.changes)} of {plural(len(result.pages), 'page')}"


def _none(walk: ChangeWalk) -> str:
    """Return the text in place of the list: the next step, the error, or that all is well."""
    if walk.is_running and walk.compared is None:
        return f"{walk.progress}."
    if walk.trouble and not walk.items:
        return sentence(walk.trouble)
    if walk.compared is None:
        return _FIRST
    if walk.items:
        return ""
    if walk.sort.name:
        return f"No page of the type {walk.sort.name} has changed."
    names = " and ".join(walk.compared.result.names)
    pages = plural(len(walk.compared.result.pages), "page")
    return f"{names} give the same text on all of {pages}."


def _known_versions(session: Session) -> tuple[str, ...]:
    """Return the extractors of the layers with their settings."""
    result = []
    for layer in session.layers.all:
        if layer.is_gold or layer.params is None or method(layer.key).output != "extraction":
            continue
        usual, values = type(layer.params).defaults(), layer.params.as_dict()
        own = (f"{name}={value}" for name, value in values.items() if value != usual[name])
        result.append(" ".join((layer.key, *own)))
    return tuple(result)
