"""Page in 3-D with its controls: meaning of colours, cut and legend; the scene as SVG."""

import base64
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPaintEvent, QTransform
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.bounded_file import atomic_write
from engine.errors import CaptureError
from engine.tree import Doubles
from gui.core.main_area import View
from gui.core.workbench import Workbench
from gui.pictures.page_drawing import png_of
from gui.plugins.view_3d.colors import Coloring, ColorLegend, paint_plates
from gui.plugins.view_3d.drawing import Paint, Walls, map_of, origin_of
from gui.plugins.view_3d.scene import Projection, Scene
from gui.plugins.view_3d.view import View3D
from gui.widgets.controls import text_label
from gui.widgets.events import debounce
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, ValueSlider
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, smooth_painter, theme_of

_NS = "http://www.w3.org/2000/svg"


def as_svg(
    scene: Scene, projection: Projection, texture: QImage, paint: Paint, ground: str
) -> bytes:
    """Return a scene as one SVG file, as drawn by `gui.plugins.view_3d.drawing.draw`.

    Args:
        scene: Scene to draw.
        projection: Projection of the scene.
        texture: The page's picture with the plates' colours.
        paint: Colours of the walls.
        ground: ``#rrggbb`` of the background.
    """
    box = f"0 0 {projection.width} {projection.height}"
    sides = {"width": str(projection.width), "height": str(projection.height)}
    root = ET.Element("svg", {"xmlns": _NS, "viewBox": box, **sides})
    inner = {"width": str(texture.width()), "height": str(texture.height())}
    pattern = ET.SubElement(
        ET.SubElement(root, "defs"), "pattern",
        {"id": "page", "patternUnits": "userSpaceOnUse", **inner},
    )  # fmt: skip
    data = "data:image/png;base64," + base64.b64encode(png_of(texture)).decode()
    ET.SubElement(pattern, "image", {"href": data, **inner})
    ET.SubElement(root, "rect", sides, fill=ground)
    walls = [Walls(projection, side) for side in (0, 1)]
    for level, (part, piece) in enumerate(zip(scene.slices, scene.piece_slices, strict=True)):
        if level:
            for wall in walls:
                for color, rects, way in wall.rects(
                    level, scene.boxes[part], paint.of_plate[part], paint.colors
                ):
                    _add(root, way, rects, color)
        way = map_of(projection.camera.base, origin_of(projection, level))
        _add(root, way, scene.pieces[piece], "url(#page)")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root)


def _add(root: ET.Element, way: QTransform, boxes: Doubles, fill: str) -> None:
    if not len(boxes):
        return
    values = (way.m11(), way.m12(), way.m21(), way.m22(), way.dx(), way.dy())
    matrix = " ".join(f"{value:.5g}" for value in values)
    corners = np.round(boxes, 3).tolist()
    path = "".join(f"M{a:g} {b:g}H{c:g}V{d:g}H{a:g}Z" for a, b, c, d in corners)
    ET.SubElement(root, "path", transform=f"matrix({matrix})", d=path, fill=fill)


_CHOICES = (
    (Coloring.PLAIN, "Plain", "The page's own colours"),
    (Coloring.DEPTH, "Depth", "How deep an element lies"),
    (Coloring.BLOCK, "Block", "Blocks of the current method, else of gold"),
    (Coloring.METHOD, "Method", "What the current method takes"),
    (Coloring.SCORE, "Score", "How well the current method does in each element"),
)
_NOTHING = {
    Coloring.BLOCK: "no blocks: choose a method that segments, or mark some",
    Coloring.METHOD: "no result: choose a method in the Methods panel",
    Coloring.SCORE: "no score: it needs a method with a result, and gold of its kind",
}

TURN, TILT, ZOOM = 6.0, 4.0, 1.2
"""Degrees and factor per key press."""


