"""Pictures of pages side by side."""

from collections.abc import Callable

from gui.plugins.side_by_side.pane import GOLD, PaneContent
from gui.plugins.side_by_side.view import SideBySide
from gui.window.window import Window
from tests.gui.scenes import Scene, open_sample, rest, use, wait


def segmented(folder: str) -> Callable[[Window], None]:
    """Show blocks of terrain-learned, terrain and gold, and the page alone, side by side."""

    def scene(window: Window) -> None:
        open_sample(window, folder)
        for key in ("terrain", "terrain-learned"):
            use(window, key)
        view = window.workbench.main_area.get(SideBySide)
        view.toggle(4)
        for pane, key in zip(view.panes, (GOLD, "terrain-learned", "terrain", "vips"), strict=True):
            pane.set_shown(PaneContent(key))
        wait(lambda: all(pane.page is not None for pane in view.panes), 60)
        rest(2000)

    return scene


SCENES = {
    f"blocks-{folder}": Scene(segmented(folder), (1300, 860))
    for folder in ("news", "shop", "forum")
}
