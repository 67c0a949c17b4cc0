"""Paint the pictures of the sample corpus: `python -m resources.corpus.studio.make [page ...]`.

The pictures are committed; this is how they came about. About four seconds a picture.
"""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter

from resources.corpus.studio.drawing import (
    Drawing,
    birds,
    both,
    comet,
    dome,
    ferry,
    lighthouse,
    save,
    tram,
)
from resources.corpus.studio.gif import save_gif
from resources.corpus.studio.landscape import Scene, render, shrink
from resources.corpus.studio.still import Solid, Table, rough, sphere
from resources.corpus.studio.still import render as still
from resources.corpus.studio.styles import DAWN, LAKE, MIST, NIGHT, PEAKS, STORM
from resources.corpus.studio.things import beam, bell, board, bowl, bun, kettle, knife, mug, orange

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
CORPUS = Path(__file__).resolve().parent.parent


def view(kind: Scene, seed: int, yaw: float, **changes: object) -> Scene:
    """Return a scene of this kind, looking into one direction."""
    return replace(kind, seed=seed, yaw=yaw, **changes)  # type: ignore[arg-type]


LANDSCAPES: dict[str, tuple[Scene, int, int, Drawing | None]] = {
    "gallery/images/01-first-light.jpg": (view(DAWN, 3, 28), 880, 560, None),
    "gallery/images/02-seven-bends.jpg": (view(DAWN, 6, 148), 420, 300, None),
    "gallery/images/03-the-shoulder.jpg": (view(PEAKS, 14, 160), 420, 300, None),
    "gallery/images/04-table-ridge.jpg": (view(PEAKS, 16, 240), 420, 300, None),
    "gallery/images/05-long-water.jpg": (view(PEAKS, 17, 145), 420, 300, None),
    "gallery/images/06-landing.jpg": (view(MIST, 28, 220), 420, 300, None),
    "gallery/images/07-down.jpg": (view(MIST, 24, 100), 420, 300, None),
    "gallery/images/08-river-above.jpg": (view(NIGHT, 35, 130), 880, 420, None),
    "gallery/images/09-moon.jpg": (view(NIGHT, 33, 200), 420, 300, None),
    "gallery/images/10-quarry.jpg": (view(LAKE, 46, 370), 420, 300, None),
    "gallery/images/11-limestone.jpg": (view(LAKE, 48, 410), 420, 300, None),
    "gallery/images/12-weather.jpg": (
        view(STORM, 56, 130),
        420,
        300,
        birds((0.3, 0.3, 0.02), (0.36, 0.26, 0.015), (0.7, 0.2, 0.02)),
    ),
    "news/images/ferry.jpg": (
        view(DAWN, 8, 188, sun=(150, 12), light=(1.1, 0.74, 0.5), haze=(0.66, 0.56, 0.52)),
        720,
        420,
        both(
            ferry(0.44, 0.75, 0.32),
            birds((0.66, 0.3, 0.014), (0.71, 0.26, 0.011), (0.2, 0.22, 0.01)),
        ),
    ),
    "news/images/narrows.jpg": (view(LAKE, 46, 10, camera=(100, 800, 9)), 300, 200, None),
    "news/images/storm.jpg": (view(STORM, 54, 50), 300, 200, None),
    "news/images/lighthouse.jpg": (
        view(DAWN, 6, 148),
        300,
        200,
        lighthouse(0.56, 0.6, 0.4),
    ),
    "minified/i/comet.jpg": (
        view(NIGHT, 36, 330, pitch=18),
        1200,
        520,
        both(comet(0.34, 0.42, 0.34, 34), dome(0.78, 0.86, 0.36)),
    ),
    "minified/i/dusk.jpg": (
        view(DAWN, 8, 210, sun=(212, 2), exposure=0.42),
        420,
        260,
        dome(0.3, 0.7, 0.36),
    ),
    "table2000/bilder/zug.jpg": (
        view(LAKE, 47, 275, lift=14, camera=(100, 800, 12), snow=1e9),
        400,
        240,
        tram(0.42, 0.84, 0.4),
    ),
    "table2000/bilder/tal.jpg": (view(MIST, 24, 100, lift=20), 180, 120, None),
    "magazine/images/valley.jpg": (view(MIST, 28, 220), 420, 300, None),
    "magazine/images/town.jpg": (
        view(DAWN, 6, 148, sun=(100, 14), light=(1.1, 0.85, 0.6)),
        420,
        300,
        None,
    ),
    "rtl/images/tower.jpg": (
        view(DAWN, 6, 148, sun=(70, 9), light=(1.15, 0.7, 0.4)),
        720,
        400,
        lighthouse(0.56, 0.585, 0.42),
    ),
    "rtl/images/bay.jpg": (view(LAKE, 48, 410), 280, 170, None),
    "rtl/images/mist.jpg": (view(MIST, 28, 220), 280, 170, None),
    "rtl/images/night.jpg": (view(NIGHT, 33, 200), 280, 170, None),
    "encyclopedia/images/estuary.jpg": (
        view(
            DAWN,
            6,
            148,
            sun=(40, 24),
            light=(1.0, 0.9, 0.74),
            sky=(0.16, 0.32, 0.62),
            haze=(0.62, 0.68, 0.74),
        ),
        300,
        210,
        None,
    ),
}


