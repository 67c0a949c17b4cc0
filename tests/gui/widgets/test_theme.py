"""Readable colours, icons in these colours, and a theme that is stored."""

import re

import pytest
from PySide6.QtCore import QRect, QSettings, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QImage, QPainter
from PySide6.QtWidgets import QCheckBox, QLabel, QToolButton, QVBoxLayout, QWidget

from annotate.evaluation.tables.method_colors import COLORS
from gui.widgets import theme
from gui.widgets.swatch import ColorDot
from gui.widgets.theme import DARK, LIGHT, ThemeSwitch, contrast, mix_colors, theme_of
from resources import path

GROUNDS = ("chrome", "panel", "raised", "chosen")
TEXT_PAIRS = (
    *((ink, ground) for ink in ("text", "muted") for ground in (*GROUNDS, "field", "hover")),
    *((ink, ground) for ink in ("good", "warn", "bad", "accent") for ground in GROUNDS),
    ("on_accent", "accent"),
)
"""Text colours and grounds: each pair has a contrast of 4.5 or more (WCAG 2.2, AA)."""

SIGN_PAIRS = (("edge", "panel"), ("edge", "field"), ("edge", "chrome"), ("accent", "field"))
"""Outlines of controls and grounds: a contrast of 3.0 or more (WCAG 2.2, 1.4.11)."""

BOTH = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


@pytest.fixture
def settings(tmp_path):
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_contrast_agrees_with_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # WCAG's own example
    assert contrast("#123456", "#123456") == 1


@BOTH
def test_all_text_has_a_contrast_of_at_least_4_5(colors):
    pairs = {
        (ink, ground): contrast(getattr(colors, ink), getattr(colors, ground))
        for ink, ground in TEXT_PAIRS
    }
    assert {pair: value for pair, value in pairs.items() if value < 4.5} == {}


def written_in(sheet):
    """Yield selector, ink and ground of each rule that sets both."""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        ink = re.search(r"(?<![-\w])color: (#\w{6})", body)
        ground = re.search(r"background(?:-color)?: (#\w{6})", body)
        if ink and ground and "disabled" not in selector:
            yield selector.strip(), ink[1], ground[1]


@BOTH
def test_rules_of_the_style_sheet_with_text_and_ground_colours_are_readable(colors):
    rules = list(written_in(theme.style_sheet(colors)))
    assert len(rules) >= 3
    assert [rule for rule in rules if contrast(*rule[1:]) < 4.5] == []


def test_a_rule_with_too_little_contrast_is_found():
    rules = list(written_in("QLabel { color: #999999; background: #ffffff; }"))
    assert [contrast(ink, ground) < 4.5 for _, ink, ground in rules] == [True]


@BOTH
def test_outlines_of_controls_have_a_contrast_of_at_least_3(colors):
    pairs = {
        (ink, ground): contrast(getattr(colors, ink), getattr(colors, ground))
        for ink, ground in SIGN_PAIRS
    }
    assert {pair: value for pair, value in pairs.items() if value < 3} == {}


@BOTH
def test_the_chosen_segment_is_outlined_against_the_others(colors):
    rules = dict(re.findall(r"(#Segments[^{}]*?) \{([^{}]*)\}", theme.style_sheet(colors)))
    outline = re.search(r"border: 1px solid (#\w{6})", rules["#Segments QToolButton:checked"])
    ground = re.search(r"background: (#\w{6})", rules["#Segments"])
    assert contrast(outline[1], ground[1]) >= 3


@BOTH
def test_the_dot_of_a_method_is_told_from_the_panel(qtbot, colors):
    for color in COLORS:
        dot = ColorDot(color)
        qtbot.addWidget(dot)
        dot.setPalette(theme.palette(colors))
        drawn = dot.grab().toImage().pixelColor(5, 5).name()
        assert contrast(drawn, colors.panel) >= 3, color


@BOTH
def test_the_style_sheet_uses_only_known_colours_and_files(colors):
    sheet = theme.style_sheet(colors)
    assert "@" not in sheet
    for file in re.findall(r"url\((.*?)\)", sheet):
        assert path(file).is_file(), file


def test_every_icon_is_a_24_px_line_drawing_and_not_empty(qapp):
    for file in sorted(path("icons").glob("*.svg")):
        text = file.read_text(encoding="utf-8")
        assert 'viewBox="0 0 24 24"' in text, file.name
        assert 'stroke-width="1.6"' in text, file.name
        image = theme.pixmap(file.stem, "#123456", 24, 1).toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 0 for x in range(24) for y in range(24))
        assert inked > 20, file.name


