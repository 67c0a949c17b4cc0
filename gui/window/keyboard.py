"""A keyboard drawn with what each key does, for the modifiers that are held or chosen."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QKeyCombination, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from gui.core.action import Action
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Segments, small, tone
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, scale_font, smooth_painter, theme_of

Modifier = Qt.KeyboardModifier
_CTRL, _SHIFT, _ALT = Modifier.ControlModifier, Modifier.ShiftModifier, Modifier.AltModifier
NONE = Modifier.NoModifier

COMBINATIONS = (
    (NONE, "Alone"), (_SHIFT, "Shift"), (_CTRL, "Ctrl"), (_CTRL | _SHIFT, "Ctrl+Shift"),
    (_ALT, "Alt"), (_ALT | _SHIFT, "Alt+Shift"), (_CTRL | _ALT, "Ctrl+Alt"),
)  # fmt: skip
"""What keys are pressed with, as it is chosen above the keyboard."""

HELD = {Qt.Key.Key_Shift: _SHIFT, Qt.Key.Key_Control: _CTRL, Qt.Key.Key_Alt: _ALT}

ROWS: tuple[tuple[str, ...], ...] = (
    ("Esc", *(f"F{n}" for n in range(1, 13))),
    ("Tab", *"1234567890", "-", "="),
    (*"QWERTYUIOP", "[", "]", "\\"),
    (*"ASDFGHJKL", "Return", "Backspace", "Del", "Menu"),
    (*"ZXCVBNM", ",", ".", "/", "Home", "Up", "End"),
    ("Space", "PgUp", "PgDown", "Left", "Down", "Right"),
)
"""The keys that actions have, by their portable names, near where they are on most keyboards."""

_WIDE = {"Space": 8}
_ROOM = 13
"""Keys in a row; the space bar takes the room of eight."""
_ALIKE = {"Enter": "Return", "+": "="}
_GAP = 4


def key_of(key: str) -> tuple[str, Qt.KeyboardModifier]:
    """Return the drawn key and modifiers of a shortcut."""
    pressed: QKeyCombination = QKeySequence(key)[0]  # type: ignore[index]
    name = QKeySequence(pressed.key()).toString(QKeySequence.SequenceFormat.PortableText)
    if name == "?":
        return "/", _SHIFT
    return _ALIKE.get(name, name), pressed.keyboardModifiers()


def actions_by_key(
    actions: Sequence[Action], is_live: Callable[[Action], bool], held: Qt.KeyboardModifier
) -> dict[str, Action]:
    """Return what each key does with these modifiers: of several the one that is live."""
    result: dict[str, Action] = {}
    for action in sorted(actions, key=lambda row: not is_live(row)):
        for key in action.keys:
            name, modifiers = key_of(key)
            if modifiers == held:
                result.setdefault(name, action)
    return result


class _DrawnKeys(QWidget):
    """The keys, each with what it does; what cannot be done now is grey."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Keyboard")
        self.shown: Mapping[str, Action] = {}
        self._is_live: Callable[[Action], bool] = lambda _row: True

    def show_keys(self, shown: Mapping[str, Action], is_live: Callable[[Action], bool]) -> None:
        self.shown, self._is_live = shown, is_live
        texts = [f"{key}: {_short(row)}" for key, row in shown.items()]
        self.setAccessibleDescription("; ".join(texts) or "no key")
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(_ROOM * 6 * line, len(ROWS) * (round(2.9 * line) + _GAP) - _GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def rects(self) -> dict[str, QRect]:
        across = (self.width() + _GAP) / _ROOM
        down = (self.height() + _GAP) / len(ROWS)
        result = {}
        for line, keys in enumerate(ROWS):
            at = 0
            for key in keys:
                left, wide = round(at * across), _WIDE.get(key, 1)
                right = round((at + wide) * across) - _GAP
                top = round(line * down)
                result[key] = QRect(left, top, right - left, round(down) - _GAP)
                at += wide
        return result

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        name_font = scale_font(self.font(), 0.8, weight=QFont.Weight.DemiBold)
        word_font = scale_font(self.font(), 0.78)
        for key, rect in self.rects().items():
            row = self.shown.get(key)
            is_live = row is not None and self._is_live(row)
            colors = (theme.accent, theme.chosen) if is_live else (theme.line, theme.panel)
            draw_rounded(painter, QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, *colors)
            inner = rect.adjusted(6, 3, -4, -3)
            painter.setFont(name_font)
            painter.setPen(QColor(theme.text if row else theme.muted))
            left_top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
            painter.drawText(inner, left_top, key)
            if row is None:
                continue
            painter.setFont(word_font)
            painter.setPen(QColor(theme.text if is_live else theme.muted))
            words = inner.adjusted(0, painter.fontMetrics().height() + 1, 0, 0)
            _draw_words(painter, words, _short(row))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            rects = self.rects().items()
            key = next((key for key, rect in rects if rect.contains(event.pos())), "")
            row = self.shown.get(key)
            tip = "\n".join(filter(None, (row.text, row.help))) if row else ""
            QToolTip.showText(event.globalPos(), plain(tip), self)
            return True
        return super().event(event)


def _short(row: Action) -> str:
    return row.text.removesuffix("…")


def _draw_words(painter: QPainter, rect: QRect, text: str) -> None:
    """Draw words on as many lines as there is room for, the last one cut off by an ellipsis."""
    metrics = painter.fontMetrics()
    most = max(1, rect.height() // metrics.height())
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(joined) <= rect.width():
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    top = rect.top()
    for line in lines:
        cut = metrics.elidedText(line, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect.left(), top + metrics.ascent(), cut)
        top += metrics.height()


class Keyboard(QWidget):
    """Drawn keys with a row of modifiers above; holding a modifier shows its keys."""

    def __init__(
        self,
        actions: Callable[[], Sequence[Action]],
        is_live: Callable[[Action], bool],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._actions, self._is_live = actions, is_live
        self._chosen = self._held = NONE
        self.combinations = Segments(
            [(held, text, f"Keys pressed with {text}" if held != NONE else "Keys pressed alone")
             for held, text in COMBINATIONS], self,
        )  # fmt: skip
        self.combinations.picked.connect(self.choose)
        hint = small(QLabel("Hold Shift, Ctrl or Alt to see what they add", self), 0.88)
        tone(hint, "muted")
        self.keys = _DrawnKeys(self)
        head = lay_out(QHBoxLayout(), self.combinations, hint, None, spacing=12)
        lay_out(QVBoxLayout(self), head, self.keys, spacing=8)
        self.combinations.set_value(NONE)

    def choose(self, combination: Qt.KeyboardModifier) -> None:
        self._chosen = combination
        self.renew()

    def hold(self, key: int, *, is_down: bool) -> None:
        """Follow a modifier that is pressed or released."""
        modifier = next((held for each, held in HELD.items() if each == key), NONE)
        self._held = self._held | modifier if is_down else self._held & ~modifier
        self.renew()

    def let_go(self) -> None:
        """Take nothing as held: the window has lost the keyboard meanwhile."""
        self._held = NONE
        self.renew()

    def renew(self) -> None:
        combination = self._held if self._held != NONE else self._chosen
        self.combinations.set_value(combination)
        self.keys.show_keys(
            actions_by_key(self._actions(), self._is_live, combination), self._is_live
        )