BLUE, RED, GREEN = (0.05, 0.11, 0.2), (0.34, 0.05, 0.04), (0.09, 0.17, 0.12)
CREAM, STONE = (0.75, 0.7, 0.58), (0.55, 0.6, 0.62)
COFFEE, MILK = (0.12, 0.05, 0.02), (0.6, 0.5, 0.4)
DAY = Table(target=(0.1, 0, 0.95), fov=34)
SLATE = Table(
    eye=(0, -5, 3.6),
    target=(0.1, 0.1, 0.25),
    fov=44,
    colour=(0.2, 0.22, 0.24),
    second=(0.13, 0.14, 0.16),
    lamp=(0.5, 0.5, 0.6),
    wall=((0.3, 0.3, 0.3), (0.2, 0.2, 0.22)),
    warm=(1.5, 1.14, 0.82),
    fill=(0.36, 0.35, 0.36),
    exposure=0.92,
    vignette=0.2,
)
FOUNDRY = Table(
    eye=(0, -5.6, 1.5),
    target=(0.15, 0, 0.95),
    fov=52,
    colour=(0.13, 0.1, 0.08),
    second=(0.08, 0.06, 0.05),
    lamp=(-0.75, -0.4, 0.55),
    warm=(1.7, 1.05, 0.55),
    fill=(0.1, 0.1, 0.13),
    wall=((0.09, 0.06, 0.045), (0.025, 0.022, 0.025)),
    exposure=0.9,
    vignette=0.6,
)
LINEN = Table(
    eye=(0, -5, 3.0),
    target=(0, 0, 0.4),
    fov=40,
    colour=(0.55, 0.52, 0.46),
    second=(0.48, 0.45, 0.39),
    planks=False,
    lamp=(0.5, -0.3, 0.6),
)


def buns(*places: tuple[float, float, float]) -> list[Solid]:
    """Return buns, each turned differently."""
    return [s for i, at in enumerate(places) for s in bun(at, i * 1.1, i + 3)]


def dough(at: tuple[float, float, float], radius: float) -> list[Solid]:
    """Return a risen ball of dough."""
    shape = rough(sphere(at, radius, 0.75), 5, 0.012, 40)
    return [Solid(shape, (0.72, 0.62, 0.45), 0.12, 0.3, (0.62, 0.5, 0.33))]


TRAY = [
    (-1.1, -0.2, 0.18),
    (0.0, -0.45, 0.18),
    (1.1, -0.15, 0.18),
    (-0.6, 0.75, 0.18),
    (0.55, 0.8, 0.18),
    (0.0, 0.2, 0.55),
]
STILLS: dict[str, tuple[list[Solid], Table, int, int]] = {
    "shop/images/kettle-blue.jpg": (kettle((0, 0, 0), BLUE), DAY, 580, 500),
    "shop/images/kettle-lid.jpg": (
        kettle((0, 0, 0), BLUE),
        replace(DAY, eye=(-2.5, -4, 4), target=(0, 0, 1.3), fov=19),
        200,
        170,
    ),
    "shop/images/kettle-table.jpg": (
        [*kettle((0, 0, 0), BLUE), *mug((-1.75, -0.5, 0), CREAM, COFFEE)],
        replace(DAY, target=(-0.15, 0, 0.9), fov=40),
        200,
        170,
    ),
    "shop/images/kettle-red.jpg": (kettle((0, 0, 0), RED), DAY, 200, 170),
    "shop/images/kettle-green.jpg": (kettle((0, 0, 0), GREEN), DAY, 200, 170),
    "shop/images/mugs.jpg": (
        [*mug((-0.55, 0, 0), BLUE, COFFEE), *mug((0.5, 0.35, 0), CREAM)],
        replace(DAY, target=(-0.1, 0, 0.4), fov=24),
        240,
        190,
    ),
    "shop/images/bowl.jpg": (
        bowl((0, 0, 0), 1.2, STONE),
        replace(LINEN, planks=True),
        240,
        190,
    ),
    "shop/images/board.jpg": (
        [*board((0, 0.1, 0.08), (1.5, 0.9, 0.08)), *knife((-1.3, -0.5, 0.22), (0.9, 0.5, 0.2))],
        replace(LINEN, target=(0, 0, 0.1)),
        240,
        190,
    ),
    "shop/images/oranges.jpg": (
        [
            *bowl((0, 0, 0), 1.2, RED),
            *orange((-0.45, -0.2, 0.2), 0.42, 3),
            *orange((0.42, -0.25, 0.2), 0.42, 4),
            *orange((0, 0.45, 0.2), 0.42, 5),
            *orange((-0.1, -0.1, 0.75), 0.42, 6),
        ],
        LINEN,
        240,
        190,
    ),
    "magazine/images/bell.jpg": (
        [
            *bell((1.4, 0.1, 0.24), 1.0),
            *beam((1.4, -0.5, 0.1), (1.3, 0.16, 0.11)),
            *beam((1.4, 0.7, 0.1), (1.3, 0.16, 0.11)),
            *bell((3.4, 1.7, 0), 0.62),
        ],
        FOUNDRY,
        1366,
        640,
    ),
    "magazine/images/three.jpg": (
        [*bell((-1.25, 0.2, 0), 0.85), *bell((0.3, 0.2, 0), 0.62), *bell((1.4, 0.1, 0), 0.45)],
        replace(FOUNDRY, eye=(0, -5.2, 2.0), target=(0, 0, 0.55), fov=34, exposure=0.95),
        420,
        300,
    ),
    "recipe/images/buns.jpg": (
        [*buns(*TRAY), *board((0, 0.15, 0.08), (2, 1.35, 0.08)), *mug((2.75, 0.9, 0), CREAM, MILK)],
        SLATE,
        760,
        440,
    ),
    "recipe/images/dough.jpg": (
        [*bowl((0, 0, 0), 1.3, CREAM), *dough((0, 0, 0.62), 0.95)],
        replace(SLATE, target=(0, 0, 0.4), fov=38),
        340,
        230,
    ),
    "recipe/images/one.jpg": (
        [
            *buns((0.1, 0, 0.18)),
            *board((0, 0.1, 0.08), (1.5, 1, 0.08)),
            *knife((-1.2, -0.7, 0.22), (0, -0.8, 0.2)),
        ],
        replace(SLATE, target=(0, 0, 0.25), fov=30),
        340,
        230,
    ),
}


