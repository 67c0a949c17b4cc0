"""Paint the pictures of the sample corpus: `python make.py [page ...]`.

The pictures are committed; this is how they came about. About four seconds a picture.
"""

import sys
from dataclasses import replace
from pathlib import Path

from drawing import Drawing, birds, both, ferry, lighthouse, save
from landscape import Scene, render, shrink
from styles import DAWN, LAKE, MIST, NIGHT, PEAKS, STORM

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
        view(STORM, 56, 130), 420, 300, birds((0.3, 0.3, 0.02), (0.36, 0.26, 0.015), (0.7, 0.2, 0.02)),
    ),
    "news/images/ferry.jpg": (
        view(DAWN, 8, 188, sun=(150, 12), light=(1.1, 0.74, 0.5), haze=(0.66, 0.56, 0.52)),
        720, 420,
        both(ferry(0.44, 0.75, 0.32), birds((0.66, 0.3, 0.014), (0.71, 0.26, 0.011), (0.2, 0.22, 0.01))),
    ),
    "news/images/narrows.jpg": (view(LAKE, 46, 10, camera=(100, 800, 9)), 300, 200, None),
    "news/images/storm.jpg": (view(STORM, 54, 50), 300, 200, None),
    "news/images/lighthouse.jpg": (
        view(DAWN, 6, 148), 300, 200, lighthouse(0.56, 0.6, 0.4),
    ),
    "encyclopedia/images/estuary.jpg": (view(DAWN, 6, 148, sun=(40, 24), light=(1.0, 0.9, 0.74),
        sky=(0.16, 0.32, 0.62), haze=(0.62, 0.68, 0.74)), 300, 210, None),
}  # fmt: skip


def main(pages: list[str]) -> None:
    """Paint the pictures of the pages named, or of all."""
    for name, (scene, width, height, over) in LANDSCAPES.items():
        if not pages or name.split("/")[0] in pages:
            picture = shrink(render(scene, width * 2, height * 2), 2)
            save(picture, CORPUS / name, over)
            print(name, (CORPUS / name).stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
