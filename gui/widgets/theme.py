"""How Pagelet looks: two sets of colours, the palette and style sheet made of them, the icons.

Widgets never keep a colour.  What they paint themselves they ask of `theme_of`, which reads the
palette in force; so a change of theme is one change of palette.
"""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSettings, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QImage,
    QPaintDevice,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from resources import path, read_text

ThemeChoice = Literal["system", "light", "dark"]
CHOICES: tuple[ThemeChoice, ...] = ("system", "light", "dark")

FONTS = (
    "Inter",
    "Segoe UI Variable Text",
    "Segoe UI",
    "SF Pro Text",
    "Cantarell",
    "Ubuntu",
    "Noto Sans",
)
"""Fonts drawn for interfaces, the first that is there is taken; else what the desktop has set."""


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, all ``#rrggbb``.

    Attributes:
        name: ``light`` or ``dark``.
        chrome: Bars, and the background of panels.
        panel: Lists and forms.
        raised: Menus, cards, messages.
        field: Where one types.
        desk: Background around the page.
        hover, chosen: Background of the row under the mouse, and of the current row.
        line, edge: Hairlines between areas; the outline of a control (3:1 against its ground).
        text, muted: What is read first, and second.
        accent, on_accent: The only accent colour, and text on it.
        good, warn, bad: Words and signs of state.
    """

    name: str
    chrome: str
    panel: str
    raised: str
    field: str
    desk: str
    hover: str
    chosen: str
    line: str
    edge: str
    text: str
    muted: str
    accent: str
    on_accent: str
    good: str
    warn: str
    bad: str


LIGHT = Theme(
    name="light",
    chrome="#f3f3f5",
    panel="#fbfbfc",
    raised="#ffffff",
    field="#ffffff",
    desk="#e4e5ea",
    hover="#eeeff2",
    chosen="#e2e7fa",
    line="#e0e1e6",
    edge="#888c97",
    text="#1c1e24",
    muted="#585d69",
    accent="#3651c9",
    on_accent="#ffffff",
    good="#1a6e41",
    warn="#855000",
    bad="#b3201b",
)

DARK = Theme(
    name="dark",
    chrome="#1a1b1f",
    panel="#202227",
    raised="#2a2c33",
    field="#17181c",
    desk="#121316",
    hover="#2a2c32",
    chosen="#2f3654",
    line="#34363d",
    edge="#777c88",
    text="#e8e9ed",
    muted="#a6aab5",
    accent="#93a6ff",
    on_accent="#14172b",
    good="#73d2a0",
    warn="#f0b860",
    bad="#ff8f87",
)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two ``#rrggbb`` colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def linear(color: str) -> tuple[float, ...]:
    """Return red, green and blue of ``#rrggbb`` in linear light, 0 to 1 (sRGB, IEC 61966-2-1)."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def _luminance(color: str) -> float:
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def mix_colors(color: str, ground: str, share: float) -> str:
    """Return ``color`` laid over ``ground`` with an opacity of ``share``."""
    pairs = ((int(color[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return QColor(*(round(a * share + b * (1 - share)) for a, b in pairs)).name()


def theme_of(widget: QWidget) -> Theme:
    # The link colour tells: style sheets rewrite window and text colours in a widget's palette.
    is_dark = widget.palette().color(QPalette.ColorRole.Link).name() == DARK.accent
    return DARK if is_dark else LIGHT


def palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.chrome,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.chrome,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.bad,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Accent: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.hover,
        role.Mid: theme.line,
        role.Dark: theme.edge,
        role.Shadow: theme.line,
    }
    made = QPalette()
    for key, color in colors.items():
        made.setColor(key, QColor(color))
    for key in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.edge))
    return made


def style_sheet(theme: Theme) -> str:
    """Return the style sheet with the theme's colours (``@name``) put in."""
    colors = dataclasses.asdict(theme)
    colors["icons"] = path("icons").as_posix()
    return re.sub(r"@(\w+)", lambda match: str(colors[match[1]]), read_text("style.qss"))


# icons -------------------------------------------------------------------------------------
class _LineIcon(QIconEngine):
    """Draws a line icon on demand, at the resolution of the screen.

    A window has seventy icons: drawn ahead in all sizes for all screens they took a tenth of its
    start.
    """

    def __init__(self, name: str, color: str, off: str, knock: str) -> None:
        super().__init__()
        self._name, self._color, self._off, self._knock = name, color, off, knock

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        color = self._off if mode is QIcon.Mode.Disabled else self._color
        return pixmap(self._name, color, min(size.width(), size.height()), 1, self._knock)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        picture = self.pixmap(rect.size() * ratio, mode, state)
        side = picture.width() / ratio
        place = QRectF(
            rect.center().x() + 0.5 - side / 2, rect.center().y() + 0.5 - side / 2, side, side
        )
        painter.drawPixmap(place, picture, QRectF(picture.rect()))

    def clone(self) -> QIconEngine:
        return _LineIcon(self._name, self._color, self._off, self._knock)


@cache
def pixmap(name: str, color: str, size: int, ratio: float, knock: str = "#ffffff") -> QPixmap:
    """Return an icon as a picture of ``size`` points for a screen of this pixel ratio.

    ``knock`` is the colour of parts cut out of a filled shape.
    """
    shape = read_text(f"icons/{name}.svg").replace("currentColor", color).replace("white", knock)
    pixels = max(1, round(size * ratio))
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = smooth_painter(image)
    QSvgRenderer(QByteArray(shape.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(image)


@cache
def icon_in(theme: Theme, name: str, shade: str = "text") -> QIcon:
    """Return a line icon (``resources/icons``) in a colour, sharp at every pixel ratio."""
    off = mix_colors(theme.muted, theme.panel, 0.45)
    return QIcon(_LineIcon(name, str(getattr(theme, shade)), off, theme.panel))


def themed_icon(widget: QWidget, name: str, shade: str = "text") -> QIcon:
    """Return an icon in a colour of the theme ``widget`` is shown in."""
    return icon_in(theme_of(widget), name, shade)


# painting ----------------------------------------------------------------------------------
def smooth_painter(device: QPaintDevice) -> QPainter:
    """Return a painter whose edges are smooth."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def draw_rounded(
    painter: QPainter, box: QRectF, radius: float, line: str = "", fill: str = "", width: float = 1
) -> None:
    """Draw a box with round corners, its line and fill in a colour each, "" for none."""
    painter.setPen(QPen(QColor(line), width) if line else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, radius, radius)


# the switch --------------------------------------------------------------------------------
_HAS_STYLE = "pagelet-style"


class ThemeSwitch(QObject):
    """The current theme; follows the system until one is chosen, and remembers that."""

    changed = Signal()

    def __init__(self, app: QApplication, settings: QSettings) -> None:
        super().__init__(app)
        self._app, self._settings = app, settings
        saved = str(settings.value("theme", "system"))
        self.choice: ThemeChoice = next((c for c in CHOICES if c == saved), "system")
        self.theme = LIGHT
        # Each of these visits every widget, and the style of a style sheet has no name.
        if app.property(_HAS_STYLE) is None:
            app.setProperty(_HAS_STYLE, True)
            app.setStyle(QStyleFactory.create("Fusion"))
        font = interface_font(app.font())
        if app.font() != font:
            app.setFont(font)
        self._desktop = QGuiApplication.styleHints().colorScheme()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_desktop_changed)
        self._apply()

    def choose(self, choice: ThemeChoice) -> None:
        """Take a theme, or ``system`` to follow the desktop."""
        if choice != self.choice:
            self.choice = choice
            self._settings.setValue("theme", choice)
            self._apply()

    def toggle(self) -> None:
        """Take the other theme than the one in force."""
        self.choose("light" if self.theme is DARK else "dark")

    def _on_desktop_changed(self, scheme: Qt.ColorScheme) -> None:
        self._desktop = scheme
        self._apply()

    def _apply(self) -> None:
        is_dark_desktop = self._desktop == Qt.ColorScheme.Dark
        is_dark = is_dark_desktop if self.choice == "system" else self.choice == "dark"
        self.theme = DARK if is_dark else LIGHT
        sheet = style_sheet(self.theme)
        if self._app.styleSheet() != sheet:
            fonts = [(part, part.font()) for part in self._app.allWidgets()]
            self._app.setPalette(palette(self.theme))
            self._app.setStyleSheet(sheet)
            # A style sheet puts back the fonts of when the last one came: what became bold since.
            for part, font in fonts:
                if part.testAttribute(Qt.WidgetAttribute.WA_SetFont) and part.font() != font:
                    part.setFont(font)
        self.changed.emit()


def interface_font(given: QFont) -> QFont:
    """Return a font for the window: the best family that is there, in points so that it scales."""
    font = QFont(given)
    there = set(QFontDatabase.families())
    for family in FONTS:
        if family in there:
            font.setFamily(family)
            break
    font.setPointSizeF(min(max(given.pointSizeF(), 9.0), 12.0))
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


def scale_font(font: QFont, factor: float, *, weight: QFont.Weight | None = None) -> QFont:
    """Return ``font`` in another size (a factor) and weight, with figures of one width."""
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * factor)
    if weight is not None:
        made.setWeight(weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


INKS = {
    "light": {
        "tag": "#0a58a6", "attribute": "#7d4a00", "value": "#1a6e41", "entity": "#96208f",
        "comment": "#626775", "keyword": "#6f3bc4", "number": "#0b5f7a",
    },
    "dark": {
        "tag": "#7cc0ff", "attribute": "#f0b860", "value": "#8fd6a8", "entity": "#e6a3ea",
        "comment": "#9aa0ad", "keyword": "#c8abff", "number": "#83d3e8",
    },
}  # fmt: skip
"""Colours of syntax by theme: 4.5:1 or more on a panel."""


def kind_of(token: tuple[str, ...], kinds: Mapping[str, str]) -> str:
    """Return the entry of ``kinds`` for a Pygments type or its nearest ancestor; "" for none."""
    for size in range(len(token), 0, -1):
        kind = kinds.get(".".join(token[:size]))
        if kind is not None:
            return kind
    return ""
