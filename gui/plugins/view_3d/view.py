"""Page in 3-D as a widget: turned, tilted and zoomed by mouse and key, picked by a click."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from engine.nodes import NodeTable
from gui.plugins.view_3d.drawing import Paint, Texture, draw, draw_textures, outline
from gui.plugins.view_3d.scene import Camera, Projection, Scene, fit_camera, pick
from gui.state.describe import describe
from gui.widgets.events import debounce
from gui.widgets.theme import draw_rounded, theme_of

REST_MS = 120
"""Time without motion before the scene is drawn finely."""

FLATTEN_MS = 260

_RADIANS_PX = 0.006
_DRAG_PX = 4
_WHEEL = 1.15


class View3D(QWidget):
    """Draws a scene; reports the plate under the mouse and clicks."""

    hovered = Signal(int)  # a row, -1 for none
    picked = Signal(int)  # a row

    zoomed = Signal()  # or seen from another camera

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("View3D")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("The page in 3-D")
        self.setAccessibleDescription("a picture")
        self.camera = Camera()
        self._nodes: NodeTable | None = None
        self._whole: Scene | None = None
        self.scene: Scene | None = None
        self._picture = QImage()
        self._paint: Paint | None = None
        self._texture: Texture | None = None
        self._row = -1
        self._before: Camera | None = None  # camera before flattening
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._is_dragged = False
        self._is_moving = False
        self._is_fitted = True
        self._rest = debounce(self, REST_MS, self._on_rest)
        self._flight = QVariantAnimation(self)
        self._flight.setStartValue(0.0)
        self._flight.setEndValue(1.0)
        self._flight.setDuration(FLATTEN_MS)
        self._flight.valueChanged.connect(self._on_flight)
        self._legs = (self.camera, self.camera)

    # contents ------------------------------------------------------------------------------
    def set_page(self, nodes: NodeTable, picture: QImage) -> None:
        """Show a page, from its picture of one px per CSS px; `paint` must follow."""
        self._nodes, self._picture = nodes, picture
        self._whole = self.scene = Scene.of(nodes)
        self._paint = self._texture = None
        self._row, self._before, self._is_fitted = -1, None, True
        self._flight.stop()
        self._fit()

    def clear(self) -> None:
        self._nodes = self._whole = self.scene = self._paint = self._texture = None
        self._picture = QImage()
        self.update()

    @property
    def levels(self) -> int:
        return self._whole.top if self._whole is not None else 0

    @property
    def level(self) -> int:
        """Highest shown level."""
        return self.scene.top if self.scene is not None else 0

    def cut(self, level: int) -> None:
        """Hide plates above a level; `paint` must follow."""
        if self._whole is not None:
            self.scene = self._whole.cut(max(0, min(level, self._whole.top)))
            self._paint = self._texture = None
            self.update()

    def paint(self, paint: Paint) -> None:
        """Set the colours of the plates of `scene`."""
        self._paint, self._texture = paint, None
        self.update()

    def show_row(self, row: int) -> None:
        """Frame a row's plate; -1 for none."""
        if row != self._row:
            self._row = row
            self.update()

    # the camera ----------------------------------------------------------------------------
    def set_camera(self, camera: Camera) -> None:
        """Set the camera."""
        self.camera = camera
        self.zoomed.emit()
        self._is_moving = True
        self._rest.start()
        self.update()

    def turn(self, degrees: float) -> None:
        """Turn the page about its vertical axis."""
        self._leave_flat()
        self.set_camera(self.camera.turned(np.radians(degrees)))

    def tilt(self, degrees: float) -> None:
        """Tilt the page away, or back."""
        self._leave_flat()
        self.set_camera(self.camera.tilted(np.radians(degrees)))

    def zoom(self, factor: float) -> None:
        """Zoom by a factor."""
        self._is_fitted = False
        self.set_camera(self.camera.zoomed(factor))

    @property
    def is_flat(self) -> bool:
        return self.camera.is_flat

    def flatten(self) -> None:
        """Flatten the page, seen from above; a second call restores the previous view."""
        self._flight.stop()
        if self._before is not None:
            there = replace(self._before, zoom=self.camera.zoom, aim=self.camera.aim)
            self._before = None
        else:
            self._before = self.camera
            there = replace(self.camera, turn=0.0, tilt=0.0)
        self._legs = (self.camera, there)
        self._flight.start()

    def fit(self) -> None:
        """Fit the first screens of the page into the view."""
        self._is_fitted = True
        self._fit()

    def _fit(self) -> None:
        if self.scene is not None and self._whole is not None:
            self.set_camera(fit_camera(self._whole, self.width(), self.height(), self.camera))

    def _leave_flat(self) -> None:
        self._flight.stop()
        self._before = None

    def _on_flight(self, share: float) -> None:
        start, end = self._legs
        if share >= 1.0:
            self.set_camera(end)
            return
        turn = start.turn + share * (end.turn - start.turn)
        tilt = start.tilt + share * (end.tilt - start.tilt)
        self.set_camera(replace(end, turn=turn, tilt=tilt))

    def _on_rest(self) -> None:
        self._is_moving = False
        self.update()

    # drawing -------------------------------------------------------------------------------
    @property
    def projection(self) -> Projection:
        """Current projection of the scene, in the widget's px."""
        return Projection(self.camera, self.width(), self.height())

    def draw_scene(self, painter: QPainter, *, is_fine: bool) -> None:
        """Draw the scene without the frame around the hovered plate."""
        if self.scene is None or self._paint is None:
            return
        if self._texture is None:
            self._texture = draw_textures(self._picture, self.scene, self._paint)
        draw(painter, self.scene, self.projection, self._texture, self._paint, is_fine=is_fine)

    def image(self, scale: float = 2.0) -> QImage:
        """Return the view as a picture of ``scale`` px per px."""
        made = QImage(self.size() * scale, QImage.Format.Format_RGB32)
        made.setDevicePixelRatio(scale)
        made.fill(QColor(theme_of(self).desk))
        painter = QPainter(made)
        self.draw_scene(painter, is_fine=True)
        painter.end()
        return made

    @property
    def colors(self) -> Paint | None:
        """Colours of the plates."""
        return self._paint

    @property
    def texture(self) -> QImage | None:
        """Picture of the page with the plates' colours; None if there is none."""
        return self._texture.image if self._texture is not None else None

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.desk))
        self.draw_scene(painter, is_fine=not self._is_moving)
        position = self.scene.index(self._row) if self.scene is not None and self._row >= 0 else -1
        if self.scene is None or self._nodes is None or position < 0:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = outline(self.scene, self.projection, position)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in ((QColor(255, 255, 255, 200), 4.5), (QColor("#c2185b"), 2.2)):
            painter.setPen(QPen(color, width))
            painter.drawPolygon(shape)
        words = f"{describe(self._nodes, self._row)}  ·  level {int(self.scene.level[position])}"
        room = painter.fontMetrics().boundingRect(words).adjusted(-7, -4, 7, 4)
        top = shape.boundingRect().topLeft().toPoint()
        room.moveBottomLeft(top)
        room.moveLeft(max(4, min(room.left(), self.width() - room.width() - 4)))
        room.moveTop(max(4, min(room.top(), self.height() - room.height() - 4)))
        draw_rounded(painter, QRectF(room), 4, fill="#c2185b")
        painter.setPen(QColor("#ffffff"))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep a page that fills the view filling it."""
        super().resizeEvent(event)
        if self._is_fitted:
            self._fit()

    # mouse ---------------------------------------------------------------------------------
    def row_at(self, position: QPointF) -> int:
        """Return the row of the element at a point, -1 for none."""
        if self.scene is None:
            return -1
        return pick(self.scene, self.projection, position.x(), position.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start turning, or moving with the right button or Shift; a click picks."""
        self._pressed = self._last = event.position()
        self._is_dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn and tilt, or move; without a button report the plate under the mouse."""
        position = event.position()
        if self._pressed is None:
            self.hovered.emit(self.row_at(position))
            return
        if (position - self._pressed).manhattanLength() > _DRAG_PX:
            self._is_dragged = True
        if not self._is_dragged:
            return
        by, self._last = position - self._last, position
        moves = event.buttons() & (Qt.MouseButton.RightButton | Qt.MouseButton.MiddleButton)
        if moves or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._is_fitted = False
            self.set_camera(self.camera.moved(by.x(), by.y()))
            return
        self._leave_flat()
        turned = self.camera.turned(-by.x() * _RADIANS_PX)
        self.set_camera(turned.tilted(-by.y() * _RADIANS_PX))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Handle a press without movement as a click."""
        was_click = self._pressed is not None and not self._is_dragged
        self._pressed = None
        if was_click and event.button() == Qt.MouseButton.LeftButton:
            row = self.row_at(event.position())
            if row >= 0:
                self.picked.emit(row)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if not steps:
            return
        at = event.position().x(), event.position().y(), 0
        before = self.projection.on_page(*at)
        self._is_fitted = False
        camera = self.camera.zoomed(_WHEEL**steps)
        after = Projection(camera, self.width(), self.height()).on_page(*at)
        x, y = (before - after + camera.aim).tolist()
        self.set_camera(replace(camera, aim=(x, y)))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(-1)