def test_icons_are_drawn_in_a_given_colour_and_resolution(qapp):
    picture = theme.pixmap("stop", "#ff0000", 20, 2.0)
    assert picture.size() == QSize(40, 40)
    assert picture.devicePixelRatio() == 2
    assert picture.toImage().pixelColor(20, 20) == QColor("#ff0000")


def test_icons_are_drawn_in_any_resolution_and_in_another_colour_when_disabled(qapp):
    drawn, off = theme.icon_in(LIGHT, "stop", "bad"), mix_colors(LIGHT.muted, LIGHT.panel, 0.45)
    for mode, color in ((QIcon.Mode.Normal, LIGHT.bad), (QIcon.Mode.Disabled, off)):
        picture = drawn.pixmap(QSize(20, 20), 2.5, mode)
        assert picture.size() == QSize(50, 50)
        assert picture.devicePixelRatio() == 2.5
        assert picture.toImage().pixelColor(25, 25) == QColor(color)


def test_an_icon_is_painted_in_the_middle_of_a_larger_rectangle(qapp):
    image = QImage(60, 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    theme.icon_in(LIGHT, "stop").paint(painter, QRect(0, 0, 60, 40))
    painter.end()
    inked = [x for x in range(60) if image.pixelColor(x, 20) != QColor("#ffffff")]
    assert inked[0] + inked[-1] == 59


def test_mixed_blends_one_colour_over_another():
    assert mix_colors("#000000", "#ffffff", 0.5) == "#808080"
    assert mix_colors("#ff0000", "#ffffff", 1) == "#ff0000"


def test_the_chosen_theme_is_applied_and_stored(qtbot, qapp, settings):
    switch = ThemeSwitch(qapp, settings)
    window = QWidget()
    qtbot.addWidget(window)
    button, label = QToolButton(window), QLabel("x", window)
    layout = QVBoxLayout(window)
    layout.addWidget(button)
    layout.addWidget(label)
    window.show()
    for choice, colors in (("dark", DARK), ("light", LIGHT)):
        with qtbot.waitSignal(switch.changed):
            switch.choose(choice)
        assert [theme_of(part) for part in (window, button, label)] == [colors] * 3
    with qtbot.waitSignal(switch.changed):
        switch.toggle()
    assert switch.theme is DARK
    assert ThemeSwitch(qapp, settings).theme is DARK


def test_an_unknown_stored_theme_is_ignored(qapp, settings):
    settings.setValue("theme", "purple")
    assert ThemeSwitch(qapp, settings).choice == "system"


def test_the_interface_font_is_installed_and_can_be_scaled(qapp):
    font = theme.interface_font(QFont())
    assert font.family() in QFontDatabase.families()
    assert font.pointSizeF() >= 9
    assert theme.scale_font(font, 2).pointSizeF() == pytest.approx(2 * font.pointSizeF())


@pytest.mark.slow
def test_the_theme_of_the_desktop_is_followed_until_one_is_chosen(qapp, settings):
    desktop_changed = qapp.styleHints().colorSchemeChanged
    switch = ThemeSwitch(qapp, settings)
    desktop_changed.emit(Qt.ColorScheme.Dark)
    assert switch.theme is DARK
    desktop_changed.emit(Qt.ColorScheme.Light)
    assert switch.theme is LIGHT
    switch.choose("light")
    desktop_changed.emit(Qt.ColorScheme.Dark)
    assert switch.theme is LIGHT


STATES = {
    "unchecked": Qt.CheckState.Unchecked,
    "checked": Qt.CheckState.Checked,
    "partly": Qt.CheckState.PartiallyChecked,
}


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("how", ["enabled", "disabled", "focused"])
@pytest.mark.parametrize("choice", ["light", "dark"])
def test_the_frame_of_a_check_box_is_always_visible(qtbot, qapp, settings, choice, how, state):
    ThemeSwitch(qapp, settings).choose(choice)
    colors = {"light": LIGHT, "dark": DARK}[choice]
    window = QWidget()
    qtbot.addWidget(window)
    window.setObjectName("DockBody")
    box = QCheckBox("Recurs on", window)
    box.setTristate(True)
    box.setCheckState(STATES[state])
    box.setEnabled(how != "disabled")
    QVBoxLayout(window).addWidget(box)
    window.show()
    qtbot.waitExposed(window)
    if how == "focused":
        window.activateWindow()
        box.setFocus()
        qtbot.waitUntil(box.hasFocus)
    image = window.grab().toImage()
    position = box.geometry()
    row = position.center().y() + 4  # below the sign in the middle
    line = [image.pixelColor(position.x() + x, row).name() for x in range(16)]
    is_seen = [contrast(color, colors.panel) >= 3 for color in line]
    assert is_seen[0]
    assert is_seen[15]
    assert is_seen[3] == (state != "unchecked")