class View3DPanel(QWidget, View):
    """Follows the session; `open` shows its page."""

    comes_again = True
    hint = (
        "Drag: turn · Wheel: nearer · Click: select · {terrain-flat} flat · "
        "{terrain-colour} other colours · {terrain-lower} a level less · Esc"
    )

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench.main_area.stack)
        self.setObjectName("View3DPanel")
        session = self._session = workbench.session
        self._workbench = workbench
        self._coloring = Coloring.DEPTH
        self.view = View3D(self)
        self.setFocusProxy(self.view)
        self.choices = QComboBox(self)
        self.choices.setAccessibleName("What colours tell")
        self.choices.setToolTip(plain("What colours tell"))
        for index, (coloring, text, tip) in enumerate(_CHOICES):
            self.choices.addItem(text, coloring)
            self.choices.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
        self.choices.setCurrentIndex(self.choices.findData(self._coloring))
        self.cut_slider = ValueSlider(0, 1, "", "Highest level shown", self)
        self.legend = _ColorLegendLine(self)
        lay_out(QVBoxLayout(self), (self.view, 1), self._bar(), spacing=0)
        self.choices.activated.connect(
            lambda index: self.set_coloring(self.choices.itemData(index))
        )
        self.cut_slider.changed.connect(self.cut)
        self.view.zoomed.connect(workbench.main_area.zoomed)
        self.view.hovered.connect(session.selection.set_candidate)
        self.view.picked.connect(workbench.select_row)
        self._soon = debounce(self, 0, self._recolor)
        for signal in (
            session.layers.outcome_changed,
            session.open.gold_changed,
            session.layers.layers_changed,
        ):
            signal.connect(self._on_changed)
        session.selection.candidate_changed.connect(self._on_candidate)

    def _bar(self) -> QWidget:
        bar = QWidget(self)
        bar.setObjectName("View3DBar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        colored, cut = (text_label(bar, words, factor=0.9) for words in ("Colour", "Up to level"))
        self.cut_slider.setFixedWidth(120)
        line = lay_out(QHBoxLayout(), colored, self.choices, cut, self.cut_slider, None, spacing=8)
        for icon, tip, name in (
            ("terrain", "Flat, or lifted again  (Home)", "terrain-flat"),
            ("fit", "Fit into the view  (End)", "terrain-fit"),
            ("export", "Save as PNG or SVG…  (Ctrl+E)", "export-picture"),
            ("close", "Back to the page  (F6 or Esc)", "terrain"),
        ):
            ask = partial(self._workbench.main_area.asked.emit, name)
            button = IconButton(icon, tip, bar, ask)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            line.addWidget(button)
        lay_out(QVBoxLayout(bar), line, self.legend, margins=(10, 5, 8, 5), spacing=3)
        return bar

    # contents ------------------------------------------------------------------------------
    def open(self) -> bool:
        """Show the open page; False, with a message, if it cannot be shown."""
        page = self._session.open.page
        if page is None:
            return False
        try:
            picture, _ = self._workbench.canvas.whole_picture()
        except CaptureError as error:
            self._session.messages.say(f"no picture of the page: {error}")
            return False
        self.view.set_page(page.rendered(), picture)
        self.cut_slider.slider.setRange(0, self.view.levels)
        self.cut_slider.set_value(self.view.levels)
        self._recolor()
        self._on_candidate()
        return True

    def close_up(self) -> None:
        self.view.clear()

    def set_coloring(self, coloring: object) -> None:
        """Set the meaning of the colours."""
        self._coloring = Coloring(str(coloring))
        self.choices.setCurrentIndex(self.choices.findData(self._coloring))
        self._recolor()

    def next_coloring(self) -> None:
        """Choose the next meaning of the colours, cyclically."""
        all_ = list(Coloring)
        self.set_coloring(all_[(all_.index(self._coloring) + 1) % len(all_)])

    @property
    def coloring(self) -> Coloring:
        return self._coloring

    def cut(self, level: int) -> None:
        """Hide plates above a level."""
        self.view.cut(level)
        self.cut_slider.set_value(self.view.level)
        self._recolor()

    def cut_by(self, steps: int) -> None:
        """Show some more or fewer levels."""
        self.cut(self.view.level + steps)

    def turn(self, way: int) -> None:
        self.view.turn(way * TURN)

    def tilt(self, way: int) -> None:
        self.view.tilt(way * TILT)

    def zoom(self, way: int) -> None:
        self.view.zoom(ZOOM**way)

    def flatten(self) -> None:
        """Flatten the page, or restore its depth."""
        self.view.flatten()

    def zoom_fit(self) -> None:
        self.view.fit()

    def zoom_actual(self) -> None:
        """Show a CSS px as a pixel, as far as the tilt allows."""
        self.view.zoom(1.0 / self.view.camera.zoom)

    @property
    def scale(self) -> tuple[float, bool]:
        return self.view.camera.zoom, False

    @property
    def picture_kinds(self) -> tuple[str, ...]:
        """File types: the view as a picture, or as a drawing."""
        return ("png", "svg")

    def pick_candidate(self) -> None:
        """Select the framed element, as a click does."""
        if self._session.selection.candidate >= 0:
            self._workbench.select_row(self._session.selection.candidate)

    def save_picture(self, path: str) -> None:
        """Write the view to a file: SVG by suffix, else a picture of twice the size."""
        view, messages = self.view, self._session.messages
        if path.lower().endswith(".svg"):
            if view.scene is None or view.texture is None or view.colors is None:
                return
            ground = theme_of(self).desk
            data = as_svg(view.scene, view.projection, view.texture, view.colors, ground)
            with messages.errors():
                with atomic_write(Path(path)) as beside:
                    beside.write_bytes(data)
                messages.say(f"saved {Path(path).name}")
        elif view.image().save(path):
            messages.say(f"saved {Path(path).name}")
        else:
            messages.say(f"the picture could not be written to {path}")

    # following the session -------------------------------------------------------------------
    def _on_changed(self, _key: str = "") -> None:
        if self.isVisible():
            self._soon.start()

    def _on_candidate(self) -> None:
        self.view.show_row(self._session.selection.candidate)

    def _recolor(self) -> None:
        if self.view.scene is None or self._session.open.page is None:
            return
        paint, legend = paint_plates(self._coloring, self.view.scene, self._session)
        self.view.paint(paint)
        self.legend.show_legend(legend, _NOTHING.get(self._coloring, ""))


class _ColorLegendLine(QWidget):
    """Legend of the colours in one line; a text if there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._legend: ColorLegend = ()
        self._nothing = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_legend(self, legend: ColorLegend, nothing: str) -> None:
        """Show colours with their meanings, or why there are none."""
        self._legend, self._nothing = legend, "" if legend else nothing
        words = self._nothing or ", ".join(text for _, text in legend)
        self.setToolTip(plain(words))
        self.setAccessibleName(words)
        self.update()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._legend) or (self._nothing,)

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        metrics, height = self.fontMetrics(), self.height()
        elide, middle = Qt.TextElideMode.ElideRight, Qt.AlignmentFlag.AlignVCenter
        x = 4.0
        for color, text in self._legend or (("", self._nothing),):
            room = self.width() - x - 18
            if room < 24:
                break
            if color:
                box = QRectF(x, height / 2 - 6, 12, 12)
                draw_rounded(painter, box, 2, theme.edge, color)
                x += 17
            painter.setPen(QColor(theme.muted))
            shown = metrics.elidedText(text, elide, int(room))
            painter.drawText(QRectF(x, 0, room + 4, height), middle, shown)
            x += metrics.horizontalAdvance(shown) + 14