def sign(text: str, width: int, back: str, ink: str, points: int = 11) -> QImage:
    """Return a small sign with a raised edge."""
    image = QImage(width, 24, QImage.Format.Format_ARGB32)
    image.fill(QColor(back))
    painter = QPainter(image)
    painter.setPen(QColor(255, 255, 255))
    painter.drawLine(0, 0, width, 0)
    painter.drawLine(0, 0, 0, 24)
    painter.setPen(QColor(60, 60, 60))
    painter.drawLine(0, 23, width, 23)
    painter.drawLine(width - 1, 0, width - 1, 24)
    font = QFont("DejaVu Sans", points)
    font.setBold(True)
    font.setPixelSize(points + 2)
    painter.setFont(font)
    painter.setPen(QColor(ink))
    painter.drawText(QRect(0, 0, width, 24), Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return image


def signs(folder: Path) -> None:
    """Write the GIFs of the page of the 2000s: spacer, signs, a tile for the background."""
    application = QGuiApplication.instance() or QGuiApplication([])
    clear = QImage(1, 1, QImage.Format.Format_ARGB32)
    clear.fill(0)
    save_gif(clear, folder / "spacer.gif")
    save_gif(sign("NEU!", 46, "#cc0000", "#ffff00"), folder / "neu.gif")
    save_gif(sign("800 x 600", 88, "#003366", "#ffffff"), folder / "800.gif")
    save_gif(sign("Feldbahn-Ring", 120, "#336633", "#ffcc00"), folder / "ring.gif")
    tile = QImage(48, 48, QImage.Format.Format_ARGB32)
    tile.fill(QColor("#6b8060"))
    painter = QPainter(tile)
    for i in range(0, 48, 4):
        painter.setPen(QColor("#63785a" if i % 8 else "#738868"))
        painter.drawLine(i, 0, i + 48, 48)
        painter.drawLine(i - 48, 0, i, 48)
    painter.end()
    save_gif(tile, folder / "kachel.gif")
    del application


COPIES = {
    "blog/images/hills.jpg": "gallery/images/07-down.jpg",
    "search/img/moon.jpg": "gallery/images/09-moon.jpg",
    "search/img/field.jpg": "gallery/images/02-seven-bends.jpg",
    "recipe/images/mugs.jpg": "shop/images/mugs.jpg",
    "recipe/images/oranges.jpg": "shop/images/oranges.jpg",
}
"""Pictures on a second page: each page's folder is complete."""


def main(pages: list[str]) -> None:
    """Paint the pictures of the pages named, or of all."""
    for name, (scene, width, height, over) in LANDSCAPES.items():
        if not pages or name.split("/")[0] in pages:
            picture = shrink(render(scene, width * 2, height * 2), 2)
            save(picture, CORPUS / name, over)
    if not pages or "table2000" in pages:
        signs(CORPUS / "table2000" / "bilder")
    for name, (solids, table, width, height) in STILLS.items():
        if not pages or name.split("/")[0] in pages:
            save(shrink(still(solids, table, width * 2, height * 2), 2), CORPUS / name)
    for name, source in COPIES.items():
        if not pages or name.split("/")[0] in pages:
            shutil.copyfile(CORPUS / source, CORPUS / name)


if __name__ == "__main__":
    main(sys.argv[1:])
